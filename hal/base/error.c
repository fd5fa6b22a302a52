/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* A last word that is longer than this is cut in itself. */
#define WORD_MAX 40

/* What was cut ends with a whole word, and says that there was more. */
static void end_at_word(char text[ERROR_TEXT_SIZE])
{
    static const char more[] = " …";
    const size_t last = ERROR_TEXT_SIZE - sizeof more;

    for (size_t at = last; at > last - WORD_MAX; at--)
        if (text[at] == ' ') {
            memcpy(text + at, more, sizeof more);
            return;
        }
}

static void fill(struct error *error, enum error_code code, int reason, const char *format,
                 va_list arguments)
{
    if (!error)
        return;
    error->code = code;
    error->reason = reason;
    if (vsnprintf(error->text, sizeof error->text, format, arguments) >= (int)sizeof error->text)
        end_at_word(error->text);
}

int error_set(struct error *error, enum error_code code, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    fill(error, code, 0, format, arguments);
    va_end(arguments);
    return code;
}

int error_refuse(struct error *error, int reason, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    fill(error, ERROR_RULE, reason, format, arguments);
    va_end(arguments);
    return ERROR_RULE;
}

void error_prefix(struct error *error, const char *format, ...)
{
    char prefix[ERROR_TEXT_SIZE];
    va_list arguments;
    size_t length, rest;
    bool is_cut;

    if (!error)
        return;
    va_start(arguments, format);
    vsnprintf(prefix, sizeof prefix, format, arguments);
    va_end(arguments);
    length = strlen(prefix);
    if (length + 2 >= sizeof error->text)
        return;
    rest = sizeof error->text - length - 3;
    is_cut = strlen(error->text) > rest;
    memmove(error->text + length + 2, error->text, rest);
    memcpy(error->text, prefix, length);
    memcpy(error->text + length, ": ", 2);
    error->text[sizeof error->text - 1] = '\0';
    if (is_cut)
        end_at_word(error->text);
}

enum error_code error_of_opening(int reason)
{
    switch (reason) {
    case ENOENT:
    case ENOTDIR:
    case ENAMETOOLONG:
    case ELOOP:
    case ENXIO:
        return ERROR_CONFIG;
    default:
        return ERROR_RIG;
    }
}

const char *error_remedy(int reason)
{
    switch (reason) {
    case ENOSPC:
    case EDQUOT:
        return "make room on its disk";
    case EACCES:
    case EPERM:
        return "get permission to write there, or choose another place";
    case EROFS:
        return "choose a place that can be written";
    case ENOENT:
        return "make the folder that it is to be in";
    case ENOTDIR:
    case EISDIR:
    case EEXIST:
    case ENAMETOOLONG:
    case ELOOP:
        return "choose another name";
    case EFBIG:
        return "allow larger files (ulimit -f), or choose another disk";
    case EMFILE:
    case ENFILE:
        return "allow more open files (ulimit -n)";
    case EIO:
        return "look at its disk";
    default:
        return "choose another place";
    }
}
