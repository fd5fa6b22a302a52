/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int error_set(struct error *error, enum error_code code, const char *format, ...)
{
    if (error) {
        va_list arguments;

        error->code = code;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return code;
}

void error_prefix(struct error *error, const char *format, ...)
{
    char prefix[ERROR_TEXT_SIZE];
    va_list arguments;
    size_t length, rest;

    if (!error)
        return;
    va_start(arguments, format);
    vsnprintf(prefix, sizeof prefix, format, arguments);
    va_end(arguments);
    length = strlen(prefix);
    if (length + 2 >= sizeof error->text)
        return;
    rest = sizeof error->text - length - 3;
    memmove(error->text + length + 2, error->text, rest);
    memcpy(error->text, prefix, length);
    memcpy(error->text + length, ": ", 2);
    error->text[sizeof error->text - 1] = '\0';
}
