/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model of the open protocol's shoe: byte for byte, and as its driver sees it. */
#include "devices/shoe/open/model.h"

#include <stdio.h>
#include <string.h>

#include "devices/shoe/open/wire.h"
#include "devices/wire/frame.h"
#include "tests/support/devices/shoe_bench.h"
#include "tests/support/suite.h"

static struct model *shoe;
static struct shoe_bench bench;
static struct error error;

static const char *said(nanos_t now)
{
    static char text[2048];
    uint8_t bytes[512];
    size_t count = shoe->ops->send(shoe, bytes, sizeof bytes, now);

    text[0] = '\0';
    for (size_t i = 0; i < count; i++)
        snprintf(text + (i ? 3 * i - 1 : 0), 5, "%s%02x", i ? " " : "", bytes[i]);
    return text;
}

static void hear(const char *hex, nanos_t now)
{
    uint8_t bytes[256];

    shoe->ops->receive(shoe, bytes, shoe_bench_hex(hex, bytes, sizeof bytes), now);
}

static void make(const char *options)
{
    shoe = shoe_model_new(options, &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(shoe);
}

static void drop(void)
{
    shoe->ops->free(shoe);
}

/* One conversation; the frames are worked out from the page and not by the encoder. */
static const struct {
    const char *heard, *said;
} conversation[] = {
    {"05 01 02 01 01 06 c0 ff ee c0 17 00", "06 01 02 81 01 01 01 03 0b ea 00"},
    /* LOAD ORDER is refused: TEST MODE comes first. */
    {"08 01 02 12 05 03 3c 1b 03 50 0c 00", "09 01 02 ff 05 12 08 4b 79 00"},
    {"08 01 02 11 04 01 fe 83 00", "07 01 02 91 04 f7 4a 00 04 01 02 45 04 01 b0 49 00"},
    {"04 01 02 c5 03 75 b5 00", ""},
    {"08 01 02 12 05 03 3c 1b 03 50 0c 00",
     "07 01 02 92 05 b2 38 00 05 01 02 42 01 06 02 34 03 ca 5d 00"},
    {"07 01 02 c2 01 fc 03 00", ""},
    {"05 01 02 10 06 03 bf f0 00", "07 01 02 90 06 e4 39 00 05 01 02 47 02 03 a8 6a 00"},
    {"07 01 02 c7 02 33 95 00", ""},
    {"draw", "05 01 02 40 03 05 3c 03 38 c0 00"},
    {"07 01 02 c0 03 ba 23 00", ""},
    {"07 01 02 03 07 b9 a0 00", "06 01 02 83 07 02 04 01 01 33 05 02 01 62 4e 00"},
    {"draw", "08 01 02 41 04 01 a0 4d 00"},
    {"07 01 02 c1 04 f9 f5 00", "0a 01 02 40 05 01 1b 03 b7 18 00"},
    {"07 01 02 c0 05 da e5 00", ""},
    {"draw", "09 01 02 43 06 01 02 5b a0 00"},
    {"07 01 02 c3 06 bf d5 00", ""},
    {"08 01 02 05 08 01 24 4d 00", "07 01 02 85 08 f9 71 00 08 01 02 44 07 01 1e ee 00"},
    {"07 01 02 c4 07 36 63 00", ""},
    {"power", "04 01 02 46 02 02 05 02 01 6a d4 00"},
    {"04 01 02 c6 03 20 e6 00", ""},
};

TEST(a_conversation_goes_byte_for_byte_as_the_page_has_it)
{
    make("cut=1,fault=misread@card:3");
    CU_ASSERT_STRING_EQUAL(said(0), "");
    for (size_t i = 0; i < sizeof conversation / sizeof conversation[0]; i++) {
        if (!strcmp(conversation[i].heard, "draw"))
            CU_ASSERT_TRUE(shoe_model_draw(shoe, 0))
        else if (!strcmp(conversation[i].heard, "power"))
            shoe_model_power_cycle(shoe, 0);
        else
            hear(conversation[i].heard, 0);
        CU_ASSERT_STRING_EQUAL(said(0), conversation[i].said);
    }
    drop();
}

static nanos_t now(void)
{
    return clock_now(&bench.clock);
}

static void bring_to(enum shoe_state state, bool test_mode)
{
    shoe_bench_open(&bench, "shoe", state == SHOE_ERROR ? "fault=jam@card:1" : "");
    if (test_mode)
        CU_ASSERT_EQUAL(shoe_test_mode(bench.shoe, true, &error), 0);
    if (state != SHOE_LOCKED)
        CU_ASSERT_EQUAL(shoe_lock(bench.shoe, false, &error), 0);
    if (state == SHOE_DEALING || state == SHOE_ERROR)
        CU_ASSERT_TRUE(shoe_model_draw(bench.model, now()));
    while (shoe_bench_next(&bench) >= 0)
        continue;
}

/* A request and how it is answered: idle, dealing, locked, in error; 0 is done. */
static const struct {
    uint8_t type;
    const char *payload;
    bool test_mode;
    uint8_t refusals[4];
} requests[] = {
    {SHOE_LOCK, "00", false, {0, 0, 0, 5}},
    {SHOE_LOCK, "01", false, {0, 0, 0, 5}},
    {SHOE_LOCK, "02", false, {3, 3, 3, 3}},
    {SHOE_LOCK, "", false, {2, 2, 2, 2}},
    {SHOE_LOCK, "01 01", false, {2, 2, 2, 2}},
    {SHOE_TEST_MODE, "01", false, {0, 4, 0, 5}},
    {SHOE_TEST_MODE, "00", false, {0, 4, 0, 5}},
    {SHOE_TEST_MODE, "00", true, {0, 4, 0, 5}},
    {SHOE_TEST_MODE, "02", false, {3, 3, 3, 3}},
    {SHOE_TEST_MODE, "", false, {2, 2, 2, 2}},
    {SHOE_LOAD_ORDER, "02 3c 1b", false, {8, 8, 8, 8}},
    {SHOE_LOAD_ORDER, "02 3c 1b", true, {0, 4, 0, 5}},
    {SHOE_LOAD_ORDER, "02 3c 3c", true, {3, 3, 3, 3}},
    {SHOE_LOAD_ORDER, "02 3c 3d", true, {3, 3, 3, 3}},
    {SHOE_LOAD_ORDER, "00", true, {3, 3, 3, 3}},
    {SHOE_LOAD_ORDER, "03 3c 1b", true, {2, 2, 2, 2}},
    {SHOE_LOAD_ORDER, "01 3c 1b", true, {2, 2, 2, 2}},
    {SHOE_LOAD_ORDER, "", true, {2, 2, 2, 2}},
    {WIRE_CLEAR_ERROR, "08", false, {3, 3, 3, 0}},
    {WIRE_CLEAR_ERROR, "01", false, {3, 3, 3, 3}},
    {WIRE_CLEAR_ERROR, "00", false, {3, 3, 3, 3}},
    {WIRE_CLEAR_ERROR, "", false, {2, 2, 2, 2}},
    {WIRE_STATUS, "", false, {0, 0, 0, 0}},
    {WIRE_STATUS, "00", false, {2, 2, 2, 2}},
    {WIRE_LOG, "00 00 00 00", false, {0, 0, 0, 0}},
    {WIRE_LOG, "00", false, {2, 2, 2, 2}},
    {0x13, "", false, {1, 1, 1, 1}},
    {0x3f, "", true, {1, 1, 1, 1}},
};

TEST(every_request_is_answered_in_every_state_as_the_table_says)
{
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
        for (enum shoe_state state = SHOE_IDLE; state <= SHOE_ERROR; state++) {
            uint8_t payload[8];
            size_t size = shoe_bench_hex(requests[i].payload, payload, sizeof payload);
            uint8_t expected = requests[i].refusals[state - SHOE_IDLE];
            struct shoe_status before, after;
            struct frame reply;
            int refusal;

            bring_to(state, requests[i].test_mode);
            CU_ASSERT_EQUAL(shoe_status(bench.shoe, &before, &error), 0);
            CU_ASSERT_EQUAL(before.state, state);
            refusal = host_request(device_host(&bench.shoe->device), requests[i].type, payload,
                                   size, &reply, &error);
            CU_ASSERT_EQUAL(refusal, expected);
            CU_ASSERT_EQUAL(shoe_status(bench.shoe, &after, &error), 0);
            if (expected) {
                CU_ASSERT_TRUE(shoe_bench_same_status(&before, &after));
                CU_ASSERT_EQUAL(shoe_bench_next(&bench), -1);
            }
            shoe_bench_close(&bench);
        }
    }
}

