/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/page/markup.h"

#include <stdlib.h>
#include <string.h>

#include "hal/base/printable.h"

static const char *entity_of(unsigned char byte)
{
    switch (byte) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

static void put_byte(FILE *out, unsigned char byte, bool markup)
{
    const char *entity = markup ? entity_of(byte) : NULL;

    if (entity)
        fputs(entity, out);
    else
        putc(byte, out);
}

static void put(FILE *out, const char *text, bool markup)
{
    const unsigned char *at = (const unsigned char *)text;
    const unsigned char *end = at + strlen(text);

    while (at < end) {
        char instead[PRINTABLE_SIZE];
        size_t length = printable_next(at, (size_t)(end - at), instead);

        for (const char *shown = instead; *shown; shown++)
            put_byte(out, (unsigned char)*shown, markup);
        for (size_t i = 0; i < length && !*instead; i++)
            put_byte(out, at[i], markup);
        at += length;
    }
}

/* Short values have room here; for others memory is asked for. */
#define SHORT_SIZE 256
#define LONG_SIZE  (4 * JSON_LONGEST)

static bool put_value(FILE *out, const struct json_value *value, char *room, size_t size,
                      bool markup)
{
    struct json_text text;

    json_text_begin(&text, room, size - 1);
    json_text_value(&text, value);
    if (text.full)
        return false;
    *text.at = '\0';
    put(out, room, markup);
    return true;
}

static void put_json(FILE *out, const struct json_value *value, bool markup)
{
    char room[SHORT_SIZE], *more;

    if (json_is(value, JSON_KIND_STRING)) {
        put(out, value->text, markup);
    } else if (value && !put_value(out, value, room, sizeof room, markup)) {
        more = malloc(LONG_SIZE);
        if (more)
            put_value(out, value, more, LONG_SIZE, markup);
        free(more);
    }
}

void markup_text(FILE *out, const char *text)
{
    put(out, text, true);
}

void markup_json(FILE *out, const struct json_value *value)
{
    put_json(out, value, true);
}

void plain_text(FILE *out, const char *text)
{
    put(out, text, false);
}

void plain_json(FILE *out, const struct json_value *value)
{
    put_json(out, value, false);
}
