/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "hal/base/json.h"
#include "rigs/recording/expect.h"
#include "tests/support/suite.h"

static int compare(const char *expected, const char *got, struct expect_difference *differences,
                   size_t size)
{
    return expect_compare(expected, strlen(expected), got, strlen(got), differences, size, NULL);
}

static const char *written(const struct game *game, const struct settlement *settlement,
                           const struct meters *meters)
{
    static char line[EXPECT_LINE_SIZE];
    size_t length = expect_write(line, game, settlement, meters);

    CU_ASSERT(length < sizeof line && line[length - 1] == '\n');
    line[length - 1] = '\0';
    return line;
}

TEST(a_settlement_is_written_in_the_order_of_the_contract)
{
    struct settlement settlement = {
        .number = 9,
        .seats = (seats_t)(seat_bit(2) | seat_bit(5)),
        .board = {0x00, 0x11, 0x22, 0x33},
        .board_count = 4,
        .burned = {0x3c},
        .burned_count = 1,
        .dealer = {.cards = {0x0a, 0x1a, 0x2a}, .card_count = 3, .hand = "3-card flush"},
        .qualifies = true,
        .seat[2] = {.held = {.cards = {0x1b}, .card_count = 1, .hand = "4-card flush"},
                    .made = 1u << 0 | 1u << 1 | 1u << 4,
                    .net = {-100, 0, 77, 88, 49500},
                    .must_hit = 25000,
                    .total = 74400},
        .seat[5] = {.held = {.card_count = 0, .hand = "2-card flush"}, .made = 1, .total = 0},
        .awards = {{.seat = 2, .meter = 3, .pays = 50000}, {.seat = 2, .meter = 4, .pays = 25000}},
        .award_count = 2};
    struct must_hit_rule rule = {250000000, 500000000, 100};
    struct game_setup setup;
    struct meters meters;

    game_setup_init(&setup, game_find("chase-the-flush"));
    game_meters_init(&setup, &meters);
    CU_ASSERT_EQUAL_FATAL(meters_add_must_hit(&meters, &rule, NULL), 0);
    CU_ASSERT_STRING_EQUAL(
        written(game_find("chase-the-flush"), &settlement, &meters),
        "{\"round\":9,\"board\":[\"2c\",\"3d\",\"4h\",\"5s\"],\"burned\":[\"As\"],"
        "\"dealer\":{\"cards\":[\"Qc\",\"Qd\",\"Qh\"],\"hand\":\"3-card flush\","
        "\"qualifies\":true},\"seats\":{\"2\":{\"cards\":[\"Kd\"],\"hand\":\"4-card flush\","
        "\"net\":{\"ante\":-100,\"x-tra\":0,\"stax\":49500,\"must-hit\":25000},\"total\":74400},"
        "\"5\":{\"cards\":[],\"hand\":\"2-card flush\",\"net\":{\"ante\":0},\"total\":0}},"
        "\"jackpots\":[{\"seat\":2,\"meter\":\"diamond\",\"pays\":50000},"
        "{\"seat\":2,\"meter\":\"must-hit\",\"pays\":25000}],"
        "\"meters\":{\"star\":\"10000.000000\",\"spade\":\"2500.000000\",\"heart\":\"1000.000000\","
        "\"diamond\":\"500.000000\",\"must-hit\":\"250.000000\"}}");
}

TEST(a_dealer_is_left_out_of_a_game_without_one)
{
    struct settlement settlement = {
        .number = 1, .seats = seat_bit(1), .seat[1] = {.held = {.hand = "folded"}, .made = 1}};
    struct meters none = {.must_hit = -1};

    CU_ASSERT_STRING_EQUAL(written(game_find("flush-rush"), &settlement, &none),
                           "{\"round\":1,\"board\":[],\"burned\":[],\"seats\":{\"1\":{\"cards\":[],"
                           "\"hand\":\"folded\",\"net\":{\"ante\":0},\"total\":0}},"
                           "\"jackpots\":[],\"meters\":{}}");
}