/* From a state, something is done, and it leads to a state with an event or without one. */
enum deed { LOCK, UNLOCK, DRAW, REFILL, CLEAR, POWER, DEEDS };

static const struct {
    enum shoe_state leads_to;
    int event; /* the first one; -1: none */
} transitions[4][DEEDS] = {
    [SHOE_IDLE - 1] = {{SHOE_LOCKED, SHOE_EVENT_LOCK},
                       {SHOE_IDLE, -1},
                       {SHOE_DEALING, SHOE_EVENT_CARD},
                       {SHOE_IDLE, SHOE_EVENT_STAND_BY},
                       {SHOE_IDLE, -1},
                       {SHOE_IDLE, SHOE_EVENT_STARTED}},
    [SHOE_DEALING - 1] = {{SHOE_LOCKED, SHOE_EVENT_LOCK},
                          {SHOE_DEALING, -1},
                          {SHOE_DEALING, SHOE_EVENT_CARD},
                          {SHOE_IDLE, SHOE_EVENT_STAND_BY},
                          {SHOE_DEALING, -1},
                          {SHOE_DEALING, SHOE_EVENT_STARTED}},
    [SHOE_LOCKED - 1] = {{SHOE_LOCKED, -1},
                         {SHOE_IDLE, SHOE_EVENT_LOCK},
                         {SHOE_LOCKED, SHOE_EVENT_CARD},
                         {SHOE_LOCKED, SHOE_EVENT_STAND_BY},
                         {SHOE_LOCKED, -1},
                         {SHOE_LOCKED, SHOE_EVENT_STARTED}},
    [SHOE_ERROR - 1] = {{SHOE_ERROR, -1},
                        {SHOE_ERROR, -1},
                        {SHOE_ERROR, SHOE_EVENT_CARD},
                        {SHOE_ERROR, SHOE_EVENT_STAND_BY},
                        {SHOE_IDLE, SHOE_EVENT_CLEARED},
                        {SHOE_ERROR, SHOE_EVENT_STARTED}},
};

