/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/base/json_fields.h"

#include <stdio.h>
#include <string.h>

#include "hal/base/names.h"
#include "hal/base/printable.h"

const struct json_value *fields_parse(struct json_reader *reader, const char *text, size_t length,
                                      struct error *error)
{
    const struct json_value *root = json_read(reader, text, length, error);

    return root && field_object(root, "the line", error) < 0 ? NULL : root;
}

const char *field_show(const struct json_value *value, char *shown, size_t size)
{
    struct json_text text;

    if (json_is(value, JSON_KIND_STRING)) {
        size_t room = size - sizeof "...";

        snprintf(shown, room + 1, "\"%s\"", value->text);
        if (value->length + 2 > room)
            strcat(shown, "...");
    } else {
        json_text_begin(&text, shown, size - sizeof "...");
        json_text_value(&text, value);
        strcpy(text.at, text.full ? "..." : "");
    }
    printable_make(shown);
    return shown;
}

static int wrong_type(const struct json_value *value, const char *name, const char *wanted,
                      struct error *error)
{
    char shown[FIELD_SHOWN_SIZE];

    if (!value)
        return error_set(error, ERROR_RULE, "%s is missing; it must be %s", name, wanted);
    return error_set(error, ERROR_RULE, "%s must be %s, not %s", name, wanted,
                     field_show(value, shown, sizeof shown));
}

int field_text(const struct json_value *value, const char *name, const char **text,
               struct error *error)
{
    if (!json_is(value, JSON_KIND_STRING))
        return wrong_type(value, name, "a string", error);
    *text = value->text;
    return 0;
}

int field_number(const struct json_value *value, const char *name, int64_t low, int64_t high,
                 int64_t *number, struct error *error)
{
    if (!json_is(value, JSON_KIND_INTEGER))
        return wrong_type(value, name, "an integer", error);
    *number = value->integer;
    if (*number < low || *number > high)
        return error_set(error, ERROR_RULE, "%s is %jd; it must be from %jd to %jd", name,
                         (intmax_t)*number, (intmax_t)low, (intmax_t)high);
    return 0;
}

int field_array(const struct json_value *value, const char *name, struct error *error)
{
    return json_is(value, JSON_KIND_ARRAY) ? 0 : wrong_type(value, name, "an array", error);
}

int field_object(const struct json_value *value, const char *name, struct error *error)
{
    return json_is(value, JSON_KIND_OBJECT) ? 0 : wrong_type(value, name, "an object", error);
}

static int unknown_field(const char *key, const char *where, const char *const *known,
                         struct error *error)
{
    struct name_list fields;
    char shown[32];

    printable_copy(shown, sizeof shown, key);
    name_list_start(&fields);
    for (; *known; known++)
        name_list_add(&fields, *known);
    return error_set(error, ERROR_RULE, "unknown field '%s' in %s; the fields are %s", shown, where,
                     name_list_text(&fields));
}

int fields_known(const struct json_value *object, const char *where, const char *const *known,
                 struct error *error)
{
    JSON_EACH (value, object) {
        const char *const *k = known;

        while (*k && strcmp(*k, value->key))
            k++;
        if (!*k)
            return unknown_field(value->key, where, known, error);
    }
    return 0;
}
