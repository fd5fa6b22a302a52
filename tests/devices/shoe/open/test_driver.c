/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The driver of the open protocol's shoe against bytes worked out from devices/PROTOCOL.md. */
#include <stdio.h>
#include <string.h>

#include "devices/shoe/open/wire.h"
#include "devices/wire/frame.h"
#include "tests/support/devices/shoe_bench.h"
#include "tests/support/suite.h"

#define HELLO       "05 01 02 01 01 06 c0 ff ee c0 17 00"
#define HELLO_REPLY "0a 01 02 81 01 01 01 01 28 fa 00"

static struct shoe_bench bench;

/* In test mode, as the reply to HELLO says. */
static void open_puppet(void)
{
    shoe_bench_open_puppet(&bench);
    shoe_bench_say(&bench, HELLO_REPLY);
    CU_ASSERT_EQUAL_FATAL(shoe_open(&bench.shoe, "open", bench.link, "", &bench.error), 0);
    CU_ASSERT(shoe_bench_heard(&bench, HELLO));
}

TEST(an_event_is_acknowledged_and_read_as_the_page_has_it)
{
    open_puppet();
    shoe_bench_say(&bench, "04 01 02 40 01 05 3c 03 a3 1c 00");
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_CARD);
    CU_ASSERT(shoe_bench_heard(&bench, "04 01 02 c0 03 8a 40 00"));
    CU_ASSERT_EQUAL(bench.event.card.card, card_make(RANK_ACE, SUIT_SPADES));
    CU_ASSERT_EQUAL(bench.event.card.raw, 0);
    CU_ASSERT_TRUE(bench.event.card.loaded && bench.event.test_mode);
    CU_ASSERT_FALSE(bench.event.card.outside || bench.event.card.resent);
    CU_ASSERT_EQUAL(bench.event.time, 0x00c0ffee);
    shoe_bench_say(&bench, "08 01 02 41 08 28 50 6b 00");
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "CUT CARD comes after 40 cards, but 1 of"));
    shoe_bench_say(&bench, "05 01 02 42 09 03 02 34 03 f8 13 00");
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_STAND_BY);
    CU_ASSERT_FALSE(bench.event.test_mode);
    shoe_bench_say(&bench, "09 01 02 43 0a 01 10 1c b2 00");
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_FAULT);
    CU_ASSERT_EQUAL(bench.event.fault.code, SHOE_CANNOT_READ);
    CU_ASSERT_TRUE(bench.event.fault.is_stopped);
    shoe_bench_say(&bench, "08 01 02 44 0b 01 5b 83 00");
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_CLEARED);
    CU_ASSERT_EQUAL(bench.event.fault.code, SHOE_CANNOT_READ);
    shoe_bench_say(&bench, "08 01 02 45 0c 01 f5 24 00");
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_TEST_MODE);
    CU_ASSERT_TRUE(bench.event.is_on && bench.event.test_mode);
    shoe_bench_say(&bench, "08 01 02 47 0d 01 a8 75 00");
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_LOCK);
    CU_ASSERT_TRUE(bench.event.is_locked);
    shoe_bench_say(&bench, "04 01 02 46 07 04 01 10 02 2f 0f 00");
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_STARTED);
    CU_ASSERT_FALSE(bench.event.test_mode);
    shoe_bench_close(&bench);
}

TEST(test_mode_is_known_from_the_first_reply_on)
{
    open_puppet();
    shoe_bench_say(&bench, "08 01 02 41 08 28 50 6b 00");
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_CUT_CARD);
    CU_ASSERT_TRUE(bench.event.test_mode);
    shoe_bench_close(&bench);
}

TEST(a_card_drawn_outside_the_game_is_read_as_the_page_has_it)
{
    open_puppet();
    shoe_bench_say(&bench, "0a 01 02 40 07 10 27 04 1e 3c 00");
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_CARD);
    CU_ASSERT_EQUAL(bench.event.card.card, card_make(RANK_NINE, SUIT_HEARTS));
    CU_ASSERT_EQUAL(bench.event.card.raw, 16);
    CU_ASSERT_TRUE(bench.event.card.outside);
    CU_ASSERT_FALSE(bench.event.card.loaded || bench.event.test_mode);
    shoe_bench_close(&bench);
}

