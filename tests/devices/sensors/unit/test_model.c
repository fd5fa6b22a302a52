/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model of a bet sensor unit: byte for byte, and as a host without a driver sees it. */
#include "devices/sensors/unit/model.h"

#include <stdio.h>
#include <string.h>

#include "devices/sensors/unit/wire.h"
#include "tests/support/devices/bet_unit_golden.h"
#include "tests/support/devices/raw_host.h"
#include "tests/support/devices/shoe_bench.h"
#include "tests/support/suite.h"

#define MS NANOS_PER_MILLI

static struct raw_host host;
static struct error error;

static struct model *make(const char *options)
{
    struct model *model = bet_unit_model_new(options, &error);

    if (!model)
        printf("%s: %s\n", options, error.text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(model);
    return model;
}

static void open_unit(const char *options)
{
    raw_host_open(&host, make(options), FRAME_BET_SENSOR, 0);
}

static void close_unit(void)
{
    host.model->ops->free(host.model);
}

static unsigned ask(uint8_t type, unsigned value)
{
    const uint8_t payload = (uint8_t)value;

    return raw_host_ask(&host, type, &payload, 1);
}

static void wait(nanos_t time)
{
    raw_host_listen(&host, time);
}

/* "40 03, 44 03 00": every event since the last look, which is forgotten. */
static const char *events(void)
{
    static char text[2048];
    size_t used = 0;

    text[0] = '\0';
    for (unsigned i = 0; i < host.count; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%02x", i ? ", " : "",
                                 host.events[i].type);
        for (unsigned j = 0; j < host.events[i].size; j++)
            used += (size_t)snprintf(text + used, sizeof text - used, " %02x",
                                     host.events[i].payload[j]);
    }
    host.count = 0;
    return text;
}

/* "02 00 01 0c 0a 02" */
static const char *status(void)
{
    static char text[64];
    size_t used = 0;

    CU_ASSERT_EQUAL_FATAL(raw_host_ask(&host, WIRE_STATUS, NULL, 0), 0);
    for (unsigned i = 0; i < host.reply.size; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%02x", i ? " " : "",
                                 host.reply.payload[i]);
    return text;
}

static struct model *unit;
static uint8_t said[512];
static size_t said_at, said_end;

static void hear_until(nanos_t now)
{
    if (said_at == said_end) {
        said_at = 0;
        said_end = unit->ops->send(unit, said, sizeof said, now);
    }
}

static void expect_said(const struct bet_unit_golden *row)
{
    uint8_t expected[256];
    size_t size = shoe_bench_hex(row->hex, expected, sizeof expected);
    bool is_right;

    hear_until(row->millis * MS);
    is_right = said_end - said_at >= size && !memcmp(said + said_at, expected, size);
    if (!is_right)
        printf("%u ms: not %s\n", row->millis, row->hex);
    CU_ASSERT_FATAL(is_right);
    said_at += size;
}

TEST(a_round_goes_byte_for_byte_as_the_page_has_it)
{
    nanos_t last = 0;

    unit = make("fault=dark@seat:3,fault=lift@seat:1,fault=late@seat:2");
    said_at = said_end = 0;
    for (size_t i = 0; i < bet_unit_golden_count; i++) {
        const struct bet_unit_golden *row = &bet_unit_golden[i];
        nanos_t now = row->millis * MS;
        uint8_t bytes[256];

        if (now != last && row->millis == 400) {
            bet_unit_model_hand(unit, 2, false, last);
            CU_ASSERT_EQUAL(bet_unit_model_fault(unit, "stuck-high@seat:3", &error), 0);
        }
        if (i + 2 == bet_unit_golden_count)
            bet_unit_model_power_cycle(unit, now);
        if (row->is_unit) {
            if (now != last) {
                hear_until(now - 1);
                CU_ASSERT_EQUAL_FATAL(said_at, said_end);
            }
            expect_said(row);
        } else {
            hear_until(now);
            CU_ASSERT_EQUAL_FATAL(said_at, said_end);
            unit->ops->receive(unit, bytes, shoe_bench_hex(row->hex, bytes, sizeof bytes), now);
        }
        last = now;
    }
    hear_until(last);
    CU_ASSERT_EQUAL(said_at, said_end);
    unit->ops->free(unit);
}

