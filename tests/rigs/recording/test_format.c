/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "rigs/recording/format.h"
#include "tests/support/suite.h"

#define BETS  "\"bets\":{\"2\":{\"ante\":1000,\"x-tra\":1000},\"7\":{\"ante\":5,\"x-tra\":5}}"
#define DEALT "\"dealt\":[\"As Ks 2d\",\"9h 9c 9d\",\"Qc Jc 2h\",\"3s 4s 5s 7h\"]"
#define PLAY  "\"play\":{\"2\":[\"check\",\"all-in\"],\"7\":[\"check\",\"check\",\"fold\"]}"

static int read_header(const char *text, struct recording_header *header, struct error *error)
{
    return recording_read_header(text, strlen(text), NULL, header, error);
}

static int read_round(const char *header_text, const char *text, struct recording_round *round,
                      struct error *error)
{
    struct json_reader *reader = json_reader_new(JSON_LONGEST);
    struct recording_header header;
    int status;

    CU_ASSERT_EQUAL_FATAL(read_header(header_text, &header, error), 0);
    status = recording_read_round(reader, text, strlen(text), &header, round, error);
    json_reader_free(reader);
    return status;
}

static int read_chase(const char *text, struct recording_round *round, struct error *error)
{
    return read_round("{\"shoe\":1,\"game\":\"chase-the-flush\"}", text, round, error);
}

#define VOID_BETS "\"bets\":{\"1\":{\"ante\":500,\"x-tra\":500,\"stax\":500}}"

TEST(a_round_that_is_void_is_cancelled_and_may_break_off)
{
    struct recording_round round;
    struct error error;

    CU_ASSERT_EQUAL(read_chase("{\"round\":1," VOID_BETS ",\"dealt\":[\"2c 3c 4c\"],\"play\":{},"
                               "\"void\":\"misdeal\"}",
                               &round, &error),
                    0);
    CU_ASSERT_TRUE(round.round.is_void);
    CU_ASSERT_TRUE(round.round.cancelled);
    CU_ASSERT_EQUAL(round.round.packet_count, 1);
}

TEST(a_round_is_void_for_a_misdeal_and_after_cancel_round_only)
{
    static const struct {
        const char *fields, *why;
    } tries[] = {{"\"void\":\"rain\"", "void is 'rain'; it can only be 'misdeal'"},
                 {"\"void\":true", "void"},
                 {"\"void\":\"misdeal\",\"keys\":[\"start-round\",\"end-round\"]",
                  "the round is void, but its keys do not end with CANCEL ROUND"}};

    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        struct recording_round round;
        struct error error = {0};
        char text[512];

        snprintf(text, sizeof text, "{\"round\":1," VOID_BETS ",\"dealt\":[],\"play\":{},%s}",
                 tries[i].fields);
        CU_ASSERT_EQUAL(read_chase(text, &round, &error), ERROR_RULE);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, tries[i].why));
    }
}

TEST(a_header_with_only_a_game_means_the_sheet)
{
    struct recording_header header;
    struct game_setup sheet;
    struct meters meters;

    CU_ASSERT_EQUAL(read_header("{\"shoe\":1,\"game\":\"three-card-catch\"}", &header, NULL), 0);
    game_setup_init(&sheet, game_find("three-card-catch"));
    game_meters_init(&sheet, &meters);
    CU_ASSERT_PTR_EQUAL(header.setup.game, game_find("three-card-catch"));
    CU_ASSERT_EQUAL(header.setup.deal, DEAL_PACKETS);
    CU_ASSERT_EQUAL(header.setup.burn, 0);
    CU_ASSERT_TRUE(header.setup.ace_low);
    CU_ASSERT_EQUAL(header.setup.rounding, ROUNDING_UP);
    CU_ASSERT_EQUAL(memcmp(header.setup.table, sheet.table, sizeof sheet.table), 0);
    CU_ASSERT_EQUAL(header.meters.count, 5);
    CU_ASSERT_EQUAL(header.meters.meter[0].value, meters.meter[0].value);
    CU_ASSERT_EQUAL(header.meters.must_hit, -1);
}