TEST(requests_are_written_and_answers_read_as_the_page_has_them)
{
    static const card_t order[] = {0x3c, 0x1b, 0x00};
    struct log_entry entries[LOG_REPLY_MAX];
    struct shoe_status status;
    unsigned count;
    uint32_t total;

    open_puppet();
    shoe_bench_say(&bench, "06 01 02 83 02 02 01 03 05 2f 02 03 03 ae a1 00");
    CU_ASSERT_EQUAL(shoe_status(bench.shoe, &status, &bench.error), 0);
    CU_ASSERT(shoe_bench_heard(&bench, "07 01 02 03 02 e9 05 00"));
    CU_ASSERT_EQUAL(status.state, SHOE_DEALING);
    CU_ASSERT_EQUAL(status.error, SHOE_NO_FAULT);
    CU_ASSERT_EQUAL(status.drawn, 5);
    CU_ASSERT_EQUAL(status.left, 47);
    CU_ASSERT_EQUAL(status.deck, 3);
    CU_ASSERT_FALSE(status.test_mode || status.loaded);
    shoe_bench_say(&bench, "07 01 02 90 03 b4 9c 00");
    CU_ASSERT_EQUAL(shoe_lock(bench.shoe, true, &bench.error), 0);
    CU_ASSERT(shoe_bench_heard(&bench, "08 01 02 10 03 01 50 24 00"));
    shoe_bench_say(&bench, "07 01 02 91 04 f7 4a 00");
    CU_ASSERT_EQUAL(shoe_test_mode(bench.shoe, true, &bench.error), 0);
    CU_ASSERT(shoe_bench_heard(&bench, "08 01 02 11 04 01 fe 83 00"));
    shoe_bench_say(&bench, "07 01 02 92 05 b2 38 00");
    CU_ASSERT_TRUE(device_can(&bench.shoe->device, DEVICE_LOADS_ORDER));
    CU_ASSERT_EQUAL(shoe_load_order(bench.shoe, order, 3, &bench.error), 0);
    CU_ASSERT(shoe_bench_heard(&bench, "08 01 02 12 05 03 3c 1b 03 50 0c 00"));
    shoe_bench_say(&bench, "07 01 02 85 06 18 bf 00");
    CU_ASSERT_EQUAL(shoe_clear_error(bench.shoe, 1, &bench.error), 0);
    CU_ASSERT(shoe_bench_heard(&bench, "08 01 02 05 06 01 07 42 00"));
    shoe_bench_say(&bench, "05 01 02 84 07 01 01 03 01 01 01 01 01 01 01 01 01 01 01 04 03 e8 40 "
                           "01 04 3c 25 97 00");
    CU_ASSERT_EQUAL(device_log(&bench.shoe->device, 0, entries, &count, &total, &bench.error), 0);
    CU_ASSERT(shoe_bench_heard(&bench, "05 01 02 04 07 01 01 01 03 77 7b 00"));
    CU_ASSERT_EQUAL(total, 1);
    CU_ASSERT_EQUAL_FATAL(count, 1);
    CU_ASSERT_EQUAL(entries[0].millis, 1000);
    CU_ASSERT_EQUAL(entries[0].code, SHOE_CARD);
    CU_ASSERT_EQUAL(entries[0].value, 0x3c);
    shoe_bench_close(&bench);
}

TEST(a_refusal_is_named_and_its_code_kept)
{
    static const card_t order[] = {0x3c, 0x1b, 0x00};
    struct shoe_status status;

    open_puppet();
    for (unsigned i = 0; i < 3; i++)
        shoe_status(bench.shoe, &status, &bench.error);
    shoe_bench_say(&bench, "09 01 02 ff 05 12 08 4b 79 00");
    CU_ASSERT_EQUAL(shoe_load_order(bench.shoe, order, 3, &bench.error), ERROR_DEVICE);
    CU_ASSERT_EQUAL(device_refusal(&bench.shoe->device), REFUSED_TEST_MODE);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "LOAD ORDER"));
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "test mode"));
    shoe_bench_close(&bench);
}

