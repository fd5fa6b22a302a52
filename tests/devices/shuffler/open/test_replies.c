/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replies of a hostile device to the driver of the open protocol, from a puppet. */
#include <string.h>

#include "devices/shuffler/open/wire.h"
#include "tests/support/devices/puppet.h"
#include "tests/support/devices/scripted.h"
#include "tests/support/suite.h"

static struct clock clock_;
static struct hal hal;
static struct puppet_stage stage;
static struct link *wire;
static struct shuffler *shuffler;
static struct error error;
static uint8_t sequence;

/* What the device will say to the host's next request, whatever that is. */
static void reply(uint8_t request, const void *payload, size_t size)
{
    struct frame frame = {.class = FRAME_SHUFFLER,
                          .type = request | WIRE_ANSWER,
                          .sequence = ++sequence,
                          .size = (uint8_t)size};
    uint8_t encoded[FRAME_ENCODED_MAX];

    memcpy(frame.payload, payload, size);
    puppet_put(stage.puppets[0], encoded, frame_encode(&frame, encoded));
}

#define REPLY(request, text) reply(request, text, sizeof(text) - 1)

static int open_shuffler(void)
{
    return scripted_open((struct device **)&shuffler, DEVICE_SHUFFLER, "open", wire, "", &error);
}

static void plug_in(void)
{
    sequence = 0;
    clock_virtual(&clock_, 0);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &clock_, &error), 0);
    puppet_stage_open(&stage, &hal);
    /* A script is given all that has come at once, and no reply may come before it was asked for.
     */
    puppet_add(&stage)->mouthful = scripted_is() ? 1 : 0;
    CU_ASSERT_EQUAL_FATAL(link_open(&wire, &hal, "emu:puppet0", &error), 0);
}

#define IDLE "\x01\x00\x00\x00\x00\x34\x00\x00\x00\x00"

static void set_up(void)
{
    plug_in();
    REPLY(WIRE_HELLO, "\x01\x00\x00");
    REPLY(WIRE_STATUS, IDLE);
    CU_ASSERT_EQUAL_FATAL(open_shuffler(), 0);
}

static void tear_down(void)
{
    shuffler_close(shuffler);
    shuffler = NULL;
    link_close(wire);
    puppet_stage_close(&stage);
    hal_close(&hal);
}

static void expect(int result, const char *word)
{
    CU_ASSERT_EQUAL(result, ERROR_DEVICE);
    CU_ASSERT(!strncmp(error.text, "emu:puppet0: ", 13));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, word));
    CU_ASSERT_EQUAL(device_refusal(&shuffler->device), 0);
}

static int ask_status(void)
{
    struct shuffler_status status;

    return shuffler_status(shuffler, &status, &error);
}

TEST(a_status_that_cannot_be_true_is_a_lie)
{
    static const struct {
        const char *payload;
        size_t size;
        const char *word;
    } tried[] = {
        {IDLE, 9, "9 bytes where 10 belong"},
        {IDLE "\x00", 11, "11 bytes where 10 belong"},
        {"\x00\x00\x00\x00\x00\x34\x00\x00\x00\x00", 10, "state 0"},
        {"\x08\x00\x00\x00\x00\x34\x00\x00\x00\x00", 10, "state 8"},
        {"\x01\x01\x02\x00\x00\x34\x00\x00\x00\x00", 10, "error 1 in state idle"},
        {"\x01\x00\x02\x00\x00\x34\x00\x00\x00\x00", 10, "flags 0x02"},
        {"\x05\x00\x00\x01\x01\x34\x00\x00\x00\x00", 10, "1 packet presented and 1 taken"},
        {"\x01\x00\x00\x00\x00\x35\x00\x00\x00\x00", 10, "53 cards"},
        {"\x01\x00\x00\x00\x00\x34\x00\x00\x04\x00", 10, "program 4"},
        {"\x01\x00\x00\x00\x00\x34\x00\x00\x00\x35", 10, "53 packets"},
    };

    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++) {
        set_up();
        reply(WIRE_STATUS, tried[i].payload, tried[i].size);
        expect(ask_status(), tried[i].word);
        REPLY(WIRE_STATUS, IDLE);
        CU_ASSERT_EQUAL(ask_status(), 0);
        tear_down();
    }
}

TEST(hello_and_status_must_agree_about_test_mode)
{
    plug_in();
    REPLY(WIRE_HELLO, "\x01\x01\x00");
    REPLY(WIRE_STATUS, IDLE);
    CU_ASSERT_EQUAL(open_shuffler(), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "HELLO says in test mode and STATUS not"));
    CU_ASSERT_PTR_NULL(shuffler);
    tear_down();
}

TEST(a_program_must_mean_the_same_on_both_sides)
{
    const struct shuffler_program program = {.count = 2, .sizes = {3, 3}, .draws = 2};

    set_up();
    REPLY(SHUFFLER_PROGRAM, "\x02\x02");
    CU_ASSERT_EQUAL(shuffler_program(shuffler, &program, &error), 0);
    REPLY(SHUFFLER_PROGRAM, "\x03\x02");
    expect(shuffler_program(shuffler, &program, &error), "3 packets and 2 draws there");
    REPLY(SHUFFLER_PROGRAM, "\x02\x01");
    expect(shuffler_program(shuffler, &program, &error), "2 packets and 1 draw there");
    REPLY(SHUFFLER_PROGRAM, "\x02");
    expect(shuffler_program(shuffler, &program, &error), "1 byte where 2 belong");
    tear_down();
}

