/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a terminal says is hostile until it was read. */
#include "devices/terminal/open/reading.h"

#include <stdio.h>
#include <string.h>

#include "hal/hal.h"
#include "tests/support/devices/puppet.h"
#include "tests/support/devices/terminal_table.h"
#include "tests/support/seeded.h"
#include "tests/support/suite.h"

static struct error error;
static struct terminal_event event;

/* Reads an event from its payload in hex. */
static int read_event(uint8_t type, const char *hex)
{
    struct frame frame = {.class = FRAME_TERMINAL, .type = type};

    frame.size = (uint8_t)terminal_unhex(hex, frame.payload, sizeof frame.payload);
    error.text[0] = '\0';
    return terminal_read_event("tcp:bench:7", &frame, &event, &error);
}

struct spoken {
    uint8_t type;
    const char *hex;
    const char *word; /* of the sentence; NULL: it is accepted */
};

static void judge(const struct spoken *spoken, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int status = read_event(spoken[i].type, spoken[i].hex);

        CU_ASSERT_EQUAL(status, spoken[i].word ? ERROR_DEVICE : 0);
        if (spoken[i].word) {
            CU_ASSERT_PTR_NOT_NULL(strstr(error.text, spoken[i].word));
            CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "tcp:bench:7"));
        }
    }
}

#define JUDGE(spoken) judge(spoken, sizeof(spoken) / sizeof(spoken)[0])

TEST(a_screen_agrees_with_itself)
{
    static const struct spoken spoken[] = {
        {0x40, "01 00 ff 00", NULL},
        {0x40, "01 00 ff", "SCREEN CHANGED has 3 bytes"},
        {0x40, "01 00 ff 00 00", "5 bytes"},
        {0x40, "00 00 ff 00", "state 0"},
        {0x40, "09 00 ff 00", "state 9"},
        {0x40, "08 03 03 00 00 00 00 00 00 00 c3 50", NULL},
        {0x40, "02 03 ff 00", "seat 3"},
        {0x40, "02 00 03 00", "hand 3"},
        {0x40, "03 00 ff 00", "seat 0"},
        {0x40, "03 08 ff 00", "seat 8"},
        {0x40, "03 07 ff 00", NULL},
        {0x40, "03 07 00 00", "hand 0"},
        {0x40, "04 07 0f 00", NULL},
        {0x40, "04 07 10 00", "hand 16"},
        {0x40, "04 07 ff 00", "hand 255"},
        {0x40, "06 07 00 02", NULL},
        {0x40, "06 07 00 03", "wrong codes 3"},
        {0x40, "07 07 00 00", "no amount"},
        {0x40, "07 07 00 00 00 00 00 00 00 00 00 00", NULL}, /* a meter may hold no cent */
        {0x40, "08 07 00 00", "no amount"},
        {0x40, "07 07 00 00 00 00 00 2e 90 ed d0 00", NULL},
        {0x40, "07 07 00 00 00 00 00 2e 90 ed d0 01", "cents of 200000000001"},
        {0x47, "05 07 00 00 00 00 00 00 00 00 00 01", NULL},
        {0x47, "", "POWER UP"},
    };

    JUDGE(spoken);
}