TEST(a_header_overrides_what_the_sheet_leaves_open)
{
    struct recording_header header;

    CU_ASSERT_EQUAL(
        read_header("{\"shoe\":1,\"game\":\"three-card-catch\",\"deal\":\"cards\",\"burn\":3,"
                    "\"tables\":{\"x-tra\":\"2\",\"natural-pair-plus\":\"4\"},"
                    "\"rules\":{\"ace-low\":false,\"progressive-rounding\":\"nearest\"},"
                    "\"meters\":{\"3\":\"251.123456\"},"
                    "\"source\":{\"recorded\":\"a\",\"device\":\"b\",\"firmware\":\"c\","
                    "\"by\":\"d\",\"note\":\"e\"}}",
                    &header, NULL),
        0);
    CU_ASSERT_EQUAL(header.setup.deal, DEAL_CARDS);
    CU_ASSERT_EQUAL(header.setup.burn, 3);
    CU_ASSERT_FALSE(header.setup.ace_low);
    CU_ASSERT_EQUAL(header.setup.rounding, ROUNDING_NEAREST);
    CU_ASSERT_EQUAL(header.meters.rounding, ROUNDING_NEAREST);
    CU_ASSERT_STRING_EQUAL(header.setup.table[game_wager(header.setup.game, "x-tra")]->name, "2");
    CU_ASSERT_EQUAL(header.meters.meter[2].value, 251123456);
}

TEST(must_hit_stands_last_among_the_meters)
{
    struct recording_header header;

    CU_ASSERT_EQUAL(
        read_header("{\"shoe\":1,\"game\":\"chase-the-flush\",\"meters\":{\"must-hit\":\"500.00\"},"
                    "\"must-hit\":{\"reset\":\"250.00\",\"hit-by\":\"500.00\",\"rate\":\"1.25\"}}",
                    &header, NULL),
        0);
    CU_ASSERT_EQUAL(header.meters.count, 5);
    CU_ASSERT_EQUAL(header.meters.must_hit, 4);
    CU_ASSERT_STRING_EQUAL(header.meters.meter[4].name, "must-hit");
    CU_ASSERT_EQUAL(header.meters.meter[4].value, 500 * MICROS_PER_DOLLAR);
    CU_ASSERT_EQUAL(header.meters.meter[4].reseed, 250 * MICROS_PER_DOLLAR);
    CU_ASSERT_EQUAL(header.meters.meter[4].rate, 125);
}

TEST(a_bad_header_is_a_configuration_error)
{
    struct recording_header header;
    struct error error;

    CU_ASSERT_EQUAL(read_header("{\"shoe\":1", &header, &error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(error.code, ERROR_CONFIG);
    CU_ASSERT_EQUAL(read_header("{\"shoe\":1,\"game\":\"x\\u001bx\"}", &header, &error),
                    ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "unknown game 'x<U+001B>x'"));
    CU_ASSERT_EQUAL(read_header("{\"shoe\":1.0,\"game\":\"flush-rush\"}", &header, NULL),
                    ERROR_CONFIG);
}

TEST(a_round_is_read_as_it_was_recorded)
{
    struct recording_round line;
    const struct round *round = &line.round;

    CU_ASSERT_EQUAL(read_chase("{" PLAY "," DEALT ",\"round\":41," BETS "}", &line, NULL), 0);
    CU_ASSERT_EQUAL(round->number, 41);
    CU_ASSERT_EQUAL(round->seats, seat_bit(2) | seat_bit(7));
    CU_ASSERT_EQUAL(round->bets[2][0], 1000);
    CU_ASSERT_EQUAL(round->bets[7][1], 5);
    CU_ASSERT_EQUAL(round->bets[7][2], 0);
    CU_ASSERT_EQUAL(round->decision_count[2], 2);
    CU_ASSERT_EQUAL(round->decisions[2][0], DECISION_CHECK);
    CU_ASSERT_EQUAL(round->decisions[2][1], DECISION_BET);
    CU_ASSERT_EQUAL(round->decisions[7][2], DECISION_FOLD);
    CU_ASSERT_EQUAL(round->packet_count, 4);
    CU_ASSERT_EQUAL(round->packet[3], 4);
    CU_ASSERT_EQUAL(round->dealt_count, 13);
    CU_ASSERT_EQUAL(round->dealt[12], card_make(RANK_SEVEN, SUIT_HEARTS));
    CU_ASSERT_EQUAL(round->must_hit_seat, 0);
    CU_ASSERT_FALSE(round->cancelled);
    CU_ASSERT_FALSE(line.has_deck);
    CU_ASSERT_FALSE(line.has_before);
}

TEST(single_cards_stand_alone_in_cards_mode)
{
    static const char header[] = "{\"shoe\":1,\"game\":\"chase-the-flush\",\"deal\":\"cards\"}";
    struct recording_round line;
    struct error error;

    CU_ASSERT_EQUAL(read_round(header, "{\"round\":1," BETS ",\"dealt\":[\"As\",\"Td\"]," PLAY "}",
                               &line, &error),
                    0);
    CU_ASSERT_EQUAL(line.round.packet_count, 2);
    CU_ASSERT_EQUAL(line.round.packet[1], 1);
    CU_ASSERT_EQUAL(read_round(header,
                               "{\"round\":1," BETS ",\"dealt\":[\"As\",\"Td 9h\"]," PLAY "}",
                               &line, &error),
                    ERROR_RULE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "dealt: card 2: 2 cards"));
}

