#include "hal/base/json_fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal/base/names.h"

void text_clean(char *text)
{
    for (; *text; text++)
        if (*text < ' ' || *text > '~')
            *text = '?';
}

static int not_json(const char *text, size_t length, json_error_t *problem, struct error *error)
{
    const char *reason = problem->text;

    text_clean(problem->text);
    switch (json_error_code(problem)) {
    case json_error_out_of_memory:
        return error_set(error, ERROR_RIG, "out of memory");
    case json_error_null_character:
    case json_error_null_byte_in_key:
        reason = "the character \\u0000 cannot be in a text";
        break;
    default:
        break;
    }
    if (length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
        return error_set(error, ERROR_RULE,
                         "the line begins with a byte order mark; save the file without one");
    return error_set(error, ERROR_RULE, "not valid JSON at byte %d: %s", problem->position, reason);
}

json_t *fields_parse(const char *text, size_t length, struct error *error)
{
    json_error_t problem;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &problem);

    if (!root) {
        not_json(text, length, &problem, error);
        return NULL;
    }
    if (field_object(root, "the line", error) < 0) {
        json_decref(root);
        return NULL;
    }
    return root;
}

const char *field_show(const json_t *value, char *shown, size_t size)
{
    const size_t room = size - sizeof "...";
    size_t length;

    memset(shown, 0, size);
    if (json_is_string(value)) {
        length = (size_t)snprintf(shown, room + 1, "\"%s\"", json_string_value(value));
    } else {
        length = json_dumpb(value, shown, room, JSON_COMPACT | JSON_ENCODE_ANY);
    }
    if (length > room)
        strcat(shown, "...");
    text_clean(shown);
    return shown;
}

static int wrong_type(const json_t *value, const char *name, const char *wanted,
                      struct error *error)
{
    char shown[FIELD_SHOWN_SIZE];

    if (!value)
        return error_set(error, ERROR_RULE, "%s is missing; it must be %s", name, wanted);
    return error_set(error, ERROR_RULE, "%s must be %s, not %s", name, wanted,
                     field_show(value, shown, sizeof shown));
}

int field_text(const json_t *value, const char *name, const char **text, struct error *error)
{
    if (!json_is_string(value))
        return wrong_type(value, name, "a string", error);
    *text = json_string_value(value);
    return 0;
}

int field_number(const json_t *value, const char *name, int64_t low, int64_t high, int64_t *number,
                 struct error *error)
{
    if (!json_is_integer(value))
        return wrong_type(value, name, "an integer", error);
    *number = json_integer_value(value);
    if (*number < low || *number > high)
        return error_set(error, ERROR_RULE, "%s is %jd; it must be from %jd to %jd", name,
                         (intmax_t)*number, (intmax_t)low, (intmax_t)high);
    return 0;
}

int field_array(const json_t *value, const char *name, struct error *error)
{
    return json_is_array(value) ? 0 : wrong_type(value, name, "an array", error);
}

int field_object(const json_t *value, const char *name, struct error *error)
{
    return json_is_object(value) ? 0 : wrong_type(value, name, "an object", error);
}

static int unknown_field(const char *key, const char *where, const char *const *known,
                         struct error *error)
{
    struct name_list fields;
    char shown[32];

    snprintf(shown, sizeof shown, "%s", key);
    text_clean(shown);
    name_list_start(&fields);
    for (; *known; known++)
        name_list_add(&fields, *known);
    return error_set(error, ERROR_RULE, "unknown field '%s' in %s; the fields are %s", shown, where,
                     name_list_text(&fields));
}

int fields_known(const json_t *object, const char *where, const char *const *known,
                 struct error *error)
{
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)object, key, value)
    {
        const char *const *k = known;

        while (*k && strcmp(*k, key))
            k++;
        if (!*k)
            return unknown_field(key, where, known, error);
    }
    return 0;
}
