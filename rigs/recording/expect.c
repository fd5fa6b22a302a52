#include "rigs/recording/expect.h"

#include <stdio.h>
#include <string.h>

#include "hal/base/json_fields.h"

struct comparison {
    struct difference *differences;
    size_t size;
    size_t count;
};

static void show(const json_t *value, char *shown, size_t size)
{
    if (value)
        field_show(value, shown, size);
    else
        snprintf(shown, size, "nothing");
}

static void note(struct comparison *comparison, const char *where, const json_t *expected,
                 const json_t *got)
{
    if (comparison->count < comparison->size) {
        struct difference *difference = &comparison->differences[comparison->count];

        snprintf(difference->where, sizeof difference->where, "%s", where);
        show(expected, difference->expected, sizeof difference->expected);
        show(got, difference->got, sizeof difference->got);
    }
    comparison->count++;
}

/* Containers that a place is not named after: what they hold is, with this word before it. */
static const char *word_for(const char *key)
{
    static const char *const words[][2] = {
        {"seats", "seat "}, {"net", ""}, {"meters", "meter "}, {"jackpots", "jackpot "}};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!strcmp(words[i][0], key))
            return words[i][1];
    return NULL;
}

static void compare_objects(struct comparison *comparison, const char *where, const char *word,
                            const json_t *expected, const json_t *got);

static void compare_arrays(struct comparison *comparison, const char *where, const char *word,
                           const json_t *expected, const json_t *got)
{
    size_t count = json_array_size(expected);

    if (count < json_array_size(got))
        count = json_array_size(got);
    for (size_t i = 0; i < count; i++) {
        const json_t *wanted = json_array_get(expected, i), *found = json_array_get(got, i);
        char place[96];

        snprintf(place, sizeof place, "%s, %s%zu", where, word, i + 1);
        if (!json_equal(wanted, found))
            note(comparison, place, wanted, found);
    }
}

static void compare_values(struct comparison *comparison, const char *where, const char *prefix,
                           const char *key, const json_t *expected, const json_t *got)
{
    const char *word = word_for(key);
    char place[96];

    if (json_equal(expected, got))
        return;
    snprintf(place, sizeof place, "%s, %s%s", where, prefix, key);
    if (json_is_object(expected) && json_is_object(got))
        compare_objects(comparison, word ? where : place, word ? word : "", expected, got);
    else if (word && json_is_array(expected) && json_is_array(got))
        compare_arrays(comparison, where, word, expected, got);
    else
        note(comparison, place, expected, got);
}

static void compare_objects(struct comparison *comparison, const char *where, const char *word,
                            const json_t *expected, const json_t *got)
{
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)expected, key, value)
    {
        compare_values(comparison, where, word, key, value, json_object_get(got, key));
    }
    json_object_foreach((json_t *)got, key, value)
    {
        if (!json_object_get(expected, key))
            compare_values(comparison, where, word, key, NULL, value);
    }
}

/* A round that cannot be settled differs from one that can in one thing only: that. */
static bool compare_errors(struct comparison *comparison, const char *where, const json_t *expected,
                           const json_t *got)
{
    const json_t *wanted = json_object_get(expected, "error");
    const json_t *found = json_object_get(got, "error");

    if (!wanted && !found)
        return false;
    if (!json_is_string(wanted) || !json_is_string(found) ||
        !strstr(json_string_value(found), json_string_value(wanted))) {
        char place[96];

        snprintf(place, sizeof place, "%s, error", where);
        note(comparison, place, wanted, found);
    }
    return true;
}

static void compare_lines(struct comparison *comparison, const json_t *expected, const json_t *got)
{
    const json_t *number = json_object_get(expected, "round");
    const json_t *other = json_object_get(got, "round");
    char where[32] = "round ?", shown[24];

    if (number)
        snprintf(where, sizeof where, "round %s", field_show(number, shown, sizeof shown));
    if (!json_equal(number, other)) {
        note(comparison, where, number, other);
        return;
    }
    if (!compare_errors(comparison, where, expected, got))
        compare_objects(comparison, where, "", expected, got);
}

int expect_compare(const char *expected, size_t expected_length, const char *got, size_t got_length,
                   struct difference *differences, size_t size, struct error *error)
{
    struct comparison comparison = {differences, size, 0};
    json_t *wanted, *found;

    if (expected_length == got_length && !memcmp(expected, got, got_length))
        return 0;
    wanted = fields_parse(expected, expected_length, error);
    if (!wanted)
        return ERROR_RULE;
    found = fields_parse(got, got_length, error);
    if (found)
        compare_lines(&comparison, wanted, found);
    json_decref(wanted);
    json_decref(found);
    return found ? (int)comparison.count : ERROR_RULE;
}
