/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/station/mask.h"

#include <string.h>

static bool is_one_of(const char *key, const char *const *names)
{
    while (*names && strcmp(*names, key))
        names++;
    return *names;
}

static void write_key(struct json_text *out, const struct json_value *member, bool is_first)
{
    if (!is_first)
        JSON_TEXT_PUT(out, ",");
    json_text_string(out, member->key);
    JSON_TEXT_PUT(out, ":");
}

static void write_or_hide(struct json_text *out, const struct json_value *value, bool is_hidden)
{
    if (is_hidden)
        JSON_TEXT_PUT(out, "null");
    else
        json_text_value(out, value);
}

/* What lies on the table before the first card; whatever else a round may have is to come. */
static void write_played(struct json_text *out, const struct json_value *played)
{
    static const char *const known[] = {"round", "bets", "deck-id", NULL};

    if (!json_is(played, JSON_KIND_OBJECT)) {
        JSON_TEXT_PUT(out, "null");
        return;
    }
    JSON_TEXT_PUT(out, "{");
    JSON_EACH (member, played) {
        write_key(out, member, member == json_begin(played));
        write_or_hide(out, member, !is_one_of(member->key, known));
    }
    JSON_TEXT_PUT(out, "}");
}

void mask_line(struct json_reader *reader, unsigned mask, const char *line, size_t length,
               struct json_text *out)
{
    static const char *const digests[] = {"sha256", "expect-sha256", NULL};
    const struct json_value *object = json_read(reader, line, length, NULL);

    if (!json_is(object, JSON_KIND_OBJECT)) {
        JSON_TEXT_PUT(out, "null");
        return;
    }
    JSON_TEXT_PUT(out, "{");
    JSON_EACH (member, object) {
        write_key(out, member, member == json_begin(object));
        if (mask & MASK_PLAYED && !strcmp(member->key, "played"))
            write_played(out, member);
        else
            write_or_hide(out, member,
                          (mask & MASK_PREVIOUS && !strcmp(member->key, "prev")) ||
                              (mask & MASK_FILE && is_one_of(member->key, digests)));
    }
    JSON_TEXT_PUT(out, "}");
}

void mask_previous(const char *line, size_t length, struct json_text *out)
{
    static const char name[] = ",\"prev\":";
    const char *found = memmem(line, length, name, sizeof name - 1);
    const char *from = found ? found + sizeof name - 1 : line;
    const char *to = found ? memchr(from, ',', length - (size_t)(from - line)) : NULL;

    if (!to) {
        JSON_TEXT_PUT(out, "null");
        return;
    }
    json_text_raw(out, line, (size_t)(from - line));
    JSON_TEXT_PUT(out, "null");
    json_text_raw(out, to, length - (size_t)(to - line));
}
