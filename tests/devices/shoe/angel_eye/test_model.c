/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model of the Angel Eye shoe: byte for byte, and as its driver sees it over every link. */
#include <stdio.h>
#include <string.h>

#include "devices/shoe/angel_eye/model.h"
#include "tests/support/devices/shoe_bench.h"
#include "tests/support/suite.h"

#define SECOND NANOS_PER_SECOND

static struct model *shoe;
static struct shoe_bench bench;
static struct error error;

/* What the model says at that time, in hex; "" for nothing. */
static const char *said(nanos_t now)
{
    static char text[512];
    uint8_t bytes[128];
    size_t count = shoe->ops->send(shoe, bytes, sizeof bytes, now);

    text[0] = '\0';
    for (size_t i = 0; i < count; i++)
        snprintf(text + (i ? 3 * i - 1 : 0), 5, "%s%02x", i ? " " : "", bytes[i]);
    return text;
}

static void hear(const char *hex, nanos_t now)
{
    uint8_t bytes[64];

    shoe->ops->receive(shoe, bytes, shoe_bench_hex(hex, bytes, sizeof bytes), now);
}

/* Acknowledges everything that it has to say. */
static void hush(nanos_t now)
{
    while (*said(now))
        hear("06", now);
}

static void make(const char *options)
{
    shoe = angel_eye_model_new(options, &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(shoe);
}

static void drop(void)
{
    shoe->ops->free(shoe);
}

static void load(const char *cards)
{
    card_t order[DECK_SIZE];
    int count = cards_parse(cards, strlen(cards), order, DECK_SIZE, &error);

    CU_ASSERT_EQUAL_FATAL(angel_eye_model_load(shoe, order, (size_t)count, 0, &error), 0);
}

TEST(every_report_is_said_as_the_page_has_it)
{
    make("cut=2");
    load("8s Kh Ad");
    CU_ASSERT_STRING_EQUAL(said(0), "05 30 53 03 36 30");
    CU_ASSERT_STRING_EQUAL(said(0), "");
    hear("06", 0);
    CU_ASSERT_STRING_EQUAL(said(0), "05 31 4c 81 03 46 46");
    hear("06", 0);
    CU_ASSERT_STRING_EQUAL(said(0), "05 32 50 03 36 31");
    hear("06", 0);
    CU_ASSERT_STRING_EQUAL(said(0), "05 33 50 03 36 30");
    hear("06", 0);
    hear("02 4f 50 4c 4b 30 31 03 31 38", 0);
    CU_ASSERT_STRING_EQUAL(said(0), "06 05 34 4c 80 03 46 42");
    hear("06", 0);
    CU_ASSERT_TRUE(angel_eye_model_draw(shoe, 0));
    CU_ASSERT_STRING_EQUAL(said(0), "05 35 44 81 b8 03 34 42");
    hear("06", 0);
    CU_ASSERT_TRUE(angel_eye_model_draw(shoe, 0));
    CU_ASSERT_STRING_EQUAL(said(0), "05 36 44 91 cd 03 32 44");
    hear("06", 0);
    CU_ASSERT_TRUE(angel_eye_model_draw(shoe, 0));
    CU_ASSERT_STRING_EQUAL(said(0), "05 37 43 03 37 37");
    hear("06", 0);
    CU_ASSERT_STRING_EQUAL(said(0), "05 38 44 82 91 03 36 43");
    hear("06", 0);
    angel_eye_model_end_game(shoe, 0);
    CU_ASSERT_STRING_EQUAL(said(0), "05 39 47 f0 03 38 44");
    hear("06", 0);
    CU_ASSERT_TRUE(angel_eye_model_set(shoe, "12", "0040", 0));
    CU_ASSERT_FALSE(angel_eye_model_set(shoe, "12", "040", 0));
    CU_ASSERT_STRING_EQUAL(said(0), "05 30 4d b1 b2 b0 b0 b4 b0 03 37 39");
    drop();
}

TEST(errors_are_said_and_cleared_as_the_page_has_it)
{
    make("fault=misread@card:1");
    load("8s");
    hush(0);
    hear("02 4f 50 4c 4b 30 31 03 31 38", 0);
    hush(0);
    hear("06", 0);
    angel_eye_model_draw(shoe, 0);
    CU_ASSERT_STRING_EQUAL(said(0), "05 35 45 c1 03 42 32");
    hear("06", 0);
    angel_eye_model_draw(shoe, 0);
    CU_ASSERT_STRING_EQUAL(said(0), "05 36 64 90 b8 03 37 39");
    hear("06", 0);
    hear("02 4f 50 45 43 30 31 03 31 39", 0);
    CU_ASSERT_STRING_EQUAL(said(0), "06 05 37 65 81 03 44 30");
    drop();
}

/* An operation with its check, which may be spoilt, worked out here. */
static void operate(const char *text, bool with_stx, uint8_t spoilt)
{
    uint8_t bytes[32] = {0x02}, check = with_stx ? 0x02 : 0;
    size_t size = strlen(text);
    char digits[3];

    memcpy(bytes + 1, text, size);
    bytes[++size] = 0x03;
    for (size_t i = 1; i <= size; i++)
        check ^= bytes[i];
    snprintf(digits, sizeof digits, "%02X", check ^ spoilt);
    memcpy(bytes + size + 1, digits, 2);
    shoe->ops->receive(shoe, bytes, size + 3, 0);
}

enum state { UNLOCKED, DRAWN, LOCKED, IN_ERROR, STATES };

static void bring_to(enum state state)
{
    make(state == IN_ERROR ? "fault=overdraw@card:1" : "");
    hush(0);
    if (state != LOCKED)
        operate("OPLK01", true, 0);
    hush(0);
    hush(0);
    if (state == DRAWN || state == IN_ERROR)
        angel_eye_model_draw(shoe, 0);
    hush(0);
}

/* What an operation is answered with in each state; a report may follow. */
static const struct {
    const char *operation;
    uint8_t spoilt;
    const char *answers[STATES];
} table[] = {
    {"OPLK02", 0, {"06", "06", "06", "15 21"}},
    {"OPLK01", 0, {"06", "06", "06", "15 21"}},
    {"OPLK00", 0, {"15 11", "15 11", "15 11", "15 11"}},
    {"OPLK03", 0, {"15 11", "15 11", "15 11", "15 11"}},
    {"OPEC02", 0, {"15 ff", "15 ff", "15 ff", "06"}},
    {"OPEC01", 0, {"15 ff", "15 ff", "15 ff", "15 ff"}},
    {"OPEC00", 0, {"15 ff", "15 ff", "15 ff", "15 ff"}},
    {"OPGP00",
     0,
     {"02 4f 50 47 50 30 30 03 30 39", "02 4f 50 47 50 30 31 03 30 38",
      "02 4f 50 47 50 30 32 03 30 42", "02 4f 50 47 50 30 33 03 30 41"}},
    {"OPGP01", 0, {"15 11", "15 11", "15 11", "15 11"}},
    {"OPXX00", 0, {"15 14", "15 14", "15 14", "15 14"}},
    {"XXLK02", 0, {"15 13", "15 13", "15 13", "15 13"}},
    {"OPLKA2", 0, {"15 11", "15 11", "15 11", "15 11"}},
    {"OPLK2", 0, {"15 11", "15 11", "15 11", "15 11"}},
    {"OPLK002", 0, {"15 11", "15 11", "15 11", "15 11"}},
    {"OPLK02", 0x01, {"15 02", "15 02", "15 02", "15 02"}},
    {"OPLK02", 0x02, {"15 02", "15 02", "15 02", "15 02"}},
    {"OPLK02", 0x10, {"15 02", "15 02", "15 02", "15 02"}},
};

/* The report that an accepted operation brings in that state; the number is not looked at. */
static const char *report_after(const char *operation, enum state state)
{
    if (!strcmp(operation, "OPLK02") && (state == UNLOCKED || state == DRAWN))
        return "4c 81";
    if (!strcmp(operation, "OPLK01") && state == LOCKED)
        return "4c 80";
    if (!strcmp(operation, "OPEC02") && state == IN_ERROR)
        return "65 82";
    return NULL;
}

TEST(every_operation_is_answered_in_every_state_as_the_table_says)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        for (unsigned state = 0; state < STATES; state++) {
            const char *expected = table[i].answers[state], *text, *report;
            size_t length = strlen(expected);

            bring_to(state);
            operate(table[i].operation, true, table[i].spoilt);
            text = said(0);
            report = table[i].spoilt ? NULL : report_after(table[i].operation, state);
            CU_ASSERT(!strncmp(text, expected, length));
            if (report)
                CU_ASSERT(!strncmp(text + length + 7, report, strlen(report)))
            else
                CU_ASSERT_EQUAL(strlen(text), length);
            drop();
        }
    }
}

