/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/base/json.h"

#include <stdlib.h>
#include <string.h>

const struct json_value *json_member(const struct json_value *object, const char *key)
{
    if (json_is(object, JSON_KIND_OBJECT))
        JSON_EACH (value, object)
            if (value->key[0] == key[0] && !strcmp(value->key, key))
                return value;
    return NULL;
}

const struct json_value *json_element(const struct json_value *array, size_t index)
{
    if (json_is(array, JSON_KIND_ARRAY))
        JSON_EACH (value, array)
            if (!index--)
                return value;
    return NULL;
}

static bool same_members(const struct json_value *a, const struct json_value *b)
{
    if (a->length != b->length)
        return false;
    JSON_EACH (value, a)
        if (!json_same(value, json_member(b, value->key)))
            return false;
    return true;
}

static bool same_elements(const struct json_value *a, const struct json_value *b)
{
    const struct json_value *other = json_begin(b);

    if (a->length != b->length)
        return false;
    JSON_EACH (value, a) {
        if (!json_same(value, other))
            return false;
        other += other->span;
    }
    return true;
}

bool json_same(const struct json_value *a, const struct json_value *b)
{
    if (!a || !b || a->kind != b->kind)
        return false;
    switch ((enum json_kind)a->kind) {
    case JSON_KIND_INTEGER:
        return a->integer == b->integer;
    case JSON_KIND_REAL:
        return strtod(a->text, NULL) == strtod(b->text, NULL);
    case JSON_KIND_STRING:
        return a->length == b->length && !memcmp(a->text, b->text, a->length);
    case JSON_KIND_ARRAY:
        return same_elements(a, b);
    case JSON_KIND_OBJECT:
        return same_members(a, b);
    default:
        return true;
    }
}

/* Bytes of all the texts within a value, their NULs included. */
static size_t text_size(const struct json_value *value)
{
    size_t size = 0;

    for (const struct json_value *at = value; at < value + value->span; at++) {
        size += at->key ? strlen(at->key) + 1 : 0;
        size += at->kind == JSON_KIND_STRING || at->kind == JSON_KIND_REAL ? at->length + 1 : 0;
    }
    return size;
}

static const char *move_text(char **room, const char *text, size_t length)
{
    char *moved = *room;

    memcpy(moved, text, length);
    moved[length] = '\0';
    *room += length + 1;
    return moved;
}

struct json_value *json_keep(const struct json_value *value)
{
    size_t size = value->span * sizeof *value;
    struct json_value *copy = malloc(size + text_size(value));
    char *room;

    if (!copy)
        return NULL;
    room = (char *)copy + size;
    memcpy(copy, value, size);
    for (struct json_value *at = copy; at < copy + copy->span; at++) {
        if (at->key)
            at->key = move_text(&room, at->key, strlen(at->key));
        if (at->kind == JSON_KIND_STRING || at->kind == JSON_KIND_REAL)
            at->text = move_text(&room, at->text, at->length);
    }
    return copy;
}

static void put_members(struct json_text *text, const struct json_value *container)
{
    const char *separator = "";

    JSON_EACH (value, container) {
        json_text_raw(text, separator, strlen(separator));
        separator = ",";
        if (value->key) {
            json_text_string(text, value->key);
            JSON_TEXT_PUT(text, ":");
        }
        json_text_value(text, value);
    }
}

void json_text_value(struct json_text *text, const struct json_value *value)
{
    static const char *const words[] = {"null", "false", "true"};

    if (text->full)
        return;
    switch ((enum json_kind)value->kind) {
    case JSON_KIND_INTEGER:
        json_text_number(text, value->integer);
        break;
    case JSON_KIND_REAL:
        json_text_real(text, strtod(value->text, NULL), 17);
        break;
    case JSON_KIND_STRING:
        json_text_string(text, value->text);
        break;
    case JSON_KIND_ARRAY:
    case JSON_KIND_OBJECT:
        json_text_raw(text, value->kind == JSON_KIND_ARRAY ? "[" : "{", 1);
        put_members(text, value);
        json_text_raw(text, value->kind == JSON_KIND_ARRAY ? "]" : "}", 1);
        break;
    default:
        json_text_raw(text, words[value->kind], strlen(words[value->kind]));
    }
}