/* Keys of a round in which seat 2 has made the progressive wager, or nobody has. */
static int read_keys(bool has_wager, const char *keys, struct recording_round *line,
                     struct error *error)
{
    char text[1024];

    snprintf(text, sizeof text,
             "{\"round\":1,\"bets\":{\"2\":{\"ante\":1000,\"x-tra\":1000%s},"
             "\"7\":{\"ante\":5,\"x-tra\":5}}," DEALT "," PLAY ",\"keys\":[%s]}",
             has_wager ? ",\"stax\":500" : "", keys);
    return read_chase(text, line, error);
}

static bool cancelled_by(bool has_wager, const char *keys)
{
    struct recording_round line;

    CU_ASSERT_EQUAL(read_keys(has_wager, keys, &line, NULL), 0);
    return line.round.cancelled;
}

#define START  "\"start-round\""
#define CANCEL "\"cancel-round\""
#define END    "\"end-round\""

TEST(the_last_of_cancel_and_end_that_is_taken_closes_a_round)
{
    CU_ASSERT_TRUE(cancelled_by(true, START "," CANCEL));
    CU_ASSERT_FALSE(cancelled_by(true, START "," END));
    CU_ASSERT_FALSE(cancelled_by(true, START "," CANCEL "," START "," END));
    /* What is refused closes nothing: no round is open, or a hand is to be chosen. */
    CU_ASSERT_TRUE(cancelled_by(true, START "," CANCEL "," END));
    CU_ASSERT_FALSE(cancelled_by(true, START "," END "," CANCEL));
    CU_ASSERT_FALSE(cancelled_by(true, CANCEL "," START "," END));
    CU_ASSERT_TRUE(cancelled_by(true, START ",\"seat-2\"," END ",\"none\"," CANCEL));
    CU_ASSERT_FALSE(cancelled_by(true, START ",\"seat-2\"," CANCEL ",\"none\"," END));
}

TEST(a_round_that_was_never_started_is_not_cancelled)
{
    CU_ASSERT_FALSE(cancelled_by(false, ""));
    CU_ASSERT_FALSE(cancelled_by(false, START "," CANCEL));
    CU_ASSERT_FALSE(cancelled_by(false, END "," CANCEL ",\"ok\""));
    CU_ASSERT_FALSE(cancelled_by(
        false,
        "\"seat-1\",\"seat-7\",\"hand\",\"hand:7-card straight flush\",\"none\",\"esc\",\"ok\","
        "\"pending-jackpot\",\"pay-jackpot\",\"cancel-jackpot\",\"code\""));
}

TEST(a_table_without_a_terminal_has_no_keys_not_even_none)
{
    static const char *const keys[] = {"", START "," END};
    struct recording_round round;
    struct error error;
    char text[512];

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        snprintf(
            text, sizeof text,
            "{\"round\":1,\"bets\":{\"1\":{\"ante\":1000}},\"dealt\":[\"2c 3c 9c Kc\",\"4c 7c Jc "
            "Qh\"],\"play\":{\"1\":[\"bet\",\"bet\"]},\"keys\":[%s]}",
            keys[i]);
        CU_ASSERT_EQUAL(read_round("{\"shoe\":1,\"game\":\"flush-rush\"}", text, &round, &error),
                        ERROR_RULE);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "keys, but flush-rush has no progressive wager"));
    }
}