TEST(the_block_check_starts_where_the_option_says)
{
    make("bcc=without-stx");
    hush(0);
    operate("OPGP00", true, 0);
    CU_ASSERT_STRING_EQUAL(said(0), "15 02");
    operate("OPGP00", false, 0);
    CU_ASSERT_STRING_EQUAL(said(0), "02 4f 50 47 50 30 32 03 30 39");
    drop();
    make("bcc=with-stx");
    hush(0);
    operate("OPGP00", false, 0);
    CU_ASSERT_STRING_EQUAL(said(0), "15 02");
    drop();
}

TEST(a_report_is_said_again_until_it_is_acknowledged)
{
    static const char start[] = "05 30 53 03 36 30";

    make("");
    CU_ASSERT_STRING_EQUAL(said(0), start);
    CU_ASSERT_EQUAL(shoe->ops->due(shoe), 500 * NANOS_PER_MILLI);
    CU_ASSERT_STRING_EQUAL(said(500 * NANOS_PER_MILLI - 1), "");
    CU_ASSERT_STRING_EQUAL(said(500 * NANOS_PER_MILLI), start);
    hear("15 02", SECOND);
    CU_ASSERT_STRING_EQUAL(said(SECOND + 199 * NANOS_PER_MILLI), "");
    CU_ASSERT_STRING_EQUAL(said(SECOND + 200 * NANOS_PER_MILLI), start);
    hear("06", 2 * SECOND);
    CU_ASSERT_STRING_EQUAL(said(2 * SECOND), "05 31 4c 81 03 46 46");
    drop();
}