/* A wager on seat 2; idle, or in a round with that seat. */
static void bring_to(enum bet_unit_state state, bool test_mode)
{
    open_unit("");
    if (test_mode)
        CU_ASSERT_EQUAL(ask(BET_UNIT_TEST_MODE, 1), 0);
    bet_unit_model_hand(host.model, 2, true, host.now);
    wait(20 * MS);
    if (state == BET_UNIT_ROUND)
        CU_ASSERT_EQUAL(ask(BET_UNIT_LOCK, 0x04), 0);
    host.count = 0;
}

/* A request and how it is answered: idle, in a round; 0 is done. */
static const struct {
    uint8_t type;
    const char *payload;
    bool test_mode;
    uint8_t refusals[2];
} requests[] = {
    {BET_UNIT_LOCK, "04", false, {0, 4}},
    {BET_UNIT_LOCK, "00", false, {0, 4}},
    {BET_UNIT_LOCK, "02", false, {4, 4}},
    {BET_UNIT_LOCK, "06", false, {4, 4}},
    {BET_UNIT_LOCK, "05", false, {3, 3}},
    {BET_UNIT_LOCK, "", false, {2, 2}},
    {BET_UNIT_LOCK, "04 00", false, {2, 2}},
    {BET_UNIT_UNLOCK, "", false, {4, 0}},
    {BET_UNIT_UNLOCK, "00", false, {2, 2}},
    {BET_UNIT_LIGHTS, "fe", false, {0, 0}},
    {BET_UNIT_LIGHTS, "00", false, {0, 0}},
    {BET_UNIT_LIGHTS, "01", false, {3, 3}},
    {BET_UNIT_LIGHTS, "", false, {2, 2}},
    {BET_UNIT_PLACE, "08", false, {8, 8}},
    {BET_UNIT_PLACE, "08", true, {0, 0}},
    {BET_UNIT_PLACE, "01", false, {3, 3}},
    {BET_UNIT_PLACE, "01", true, {3, 3}},
    {BET_UNIT_PLACE, "", true, {2, 2}},
    {BET_UNIT_TEST_MODE, "01", false, {0, 4}},
    {BET_UNIT_TEST_MODE, "00", true, {0, 4}},
    {BET_UNIT_TEST_MODE, "02", false, {3, 3}},
    {BET_UNIT_TEST_MODE, "", false, {2, 2}},
    {WIRE_CLEAR_ERROR, "01", false, {3, 3}},
    {WIRE_CLEAR_ERROR, "00", true, {3, 3}},
    {WIRE_CLEAR_ERROR, "", false, {2, 2}},
    {WIRE_STATUS, "", false, {0, 0}},
    {WIRE_STATUS, "00", false, {2, 2}},
    {WIRE_LOG, "00 00 00 00", false, {0, 0}},
    {WIRE_LOG, "00 00 00", false, {2, 2}},
    {0x15, "", false, {1, 1}},
    {0x0f, "01", true, {1, 1}},
    {0x3f, "", true, {1, 1}},
};

TEST(every_request_is_answered_in_every_state_as_the_table_says)
{
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++)
        for (enum bet_unit_state state = BET_UNIT_IDLE; state <= BET_UNIT_ROUND; state++) {
            uint8_t expected = requests[i].refusals[state - BET_UNIT_IDLE];
            char before[32];
            uint8_t payload[8];
            size_t size = shoe_bench_hex(requests[i].payload, payload, sizeof payload);

            bring_to(state, requests[i].test_mode);
            snprintf(before, sizeof before, "%s", status());
            CU_ASSERT_EQUAL(before[1] - '0', (int)state);
            CU_ASSERT_EQUAL(raw_host_ask(&host, requests[i].type, payload, size), expected);
            if (expected) {
                wait(NANOS_PER_SECOND);
                CU_ASSERT_STRING_EQUAL(status(), before);
                CU_ASSERT_STRING_EQUAL(events(), "");
            }
            close_unit();
        }
}