TEST(keys_that_do_not_close_the_round_that_was_bet_on_are_an_error)
{
    static const char open[] = "after the last key the round is open; end the round with";
    static const char choose[] = "after the last key a hand is to be chosen; end the round with";
    static const char never[] =
        "the bets have progressive wagers at 2, but no key starts the round";
    static const struct {
        const char *keys, *why;
    } tries[] = {{START, open},
                 {START ",\"seat-2\"," END, choose},
                 {START ",\"seat-2\"," CANCEL, choose},
                 {START "," CANCEL "," START, open},
                 {"", never},
                 {CANCEL, never},
                 {END, never},
                 {"\"wagers:\"," START "," END, never},
                 {START "," END "," START "," END, "start-round after the round was ended"},
                 {START "," END "," START "," CANCEL, "start-round after the round was ended"}};

    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        struct recording_round line;
        struct error error = {0};

        CU_ASSERT_EQUAL(read_keys(true, tries[i].keys, &line, &error), ERROR_RULE);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, tries[i].why));
    }
}

TEST(a_meter_is_corrected_before_the_round_also_after_an_end_that_is_refused)
{
    struct recording_round line;

    CU_ASSERT_EQUAL(
        read_keys(true, END ",\"correct-meter:star=10001.00\"," START "," END, &line, NULL), 0);
    CU_ASSERT_EQUAL(line.round.corrections[0].stage, CORRECTED_FIRST);
}

#define CORRECT "\"correct-meter:star=10001.00\""

TEST(an_ok_that_is_refused_is_no_award)
{
    struct recording_round line;

    CU_ASSERT_EQUAL(read_keys(true, START ",\"ok\"," CORRECT ",\"ok\"," END, &line, NULL), 0);
    CU_ASSERT_EQUAL(line.round.correction_count, 1);
    CU_ASSERT_EQUAL(line.round.corrections[0].stage, CORRECTED_FIRST);
}

/* The terminal refuses it there. */
TEST(in_an_approval_no_meter_is_corrected)
{
    static const char *const steps[] = {"\"seat-2\"",      "\"hand\"", "\"pending-jackpot\"",
                                        "\"pay-jackpot\"", "\"code\"", "\"pay-jackpot\""};
    struct recording_round line;
    char keys[512] = START;

    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        strcat(keys, ",");
        strcat(keys, steps[i]);
        strcat(keys, "," CORRECT);
    }
    strcat(keys, ",\"ok\"");
    CU_ASSERT_TRUE(strlen(keys) + sizeof CORRECT END "," < sizeof keys);
    CU_ASSERT_EQUAL(read_keys(true, strcat(keys, "," END), &line, NULL), 0);
    CU_ASSERT_EQUAL(line.round.correction_count, 0);
    keys[strlen(keys) - strlen(END)] = '\0';
    CU_ASSERT_EQUAL(read_keys(true, strcat(keys, CORRECT "," END), &line, NULL), 0);
    CU_ASSERT_EQUAL(line.round.correction_count, 1);
    CU_ASSERT_EQUAL(line.round.corrections[0].stage, CORRECTED_PAID);
}

TEST(a_key_that_the_terminal_has_not_is_an_error)
{
    static const char *const keys[] = {"seat-0", "seat-8", "seat-10", "seat-",
                                       "hand:",  "START",  ""};

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        struct recording_round line;
        struct error error;
        char text[1024], reason[64];

        snprintf(text, sizeof text, "{\"round\":1," BETS "," DEALT "," PLAY ",\"keys\":[\"%s\"]}",
                 keys[i]);
        snprintf(reason, sizeof reason, "no key '%s'", keys[i]);
        CU_ASSERT_EQUAL(read_chase(text, &line, &error), ERROR_RULE);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, reason));
    }
}