TEST(an_operation_that_stalls_is_refused_for_want_of_an_etx)
{
    for (size_t cut = 1; cut < 10; cut++) {
        char part[40];

        make("");
        hush(0);
        snprintf(part, sizeof part, "%.*s", (int)(3 * cut - 1), "02 4f 50 4c 4b 30 32 03 31 42");
        hear(part, SECOND);
        CU_ASSERT_STRING_EQUAL(said(SECOND + 199 * NANOS_PER_MILLI), "");
        CU_ASSERT_EQUAL(shoe->ops->due(shoe), SECOND + 200 * NANOS_PER_MILLI);
        CU_ASSERT_STRING_EQUAL(said(SECOND + 200 * NANOS_PER_MILLI), "15 03");
        hear("02 4f 50 47 50 30 30 03 30 39", 2 * SECOND);
        CU_ASSERT_STRING_EQUAL(said(2 * SECOND), "02 4f 50 47 50 30 32 03 30 42");
        drop();
    }
}

TEST(an_option_that_does_not_exist_is_refused_with_a_sentence)
{
    static const char *const bad[] = {"serial=A",
                                      "bcc=maybe",
                                      "draw=",
                                      "draw=1x",
                                      "cut=52",
                                      "seed=-1",
                                      "fault=jam",
                                      "fault=jam@card",
                                      "fault=jam@card:0",
                                      "fault=jam@card:53",
                                      "fault=twice@card:1",
                                      "fault=dance@card:1",
                                      "nothing"};

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        error.code = 0;
        CU_ASSERT_PTR_NULL(angel_eye_model_new(bad[i], &error));
        CU_ASSERT_EQUAL(error.code, ERROR_CONFIG);
        CU_ASSERT(strlen(error.text) > 20);
    }
}