/* What a seat goes through is the table of devices/sensors/seat.h, here as the wire tells it. */
TEST(wagers_are_told_as_they_come_and_go)
{
    open_unit("");
    bet_unit_model_hand(host.model, 7, true, host.now);
    bet_unit_model_hand(host.model, 1, true, host.now);
    wait(20 * MS);
    CU_ASSERT_STRING_EQUAL(events(), "40 01, 40 07");
    bet_unit_model_hand(host.model, 1, false, host.now);
    wait(20 * MS);
    CU_ASSERT_STRING_EQUAL(events(), "41 01");
    CU_ASSERT_EQUAL(ask(BET_UNIT_LOCK, 0x80), 0);
    CU_ASSERT_STRING_EQUAL(status(), "02 00 00 80 80 00");
    bet_unit_model_hand(host.model, 7, false, host.now);
    bet_unit_model_hand(host.model, 2, true, host.now);
    wait(20 * MS);
    CU_ASSERT_STRING_EQUAL(events(), "42 02, 43 07");
    CU_ASSERT_STRING_EQUAL(status(), "02 00 00 04 80 00");
    bet_unit_model_hand(host.model, 7, true, host.now);
    wait(20 * MS);
    CU_ASSERT_STRING_EQUAL(events(), "42 07");
    CU_ASSERT_EQUAL(raw_host_ask(&host, BET_UNIT_UNLOCK, NULL, 0), 0);
    CU_ASSERT_STRING_EQUAL(status(), "01 00 00 84 00 00");
    bet_unit_model_hand(host.model, 7, false, host.now);
    wait(20 * MS);
    CU_ASSERT_STRING_EQUAL(events(), "41 07");
    close_unit();
}

TEST(a_wager_counts_after_20_ms_and_not_sooner)
{
    open_unit("");
    bet_unit_model_hand(host.model, 4, true, host.now);
    wait(20 * MS - 1);
    CU_ASSERT_STRING_EQUAL(events(), "");
    CU_ASSERT_EQUAL(ask(BET_UNIT_LOCK, 0x10), REFUSED_STATE);
    wait(1);
    CU_ASSERT_STRING_EQUAL(events(), "40 04");
    bet_unit_model_hand(host.model, 4, false, host.now);
    wait(20 * MS - 1);
    bet_unit_model_hand(host.model, 4, true, host.now);
    wait(NANOS_PER_SECOND);
    CU_ASSERT_STRING_EQUAL(events(), "");
    close_unit();
}

TEST(a_sensor_has_500_ms_to_follow_its_actuator)
{
    static const struct {
        nanos_t lifted; /* a hand's wager, after the actuator took its own back */
        const char *told;
    } cases[] = {{480 * MS, "41 05"}, {480 * MS + 1, "45 05 01, 41 05"}};

    for (size_t i = 0; i < 2; i++) {
        open_unit("");
        CU_ASSERT_EQUAL(ask(BET_UNIT_TEST_MODE, 1), 0);
        CU_ASSERT_EQUAL(ask(BET_UNIT_PLACE, 0x20), 0);
        wait(100 * MS);
        bet_unit_model_hand(host.model, 5, true, host.now);
        CU_ASSERT_STRING_EQUAL(events(), "46 01, 40 05");
        CU_ASSERT_EQUAL(ask(BET_UNIT_PLACE, 0), 0);
        wait(cases[i].lifted);
        bet_unit_model_hand(host.model, 5, false, host.now);
        wait(NANOS_PER_SECOND);
        CU_ASSERT_STRING_EQUAL(events(), cases[i].told);
        close_unit();
    }
}

TEST(an_actuator_takes_its_wager_back_when_test_mode_ends)
{
    open_unit("");
    CU_ASSERT_EQUAL(ask(BET_UNIT_TEST_MODE, 1), 0);
    CU_ASSERT_EQUAL(ask(BET_UNIT_PLACE, 0x42), 0);
    wait(60 * MS);
    CU_ASSERT_STRING_EQUAL(events(), "46 01, 40 01, 40 06");
    CU_ASSERT_EQUAL(ask(BET_UNIT_PLACE, 0x40), 0);
    wait(60 * MS);
    CU_ASSERT_STRING_EQUAL(events(), "41 01");
    CU_ASSERT_EQUAL(ask(BET_UNIT_TEST_MODE, 0), 0);
    wait(60 * MS);
    CU_ASSERT_STRING_EQUAL(events(), "46 00, 41 06");
    CU_ASSERT_EQUAL(ask(BET_UNIT_TEST_MODE, 0), 0);
    wait(NANOS_PER_SECOND);
    CU_ASSERT_STRING_EQUAL(events(), "");
    close_unit();
}