/* START ROUND, keys that are refused, END ROUND. */
static int read_many_keys(unsigned count, struct error *error)
{
    static char text[8192];
    size_t length = (size_t)snprintf(
        text, sizeof text, "{\"round\":1," BETS "," DEALT "," PLAY ",\"keys\":[\"start-round\"");
    struct recording_round line;

    for (unsigned i = 2; i < count; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, ",\"ok\"");
    snprintf(text + length, sizeof text - length, ",\"end-round\"]}");
    return read_chase(text, &line, error);
}

TEST(a_round_has_at_most_256_keys)
{
    struct error error = {0};

    CU_ASSERT_EQUAL(RECORDING_KEYS_MAX, 256);
    CU_ASSERT_EQUAL(read_many_keys(256, &error), 0);
    CU_ASSERT_EQUAL(read_many_keys(257, &error), ERROR_RULE);
    CU_ASSERT_STRING_EQUAL(error.text, "keys has 257 entries; a round has at most 256: leave out "
                                       "those that its case does not need");
}

/* Also one that the terminal would not take where it stands. */
TEST(a_hand_among_the_keys_is_one_that_the_progressive_wager_pays)
{
    static const char *const wrong[] = {"7-card straight flash", "5-card flush", "7-card", "x",
                                        "7-card straight flush "};
    static const char *const right[] = {"7-card straight flush", "3-card straight flush"};
    struct recording_round line;
    struct error error = {0};
    char keys[128];

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        snprintf(keys, sizeof keys, START ",\"hand:%s\"," END, wrong[i]);
        CU_ASSERT_EQUAL(read_keys(true, keys, &line, &error), ERROR_RULE);
        snprintf(keys, sizeof keys, "keys: 'hand:%s' names no hand of stax;", wrong[i]);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, keys));
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "and it has 7-card straight flush, 6-card"));
    }
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        snprintf(keys, sizeof keys, START ",\"hand:%s\"," END, right[i]);
        CU_ASSERT_EQUAL(read_keys(true, keys, &line, NULL), 0);
    }
}

TEST(an_observed_must_hit_award_names_its_seat)
{
    static const char header[] =
        "{\"shoe\":1,\"game\":\"chase-the-flush\","
        "\"must-hit\":{\"reset\":\"250.00\",\"hit-by\":\"500.00\",\"rate\":\"1.00\"}}";
    static const char *const bad[] = {
        "{\"seat\":0}", "{\"seat\":8}", "{\"seat\":\"3\"}", "{}", "3", "{\"seat\":3,\"pays\":1}"};
    struct recording_round line;
    char text[1024];

    CU_ASSERT_EQUAL(
        read_round(header, "{\"round\":1," BETS "," DEALT "," PLAY ",\"must-hit\":{\"seat\":7}}",
                   &line, NULL),
        0);
    CU_ASSERT_EQUAL(line.round.must_hit_seat, 7);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        snprintf(text, sizeof text, "{\"round\":1," BETS "," DEALT "," PLAY ",\"must-hit\":%s}",
                 bad[i]);
        CU_ASSERT_EQUAL(read_round(header, text, &line, NULL), ERROR_RULE);
    }
}

TEST(a_deck_and_the_order_before_it_are_kept)
{
    char deck[160] = "", text[1024];
    struct recording_round line;

    for (unsigned i = 0; i < DECK_SIZE; i++) {
        char card[4] = "   ";

        card_format(card_from_index(DECK_SIZE - 1 - i), card);
        strcat(deck, card);
    }
    deck[strlen(deck) - 1] = '\0';
    snprintf(text, sizeof text,
             "{\"round\":1," BETS ",\"dealt\":[\"As Ks Qs\"]," PLAY
             ",\"deck\":\"%s\",\"before\":\"%s\"}",
             deck, deck);
    CU_ASSERT_EQUAL(read_chase(text, &line, NULL), 0);
    CU_ASSERT_TRUE(line.has_deck);
    CU_ASSERT_TRUE(line.has_before);
    CU_ASSERT_EQUAL(line.deck[0], card_make(RANK_ACE, SUIT_SPADES));
    CU_ASSERT_EQUAL(line.before[51], card_make(RANK_TWO, SUIT_CLUBS));
    text[strlen(text) - 5] = '\0';
    strcat(text, "\"}");
    CU_ASSERT_EQUAL(read_chase(text, &line, NULL), ERROR_RULE);
}