static void act(enum deed deed)
{
    switch (deed) {
    case LOCK:
    case UNLOCK:
        shoe_lock(bench.shoe, deed == LOCK, &error);
        break;
    case DRAW:
        CU_ASSERT_TRUE(shoe_model_draw(bench.model, now()));
        break;
    case REFILL:
        shoe_model_refill(bench.model, now());
        break;
    case CLEAR:
        shoe_clear_error(bench.shoe, SHOE_JAM, &error);
        break;
    default:
        shoe_model_power_cycle(bench.model, now());
    }
}

TEST(everything_that_happens_leads_where_the_table_says)
{
    for (enum shoe_state state = SHOE_IDLE; state <= SHOE_ERROR; state++) {
        for (enum deed deed = 0; deed < DEEDS; deed++) {
            struct shoe_status status;

            bring_to(state, false);
            act(deed);
            CU_ASSERT_EQUAL(shoe_bench_next(&bench), transitions[state - 1][deed].event);
            CU_ASSERT_EQUAL(shoe_status(bench.shoe, &status, &error), 0);
            CU_ASSERT_EQUAL(status.state, transitions[state - 1][deed].leads_to);
            CU_ASSERT_EQUAL(shoe_bench_next(&bench), -1);
            shoe_bench_close(&bench);
        }
    }
}

TEST(the_same_seed_deals_the_same_deck)
{
    card_t cards[DECK_SIZE], again[DECK_SIZE];
    nanos_t started;

    shoe_bench_open_unlocked(&bench, "shoe", "draw=400,seed=9");
    started = now();
    CU_ASSERT_EQUAL(shoe_bench_take_cards(&bench, cards), DECK_SIZE);
    CU_ASSERT_EQUAL(shoe_bench_different(cards, DECK_SIZE), DECK_SIZE);
    CU_ASSERT_EQUAL(now(), started + (52 * 400 + 10000) * NANOS_PER_MILLI);
    CU_ASSERT_FALSE(shoe_model_draw(bench.model, now()));
    shoe_bench_close(&bench);
    shoe_bench_open_unlocked(&bench, "shoe", "seed=9,draw=300");
    CU_ASSERT_EQUAL(shoe_bench_take_cards(&bench, again), DECK_SIZE);
    CU_ASSERT(!memcmp(cards, again, DECK_SIZE));
    shoe_bench_close(&bench);
    shoe_bench_open_unlocked(&bench, "shoe", "seed=10,draw=300");
    shoe_bench_take_cards(&bench, again);
    CU_ASSERT(memcmp(cards, again, DECK_SIZE) != 0);
    shoe_bench_close(&bench);
}