TEST(a_lamp_is_told_to_be_wrong_after_100_ms_and_once)
{
    open_unit("fault=dark@seat:2,fault=lit@seat:6");
    wait(100 * MS - 1);
    CU_ASSERT_STRING_EQUAL(events(), "");
    wait(1);
    CU_ASSERT_STRING_EQUAL(events(), "44 06 01");
    CU_ASSERT_EQUAL(ask(BET_UNIT_LIGHTS, 0x0c), 0);
    CU_ASSERT_STRING_EQUAL(status(), "01 00 00 00 00 40");
    wait(5 * MS);
    CU_ASSERT_STRING_EQUAL(status(), "01 00 00 00 00 48");
    wait(NANOS_PER_SECOND);
    CU_ASSERT_STRING_EQUAL(events(), "44 02 00");
    /* Told something else for a moment, it is judged anew. */
    CU_ASSERT_EQUAL(ask(BET_UNIT_LIGHTS, 0x08), 0);
    wait(50 * MS);
    CU_ASSERT_EQUAL(ask(BET_UNIT_LIGHTS, 0x4c), 0);
    wait(NANOS_PER_SECOND);
    CU_ASSERT_STRING_EQUAL(events(), "44 02 00");
    CU_ASSERT_EQUAL(ask(BET_UNIT_LIGHTS, 0x48), 0);
    wait(NANOS_PER_SECOND);
    CU_ASSERT_STRING_EQUAL(events(), "");
    CU_ASSERT_EQUAL(ask(BET_UNIT_LIGHTS, 0x04), 0);
    wait(50 * MS);
    CU_ASSERT_EQUAL(ask(BET_UNIT_LIGHTS, 0x00), 0);
    wait(NANOS_PER_SECOND);
    CU_ASSERT_STRING_EQUAL(events(), "44 06 01");
    close_unit();
}

TEST(a_stuck_sensor_is_found_by_its_actuator)
{
    open_unit("fault=stuck-high@seat:1,fault=stuck-low@seat:2");
    CU_ASSERT_STRING_EQUAL(status(), "01 00 00 02 00 00");
    CU_ASSERT_EQUAL(ask(BET_UNIT_TEST_MODE, 1), 0);
    CU_ASSERT_EQUAL(ask(BET_UNIT_PLACE, 0x0e), 0);
    wait(500 * MS);
    CU_ASSERT_STRING_EQUAL(events(), "46 01, 40 03, 45 02 00");
    CU_ASSERT_EQUAL(ask(BET_UNIT_PLACE, 0), 0);
    wait(500 * MS);
    CU_ASSERT_STRING_EQUAL(events(), "41 03, 45 01 01");
    CU_ASSERT_EQUAL(bet_unit_model_fault(host.model, "stuck-high@seat:2", &error), 0);
    wait(20 * MS);
    CU_ASSERT_STRING_EQUAL(events(), "40 02");
    close_unit();
}

TEST(a_sensor_that_sticks_on_the_way_of_its_actuator_is_found_too)
{
    open_unit("");
    CU_ASSERT_EQUAL(ask(BET_UNIT_TEST_MODE, 1), 0);
    CU_ASSERT_EQUAL(ask(BET_UNIT_PLACE, 0x02), 0);
    wait(50 * MS);
    CU_ASSERT_EQUAL(bet_unit_model_fault(host.model, "stuck-high@seat:1", &error), 0);
    CU_ASSERT_EQUAL(ask(BET_UNIT_PLACE, 0), 0);
    wait(500 * MS);
    CU_ASSERT_STRING_EQUAL(events(), "46 01, 40 01, 45 01 01");
    close_unit();
}