TEST(lights_signs_awards_and_refusals_name_what_exists)
{
    static const struct spoken spoken[] = {
        {0x41, "fe", NULL},
        {0x41, "01", "LIGHTS CHANGED says a set of seats of 1"},
        {0x41, "", "0 bytes"},
        {0x41, "02 02", "2 bytes"},
        {0x45, "00", NULL},
        {0x45, "03", "SIGN CHANGED has 1 byte:"},
        {0x45, "03 ff 00 00 00 00 00 00 00 01", NULL},
        {0x45, "00 ff 00 00 00 00 00 00 00 01", "seat 0"},
        {0x45, "08 ff 00 00 00 00 00 00 00 01", "seat 8"},
        {0x45, "03 05 00 00 00 00 00 00 00 01", "meter 5"},
        {0x45, "03 04 ff 00 00 00 00 00 00 01", "cents of"},
        {0x43, "00 00 00 01 03 03 03 00 00 00 00 00 00 00 01", NULL},
        {0x43, "00 00 00 00 03 03 03 00 00 00 00 00 00 00 01", "award 0"},
        {0x43, "00 00 00 01 00 03 03 00 00 00 00 00 00 00 01", "seat 0"},
        {0x43, "00 00 00 01 03 ff 03 00 00 00 00 00 00 00 01", "hand 255"},
        {0x43, "00 00 00 01 03 03 06 00 00 00 00 00 00 00 01", "meter 6"},
        {0x43, "00 00 00 01 03 03 ff 01 00 00 00 00 00 00 01", "cents of"},
        {0x43, "00 00 00 01 03 03 03 00 00 00 00 00 00 00", "JACKPOT PAID has 14 bytes"},
        {0x44, "00 00 00 01 03 ff 04 00 00 00 00 00 00 00 01", NULL},
        {0x44, "00 00 00 01 03 03 04 00 00 00 00 00 00 00 01", "MUST HIT PAID says hand 3"},
        {0x44, "00 00 00 01 03 ff ff 00 00 00 00 00 00 00 01", "meter 255"},
        {0x46, "0c 08 08", NULL},
        {0x46, "0d 08 08", "key 13"},
        {0x46, "00 08 08", "key 0"},
        {0x46, "0c 09 08", "reason 9"},
        {0x46, "0c 00 08", "reason 0"},
        {0x46, "0c 08 09", "KEY REFUSED says state 9"},
        {0x46, "0c 08", "2 bytes"},
        {0x48, "01", NULL},
        {0x48, "02", "test mode 2"},
        {0x48, "", "0 bytes"},
        {0x49, "", "no event 0x49"},
        {0x7e, "", "no event 0x7e"},
    };

    JUDGE(spoken);
}

TEST(meters_have_names_and_possible_values)
{
    static const struct spoken spoken[] = {
        {0x42, "01 ff 01 61 00 00 00 00 00 00 00 00", NULL},
        {0x42, "01 00 01 61 00 00 00 00 00 00 00 00", NULL},
        {0x42, "", "METERS CHANGED has 0 bytes"},
        {0x42, "00 ff", "meters of 0"},
        {0x42, "06 ff", "meters of 6"},
        {0x42, "01 01 01 61 00 00 00 00 00 00 00 00", "Must Hit is meter 1"},
        {0x42, "01 ff", "meter 1, byte 2 of 2"},
        {0x42, "01 ff 00 00 00 00 00 00 00 00 00", "malformed at meter 1"},
        {0x42, "01 ff 09 61 61 61 61 61 61 61 61 61 00 00 00 00 00 00 00 00", "malformed"},
        {0x42, "01 ff 01 07 00 00 00 00 00 00 00 00", "malformed"},
        {0x42, "01 ff 01 61 00 00 00 00 00 00 00", "malformed"},
        {0x42, "01 ff 01 61 00 00 00 00 00 00 00 00 00", "13 bytes"},
        {0x42, "01 ff 01 61 ff 00 00 00 00 00 00 00", "millionths of"},
        {0x42, "02 ff 01 61 00 00 00 00 00 00 00 00", "meter 2, byte 12 of 12"},
    };

    JUDGE(spoken);
}

static struct terminal_said said(const char *message, const char *hex)
{
    static uint8_t bytes[FRAME_PAYLOAD_MAX];

    memset(bytes, 0xa5, sizeof bytes);
    return (struct terminal_said){.address = "tcp:bench:7",
                                  .message = message,
                                  .bytes = bytes,
                                  .size = terminal_unhex(hex, bytes, sizeof bytes)};
}

TEST(a_status_is_possible)
{
    static const struct {
        const char *hex;
        bool possible;
    } cases[] = {{"02 00 01 0a 08 00 00 00 01 00 00 00 00", true},
                 {"02 00 01 0a 08 00 00 00 01 00 00 00", false},
                 {"00 00 01 0a 08 00 00 00 01 00 00 00 00", false},
                 {"02 01 01 0a 08 00 00 00 01 00 00 00 00", false},
                 {"02 00 02 0a 08 00 00 00 01 00 00 00 00", false},
                 {"02 00 01 0b 08 00 00 00 01 00 00 00 00", false},
                 {"02 00 01 0a 04 00 00 00 01 00 00 00 00", false}};
    struct terminal_status status;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct terminal_said what = said("STATUS", cases[i].hex);

        CU_ASSERT_EQUAL(terminal_read_status(&what, &status, &error),
                        cases[i].possible ? 0 : ERROR_DEVICE);
    }
}