TEST(a_hand_draws_the_whole_deck_while_the_shoe_is_unlocked)
{
    card_t cards[DECK_SIZE], again[DECK_SIZE];

    shoe_bench_open_unlocked(&bench, "angel-eye", "draw=400,seed=9");
    CU_ASSERT_EQUAL(shoe_bench_take_cards(&bench, cards), DECK_SIZE);
    CU_ASSERT_EQUAL(shoe_bench_different(cards, DECK_SIZE), DECK_SIZE);
    shoe_bench_close(&bench);
    shoe_bench_open_unlocked(&bench, "angel-eye", "draw=400,seed=9");
    CU_ASSERT_EQUAL(shoe_bench_take_cards(&bench, again), DECK_SIZE);
    CU_ASSERT(!memcmp(cards, again, DECK_SIZE));
    shoe_bench_close(&bench);
    shoe_bench_open_unlocked(&bench, "angel-eye", "draw=400,seed=10");
    shoe_bench_take_cards(&bench, again);
    CU_ASSERT(memcmp(cards, again, DECK_SIZE) != 0);
    shoe_bench_close(&bench);
}

TEST(a_locked_shoe_is_filled_anew_and_says_so)
{
    shoe_bench_open_unlocked(&bench, "angel-eye", "draw=400,refill=3000");
    CU_ASSERT_TRUE(shoe_bench_await(&bench, SHOE_EVENT_CARD));
    CU_ASSERT_EQUAL(shoe_lock(bench.shoe, true, &bench.error), 0);
    CU_ASSERT_TRUE(shoe_bench_await(&bench, SHOE_EVENT_LOCK));
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_STAND_BY);
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), -1);
    shoe_bench_close(&bench);
}

TEST(cards_drawn_while_locked_or_in_error_are_told_as_such)
{
    shoe_bench_open(&bench, "angel-eye", "fault=overdraw@card:2");
    CU_ASSERT_TRUE(angel_eye_model_draw(bench.model, clock_now(&bench.clock)));
    CU_ASSERT_TRUE(shoe_bench_await(&bench, SHOE_EVENT_CARD));
    CU_ASSERT_TRUE(bench.event.card.outside);
    CU_ASSERT_EQUAL(bench.event.card.raw >> 4, 0);
    CU_ASSERT_EQUAL(shoe_lock(bench.shoe, false, &bench.error), 0);
    angel_eye_model_draw(bench.model, clock_now(&bench.clock));
    CU_ASSERT_TRUE(shoe_bench_await(&bench, SHOE_EVENT_CARD));
    CU_ASSERT_FALSE(bench.event.card.outside);
    CU_ASSERT_TRUE(shoe_bench_await(&bench, SHOE_EVENT_FAULT));
    angel_eye_model_draw(bench.model, clock_now(&bench.clock));
    CU_ASSERT_TRUE(shoe_bench_await(&bench, SHOE_EVENT_CARD));
    CU_ASSERT_TRUE(bench.event.card.outside);
    CU_ASSERT_EQUAL(bench.event.card.raw >> 4, 1);
    shoe_bench_close(&bench);
}

TEST(a_new_deck_starts_a_new_game)
{
    shoe_bench_open_unlocked(&bench, "angel-eye", "");
    for (unsigned i = 0; i < 2; i++) {
        CU_ASSERT_TRUE(angel_eye_model_draw(bench.model, clock_now(&bench.clock)));
        CU_ASSERT_TRUE(shoe_bench_await(&bench, SHOE_EVENT_CARD));
        CU_ASSERT_EQUAL(bench.event.card.raw, 0x01);
        angel_eye_model_refill(bench.model, clock_now(&bench.clock));
    }
    shoe_bench_close(&bench);
}