TEST(the_time_to_follow_starts_again_after_a_power_loss)
{
    open_unit("fault=stuck-low@seat:4");
    CU_ASSERT_EQUAL(ask(BET_UNIT_TEST_MODE, 1), 0);
    CU_ASSERT_EQUAL(ask(BET_UNIT_PLACE, 0x10), 0);
    wait(400 * MS);
    bet_unit_model_power_cycle(host.model, host.now);
    wait(500 * MS - 1);
    CU_ASSERT_STRING_EQUAL(events(), "46 01, 47 01 00 01 00 00 00");
    wait(1);
    CU_ASSERT_STRING_EQUAL(events(), "45 04 00");
    close_unit();
}

TEST(hands_meddle_in_the_first_round_that_lets_them_and_once)
{
    open_unit("fault=late@seat:1,fault=lift@seat:2");
    bet_unit_model_hand(host.model, 1, true, host.now);
    bet_unit_model_hand(host.model, 3, true, host.now);
    wait(20 * MS);
    /* Seat 1 has a wager and seat 2 is not in the round: neither can be done. */
    CU_ASSERT_EQUAL(ask(BET_UNIT_LOCK, 0x08), 0);
    wait(NANOS_PER_SECOND);
    CU_ASSERT_STRING_EQUAL(events(), "40 01, 40 03");
    CU_ASSERT_EQUAL(raw_host_ask(&host, BET_UNIT_UNLOCK, NULL, 0), 0);
    bet_unit_model_hand(host.model, 1, false, host.now);
    bet_unit_model_hand(host.model, 2, true, host.now);
    wait(20 * MS);
    CU_ASSERT_STRING_EQUAL(events(), "41 01, 40 02");
    CU_ASSERT_EQUAL(ask(BET_UNIT_LOCK, 0x0c), 0);
    wait(320 * MS - 1);
    CU_ASSERT_STRING_EQUAL(events(), "");
    wait(1);
    CU_ASSERT_STRING_EQUAL(events(), "42 01, 43 02");
    CU_ASSERT_EQUAL(raw_host_ask(&host, BET_UNIT_UNLOCK, NULL, 0), 0);
    bet_unit_model_hand(host.model, 1, false, host.now);
    bet_unit_model_hand(host.model, 2, true, host.now);
    wait(20 * MS);
    CU_ASSERT_STRING_EQUAL(events(), "41 01, 40 02");
    CU_ASSERT_EQUAL(ask(BET_UNIT_LOCK, 0x0c), 0);
    wait(NANOS_PER_SECOND);
    CU_ASSERT_STRING_EQUAL(events(), "");
    close_unit();
}

TEST(people_place_and_take_wagers_between_rounds_by_the_seed)
{
    static char first[1024];

    open_unit("seed=3,place=250");
    wait(10 * NANOS_PER_SECOND);
    CU_ASSERT_EQUAL(host.count, 39); /* the last hand's wager does not count yet */
    snprintf(first, sizeof first, "%s", events());
    CU_ASSERT_PTR_NOT_NULL(strstr(first, "40 "));
    CU_ASSERT_PTR_NOT_NULL(strstr(first, "41 "));
    wait(20 * MS);
    host.count = 0;
    CU_ASSERT_EQUAL(ask(BET_UNIT_LOCK, 0), 0);
    wait(10 * NANOS_PER_SECOND);
    CU_ASSERT_STRING_EQUAL(events(), "");
    CU_ASSERT_EQUAL(raw_host_ask(&host, BET_UNIT_UNLOCK, NULL, 0), 0);
    wait(NANOS_PER_SECOND);
    CU_ASSERT_EQUAL(host.count, 4);
    close_unit();
    open_unit("seed=3,place=250");
    wait(10 * NANOS_PER_SECOND);
    CU_ASSERT_STRING_EQUAL(events(), first);
    close_unit();
    open_unit("seed=4,place=250");
    wait(10 * NANOS_PER_SECOND);
    CU_ASSERT_STRING_NOT_EQUAL(events(), first);
    close_unit();
}

