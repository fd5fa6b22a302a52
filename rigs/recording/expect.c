/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/recording/expect.h"

#include <stdio.h>
#include <string.h>

#include "hal/base/json_fields.h"

struct comparison {
    struct expect_difference *differences;
    size_t size;
    size_t count;
    struct expect_difference here; /* the place that is being compared */
};

/* What an object of a line is, which says what its fields are. */
enum part { PART_NONE, PART_LINE, PART_DEALER, PART_SEATS, PART_SEAT, PART_NET, PART_METERS };

/* The fields of each part; the last one, without a key, stands for any other. */
static const struct field {
    enum part part;
    const char *key;
    enum expect_place place;
    enum part holds; /* when it is an object */
} fields[] = {
    {PART_LINE, "board", EXPECT_BOARD, PART_NONE},
    {PART_LINE, "burned", EXPECT_BURNED, PART_NONE},
    {PART_LINE, "dealer", EXPECT_DEALER, PART_DEALER},
    {PART_LINE, "seats", EXPECT_SEATS, PART_SEATS},
    {PART_LINE, "jackpots", EXPECT_JACKPOTS, PART_NONE},
    {PART_LINE, "meters", EXPECT_METERS, PART_METERS},
    {PART_LINE, NULL, EXPECT_OTHER, PART_NONE},
    {PART_DEALER, "cards", EXPECT_DEALER_CARDS, PART_NONE},
    {PART_DEALER, "hand", EXPECT_DEALER_HAND, PART_NONE},
    {PART_DEALER, "qualifies", EXPECT_DEALER_QUALIFIES, PART_NONE},
    {PART_DEALER, NULL, EXPECT_DEALER_OTHER, PART_NONE},
    {PART_SEATS, NULL, EXPECT_SEAT, PART_SEAT},
    {PART_SEAT, "cards", EXPECT_SEAT_CARDS, PART_NONE},
    {PART_SEAT, "hand", EXPECT_SEAT_HAND, PART_NONE},
    {PART_SEAT, "net", EXPECT_SEAT_WAGER, PART_NET},
    {PART_SEAT, NULL, EXPECT_SEAT_WAGER, PART_NONE},
    {PART_NET, NULL, EXPECT_SEAT_WAGER, PART_NONE},
    {PART_METERS, NULL, EXPECT_METER, PART_NONE},
};

static const struct field *find_field(enum part part, const char *key)
{
    const struct field *field = fields;

    while (field->part != part || (field->key && strcmp(field->key, key) != 0))
        field++;
    return field;
}

/* As many of the first bytes as there is room for, as a string of JSON with dots at its end. */
static void show_beginning(const char *whole, size_t length, char shown[EXPECT_VALUE_SIZE])
{
    char beginning[EXPECT_VALUE_SIZE];
    struct json_text text;
    size_t kept = EXPECT_VALUE_SIZE - sizeof "...";

    if (kept > length)
        kept = length;
    do {
        while (kept && (whole[kept] & 0xc0) == 0x80)
            kept--;
        memcpy(beginning, whole, kept);
        strcpy(beginning + kept, "...");
        json_text_begin(&text, shown, EXPECT_VALUE_SIZE - 1);
        json_text_string(&text, beginning);
        kept--;
    } while (text.full);
    *text.at = '\0';
}

/* All of it as JSON, or where that is too long its beginning as a string. */
static void show(const struct json_value *value, char shown[EXPECT_VALUE_SIZE])
{
    char whole[EXPECT_VALUE_SIZE];
    struct json_text text;

    *shown = '\0';
    if (!value)
        return;
    json_text_begin(&text, shown, EXPECT_VALUE_SIZE - 1);
    json_text_value(&text, value);
    *text.at = '\0';
    if (!text.full)
        return;
    if (json_is(value, JSON_KIND_STRING))
        show_beginning(value->text, value->length, shown);
    else
        show_beginning(strcpy(whole, shown), strlen(shown), shown);
}

static void note(struct comparison *comparison, enum expect_place place,
                 const struct json_value *expected, const struct json_value *got)
{
    if (comparison->count < comparison->size) {
        struct expect_difference *difference = &comparison->differences[comparison->count];

        *difference = comparison->here;
        difference->place = place;
        show(expected, difference->expected);
        show(got, difference->got);
    }
    comparison->count++;
}

static void compare_jackpots(struct comparison *comparison, const struct json_value *expected,
                             const struct json_value *got)
{
    size_t count = json_count(expected);

    if (count < json_count(got))
        count = json_count(got);
    for (size_t i = 0; i < count; i++) {
        const struct json_value *wanted = json_element(expected, i), *found = json_element(got, i);

        snprintf(comparison->here.name, sizeof comparison->here.name, "%zu", i + 1);
        if (!json_same(wanted, found))
            note(comparison, EXPECT_JACKPOT, wanted, found);
    }
}

static unsigned seat_of(const char *key)
{
    return key[0] >= '1' && key[0] <= '9' && !key[1] ? (unsigned)(key[0] - '0') : 0;
}

static void compare_objects(struct comparison *comparison, enum part part,
                            const struct json_value *expected, const struct json_value *got);