TEST(noise_is_not_answered)
{
    make("");
    hush(0);
    hear("15 44 41 99 05 33 03", 0);
    CU_ASSERT_STRING_EQUAL(said(0), "");
    CU_ASSERT_EQUAL(shoe->ops->due(shoe), NEVER);
    drop();
}

TEST(a_good_operation_behind_a_damaged_one_is_answered_alone)
{
    make("");
    hush(0);
    hear("02 4f 50 02 4f 50 47", 0);
    CU_ASSERT_STRING_EQUAL(said(0), "");
    hear("50 30 30 03 30 39", 0);
    CU_ASSERT_STRING_EQUAL(said(0), "02 4f 50 47 50 30 32 03 30 42");
    drop();
}

TEST(what_is_half_said_or_half_heard_is_lost_with_the_power)
{
    uint8_t bytes[3];

    make("");
    CU_ASSERT_EQUAL(shoe->ops->send(shoe, bytes, sizeof bytes, 0), 3);
    hear("02 4f 50 4c", 0);
    angel_eye_model_power_cycle(shoe, 0);
    hear("4b 30 32 03 31 42", 0);
    CU_ASSERT_STRING_EQUAL(said(0), "05 31 53 03 36 31");
    drop();
}

TEST(the_driver_finds_out_where_the_block_check_starts)
{
    shoe_bench_open_unlocked(&bench, "angel-eye", "bcc=without-stx,draw=400");
    CU_ASSERT_TRUE(shoe_bench_await(&bench, SHOE_EVENT_CARD));
    shoe_bench_close(&bench);
}

TEST(recorded_decks_come_one_after_the_other)
{
    static const card_t first[] = {0x3c, 0x1b}, second[] = {0x00};

    shoe_bench_open(&bench, "angel-eye", "draw=400,refill=1000");
    CU_ASSERT_EQUAL(angel_eye_model_load(bench.model, first, 2, 0, &error), 0);
    CU_ASSERT_EQUAL(angel_eye_model_load(bench.model, second, 1, 0, &error), 0);
    CU_ASSERT_EQUAL(angel_eye_model_load(bench.model, first, 0, 0, &error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(shoe_lock(bench.shoe, false, &bench.error), 0);
    CU_ASSERT_TRUE(shoe_bench_await(&bench, SHOE_EVENT_CARD));
    CU_ASSERT_EQUAL(bench.event.card.card, 0x3c);
    CU_ASSERT_TRUE(shoe_bench_await(&bench, SHOE_EVENT_CARD));
    CU_ASSERT_EQUAL(bench.event.card.card, 0x1b);
    CU_ASSERT_EQUAL(shoe_lock(bench.shoe, true, &bench.error), 0);
    CU_ASSERT_TRUE(shoe_bench_await(&bench, SHOE_EVENT_STAND_BY));
    CU_ASSERT_EQUAL(shoe_lock(bench.shoe, false, &bench.error), 0);
    CU_ASSERT_TRUE(shoe_bench_await(&bench, SHOE_EVENT_CARD));
    CU_ASSERT_EQUAL(bench.event.card.card, 0x00);
    shoe_bench_close(&bench);
}

TEST(a_game_that_is_over_is_reported_with_its_pairs)
{
    make("");
    load("4c 2h 4d 2s");
    hush(0);
    operate("OPLK01", true, 0);
    hush(0);
    hear("06", 0);
    for (unsigned i = 0; i < 4; i++)
        angel_eye_model_draw(shoe, 0);
    for (unsigned i = 0; i < 4; i++) {
        CU_ASSERT(!strncmp(said(0) + 6, "44 ", 3));
        hear("06", 0);
    }
    CU_ASSERT(!strncmp(said(0) + 6, "47 93", 5));
    drop();
}
