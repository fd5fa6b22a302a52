/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording and what is expected of it give way to nothing but another recording. */
#include <string.h>

#include "hal/base/save.h"

static size_t skip_blanks(const char *text, size_t length, size_t at)
{
    while (at < length && strchr(" \t\r", text[at]))
        at++;
    return at;
}

/* An object that has this key with a number, in any place: people write recordings as well. */
static bool has_number(const char *line, size_t length, const char *key)
{
    size_t at = skip_blanks(line, length, 0), key_length = strlen(key);
    const char *found = line;

    if (at == length || line[at] != '{')
        return false;
    while ((found = memmem(found, length - (size_t)(found - line), key, key_length))) {
        found += key_length;
        at = skip_blanks(line, length, (size_t)(found - line));
        if (at == length || line[at] != ':')
            continue;
        at = skip_blanks(line, length, at + 1);
        if (at < length && line[at] >= '0' && line[at] <= '9')
            return true;
    }
    return false;
}

static bool is_recording(const char *line, size_t length)
{
    return has_number(line, length, "\"shoe\"");
}

static bool is_expectation(const char *line, size_t length)
{
    return has_number(line, length, "\"round\"");
}

static const struct save_kept recording = {.name = "a recording", .is_one = is_recording};
static const struct save_kept expectation = {.name = "the expectation of a recording",
                                             .is_one = is_expectation};
REGISTER(save_kinds, recording);
REGISTER(save_kinds, expectation);