TEST(a_dealer_qualifies_only_where_the_sheet_says_so)
{
    struct settlement settlement = {.number = 1,
                                    .seats = seat_bit(1),
                                    .dealer = {.hand = "pair"},
                                    .qualifies = true,
                                    .seat[1] = {.held = {.hand = "flush"}, .made = 1}};
    struct meters none = {.must_hit = -1};

    CU_ASSERT_PTR_NOT_NULL(strstr(written(game_find("three-card-catch"), &settlement, &none),
                                  "\"dealer\":{\"cards\":[],\"hand\":\"pair\"},\"seats\""));
}

/* The largest of everything that a struct can hold. */
TEST(the_longest_line_fits_its_buffer_twice)
{
    struct settlement settlement = {.number = INT64_MIN,
                                    .seats = 0xfe,
                                    .board_count = 4,
                                    .burned_count = DECK_SIZE,
                                    .award_count = SEATS_MAX + 1};
    struct game_setup setup;
    struct meters meters;

    game_setup_init(&setup, game_find("three-card-catch"));
    game_meters_init(&setup, &meters);
    for (unsigned i = 0; i < meters.count; i++)
        meters.meter[i].value = METER_MAX;
    settlement.dealer = (struct hand_result){.card_count = 4, .hand = "natural straight flush"};
    for (unsigned i = 0; i <= SEATS_MAX; i++) {
        settlement.seat[i] = (struct seat_result){.held = settlement.dealer,
                                                  .made = (1u << WAGERS_MAX) - 1,
                                                  .must_hit = INT64_MIN,
                                                  .total = INT64_MIN};
        for (unsigned wager = 0; wager < WAGERS_MAX; wager++)
            settlement.seat[i].net[wager] = INT64_MIN;
        settlement.awards[i] = (struct award){.seat = 7, .pays = INT64_MIN};
    }
    CU_ASSERT(strlen(written(game_find("three-card-catch"), &settlement, &meters)) <
              EXPECT_LINE_SIZE / 2);
}

TEST(an_error_line_is_valid_whatever_the_sentence)
{
    char line[EXPECT_LINE_SIZE];
    int64_t number = 12;
    size_t length = expect_write_error(line, &number, "a \"b\" \\ \x1b[0m \xc3\xa9");

    line[length] = '\0';
    CU_ASSERT_STRING_EQUAL(line, "{\"round\":12,\"error\":\"a \\\"b\\\" \\\\ ?[0m ?\?\"}\n");
    length = expect_write_error(line, NULL, "");
    line[length] = '\0';
    CU_ASSERT_STRING_EQUAL(line, "{\"round\":null,\"error\":\"\"}\n");
}

#define LINE                                                                                       \
    "{\"round\":3,\"board\":[\"2c\"],\"dealer\":{\"hand\":\"pair\"},\"seats\":{\"1\":{\"net\":"    \
    "{\"ante\":100,\"x-tra\":0},\"total\":100}},\"jackpots\":[{\"seat\":1,\"meter\":\"star\","     \
    "\"pays\":5}],\"meters\":{\"star\":\"1.000000\"}}"

TEST(order_and_spacing_make_no_difference)
{
    CU_ASSERT_EQUAL(compare(LINE, LINE, NULL, 0), 0);
    CU_ASSERT_EQUAL(compare("{ \"meters\":{\"star\":\"1.000000\"}, \"jackpots\":[{\"pays\":5,"
                            "\"seat\":1,\"meter\":\"star\"}], \"board\":[\"2c\"],"
                            "\"seats\":{\"1\":{\"total\":100, \"net\":{\"x-tra\":0,\"ante\":100}}},"
                            "\"dealer\":{\"hand\":\"pair\"}, \"round\":3}\r",
                            LINE, NULL, 0),
                    0);
}