TEST(a_loaded_order_is_dealt_in_test_mode_with_every_card_saying_so)
{
    static const card_t order[] = {0x3c, 0x1b, 0x00};
    card_t cards[DECK_SIZE];

    shoe_bench_open(&bench, "shoe", "draw=100");
    CU_ASSERT_EQUAL(shoe_test_mode(bench.shoe, true, &error), 0);
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_TEST_MODE);
    CU_ASSERT_EQUAL(shoe_load_order(bench.shoe, order, 3, &error), 0);
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_STAND_BY);
    CU_ASSERT_EQUAL(shoe_lock(bench.shoe, false, &error), 0);
    CU_ASSERT_TRUE(shoe_bench_await(&bench, SHOE_EVENT_LOCK));
    for (unsigned i = 0; i < DECK_SIZE; i++) {
        CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_CARD);
        CU_ASSERT_TRUE(bench.event.test_mode && bench.event.card.loaded);
        CU_ASSERT_EQUAL(bench.event.card.raw, i);
        cards[i] = bench.event.card.card;
    }
    CU_ASSERT(!memcmp(cards, order, 3));
    CU_ASSERT_EQUAL(shoe_bench_different(cards, DECK_SIZE), DECK_SIZE);
    shoe_bench_close(&bench);
}

TEST(a_loaded_deck_does_not_outlive_test_mode)
{
    static const card_t order[] = {0x3c};
    struct shoe_status status;

    bring_to(SHOE_LOCKED, true);
    CU_ASSERT_EQUAL(shoe_load_order(bench.shoe, order, 1, &error), 0);
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_STAND_BY);
    CU_ASSERT_EQUAL(shoe_status(bench.shoe, &status, &error), 0);
    CU_ASSERT_TRUE(status.loaded && status.test_mode);
    CU_ASSERT_EQUAL(status.deck, 2);
    CU_ASSERT_EQUAL(shoe_test_mode(bench.shoe, false, &error), 0);
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_TEST_MODE);
    CU_ASSERT_FALSE(bench.event.is_on);
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_STAND_BY);
    CU_ASSERT_EQUAL(shoe_status(bench.shoe, &status, &error), 0);
    CU_ASSERT_FALSE(status.loaded || status.test_mode);
    CU_ASSERT_EQUAL(status.deck, 3);
    shoe_bench_close(&bench);
    /* Nor does a recording. */
    bring_to(SHOE_LOCKED, true);
    for (unsigned i = 0; i < 2; i++)
        CU_ASSERT_EQUAL(shoe_model_load(bench.model, order, 1, now(), &error), 0);
    CU_ASSERT_EQUAL(shoe_test_mode(bench.shoe, false, &error), 0);
    CU_ASSERT_EQUAL(shoe_status(bench.shoe, &status, &error), 0);
    CU_ASSERT_FALSE(status.loaded);
    shoe_bench_close(&bench);
}

TEST(recorded_decks_come_one_after_the_other_in_test_mode)
{
    static const card_t first[] = {0x3c, 0x1b}, second[] = {0x00};

    shoe_bench_open(&bench, "shoe", "draw=400,refill=1000");
    CU_ASSERT_EQUAL(shoe_model_load(bench.model, first, 2, now(), &error), 0);
    CU_ASSERT_EQUAL(shoe_model_load(bench.model, second, 1, now(), &error), 0);
    CU_ASSERT_EQUAL(shoe_model_load(bench.model, first, 53, now(), &error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_TEST_MODE);
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_STAND_BY);
    CU_ASSERT_EQUAL(shoe_lock(bench.shoe, false, &error), 0);
    CU_ASSERT_TRUE(shoe_bench_await(&bench, SHOE_EVENT_CARD));
    CU_ASSERT_EQUAL(bench.event.card.card, 0x3c);
    CU_ASSERT_EQUAL(shoe_lock(bench.shoe, true, &error), 0);
    CU_ASSERT_TRUE(shoe_bench_await(&bench, SHOE_EVENT_STAND_BY));
    CU_ASSERT_EQUAL(shoe_lock(bench.shoe, false, &error), 0);
    CU_ASSERT_TRUE(shoe_bench_await(&bench, SHOE_EVENT_CARD));
    CU_ASSERT_EQUAL(bench.event.card.card, 0x00);
    CU_ASSERT_TRUE(bench.event.card.loaded);
    shoe_bench_close(&bench);
}

TEST(a_recording_waits_for_its_turn_when_cards_are_drawn_already)
{
    static const card_t order[] = {0x3c};

    bring_to(SHOE_DEALING, false);
    CU_ASSERT_EQUAL(shoe_model_load(bench.model, order, 1, now(), &error), 0);
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_TEST_MODE);
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), -1);
    shoe_model_refill(bench.model, now());
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_STAND_BY);
    shoe_model_draw(bench.model, now());
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_CARD);
    CU_ASSERT_EQUAL(bench.event.card.card, 0x3c);
    shoe_bench_close(&bench);
}