/* A line with the deck in its dense order, whatever else is said. */
static const char *deck_line(const char *rest)
{
    static char text[512];
    size_t length = (size_t)snprintf(text, sizeof text, "{\"round\":4%s,\"deck\":\"", rest);

    for (unsigned i = 0; i < DECK_SIZE; i++) {
        card_format(card_from_index(i), text + length);
        text[length + 2] = ' ';
        length += 3;
    }
    strcpy(text + length - 1, "\"}");
    return text;
}

TEST(a_deck_may_stand_alone_and_has_nothing_to_settle)
{
    struct recording_header header;
    struct recording_round line;
    struct settlement settlement;
    struct error error;

    CU_ASSERT_EQUAL(read_header("{\"shoe\":1,\"game\":\"flush-rush\"}", &header, NULL), 0);
    CU_ASSERT_EQUAL(read_chase(deck_line(""), &line, NULL), 0);
    CU_ASSERT_TRUE(line.has_deck);
    CU_ASSERT_FALSE(line.has_before);
    CU_ASSERT_EQUAL(line.round.number, 4);
    CU_ASSERT_EQUAL(line.round.seats, 0);
    CU_ASSERT_EQUAL(line.deck[51], card_make(RANK_ACE, SUIT_SPADES));
    CU_ASSERT_EQUAL(game_settle(&header.setup, &line.round, &settlement, &error), ERROR_RULE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "nothing to settle"));
}

/* Writes a line with this number and this after its deck, of which the last card is this one. */
static void write_deck_line(char text[1024], const char *start, const char *number,
                            const char *last, const char *end)
{
    size_t length = (size_t)sprintf(text, "%s\"round\":%s,\"deck\":\"", start, number);

    for (unsigned i = 0; i < DECK_SIZE - 1; i++, length += 3) {
        card_format(card_from_index(i), text + length);
        text[length + 2] = ' ';
    }
    sprintf(text + length, "%s\"%s", last, end);
}

/* Lines without a blank are read by other means than JSON. */
TEST(a_deck_alone_is_the_same_with_and_without_blanks)
{
    static const struct {
        const char *number, *last, *end;
        bool is_good;
    } cases[] = {
        {"1", "As", "}", true},
        {"999999999999999999", "As", "}", true},
        {"1000000000000000000", "As", "}", true},
        {"9223372036854775807", "As", "}", true},
        {"9223372036854775808", "As", "}", false},
        {"0", "As", "}", false},
        {"01", "As", "}", false},
        {"-1", "As", "}", false},
        {"", "As", "}", false},
        {"1.0", "As", "}", false},
        {"1", "Ks", "}", false},
        {"1", "as", "}", false},
        {"1", "As 2c", "}", false},
        {"1", "As ", "}", false},
        {"1", "A\\u0073", "}", true},
        {"1", "As", "", false},
        {"1", "As", "}}", false},
        {"1", "As", ",}", false},
        {"1", "As", ",\"before\":\"2c\"}", false},
        {"1", "As", ",\"before\":null}", false},
        {"1", "As", ",\"deck\":\"2c\"}", false},
        {"1", "As", ",\"keys\":[]}", false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct recording_round rounds[2];
        struct error error;
        char text[1024];

        for (unsigned blank = 0; blank < 2; blank++) {
            write_deck_line(text, blank ? "{ " : "{", cases[i].number, cases[i].last, cases[i].end);
            memset(&rounds[blank], 0, sizeof rounds[blank]);
            CU_ASSERT_EQUAL(read_chase(text, &rounds[blank], &error),
                            cases[i].is_good ? 0 : ERROR_RULE);
        }
        if (cases[i].is_good)
            CU_ASSERT_EQUAL(memcmp(&rounds[0], &rounds[1], sizeof rounds[0]), 0);
    }
}

/* A whole deck, from its last card to its first or the other way round. */
static void write_deck(char text[DECK_SIZE * 3], bool is_reversed)
{
    for (unsigned i = 0; i < DECK_SIZE; i++) {
        card_format(card_from_index(is_reversed ? DECK_SIZE - 1 - i : i), text + (size_t)3 * i);
        text[3 * i + 2] = ' ';
    }
    text[DECK_SIZE * 3 - 1] = '\0';
}

TEST(the_order_before_stands_on_either_side_of_its_deck_and_once)
{
    static const char *const forms[] = {"{\"round\":1,\"deck\":\"%1$s\",\"before\":\"%2$s\"}",
                                        "{\"round\":1,\"before\":\"%2$s\",\"deck\":\"%1$s\"}",
                                        "{\"before\":\"%2$s\",\"deck\":\"%1$s\",\"round\":1}"};
    char deck[DECK_SIZE * 3], before[DECK_SIZE * 3], text[1024];
    struct recording_round line;
    struct error error;

    write_deck(deck, false);
    write_deck(before, true);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        memset(&line, 0, sizeof line);
        snprintf(text, sizeof text, forms[i], deck, before);
        CU_ASSERT_EQUAL(read_chase(text, &line, &error), 0);
        CU_ASSERT_TRUE(line.has_deck && line.has_before);
        CU_ASSERT_EQUAL(line.deck[0], card_from_index(0));
        CU_ASSERT_EQUAL(line.before[0], card_from_index(DECK_SIZE - 1));
    }
    snprintf(text, sizeof text,
             "{\"round\":1,\"before\":\"%1$s\",\"deck\":\"%1$s\",\"before\":\"%1$s\"}", deck);
    CU_ASSERT_EQUAL(read_chase(text, &line, &error), ERROR_RULE);
}