/* One text replaced in LINE, as expected. */
struct change {
    const char *from;
    const char *to;
    enum expect_place place;
    const char *text;
};

TEST(a_difference_names_its_place_and_both_values)
{
    static const struct change changes[] = {
        {"\"ante\":100", "\"ante\":-100", EXPECT_SEAT_WAGER,
         "round 3, seat 1, ante: expected -100 cents, got 100 cents"},
        {"\"x-tra\":0", "\"x-tra\":\"0\"", EXPECT_SEAT_WAGER,
         "round 3, seat 1, x-tra: expected \"0\", got 0 cents"},
        {",\"x-tra\":0", "", EXPECT_SEAT_WAGER,
         "round 3, seat 1, x-tra: expected nothing, got 0 cents"},
        {"\"x-tra\":0", "\"x-tra\":0,\"stax\":1", EXPECT_SEAT_WAGER,
         "round 3, seat 1, stax: expected 1 cent, got nothing"},
        {"\"total\":100", "\"total\":101", EXPECT_SEAT_WAGER,
         "round 3, seat 1, total: expected 101 cents, got 100 cents"},
        {"\"seats\":{\"1\"", "\"seats\":{\"2\":1,\"1\"", EXPECT_SEAT,
         "round 3, seat 2: expected 1, got nothing"},
        {"\"pair\"", "\"flush\"", EXPECT_DEALER_HAND,
         "round 3, dealer, hand: expected \"flush\", got \"pair\""},
        {"[\"2c\"]", "[\"2c\",\"3c\"]", EXPECT_BOARD,
         "round 3, board: expected [\"2c\",\"3c\"], got [\"2c\"]"},
        {"\"pays\":5}", "\"pays\":5},7", EXPECT_JACKPOT,
         "round 3, jackpot 2: expected 7, got nothing"},
        {"\"pays\":5", "\"pays\":6", EXPECT_JACKPOT,
         "round 3, jackpot 1: expected {\"seat\":1,\"meter\":\"star\",\"pays\":6}, got "
         "{\"seat\":1,\"meter\":\"star\",\"pays\":5}"},
        {"1.000000", "1.000001", EXPECT_METER,
         "round 3, meter star: expected \"1.000001\", got \"1.000000\""},
        {"\"round\":3", "\"round\":4", EXPECT_ROUND, "round 4: expected 4, got 3"},
    };

    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        const struct change *change = &changes[i];
        const char *at = strstr(LINE, change->from);
        struct expect_difference difference;
        char expected[1024], text[EXPECT_TEXT_SIZE];

        snprintf(expected, sizeof expected, "%.*s%s%s", (int)(at - LINE), LINE, change->to,
                 at + strlen(change->from));
        CU_ASSERT_EQUAL(compare(expected, LINE, &difference, 1), 1);
        CU_ASSERT_EQUAL(difference.place, change->place);
        CU_ASSERT_STRING_EQUAL(expect_describe(&difference, text), change->text);
    }
}

static bool is_json(const char *text)
{
    char line[EXPECT_VALUE_SIZE + 4];
    struct json_reader *json = json_reader_new(sizeof line);
    bool is_it;

    snprintf(line, sizeof line, "[%s]", text);
    is_it = json_count(json_read(json, line, strlen(line), NULL)) == 1;
    json_reader_free(json);
    return is_it;
}

/* Returns it, for it may be long. */
static const char *expect_shown(const char *value, const char *shown)
{
    static struct expect_difference difference;
    char line[4096];

    snprintf(line, sizeof line, "{\"round\":1,\"board\":%s}", value);
    CU_ASSERT_EQUAL(compare(line, "{\"round\":1,\"board\":0}", &difference, 1), 1);
    CU_ASSERT_TRUE(is_json(difference.expected));
    if (shown)
        CU_ASSERT_STRING_EQUAL(difference.expected, shown);
    CU_ASSERT_STRING_EQUAL(difference.got, "0");
    return difference.expected;
}