/* The hands leave wagers on seats 1 and 2. More comes to pass than a queue can hold. */
TEST(what_lies_there_in_the_end_is_told_when_nobody_listened)
{
    bool lies[8] = {false};
    struct frame frame;

    open_unit("");
    for (unsigned i = 0; i < 100; i++) {
        bet_unit_model_hand(host.model, 1 + i % 7, i / 7 % 2 == 0, host.now);
        host.now += 30 * MS;
        while (raw_host_next(&host, &frame))
            CU_ASSERT_EQUAL(frame.sequence, 0);
    }
    CU_ASSERT_EQUAL(raw_host_ask(&host, WIRE_HELLO, "\0\0\0\2", WIRE_NONCE_SIZE), 0);
    wait(NANOS_PER_SECOND);
    CU_ASSERT(host.count > 30);
    for (unsigned i = 0; i < host.count; i++) {
        bool *seat = &lies[host.events[i].payload[0]];

        CU_ASSERT_EQUAL(host.events[i].type, *seat ? BET_UNIT_LIFTED : BET_UNIT_PLACED);
        *seat = !*seat;
    }
    CU_ASSERT_STRING_EQUAL(status(), "01 00 00 06 00 00");
    for (unsigned i = 1; i <= 7; i++)
        CU_ASSERT_EQUAL(lies[i], i <= 2);
    close_unit();
}

TEST(a_unit_without_room_refuses_test_mode_as_busy)
{
    struct frame frame, mode = {.class = FRAME_BET_SENSOR,
                                .type = BET_UNIT_TEST_MODE,
                                .sequence = 9,
                                .size = 1,
                                .payload = {1}};
    bool is_refused = false;

    open_unit("place=50");
    for (unsigned i = 0; i < 100; i++) {
        host.now += 50 * MS;
        while (raw_host_next(&host, &frame))
            continue;
    }
    CU_ASSERT_EQUAL(host.model->ops->due(host.model), NEVER);
    raw_host_send(&host, &mode);
    while (raw_host_next(&host, &frame))
        if (frame.type == WIRE_REFUSED)
            is_refused = frame.payload[1] == REFUSED_BUSY;
    CU_ASSERT_TRUE(is_refused);
    /* Nobody makes up for the time in which he found the unit busy. */
    CU_ASSERT_EQUAL(raw_host_ask(&host, WIRE_HELLO, "\0\0\0\2", WIRE_NONCE_SIZE), 0);
    wait(NANOS_PER_SECOND);
    CU_ASSERT(host.count > 45 && host.count < 55);
    close_unit();
}

TEST(a_power_loss_changes_nothing_and_starts_the_times_again)
{
    open_unit("fault=dark@seat:1");
    CU_ASSERT_EQUAL(ask(BET_UNIT_TEST_MODE, 1), 0);
    CU_ASSERT_EQUAL(ask(BET_UNIT_PLACE, 0x06), 0);
    wait(60 * MS);
    CU_ASSERT_EQUAL(ask(BET_UNIT_LOCK, 0x06), 0);
    CU_ASSERT_EQUAL(ask(BET_UNIT_LIGHTS, 0x06), 0);
    wait(NANOS_PER_SECOND);
    CU_ASSERT_STRING_EQUAL(events(), "46 01, 40 01, 40 02, 44 01 00");
    bet_unit_model_hand(host.model, 2, false, host.now);
    wait(10 * MS);
    bet_unit_model_power_cycle(host.model, host.now);
    wait(20 * MS - 1);
    CU_ASSERT_STRING_EQUAL(events(), "47 02 00 01 06 06 04");
    wait(1);
    CU_ASSERT_STRING_EQUAL(events(), "43 02");
    wait(80 * MS);
    CU_ASSERT_STRING_EQUAL(events(), "44 01 00");
    CU_ASSERT_STRING_EQUAL(status(), "02 00 01 02 06 04");
    CU_ASSERT_EQUAL(raw_host_ask(&host, BET_UNIT_UNLOCK, NULL, 0), 0);
    close_unit();
}

TEST(what_nobody_acknowledged_comes_again_after_a_power_loss)
{
    struct frame frame;

    open_unit("");
    bet_unit_model_hand(host.model, 3, true, host.now);
    host.now += 20 * MS;
    CU_ASSERT_TRUE(raw_host_next(&host, &frame));
    CU_ASSERT_EQUAL(frame.type, BET_UNIT_PLACED);
    bet_unit_model_power_cycle(host.model, host.now);
    wait(0);
    CU_ASSERT_EQUAL(host.events[0].sequence, 0);
    CU_ASSERT_STRING_EQUAL(events(), "40 03, 47 01 00 00 08 00 00");
    close_unit();
}