TEST(an_order_that_is_none_never_leaves_the_host)
{
    card_t order[DECK_SIZE + 1];

    open_puppet();
    for (unsigned i = 0; i < DECK_SIZE; i++)
        order[i] = card_from_index(i);
    order[DECK_SIZE] = 0;
    CU_ASSERT_EQUAL(shoe_load_order(bench.shoe, order, 0, &bench.error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(shoe_load_order(bench.shoe, order, 53, &bench.error), ERROR_CONFIG);
    order[7] = order[3];
    CU_ASSERT_EQUAL(shoe_load_order(bench.shoe, order, 8, &bench.error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "card 8 of the order, 5c, comes twice"));
    order[7] = 0x0d;
    CU_ASSERT_EQUAL(shoe_load_order(bench.shoe, order, 8, &bench.error), ERROR_CONFIG);
    CU_ASSERT(shoe_bench_heard(&bench, ""));
    shoe_bench_close(&bench);
}

static void say_frame(uint8_t type, uint8_t sequence, const char *payload)
{
    struct frame frame = {.class = FRAME_SHOE, .type = type, .sequence = sequence};
    uint8_t encoded[FRAME_ENCODED_MAX];

    frame.size = (uint8_t)shoe_bench_hex(payload, frame.payload, sizeof frame.payload);
    puppet_put(bench.puppet, encoded, frame_encode(&frame, encoded));
}

/* Each message with what is wrong in it; the message before each is the reply to HELLO. */
static const struct {
    uint8_t type;
    const char *payload, *said;
} lies[] = {
    {0x40, "00 3c", "CARD"},
    {0x40, "00 3c 00 00", "CARD"},
    {0x40, "34 3c 00", "the index is 52"},
    {0x40, "00 0d 00", "the card is 13"},
    {0x40, "00 40 00", "the card is 64"},
    {0x40, "00 ff 00", "the card is 255"},
    {0x40, "00 3c 08", "flags is 8"},
    {0x40, "00 3c 02", "flags is 2"},
    {0x41, "35", "the index is 53"},
    {0x41, "", "CUT CARD"},
    {0x42, "00 01 33 00", "the number of cards is 51"},
    {0x42, "00 01 34 02", "flags is 2"},
    {0x42, "00 01 34 04", "flags is 4"},
    {0x42, "00 01 34", "STAND BY"},
    {0x43, "00 00", "the code is 0"},
    {0x43, "09 00", "the code is 9"},
    {0x43, "01", "FAULT"},
    {0x44, "09", "the code is 9"},
    {0x44, "", "FAULT CLEARED"},
    {0x45, "02", "on or off is 2"},
    {0x46, "00 00 00 00", "the state is 0"},
    {0x46, "05 00 00 00", "the state is 5"},
    {0x46, "04 00 00 00", "the error is 0"},
    {0x46, "03 01 00 00", "the error is 1"},
    {0x46, "04 09 00 00", "the error is 9"},
    {0x46, "03 00 35 00", "the number of cards is 53"},
    {0x46, "03 00 00 04", "flags is 4"},
    {0x46, "03 00 00", "POWER UP"},
    {0x47, "02", "on or off is 2"},
    {0x47, "", "LOCK"},
    {0x48, "00", "event 0x48"},
    {0x7e, "", "event 0x7e"},
};

TEST(what_a_lying_shoe_says_is_an_error_that_names_the_value)
{
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        open_puppet();
        say_frame(lies[i].type, 0, lies[i].payload);
        bench.error = (struct error){0};
        CU_ASSERT_EQUAL(shoe_bench_next(&bench), -1);
        CU_ASSERT_EQUAL(bench.error.code, ERROR_DEVICE);
        CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, lies[i].said));
        CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, bench.link->address));
        say_frame(0x40, 1, "05 3c 00");
        CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_CARD);
        shoe_bench_close(&bench);
    }
}

static const char *const bad_status[] = {
    "00 00 00 00 34 00 01 00", "05 00 00 00 34 00 01 00", "01 09 00 00 34 00 01 00",
    "01 00 04 00 34 00 01 00", "01 00 00 35 00 00 01 00", "01 00 00 00 35 00 01 00",
    "01 00 00 00 34 00 01 02", "01 00 00 00 34 00 01",    "01 00 00 00 34 00 01 00 00",
};