static void compare_values(struct comparison *comparison, enum part part, const char *key,
                           const struct json_value *expected, const struct json_value *got)
{
    const struct field *field = find_field(part, key);

    if (json_same(expected, got))
        return;
    snprintf(comparison->here.name, sizeof comparison->here.name, "%s", key);
    if (part == PART_LINE)
        comparison->here.seat = 0;
    if (part == PART_SEATS)
        comparison->here.seat = seat_of(key);
    if (field->holds && json_is(expected, JSON_KIND_OBJECT) && json_is(got, JSON_KIND_OBJECT))
        compare_objects(comparison, field->holds, expected, got);
    else if (field->place == EXPECT_JACKPOTS && json_is(expected, JSON_KIND_ARRAY) &&
             json_is(got, JSON_KIND_ARRAY))
        compare_jackpots(comparison, expected, got);
    else
        note(comparison, field->place, expected, got);
}

static void compare_objects(struct comparison *comparison, enum part part,
                            const struct json_value *expected, const struct json_value *got)
{
    JSON_EACH (value, expected)
        compare_values(comparison, part, value->key, value, json_member(got, value->key));
    JSON_EACH (value, got)
        if (!json_member(expected, value->key))
            compare_values(comparison, part, value->key, NULL, value);
}

/* A round that cannot be settled has a reason, and its line nothing else. */
static bool compare_errors(struct comparison *comparison, const struct json_value *expected,
                           const struct json_value *got)
{
    const struct json_value *wanted = json_member(expected, "error");
    const struct json_value *found = json_member(got, "error");

    if (!wanted && !found)
        return false;
    if (!json_is(wanted, JSON_KIND_STRING) || !json_is(found, JSON_KIND_STRING) ||
        !strstr(found->text, wanted->text)) {
        note(comparison, EXPECT_ERROR, wanted, found);
        return true;
    }
    JSON_EACH (value, expected)
        if (value != wanted && strcmp(value->key, "round") != 0)
            compare_values(comparison, PART_LINE, value->key, value, NULL);
    return true;
}

static void compare_lines(struct comparison *comparison, const struct json_value *expected,
                          const struct json_value *got)
{
    const struct json_value *number = json_member(expected, "round");
    const struct json_value *other = json_member(got, "round");

    if (number)
        field_show(number, comparison->here.round, sizeof comparison->here.round);
    if (!json_same(number, other)) {
        note(comparison, EXPECT_ROUND, number, other);
        return;
    }
    if (!compare_errors(comparison, expected, got))
        compare_objects(comparison, PART_LINE, expected, got);
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
                   struct expect_difference *differences, size_t size, struct error *error)
{
    struct comparison comparison = {.differences = differences, .size = size};
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

/* The words of a place after its round and seat. */
static const struct {
    const char *words;
    bool is_named; /* the name follows */
    bool of_seat;
} places[] = {
    [EXPECT_ROUND] = {.words = ""},
    [EXPECT_MISSING] = {.words = ""},
    [EXPECT_UNEXPECTED] = {.words = ""},
    [EXPECT_ERROR] = {.words = ", error"},
    [EXPECT_BOARD] = {.words = ", board"},
    [EXPECT_BURNED] = {.words = ", burned"},
    [EXPECT_DEALER] = {.words = ", dealer"},
    [EXPECT_DEALER_CARDS] = {.words = ", dealer, cards"},
    [EXPECT_DEALER_HAND] = {.words = ", dealer, hand"},
    [EXPECT_DEALER_QUALIFIES] = {.words = ", dealer, qualifies"},
    [EXPECT_DEALER_OTHER] = {.words = ", dealer, ", .is_named = true},
    [EXPECT_SEATS] = {.words = ", seats"},
    [EXPECT_SEAT] = {.words = ", seat ", .is_named = true},
    [EXPECT_SEAT_CARDS] = {.words = ", cards", .of_seat = true},
    [EXPECT_SEAT_HAND] = {.words = ", hand", .of_seat = true},
    [EXPECT_SEAT_WAGER] = {.words = ", ", .is_named = true, .of_seat = true},
    [EXPECT_JACKPOTS] = {.words = ", jackpots"},
    [EXPECT_JACKPOT] = {.words = ", jackpot ", .is_named = true},
    [EXPECT_METERS] = {.words = ", meters"},
    [EXPECT_METER] = {.words = ", meter ", .is_named = true},
    [EXPECT_OTHER] = {.words = ", ", .is_named = true},
};

/* A line that is there on one side only has no value to show. */
static const char *value_text(const struct expect_difference *difference, enum expect_place here,
                              const char *value)
{
    if (difference->place == here)
        return "a line";
    return *value ? value : "nothing";
}

/* What a wager and a seat come to is in cents. */
static const char *unit_of(const struct expect_difference *difference, const char *value)
{
    if (difference->place != EXPECT_SEAT_WAGER || !*value ||
        value[strspn(value, "-0123456789")] != '\0')
        return "";
    return strcmp(value, "1") != 0 ? " cents" : " cent";
}

const char *expect_describe(const struct expect_difference *difference, char text[EXPECT_TEXT_SIZE])
{
    const enum expect_place place = difference->place;
    char seat[16] = "";

    if (places[place].of_seat)
        snprintf(seat, sizeof seat, ", seat %u", difference->seat);
    snprintf(text, EXPECT_TEXT_SIZE, "round %s%s%s%s: expected %s%s, got %s%s",
             *difference->round ? difference->round : "?", seat, places[place].words,
             places[place].is_named ? difference->name : "",
             value_text(difference, EXPECT_MISSING, difference->expected),
             unit_of(difference, difference->expected),
             value_text(difference, EXPECT_UNEXPECTED, difference->got),
             unit_of(difference, difference->got));
    return text;
}
