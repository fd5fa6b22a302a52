/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/page/markup.h"

#include <stdlib.h>
#include <string.h>

#include "hal/base/utf8.h"

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

/* What is not to be obeyed is written as its number, which is seen and does nothing. */
static void put_number(FILE *out, unsigned code, bool markup)
{
    fprintf(out, markup ? "&lt;U+%04X&gt;" : "<U+%04X>", code);
}

static void put_ascii(FILE *out, unsigned char byte, bool markup)
{
    const char *entity = markup ? entity_of(byte) : NULL;

    if (byte == '\n' || byte == '\t' || byte == '\r')
        putc(' ', out);
    else if (entity)
        fputs(entity, out);
    else if (byte >= ' ' && byte < 0x7f)
        putc(byte, out);
    else
        put_number(out, byte, markup);
}

/* U+0080 to U+009F are control characters as well, and some terminals obey them. */
static bool is_control(const unsigned char *text)
{
    return text[0] == 0xc2 && text[1] < 0xa0;
}

static void put(FILE *out, const char *text, bool markup)
{
    const unsigned char *at = (const unsigned char *)text;
    const unsigned char *end = at + strlen(text);

    while (at < end) {
        size_t length = utf8_length(at, (size_t)(end - at));

        if (length == 1)
            put_ascii(out, *at, markup);
        else if (length && (is_control(at) || utf8_is_invisible(at, length)))
            put_number(out, utf8_code(at, length), markup);
        else if (length)
            fwrite(at, 1, length, out);
        at += length ? length : 1;
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
