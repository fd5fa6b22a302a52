/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The reader of JSON, against jansson: both take the same texts, and read the same in them. What
 * was read is written, kept and read again as the same.
 *
 * Covers: hal/base/json.c hal/base/json_value.c hal/base/json_text.c hal/base/json_fields.c
 * Covers: hal/base/utf8.c
 * Seeds: fixtures/ .expect
 */
#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "hal/base/json.h"
#include "hal/base/json_fields.h"
#include "hal/base/utf8.h"
#include "tests/fuzz/fuzz.h"

#define LONGEST 8192

static bool is_same(const struct json_value *value, const json_t *other);

static bool is_same_container(const struct json_value *value, const json_t *other)
{
    size_t index = 0;

    if (json_count(value) !=
        (json_is_object(other) ? json_object_size(other) : json_array_size(other)))
        return false;
    JSON_EACH (element, value) {
        const json_t *its = json_is_object(other) ? json_object_get(other, element->key)
                                                  : json_array_get(other, index);

        if (!is_same(element, its))
            return false;
        FUZZ_MUST(element->key || json_element(value, index) == element);
        FUZZ_MUST(!element->key || json_member(value, element->key) == element);
        index++;
    }
    return true;
}

static bool is_same(const struct json_value *value, const json_t *other)
{
    static const json_type types[] = {
        [JSON_KIND_NULL] = JSON_NULL,   [JSON_KIND_FALSE] = JSON_FALSE,
        [JSON_KIND_TRUE] = JSON_TRUE,   [JSON_KIND_INTEGER] = JSON_INTEGER,
        [JSON_KIND_REAL] = JSON_REAL,   [JSON_KIND_STRING] = JSON_STRING,
        [JSON_KIND_ARRAY] = JSON_ARRAY, [JSON_KIND_OBJECT] = JSON_OBJECT};

    if (!other || types[value->kind] != json_typeof(other))
        return false;
    if (value->kind == JSON_KIND_INTEGER)
        return json_int(value) == json_integer_value(other);
    if (value->kind == JSON_KIND_STRING)
        return value->length == json_string_length(other) &&
               !memcmp(json_chars(value), json_string_value(other), value->length + 1);
    if (value->kind == JSON_KIND_REAL)
        return strtod(value->text, NULL) >= json_real_value(other) &&
               strtod(value->text, NULL) <= json_real_value(other);
    return value->kind < JSON_KIND_ARRAY || is_same_container(value, other);
}

static void look_into(const struct json_value *value)
{
    static const char *const known[] = {"round", "seats", "name", NULL};
    char shown[FIELD_SHOWN_SIZE];
    struct error error;
    const char *text;
    int64_t number;

    if (json_is(value, JSON_KIND_OBJECT)) {
        fields_known(value, "it", known, &error);
        field_number(json_member(value, "round"), "round", 1, 1000, &number, &error);
    }
    FUZZ_MUST(!json_element(value, json_count(value)));
    JSON_EACH (member, value) {
        FUZZ_MUST(strlen(field_show(member, shown, sizeof shown)) < sizeof shown);
        field_text(member, "a text", &text, &error);
        field_number(member, "a number", -5, 1000, &number, &error);
        field_array(member, "an array", &error);
        field_object(member, "an object", &error);
    }
}

/* Values beside each other: one is as itself, and as another one both ways or not. */
static void compare(const struct json_value *value)
{
    const struct json_value *previous = NULL;

    JSON_EACH (member, value) {
        FUZZ_MUST(json_same(member, member));
        if (previous)
            FUZZ_MUST(json_same(previous, member) == json_same(member, previous));
        previous = member;
    }
}

static void write_again(struct json_reader *reader, const struct json_value *value)
{
    static char written[8 * LONGEST];
    struct json_value *kept = json_keep(value);
    const struct json_value *again;
    struct json_text text;
    struct error error;

    FUZZ_MUST(kept && json_same(kept, value) && json_same(value, kept));
    json_text_begin(&text, written, sizeof written);
    json_text_string(&text, NULL);
    FUZZ_MUST(text.at - written == 4 && !memcmp(written, "null", 4));
    json_text_begin(&text, written, sizeof written);
    json_text_value(&text, kept);
    /* Control characters are longer when they are written, some of them up to six times. */
    if (!text.full && (size_t)(text.at - written) <= LONGEST) {
        again = json_read(reader, written, (size_t)(text.at - written), &error);
        FUZZ_MUST(again && json_same(again, kept));
    }
    free(kept);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct json_reader *reader = json_reader_new(LONGEST);
    struct fuzz_input input = {data, size};
    char *text = fuzz_text(&input);
    struct error error = {.text = ""};
    const struct json_value *value;
    json_t *other;

    FUZZ_MUST(reader);
    utf8_is_valid(text);
    FUZZ_MUST(size <= LONGEST || !json_read(reader, (const char *)data, size, &error));
    if (size <= LONGEST) {
        FUZZ_MUST(fields_parse(reader, (const char *)data, size, &error) || error.text[0]);
        value = json_read(reader, (const char *)data, size, &error);
        other = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
        /* jansson passes over a NUL between two values; JSON has none anywhere. */
        FUZZ_MUST(memchr(data, 0, size) ? !value : !value == !other);
        FUZZ_MUST(value || (error.code == ERROR_RULE && error.text[0]));
        json_salvage(reader, "round");
        if (value) {
            FUZZ_MUST(is_same(value, other));
            look_into(value);
            compare(value);
            write_again(reader, value);
        }
        json_decref(other);
    }
    json_reader_free(reader);
    free(text);
    return 0;
}

FUZZ_WORDS