#define ENTRY "00 00 00 00 00 00 00 05 01 00 00 00 "

TEST(a_log_counts_on_within_its_total)
{
    static const struct {
        const char *hex;
        bool possible;
    } cases[] = {{"00 00 00 02 00", true},
                 {"00 00 00 02 01 00 00 00 00 " ENTRY, true},
                 {"00 00 00 02 02 00 00 00 00 " ENTRY "00 00 00 01 " ENTRY, true},
                 {"00 00 00 02 02 00 00 00 00 " ENTRY "00 00 00 00 " ENTRY, false},
                 {"00 00 00 02 01 00 00 00 02 " ENTRY, false},
                 {"00 00 00 02 02 00 00 00 00 " ENTRY, false},
                 {"00 00 00 02", false},
                 {"00 00 00 02 0f", false}};
    struct log_entry entries[LOG_REPLY_MAX];
    unsigned count;
    uint32_t total;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct terminal_said what = said("LOG", cases[i].hex);

        CU_ASSERT_EQUAL(log_read("emu:terminal", 0, FRAME_VERSION, what.bytes, what.size, entries,
                                 &count, &total, &error),
                        cases[i].possible ? 0 : ERROR_DEVICE);
    }
}

#define NUMBERS "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
#define TIMED   "00 00 00 00 00 00 00 00 00 00 00 00 "

TEST(a_ledger_entry_is_about_money)
{
    static const struct {
        const char *hex;
        bool possible;
    } cases[] = {{TIMED "0d 03 03 03 " NUMBERS "00", true},
                 {TIMED "0f 00 ff 03 " NUMBERS "02 6f 6b", true},
                 {TIMED "0f 00 ff 03 " NUMBERS "02 6f", false},
                 {TIMED "0f 00 ff 03 " NUMBERS "02 6f 6b 00", false},
                 {TIMED "0f 00 ff 03 " NUMBERS "01 07", false},
                 {TIMED "0f 00 ff 03 " NUMBERS, false},
                 {TIMED "0c 03 03 03 " NUMBERS "00", false},
                 {TIMED "10 03 03 03 " NUMBERS "00", false},
                 {TIMED "0d 08 03 03 " NUMBERS "00", false},
                 {TIMED "0d 03 03 05 " NUMBERS "00", false}};
    struct terminal_ledger_entry entry;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct terminal_said what = said("LEDGER", cases[i].hex);

        CU_ASSERT_EQUAL(terminal_read_ledger(&what, &entry, &error),
                        cases[i].possible ? 0 : ERROR_DEVICE);
    }
}

/* Whatever is read from noise is within its bounds; memory is for the sanitizers to watch. */
TEST(noise_is_refused_or_within_bounds)
{
    uint64_t seed = 17;
    unsigned accepted = 0;

    for (unsigned i = 0; i < 300000; i++) {
        struct frame frame = {.type = (uint8_t)(0x40 + seeded_below(&seed, 10)),
                              .size = (uint8_t)seeded_below(&seed, 24)};

        for (unsigned j = 0; j < frame.size; j++)
            frame.payload[j] =
                (uint8_t)(seeded_below(&seed, 2) ? seeded_below(&seed, 10) : seeded_next(&seed));
        if (terminal_read_event("x", &frame, &event, &error))
            continue;
        accepted++;
        if (event.kind == TERMINAL_EVENT_SCREEN)
            CU_ASSERT_TRUE(event.screen.seat <= 7 && event.screen.state < TERMINAL_STATES);
        if (event.kind == TERMINAL_EVENT_METERS)
            CU_ASSERT_TRUE(event.meters.count <= TERMINAL_METERS_MAX);
    }
    CU_ASSERT_TRUE(accepted > 100);
}

static struct clock clock_;
static struct hal hal;
static struct link *wire;
static struct terminal *terminal;
static struct puppet_stage stage;
static struct puppet *puppet;

static void put_frame(uint8_t type, uint8_t sequence, const char *hex)
{
    struct frame frame = {.class = FRAME_TERMINAL, .type = type, .sequence = sequence};
    uint8_t encoded[FRAME_ENCODED_MAX];

    frame.size = (uint8_t)terminal_unhex(hex, frame.payload, sizeof frame.payload);
    puppet_put(puppet, encoded, frame_encode(&frame, encoded));
}

