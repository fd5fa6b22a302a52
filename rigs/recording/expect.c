#include "rigs/recording/expect.h"

#include <stdio.h>
#include <string.h>

#include "hal/base/json_fields.h"

struct comparison {
    struct difference *differences;
    size_t size;
    size_t count;
};

static void show(const struct json_value *value, char *shown, size_t size)
{
    if (value)
        field_show(value, shown, size);
    else
        snprintf(shown, size, "nothing");
}

static void note(struct comparison *comparison, const char *where,
                 const struct json_value *expected, const struct json_value *got)
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
                            const struct json_value *expected, const struct json_value *got);

static void compare_arrays(struct comparison *comparison, const char *where, const char *word,
                           const struct json_value *expected, const struct json_value *got)
{
    size_t count = json_count(expected);

    if (count < json_count(got))
        count = json_count(got);
    for (size_t i = 0; i < count; i++) {
        const struct json_value *wanted = json_element(expected, i), *found = json_element(got, i);
        char place[96];

        snprintf(place, sizeof place, "%s, %s%zu", where, word, i + 1);
        if (!json_same(wanted, found))
            note(comparison, place, wanted, found);
    }
}

static void compare_values(struct comparison *comparison, const char *where, const char *prefix,
                           const char *key, const struct json_value *expected,
                           const struct json_value *got)
{
    const char *word = word_for(key);
    char place[96];

    if (json_same(expected, got))
        return;
    snprintf(place, sizeof place, "%s, %s%s", where, prefix, key);
    if (json_is(expected, JSON_KIND_OBJECT) && json_is(got, JSON_KIND_OBJECT))
        compare_objects(comparison, word ? where : place, word ? word : "", expected, got);
    else if (word && json_is(expected, JSON_KIND_ARRAY) && json_is(got, JSON_KIND_ARRAY))
        compare_arrays(comparison, where, word, expected, got);
    else
        note(comparison, place, expected, got);
}

static void compare_objects(struct comparison *comparison, const char *where, const char *word,
                            const struct json_value *expected, const struct json_value *got)
{
    JSON_EACH (value, expected)
        compare_values(comparison, where, word, value->key, value, json_member(got, value->key));
    JSON_EACH (value, got)
        if (!json_member(expected, value->key))
            compare_values(comparison, where, word, value->key, NULL, value);
}

/* A round that cannot be settled differs from one that can in one thing only: that. */
static bool compare_errors(struct comparison *comparison, const char *where,
                           const struct json_value *expected, const struct json_value *got)
{
    const struct json_value *wanted = json_member(expected, "error");
    const struct json_value *found = json_member(got, "error");

    if (!wanted && !found)
        return false;
    if (!json_is(wanted, JSON_KIND_STRING) || !json_is(found, JSON_KIND_STRING) ||
        !strstr(found->text, wanted->text)) {
        char place[96];

        snprintf(place, sizeof place, "%s, error", where);
        note(comparison, place, wanted, found);
    }
    return true;
}

static void compare_lines(struct comparison *comparison, const struct json_value *expected,
                          const struct json_value *got)
{
    const struct json_value *number = json_member(expected, "round");
    const struct json_value *other = json_member(got, "round");
    char where[32] = "round ?", shown[24];

    if (number)
        snprintf(where, sizeof where, "round %s", field_show(number, shown, sizeof shown));
    if (!json_same(number, other)) {
        note(comparison, where, number, other);
        return;
    }
    if (!compare_errors(comparison, where, expected, got))
        compare_objects(comparison, where, "", expected, got);
}

static int compare_texts(struct json_reader *readers[2], const char *expected,
                         size_t expected_length, const char *got, size_t got_length,
                         struct comparison *comparison, struct error *error)
{
    const struct json_value *wanted = fields_parse(readers[0], expected, expected_length, error);
    const struct json_value *found =
        wanted ? fields_parse(readers[1], got, got_length, error) : NULL;

    if (!found)
        return ERROR_RULE;
    compare_lines(comparison, wanted, found);
    return (int)comparison->count;
}

int expect_compare(const char *expected, size_t expected_length, const char *got, size_t got_length,
                   struct difference *differences, size_t size, struct error *error)
{
    struct comparison comparison = {differences, size, 0};
    struct json_reader *readers[2];
    int status;

    if (expected_length == got_length && !memcmp(expected, got, got_length))
        return 0;
    readers[0] = json_reader_new(JSON_LONGEST);
    readers[1] = json_reader_new(JSON_LONGEST);
    status = readers[0] && readers[1] ? compare_texts(readers, expected, expected_length, got,
                                                      got_length, &comparison, error)
                                      : error_set(error, ERROR_RIG, "out of memory");
    json_reader_free(readers[0]);
    json_reader_free(readers[1]);
    return status;
}