TEST(a_status_that_is_impossible_is_an_error_of_the_device)
{
    struct shoe_status status;

    for (size_t i = 0; i < sizeof bad_status / sizeof bad_status[0]; i++) {
        open_puppet();
        say_frame(0x83, 2, bad_status[i]);
        CU_ASSERT_EQUAL(shoe_status(bench.shoe, &status, &bench.error), ERROR_DEVICE);
        CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "STATUS"));
        CU_ASSERT_EQUAL(device_refusal(&bench.shoe->device), 0);
        shoe_bench_close(&bench);
    }
}

TEST(a_log_that_is_shorter_than_it_says_is_an_error_of_the_device)
{
    static const char *const bad[] = {"", "00 00 00 01", "00 00 00 01 01", "00 00 00 01 0f",
                                      "00 00 00 01 00 00"};
    struct log_entry entries[LOG_REPLY_MAX];
    unsigned count;
    uint32_t total;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        open_puppet();
        say_frame(0x84, 2, bad[i]);
        CU_ASSERT_EQUAL(device_log(&bench.shoe->device, 0, entries, &count, &total, &bench.error),
                        ERROR_DEVICE);
        shoe_bench_close(&bench);
    }
}

TEST(a_card_that_is_missing_between_two_is_noticed)
{
    open_puppet();
    say_frame(0x40, 0, "03 3c 00");
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_CARD);
    say_frame(0x40, 1, "05 3b 00");
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), -1);
    CU_ASSERT_EQUAL(bench.error.code, ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "index 5, but 4 cards"));
    say_frame(0x40, 2, "06 3a 00");
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_CARD);
    say_frame(0x42, 3, "00 02 34 00");
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_STAND_BY);
    say_frame(0x40, 4, "01 3a 00");
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), -1);
    shoe_bench_close(&bench);
}

TEST(a_card_is_said_again_only_after_a_loss_of_power)
{
    struct shoe_counts counts;

    open_puppet();
    say_frame(0x40, 0, "03 3c 00");
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_CARD);
    say_frame(0x40, 0, "03 3c 00");
    say_frame(0x40, 1, "03 3c 00");
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "CARD 3 is told twice, and no power was lost"));
    say_frame(0x46, 0, "02 00 04 00");
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_STARTED);
    say_frame(0x40, 1, "03 3c 00");
    say_frame(0x40, 2, "04 3c 00");
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_CARD);
    CU_ASSERT_EQUAL(bench.event.card.raw, 4);
    shoe_counts(bench.shoe, &counts);
    CU_ASSERT_EQUAL(counts.repeats, 3);
    CU_ASSERT_EQUAL(counts.events, 3);
    /* The same place with another card is no repeat. */
    say_frame(0x40, 3, "04 3b 00");
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), -1);
    CU_ASSERT_EQUAL(bench.error.code, ERROR_DEVICE);
    shoe_bench_close(&bench);
}

TEST(the_open_protocol_has_no_options)
{
    shoe_bench_open_puppet(&bench);
    CU_ASSERT_EQUAL(shoe_open(&bench.shoe, "open", bench.link, "bcc=with-stx", &bench.error),
                    ERROR_CONFIG);
    CU_ASSERT_PTR_NULL(bench.shoe);
    CU_ASSERT(shoe_bench_heard(&bench, ""));
    shoe_bench_close(&bench);
}

TEST(every_fault_and_state_has_its_words)
{
    for (unsigned i = 0; i < SHOE_FAULTS; i++)
        for (unsigned j = 0; j < i; j++)
            CU_ASSERT_STRING_NOT_EQUAL(shoe_fault_text(i), shoe_fault_text(j));
    CU_ASSERT_STRING_EQUAL(shoe_fault_text(SHOE_FAULTS), shoe_fault_text(200));
    for (unsigned i = SHOE_IDLE; i <= SHOE_ERROR; i++)
        CU_ASSERT_STRING_NOT_EQUAL(shoe_state_text(i), shoe_state_text(0));
    CU_ASSERT_STRING_EQUAL(shoe_state_text(SHOE_ERROR + 1), shoe_state_text(0));
}