TEST(a_deck_that_was_played_with_needs_the_whole_round)
{
    struct recording_round line;

    CU_ASSERT_EQUAL(read_chase(deck_line("," BETS), &line, NULL), ERROR_RULE);
    CU_ASSERT_EQUAL(read_chase(deck_line(",\"dealt\":[\"2c\"]"), &line, NULL), ERROR_RULE);
    CU_ASSERT_EQUAL(read_chase(deck_line(",\"keys\":[]"), &line, NULL), ERROR_RULE);
    CU_ASSERT_EQUAL(read_chase("{\"round\":4}", &line, NULL), ERROR_RULE);
}

TEST(a_header_tells_who_dealt)
{
    struct recording_header header;

    CU_ASSERT_EQUAL(read_header("{\"shoe\":1,\"game\":\"flush-rush\",\"source\":{\"device\":"
                                "\"i-Deal \\u0007\",\"firmware\":\"3.1\"}}",
                                &header, NULL),
                    0);
    CU_ASSERT_STRING_EQUAL(header.device, "i-Deal ?");
    CU_ASSERT_STRING_EQUAL(header.firmware, "3.1");
    CU_ASSERT_EQUAL(read_header("{\"shoe\":1,\"game\":\"flush-rush\"}", &header, NULL), 0);
    CU_ASSERT_STRING_EQUAL(header.device, "");
    CU_ASSERT_STRING_EQUAL(header.firmware, "");
}

TEST(more_than_a_deck_cannot_be_dealt)
{
    struct recording_round line;
    struct error error;
    char text[2048] = "{\"round\":1," BETS "," PLAY ",\"dealt\":[\"As\"";

    for (unsigned i = 0; i < DECK_SIZE; i++)
        strcat(text, ",\"As\"");
    strcat(text, "]}");
    CU_ASSERT_EQUAL(read_chase(text, &line, &error), ERROR_RULE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "53 entries"));
}

static bool finds(const char *text, int64_t expected)
{
    struct json_reader *reader = json_reader_new(JSON_LONGEST);
    int64_t number = -77;
    bool is_found = recording_find_number(reader, text, strlen(text), &number);

    json_reader_free(reader);
    return is_found && number == expected;
}

TEST(the_number_of_a_broken_round_is_found_where_it_can_be)
{
    CU_ASSERT(finds("{\"bets\":{},\"round\":12}", 12));
    CU_ASSERT(finds("{\"round\":12,\"bets", 12));
    CU_ASSERT(finds(" { \"round\" : 12 ,", 12));
    CU_ASSERT_FALSE(finds("{\"round\":92233720368547758070,", 0));
    CU_ASSERT_FALSE(finds("{\"round\":12", 12));
    CU_ASSERT_FALSE(finds("{\"round\":1.5,", 1));
    CU_ASSERT_FALSE(finds("{\"round\":,", 0));
    CU_ASSERT_FALSE(finds("{\"bets\":{},\"round\":12", 12));
    CU_ASSERT_FALSE(finds("", 0));
}

