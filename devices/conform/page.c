/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sentences of both pages by their numbers, from the pages themselves. */
#include <ctype.h>
#include <stdio.h>

#include "devices/conform/suite.h"
#include "hal/base/embed.h"

EMBED_TEXT(protocol_page, "devices/PROTOCOL.md");
EMBED_TEXT(second_page, "devices/PROTOCOL-2.md");

/* The length of "[SH12]"; 0 where none stands. */
static size_t number_length(const char *at)
{
    size_t letters = 1, digits;

    if (*at != '[')
        return 0;
    while (isupper((unsigned char)at[letters]))
        letters++;
    digits = letters;
    while (isdigit((unsigned char)at[digits]))
        digits++;
    return letters > 1 && digits > letters && at[digits] == ']' ? digits + 1 : 0;
}

/* The number with that index on a page; `index` is then what is left of it. */
static bool find_id(const char *page, size_t *index, char *id, size_t size)
{
    for (const char *at = page; (at = strchr(at, '[')); at++) {
        size_t length = number_length(at);

        if (length && !(*index)--) {
            snprintf(id, size, "%.*s", (int)length - 2, at + 1);
            return true;
        }
    }
    return false;
}

bool conform_page_id(size_t index, char *id, size_t size)
{
    return find_id(protocol_page, &index, id, size) || find_id(second_page, &index, id, size);
}

/* A blank line, the next row of a table, or the next number. */
static bool is_end(const char *at)
{
    return !*at || number_length(at) || (at[0] == '\n' && (at[1] == '\n' || at[1] == '|'));
}

/* Line ends and the bars between cells become one mark each; stars of emphasis go. */
bool conform_page_text(const char *id, char *text, size_t size)
{
    char number[16];
    const char *at;
    size_t used = 0;

    snprintf(number, sizeof number, "[%s]", id);
    at = strstr(protocol_page, number);
    if (!at)
        at = strstr(second_page, number);
    if (!at)
        return false;
    for (at += strlen(number) + 1; !is_end(at) && used + 2 < size; at++) {
        char shown = *at == '\n' ? ' ' : *at;

        if (shown == '|') {
            while (used && text[used - 1] == ' ')
                used--;
            shown = ';';
        }
        if ((shown == '*' && at[1] == '*') || (shown == '*' && at[-1] == '*') ||
            (shown == ';' && used && text[used - 1] == ';') ||
            (shown == ' ' && used && text[used - 1] == ' '))
            continue;
        text[used++] = shown;
    }
    while (used && strchr(" ;", text[used - 1]))
        used--;
    text[used] = '\0';
    return true;
}