TEST(the_log_keeps_the_last_256_entries)
{
    static const uint8_t from[4] = {0, 0, 0, 0};
    const uint8_t *at = host.reply.payload;

    open_unit("");
    for (unsigned i = 0; i < 150; i++) {
        CU_ASSERT_EQUAL(ask(BET_UNIT_LOCK, 0), 0);
        CU_ASSERT_EQUAL(raw_host_ask(&host, BET_UNIT_UNLOCK, NULL, 0), 0);
    }
    CU_ASSERT_EQUAL(raw_host_ask(&host, WIRE_LOG, from, sizeof from), 0);
    CU_ASSERT_EQUAL(wire_get32(at), 300);
    CU_ASSERT_EQUAL(at[4], 14);
    CU_ASSERT_EQUAL(host.reply.size, 5 + 14 * 16);
    CU_ASSERT_EQUAL(wire_get32(at + 5), 44);
    CU_ASSERT_EQUAL(at[5 + 12], BET_UNIT_LOCK);
    CU_ASSERT_EQUAL(at[5 + 16 + 12], BET_UNIT_UNLOCK);
    close_unit();
}

TEST(a_torn_cable_is_torn_once)
{
    open_unit("fault=unplug@frames:3");
    CU_ASSERT_EQUAL(raw_host_ask(&host, WIRE_STATUS, NULL, 0), 0);
    CU_ASSERT_FALSE(host.model->gone);
    CU_ASSERT_EQUAL(raw_host_ask(&host, WIRE_STATUS, NULL, 0), 0);
    CU_ASSERT_TRUE(host.model->gone);
    host.model->gone = false;
    CU_ASSERT_EQUAL(raw_host_ask(&host, WIRE_STATUS, NULL, 0), 0);
    CU_ASSERT_FALSE(host.model->gone);
    close_unit();
}

TEST(a_wrong_option_is_answered_with_a_sentence)
{
    static const struct {
        const char *options, *words;
    } wrong[] = {
        {"speed=9", "seed=N, serial=TEXT, place=MS, fault=SPEC, protocol=1|2 and lacks=CAPABILITY"},
        {"seed", "'seed' is no option"},
        {"seed=", "seed=: write a whole number"},
        {"seed=-1", "seed=-1"},
        {"seed=18446744073709551616", "to 18446744073709551615"},
        {"place=86400001", "to 86400000"},
        {"place=1s", "place=1s: write a whole number"},
        {"serial=", "1 to 32 printable"},
        {"serial=123456789012345678901234567890123", "1 to 32 printable"},
        {"serial=a\tb", "printable"},
        {"fault=dance", "'dance' is no fault"},
        {"fault=dark@seat:0", "N from 1 to 7"},
        {"fault=dark@seat:8", "N from 1 to 7"},
        {"fault=dark@seat:1x", "'dark@seat:1x'"},
        {"fault=dark", "dark@seat:N"},
        {"fault=unplug@frames:0", "unplug@frames:N with N from 1"},
        {"fault=unplug@frames:4294967296", "unplug@frames:N"},
        {"seed=1,serial=1234567890123456789012345678901234567890123456789012345678901234"
         "1234567890123456789012345678901234567890123456789012345678901234",
         "that long"},
    };

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        CU_ASSERT_PTR_NULL(bet_unit_model_new(wrong[i].options, &error));
        CU_ASSERT_EQUAL(error.code, ERROR_CONFIG);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, wrong[i].words));
        if (!strstr(error.text, wrong[i].words))
            printf("%s: %s\n", wrong[i].options, error.text);
    }
    open_unit("seed=18446744073709551615,place=86400000,serial=12345678901234567890123456789012");
    CU_ASSERT_EQUAL(bet_unit_model_fault(host.model, "lift@seat:7", &error), 0);
    CU_ASSERT_EQUAL(bet_unit_model_fault(host.model, "lift@seat:9", &error), ERROR_CONFIG);
    close_unit();
}