TEST(replies_of_another_length_are_lies)
{
    card_t order[DECK_SIZE];

    for (unsigned i = 0; i < DECK_SIZE; i++)
        order[i] = card_from_index(i);
    set_up();
    REPLY(SHUFFLER_SHUFFLE, "\x00");
    expect(shuffler_shuffle(shuffler, &error), "reply to SHUFFLE");
    REPLY(SHUFFLER_BUTTON, "\x00");
    expect(shuffler_press(shuffler, &error), "reply to GREEN BUTTON");
    REPLY(SHUFFLER_RETURN_DECK, "\x00");
    expect(shuffler_return_deck(shuffler, &error), "reply to RETURN DECK");
    REPLY(SHUFFLER_TEST_MODE, "\x01");
    expect(shuffler_test_mode(shuffler, true, &error), "reply to TEST MODE");
    REPLY(SHUFFLER_LOAD_ORDER, "\x00");
    expect(shuffler_load_order(shuffler, order, &error), "reply to LOAD ORDER");
    REPLY(WIRE_CLEAR_ERROR, "\x01");
    expect(shuffler_clear_error(shuffler, SHUFFLER_JAM, &error), "reply to CLEAR ERROR");
    tear_down();
}

TEST(test_mode_must_be_answered_with_what_was_asked)
{
    set_up();
    REPLY(SHUFFLER_TEST_MODE, "\x00\x00\x01");
    expect(shuffler_test_mode(shuffler, true, &error), "TEST MODE 1 is answered with 0");
    tear_down();
}

/* An order goes with test mode: after it, a shuffle without one is no lie. */
TEST(leaving_test_mode_ends_the_promise_of_an_order)
{
    static const struct frame shuffled = {
        .class = FRAME_SHUFFLER, .type = SHUFFLER_SHUFFLED, .size = 4, .payload = {52, 0, 1, 0}};
    uint8_t encoded[FRAME_ENCODED_MAX];
    struct shuffler_event event;
    card_t order[DECK_SIZE];

    for (unsigned i = 0; i < DECK_SIZE; i++)
        order[i] = card_from_index(i);
    set_up();
    REPLY(SHUFFLER_TEST_MODE, "\x01\x00\x01");
    CU_ASSERT_EQUAL(shuffler_test_mode(shuffler, true, &error), 0);
    REPLY(SHUFFLER_LOAD_ORDER, "\x00\x01");
    CU_ASSERT_EQUAL(shuffler_load_order(shuffler, order, &error), 0);
    REPLY(SHUFFLER_TEST_MODE, "\x00\x00\x01");
    CU_ASSERT_EQUAL(shuffler_test_mode(shuffler, false, &error), 0);
    puppet_put(stage.puppets[0], encoded, frame_encode(&shuffled, encoded));
    CU_ASSERT_EQUAL(shuffler_next(shuffler, &event, clock_deadline(&clock_, 1000), &error), 1);
    tear_down();
}

#define ENTRY(number) "\x00\x00\x00" number "\x00\x00\x00\x00\x00\x00\x00\x01\x40\x00\x00\x01"

TEST(a_log_must_hold_what_it_says)
{
    static const struct {
        const char *payload;
        size_t size;
        const char *word;
    } tried[] = {
        {"\x00\x00\x00\x09", 4, "4 bytes for 0 entries"},
        {"\x00\x00\x00\x09\x01", 5, "5 bytes for 1 entry"},
        {"\x00\x00\x00\x09\xff", 5, "5 bytes for 255 entries"},
        {"\x00\x00\x00\x09\x01" ENTRY("\x03") "\x00", 22, "22 bytes for 1 entry"},
        {"\x00\x00\x00\x09\x01" ENTRY("\x02"), 21, "entry 2 in place 0"},
        {"\x00\x00\x00\x09\x01" ENTRY("\x09"), 21, "entry 9 in place 0"},
        {"\x00\x00\x00\x09\x02" ENTRY("\x03") ENTRY("\x05"), 37, "entry 5 in place 1"},
        {"\x00\x00\x00\x09\x02" ENTRY("\x03") ENTRY("\x03"), 37, "entry 3 in place 1"},
    };
    struct log_entry entries[LOG_REPLY_MAX];
    unsigned count;
    uint32_t total;

    set_up();
    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++) {
        reply(WIRE_LOG, tried[i].payload, tried[i].size);
        expect(device_log(&shuffler->device, 3, entries, &count, &total, &error), tried[i].word);
    }
    REPLY(WIRE_LOG, "\x00\x00\x00\x09\x02" ENTRY("\x04") ENTRY("\x05"));
    CU_ASSERT_EQUAL(device_log(&shuffler->device, 3, entries, &count, &total, &error), 0);
    CU_ASSERT_EQUAL(count, 2);
    CU_ASSERT_EQUAL(total, 9);
    tear_down();
}

TEST(a_device_that_says_nothing_is_a_timeout)
{
    set_up();
    CU_ASSERT_EQUAL(shuffler_shuffle(shuffler, &error), ERROR_TIMEOUT);
    CU_ASSERT_EQUAL(device_refusal(&shuffler->device), 0);
    tear_down();
}
