/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/json_print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* No character of a text takes more. */
#define ESCAPED_SIZE 6

static void put_text(const struct json_print *print, const char *text)
{
    size_t size = (text ? ESCAPED_SIZE * strlen(text) : 0) + sizeof "\"\"" + sizeof "null";
    char *room = malloc(size);
    struct json_text quoted;

    if (!room) {
        fputs("null", print->out);
        return;
    }
    json_text_begin(&quoted, room, size);
    json_text_string(&quoted, text);
    fwrite(room, 1, (size_t)(quoted.at - quoted.start), print->out);
    free(room);
}

static void break_line(const struct json_print *print)
{
    if (print->indent)
        fprintf(print->out, "\n%*s", (int)(print->indent * print->depth), "");
}

/* What stands before a value. */
static void put_key(struct json_print *print, const char *key)
{
    if (print->has_value)
        putc(',', print->out);
    if (print->depth)
        break_line(print);
    if (key) {
        put_text(print, key);
        fputs(print->indent ? ": " : ":", print->out);
    }
    print->has_value = true;
}

void json_print_open(struct json_print *print, const char *key, const char *brackets)
{
    put_key(print, key);
    putc(brackets[0], print->out);
    print->depth++;
    print->has_value = false;
}

void json_print_close(struct json_print *print, const char *brackets)
{
    print->depth--;
    if (print->has_value)
        break_line(print);
    putc(brackets[1], print->out);
    print->has_value = true;
}

void json_print_text(struct json_print *print, const char *key, const char *text)
{
    put_key(print, key);
    put_text(print, text);
}

void json_print_integer(struct json_print *print, const char *key, int64_t number)
{
    put_key(print, key);
    fprintf(print->out, "%jd", (intmax_t)number);
}

void json_print_real(struct json_print *print, const char *key, double number, int digits)
{
    char room[64];
    struct json_text text;

    put_key(print, key);
    json_text_begin(&text, room, sizeof room);
    if (isfinite(number))
        json_text_real(&text, number, digits);
    else
        JSON_TEXT_PUT(&text, "null");
    fwrite(room, 1, (size_t)(text.at - text.start), print->out);
}

void json_print_bool(struct json_print *print, const char *key, bool value)
{
    put_key(print, key);
    fputs(value ? "true" : "false", print->out);
}

void json_print_raw(struct json_print *print, const char *key, const char *json, size_t length)
{
    put_key(print, key);
    fwrite(json, 1, length, print->out);
}

static void print_value(struct json_print *print, const char *key, const struct json_value *value)
{
    bool is_array = json_is(value, JSON_KIND_ARRAY);

    json_print_open(print, key, is_array ? "[]" : "{}");
    JSON_EACH (item, value)
        json_print_value(print, item->key, item);
    json_print_close(print, is_array ? "[]" : "{}");
}

void json_print_value(struct json_print *print, const char *key, const struct json_value *value)
{
    if (json_is(value, JSON_KIND_STRING))
        json_print_text(print, key, value->text);
    else if (json_is(value, JSON_KIND_INTEGER))
        json_print_integer(print, key, value->integer);
    else if (json_is(value, JSON_KIND_REAL))
        json_print_raw(print, key, value->text, value->length);
    else if (json_is(value, JSON_KIND_TRUE) || json_is(value, JSON_KIND_FALSE))
        json_print_bool(print, key, value->kind == JSON_KIND_TRUE);
    else if (json_is(value, JSON_KIND_ARRAY) || json_is(value, JSON_KIND_OBJECT))
        print_value(print, key, value);
    else
        json_print_text(print, key, NULL);
}

void json_print_end(struct json_print *print)
{
    putc('\n', print->out);
    print->has_value = false;
}