#define TWO_DECKS "{\"shoe\":1,\"game\":\"chase-the-flush\",\"decks\":2}"

TEST(a_header_has_one_deck_or_two)
{
    static const char *const wrong[] = {"0", "3", "-1", "1.5", "\"2\"", "true", "null", "[2]"};
    struct recording_header header;
    struct error error;

    CU_ASSERT_EQUAL(read_header("{\"shoe\":1,\"game\":\"flush-rush\"}", &header, &error), 0);
    CU_ASSERT_EQUAL(header.decks, 1);
    CU_ASSERT_EQUAL(read_header(TWO_DECKS, &header, &error), 0);
    CU_ASSERT_EQUAL(header.decks, 2);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[128];

        snprintf(text, sizeof text, "{\"shoe\":1,\"game\":\"flush-rush\",\"decks\":%s}", wrong[i]);
        CU_ASSERT_EQUAL(read_header(text, &header, &error), ERROR_CONFIG);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "decks"));
    }
}

TEST(a_round_names_one_of_two_decks_or_none)
{
    static const struct {
        const char *header, *deck, *why;
    } wrong[] = {
        {TWO_DECKS, "0", "deck-id"},
        {TWO_DECKS, "3", "deck-id"},
        {TWO_DECKS, "\"red\"", "deck-id"},
        {TWO_DECKS, "null", "deck-id"},
        {TWO_DECKS, "[]", "deck-id must be an integer, not []"},
        {TWO_DECKS, "[1]", "deck-id must be an integer, not [1]"},
        {TWO_DECKS, "[1,2]", "deck-id names more than one deck"},
        {"{\"shoe\":1,\"game\":\"chase-the-flush\"}", "1",
         "deck-id is 1, but the header says nothing of two decks"},
    };
    struct recording_round round;
    struct error error;
    char text[1024];

    CU_ASSERT_EQUAL(
        read_round(TWO_DECKS, "{\"round\":1," BETS "," DEALT "," PLAY "}", &round, &error), 0);
    CU_ASSERT_EQUAL(round.round.deck_id, 0);
    CU_ASSERT_EQUAL(read_round(TWO_DECKS, "{\"round\":1," BETS "," DEALT "," PLAY ",\"deck-id\":2}",
                               &round, &error),
                    0);
    CU_ASSERT_EQUAL(round.round.deck_id, 2);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        snprintf(text, sizeof text, "{\"round\":1," BETS "," DEALT "," PLAY ",\"deck-id\":%s}",
                 wrong[i].deck);
        CU_ASSERT_EQUAL(read_round(wrong[i].header, text, &round, &error), ERROR_RULE);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, wrong[i].why));
    }
}

TEST(decks_take_turns_unless_a_round_says_otherwise)
{
    static const struct {
        struct round round;
        uint8_t deck;
    } rounds[] = {
        {{.packet_count = 3}, 1},
        {{.packet_count = 3}, 2},
        {{.packet_count = 3, .deck_id = 2}, 2},
        {{.packet_count = 3}, 1},
        {{.is_void = true}, 2}, /* before its first card: no turn */
        {{.packet_count = 1, .is_void = true}, 2},
        {{.packet_count = 3}, 1},
        {{.packet_count = 3, .deck_id = 2}, 2},
        {{.packet_count = 0}, 1}, /* a deck that nobody played with */
    };
    struct recording_header header = {.decks = 2}, single = {.decks = 1};
    uint8_t previous = 0, none = 0;

    for (size_t i = 0; i < sizeof rounds / sizeof rounds[0]; i++) {
        CU_ASSERT_EQUAL(recording_deck(&header, &rounds[i].round, &previous), rounds[i].deck);
        CU_ASSERT_EQUAL(recording_deck(&single, &rounds[i].round, &none), 0);
    }
    CU_ASSERT_EQUAL(none, 0);
}