TEST(a_mode_that_is_on_already_is_not_announced_again)
{
    bring_to(SHOE_LOCKED, true);
    CU_ASSERT_EQUAL(shoe_test_mode(bench.shoe, true, &error), 0);
    CU_ASSERT_EQUAL(shoe_lock(bench.shoe, true, &error), 0);
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), -1);
    shoe_bench_close(&bench);
}

TEST(the_cut_card_comes_after_its_number_of_cards_and_once)
{
    unsigned cards = 0, cuts = 0;
    int kind;

    shoe_bench_open_unlocked(&bench, "shoe", "draw=100,cut=40");
    while ((kind = shoe_bench_next(&bench)) >= 0) {
        cards += kind == SHOE_EVENT_CARD;
        if (kind == SHOE_EVENT_CUT_CARD) {
            cuts++;
            CU_ASSERT_EQUAL(cards, 40);
        }
    }
    CU_ASSERT_EQUAL(cuts, 1);
    CU_ASSERT_EQUAL(cards, DECK_SIZE);
    shoe_bench_close(&bench);
}

TEST(the_log_keeps_what_was_told)
{
    struct log_entry entries[LOG_REPLY_MAX];
    unsigned count;
    uint32_t total;

    shoe_bench_open_unlocked(&bench, "shoe", "draw=100");
    while (shoe_bench_next(&bench) >= 0)
        continue;
    CU_ASSERT_EQUAL(device_log(&bench.shoe->device, 0, entries, &count, &total, &error), 0);
    CU_ASSERT_EQUAL(total, 53);
    CU_ASSERT_EQUAL_FATAL(count, LOG_REPLY_MAX);
    CU_ASSERT_EQUAL(entries[0].code, SHOE_LOCK_CHANGED);
    CU_ASSERT_EQUAL(entries[1].code, SHOE_CARD);
    CU_ASSERT_EQUAL(entries[13].number, 13);
    CU_ASSERT_EQUAL(entries[13].detail, 12);
    CU_ASSERT_EQUAL(device_log(&bench.shoe->device, 50, entries, &count, &total, &error), 0);
    CU_ASSERT_EQUAL(count, 3);
    for (unsigned i = 0; i < 300; i++)
        shoe_lock(bench.shoe, !(i % 2), &error);
    CU_ASSERT_EQUAL(device_log(&bench.shoe->device, 0, entries, &count, &total, &error), 0);
    CU_ASSERT_EQUAL(total, 353);
    CU_ASSERT_EQUAL(entries[0].number, 353 - 256);
    shoe_bench_close(&bench);
}

TEST(the_shoe_identifies_itself_with_the_serial_number_it_was_given)
{
    struct wire_identity identity;

    shoe_bench_open(&bench, "shoe", "serial=X-99");
    CU_ASSERT_EQUAL(device_identity(&bench.shoe->device, &identity, &error), 0);
    CU_ASSERT_STRING_EQUAL(identity.model, "DP-SHOE1");
    CU_ASSERT_STRING_EQUAL(identity.serial, "X-99");
    shoe_bench_close(&bench);
}

TEST(an_option_or_a_fault_that_does_not_exist_is_refused_with_a_sentence)
{
    static const char *const bad[] = {"serial=",
                                      "serial=0123456789012345678901234567890123",
                                      "bcc=with-stx",
                                      "draw=86400001",
                                      "refill=x",
                                      "seed=18446744073709551616",
                                      "cut=52",
                                      "fault=wrong@card:52",
                                      "fault=jam@packet:1",
                                      "fault=unplug@card:1",
                                      "fault=",
                                      "fault"};

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        error.code = 0;
        CU_ASSERT_PTR_NULL(shoe_model_new(bad[i], &error));
        CU_ASSERT_EQUAL(error.code, ERROR_CONFIG);
        CU_ASSERT(strlen(error.text) > 20);
    }
    make("draw=86400000,refill=0,seed=18446744073709551615,cut=51,fault=wrong@card:51");
    for (unsigned i = 1; i < 16; i++)
        CU_ASSERT_EQUAL(shoe_model_fault(shoe, "jam@card:52", &error), 0);
    CU_ASSERT_EQUAL(shoe_model_fault(shoe, "jam@card:52", &error), ERROR_CONFIG);
    drop();
}