/* Journals and reports take them as they are. */
TEST(values_that_differ_are_json_whatever_is_in_them)
{
    char value[2048];

    expect_shown("\"not \\\"1000\\\"\"", "\"not \\\"1000\\\"\"");
    expect_shown("\"x\\\",\\\"retry\\\":\\\"1\"", "\"x\\\",\\\"retry\\\":\\\"1\"");
    expect_shown("\"a\\\\b\\n\\u001b\"", NULL);
    expect_shown("{\"a\":[1,null,\"2\"]}", "{\"a\":[1,null,\"2\"]}");
    /* Of what is too long the beginning stands there, cut between characters. */
    for (size_t before = 0; before < 4; before++) {
        memset(value, 'x', before + 1);
        value[0] = '"';
        for (size_t i = 0; i < 300; i++)
            memcpy(value + before + 1 + 3 * i, "\xe2\x82\xac", 3);
        strcpy(value + before + 901, "\"");
        CU_ASSERT_TRUE(strlen(expect_shown(value, NULL)) > EXPECT_VALUE_SIZE - 8);
        CU_ASSERT_PTR_NOT_NULL(strstr(expect_shown(value, NULL), "\xe2\x82\xac...\""));
    }
    strcpy(value, "[");
    for (size_t i = 0; i < 400; i++)
        strcat(value, "\"\",");
    expect_shown(strcat(value, "1]"), NULL);
}

TEST(all_differences_are_counted_and_the_first_are_kept)
{
    struct expect_difference differences[2] = {{.seat = 0}, {.name = "untouched"}};

    CU_ASSERT_EQUAL(compare("{\"round\":1,\"seats\":{\"1\":{\"net\":{\"ante\":1,\"play\":2}}}}",
                            "{\"round\":1,\"seats\":{\"1\":{\"net\":{\"ante\":3,\"play\":4}}}}",
                            differences, 1),
                    2);
    CU_ASSERT_EQUAL(differences[0].place, EXPECT_SEAT_WAGER);
    CU_ASSERT_EQUAL(differences[0].seat, 1);
    CU_ASSERT_STRING_EQUAL(differences[0].name, "ante");
    CU_ASSERT_STRING_EQUAL(differences[1].name, "untouched");
}

TEST(an_expected_error_is_met_by_a_sentence_that_contains_it)
{
    static const char got[] = "{\"round\":2,\"error\":\"seat 1: As is dealt twice\"}";
    struct expect_difference difference;

    CU_ASSERT_EQUAL(compare("{\"round\":2,\"error\":\"dealt twice\"}", got, NULL, 0), 0);
    CU_ASSERT_EQUAL(compare("{\"round\":2,\"error\":\"\"}", got, NULL, 0), 0);
    CU_ASSERT_EQUAL(compare("{\"round\":2,\"error\":\"Ks is\"}", got, &difference, 1), 1);
    CU_ASSERT_EQUAL(difference.place, EXPECT_ERROR);
    CU_ASSERT_STRING_EQUAL(difference.round, "2");
    CU_ASSERT_EQUAL(compare("{\"round\":2,\"seats\":{}}", got, &difference, 1), 1);
    CU_ASSERT_STRING_EQUAL(difference.expected, "");
    CU_ASSERT_EQUAL(compare(got, "{\"round\":2,\"seats\":{}}", &difference, 1), 1);
    CU_ASSERT_STRING_EQUAL(difference.got, "");
}

TEST(an_expectation_that_is_no_object_is_an_error)
{
    struct error error;

    CU_ASSERT_EQUAL(expect_compare("{\"round\":1", 10, "{}", 2, NULL, 0, &error), ERROR_RULE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "not valid JSON"));
    CU_ASSERT_EQUAL(expect_compare("7", 1, "{}", 2, NULL, 0, &error), ERROR_RULE);
}