static void set_up(void)
{
    char address[32];

    clock_virtual(&clock_, 1000);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &clock_, &error), 0);
    puppet_stage_open(&stage, &hal);
    puppet = puppet_add(&stage);
    put_frame(WIRE_HELLO | WIRE_ANSWER, 1, "01 00 00");
    snprintf(address, sizeof address, "emu:%s", puppet->name);
    CU_ASSERT_EQUAL_FATAL(link_open(&wire, &hal, address, &error), 0);
    CU_ASSERT_EQUAL_FATAL(terminal_open(&terminal, "open", wire, &error), 0);
}

static void tear_down(void)
{
    terminal_close(terminal);
    link_close(wire);
    hal_close(&hal);
    puppet_stage_close(&stage);
}

TEST(a_key_is_answered_with_a_reason_and_a_state)
{
    static const char *const answers[] = {"", "00", "00 00", "00 09", "09 01", "00 02 00"};
    const struct terminal_press start = {.key = TERMINAL_START_ROUND};

    set_up();
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        put_frame(TERMINAL_KEY | WIRE_ANSWER, (uint8_t)(2 + i), answers[i]);
        CU_ASSERT_EQUAL(terminal_key(terminal, &start, &error), ERROR_DEVICE);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "start-round"));
    }
    tear_down();
}

TEST(an_answer_to_something_else_is_no_answer)
{
    struct terminal_ledger_entry entry;

    set_up();
    put_frame(TERMINAL_SENSORS | WIRE_ANSWER, 2, "00");
    CU_ASSERT_EQUAL(terminal_sensors(terminal, 2, &error), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "SENSORS with 1 byte "));
    put_frame(TERMINAL_LEDGER | WIRE_ANSWER, 3, TIMED "0d 03 03 03 " NUMBERS "00");
    CU_ASSERT_EQUAL(terminal_ledger(terminal, 1, &entry, &error), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "entry 1 with entry 0"));
    tear_down();
}

TEST(a_device_that_goes_in_circles_does_not_hold_an_approval)
{
    struct terminal_approval approval;

    set_up();
    put_frame(TERMINAL_SCREEN | WIRE_ANSWER, 2, "02 00 ff 00");
    for (uint8_t i = 3; i < 60; i = (uint8_t)(i + 2)) {
        put_frame(TERMINAL_KEY | WIRE_ANSWER, i, "00 04");
        put_frame(TERMINAL_SCREEN | WIRE_ANSWER, (uint8_t)(i + 1), "04 03 03 00");
    }
    CU_ASSERT_EQUAL(terminal_approve(terminal, 3, 3, "4711", &approval, &error), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "pays nothing"));
    tear_down();
}

TEST(a_round_that_is_open_again_without_a_payment_is_no_approval)
{
    struct terminal_approval approval;

    set_up();
    put_frame(TERMINAL_SCREEN | WIRE_ANSWER, 2, "02 00 ff 00");
    put_frame(TERMINAL_KEY | WIRE_ANSWER, 3, "00 03");
    put_frame(TERMINAL_SCREEN | WIRE_ANSWER, 4, "03 03 ff 00");
    put_frame(TERMINAL_KEY | WIRE_ANSWER, 5, "00 02");
    put_frame(TERMINAL_SCREEN | WIRE_ANSWER, 6, "02 00 ff 00");
    CU_ASSERT_EQUAL(terminal_approve(terminal, 3, 3, "4711", &approval, &error), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "the round is open"));
    tear_down();
}

TEST(an_approval_of_another_seat_is_not_ours)
{
    struct terminal_approval approval;

    set_up();
    put_frame(TERMINAL_SCREEN | WIRE_ANSWER, 2, "02 00 ff 00");
    put_frame(TERMINAL_KEY | WIRE_ANSWER, 3, "00 03");
    put_frame(TERMINAL_SCREEN | WIRE_ANSWER, 4, "03 04 ff 00");
    CU_ASSERT_EQUAL(terminal_approve(terminal, 3, 3, "4711", &approval, &error), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "seat 4"));
    tear_down();
}
