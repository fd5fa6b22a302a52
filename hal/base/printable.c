/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/base/printable.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "hal/base/utf8.h"

void printable_make(char *text)
{
    for (; *text; text++)
        if (*text < ' ' || *text > '~')
            *text = '?';
}

void printable_copy(char *text, size_t size, const char *from)
{
    snprintf(text, size, "%s", from ? from : "");
    printable_make(text);
}

/* U+0080 to U+009F are control characters as well, and some terminals obey them. */
static bool is_obeyed(unsigned code)
{
    return code < ' ' || (code >= 0x7f && code < 0xa0);
}

size_t printable_next(const unsigned char *text, size_t left, char instead[PRINTABLE_SIZE])
{
    size_t length = utf8_length(text, left);
    unsigned code = length ? utf8_code(text, length) : 0;

    *instead = '\0';
    if (!length)
        snprintf(instead, PRINTABLE_SIZE, "<%02X>", *text);
    else if (code == '\n' || code == '\t' || code == '\r')
        snprintf(instead, PRINTABLE_SIZE, " ");
    else if (is_obeyed(code) || (length > 1 && utf8_is_invisible(text, length)))
        snprintf(instead, PRINTABLE_SIZE, "<U+%04X>", code);
    return length ? length : 1;
}

void printable_show(char *shown, size_t size, const char *text)
{
    const unsigned char *at = (const unsigned char *)(text ? text : "");
    size_t left = strlen((const char *)at), used = 0;

    while (left) {
        char instead[PRINTABLE_SIZE];
        size_t length = printable_next(at, left, instead);
        size_t wide = *instead ? strlen(instead) : length;

        if (used + wide >= size)
            break;
        memcpy(shown + used, *instead ? instead : (const char *)at, wide);
        used += wide;
        at += length;
        left -= length;
    }
    shown[used] = '\0';
}
