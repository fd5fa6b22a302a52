/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The host's end of a conversation, with a device that a test plays by hand. */
#include "devices/wire/host.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/puppet.h"
#include "tests/support/suite.h"

static struct clock clock_;
static struct hal hal;
static struct puppet_stage stage;
static struct puppet *puppet;
static struct link *wire;
static struct host host;
static struct error error;

static void put(uint8_t type, uint8_t sequence, const void *payload, uint8_t size)
{
    struct frame frame = {
        .class = FRAME_SHUFFLER, .type = type, .sequence = sequence, .size = size};
    uint8_t encoded[FRAME_ENCODED_MAX];

    memcpy(frame.payload, payload, size);
    puppet_put(puppet, encoded, frame_encode(&frame, encoded));
}

/* The device cannot be opened that many times. */
static unsigned refusals;
static model_maker make_puppet;

static struct model *make_late(void *context, const char *name, const char *options,
                               struct error *why)
{
    if (!refusals)
        return make_puppet(context, name, options, why);
    refusals--;
    error_set(why, ERROR_DEVICE, "'%s' is not there yet", name);
    return NULL;
}

static void set_up(void)
{
    const struct link_reopen_policy policy = {
        .first = NANOS_PER_MILLI, .longest = 200 * NANOS_PER_MILLI, .tries = 20};
    char address[32];

    clock_virtual(&clock_, 1000);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &clock_, &error), 0);
    puppet_stage_open(&stage, &hal);
    puppet = puppet_add(&stage);
    make_puppet = hal.make_model;
    hal.make_model = make_late;
    refusals = 0;
    snprintf(address, sizeof address, "emu:%s", puppet->name);
    CU_ASSERT_EQUAL_FATAL(link_open(&wire, &hal, address, &error), 0);
    CU_ASSERT_EQUAL_FATAL(link_reopen(wire, &policy, &error), 0);
    put(WIRE_HELLO | WIRE_ANSWER, 1, (const uint8_t[]){FRAME_VERSION, 0, 0}, 3);
    CU_ASSERT_EQUAL_FATAL(host_open(&host, wire, FRAME_SHUFFLER, &error), 0);
}

static void tear_down(void)
{
    link_close(wire);
    puppet_stage_close(&stage);
    hal_close(&hal);
}

#define EVENT 0x41

/* Gone, and back as soon as somebody looks for it; `answer` is for the HELLO that it then hears. */
static void replug(uint8_t answer)
{
    puppet_unplug(puppet);
    puppet->is_away = false;
    put(WIRE_HELLO | WIRE_ANSWER, answer, (const uint8_t[]){FRAME_VERSION, 0, 1}, 3);
}

static int next(struct frame *event)
{
    return host_event(&host, event, clock_deadline(&clock_, 1000), &error);
}

/* A device that says these before it answers HELLO, and those after; none of them is amiss. */
static void hear_around_hello(const uint8_t *before, unsigned before_count, const uint8_t *after,
                              unsigned after_count)
{
    struct frame event;

    set_up();
    for (unsigned i = 0; i < before_count; i++)
        put(EVENT, before[i], &before[i], 1);
    put(WIRE_HELLO | WIRE_ANSWER, 1, (const uint8_t[]){FRAME_VERSION, 0, 0}, 3);
    CU_ASSERT_EQUAL(host_open(&host, wire, FRAME_SHUFFLER, &error), 0);
    for (unsigned i = 0; i < after_count; i++)
        put(EVENT, after[i], "again", 5);
    for (unsigned i = 0; i < before_count + after_count; i++)
        CU_ASSERT_EQUAL(next(&event), 1);
    CU_ASSERT_EQUAL(host.counts.lost, 0);
    CU_ASSERT_EQUAL(host.counts.restarts, 0);
    tear_down();
}

TEST(events_before_hello_may_have_old_numbers_or_new_ones)
{
    hear_around_hello((const uint8_t[]){7}, 1, (const uint8_t[]){0}, 1);
    hear_around_hello((const uint8_t[]){7, 8}, 2, (const uint8_t[]){0, 1}, 2);
    hear_around_hello((const uint8_t[]){7, 0}, 2, (const uint8_t[]){1}, 1);
    hear_around_hello((const uint8_t[]){0}, 1, (const uint8_t[]){0}, 1);
    hear_around_hello((const uint8_t[]){0, 1}, 2, (const uint8_t[]){2}, 1);
}

TEST(an_event_is_waited_for_after_the_device_came_back)
{
    struct frame event;
    nanos_t start;

    set_up();
    replug(2);
    start = clock_now(&clock_);
    puppet->ready_at = start + 500 * NANOS_PER_MILLI;
    put(EVENT, 0, "\1", 1);
    CU_ASSERT_EQUAL(next(&event), 1);
    CU_ASSERT_EQUAL(event.type, EVENT);
    CU_ASSERT_EQUAL(puppet->plugged, 2);
    CU_ASSERT(clock_now(&clock_) < start + NANOS_PER_SECOND);
    tear_down();
}

TEST(a_device_that_came_back_and_says_nothing_is_waited_for_until_the_deadline)
{
    struct frame event;
    nanos_t start;

    set_up();
    replug(2);
    start = clock_now(&clock_);
    CU_ASSERT_EQUAL(next(&event), 0);
    CU_ASSERT_EQUAL(clock_now(&clock_), start + NANOS_PER_SECOND);
    tear_down();
}

TEST(an_event_whose_acknowledgement_was_lost_with_the_device_comes_once)
{
    struct frame event;

    set_up();
    put(EVENT, 0, "\1", 1);
    CU_ASSERT_EQUAL(next(&event), 1);
    replug(2);
    put(EVENT, 0, "\1", 1);
    put(EVENT, 1, "\2", 1);
    CU_ASSERT_EQUAL(next(&event), 1);
    CU_ASSERT_EQUAL(event.payload[0], 2);
    CU_ASSERT_EQUAL(host.counts.duplicates, 1);
    CU_ASSERT_EQUAL(host.counts.lost, 0);
    tear_down();
}

TEST(an_event_that_was_never_heard_comes_after_the_device)
{
    struct frame event;

    set_up();
    put(EVENT, 0, "\1", 1);
    CU_ASSERT_EQUAL(next(&event), 1);
    replug(2);
    put(EVENT, 0, "\2", 1);
    /* From then on the same again is news. */
    put(EVENT, 1, "\2", 1);
    CU_ASSERT_EQUAL(next(&event), 1);
    CU_ASSERT_EQUAL(event.payload[0], 2);
    CU_ASSERT_EQUAL(next(&event), 1);
    CU_ASSERT_EQUAL(event.payload[0], 2);
    CU_ASSERT_EQUAL(host.counts.duplicates, 0);
    CU_ASSERT_EQUAL(host.counts.lost, 0);
    tear_down();
}

TEST(what_the_device_says_before_it_hears_the_hello_is_not_taken_for_a_gap)
{
    struct frame event;

    set_up();
    put(EVENT, 0, "\1", 1);
    CU_ASSERT_EQUAL(next(&event), 1);
    puppet_unplug(puppet);
    puppet->is_away = false;
    put(EVENT, 1, "\2", 1);
    put(WIRE_HELLO | WIRE_ANSWER, 2, (const uint8_t[]){FRAME_VERSION, 0, 1}, 3);
    put(EVENT, 0, "\2", 1);
    CU_ASSERT_EQUAL(next(&event), 1);
    CU_ASSERT_EQUAL(event.payload[0], 2);
    CU_ASSERT_EQUAL(next(&event), 0);
    CU_ASSERT_EQUAL(host.counts.lost, 0);
    tear_down();
}

#define REQUEST 0x10

/* Longer than a request waits for its reply in all; the same request, and then a HELLO. */
TEST(a_request_is_repeated_when_the_device_is_back_after_a_while)
{
    struct frame reply;
    nanos_t start;

    set_up();
    puppet_unplug(puppet);
    puppet->is_away = false;
    refusals = 15;
    start = clock_now(&clock_);
    put(REQUEST | WIRE_ANSWER, 2, "\7", 1);
    CU_ASSERT_EQUAL(host_request(&host, REQUEST, NULL, 0, &reply, &error), 0);
    CU_ASSERT_EQUAL(reply.payload[0], 7);
    CU_ASSERT(clock_now(&clock_) - start > WIRE_REPLY_TRIES * WIRE_REPLY_TIME);
    put(WIRE_HELLO | WIRE_ANSWER, 3, (const uint8_t[]){FRAME_VERSION, 0, 0}, 3);
    put(REQUEST | WIRE_ANSWER, 4, "\x08", 1);
    CU_ASSERT_EQUAL(host_request(&host, REQUEST, NULL, 0, &reply, &error), 0);
    CU_ASSERT_EQUAL(reply.payload[0], 8);
    tear_down();
}

TEST(a_device_that_stays_away_ends_a_request_and_an_event)
{
    struct frame frame;

    set_up();
    puppet_unplug(puppet);
    CU_ASSERT_EQUAL(host_request(&host, REQUEST, NULL, 0, &frame, &error), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "20 tries did not bring it back"));
    CU_ASSERT_EQUAL(next(&frame), ERROR_DEVICE);
    tear_down();
}

TEST(a_device_that_nobody_looks_for_is_gone_at_once)
{
    struct frame frame;
    nanos_t start;

    set_up();
    CU_ASSERT_EQUAL(link_reopen(wire, NULL, &error), 0);
    puppet_unplug(puppet);
    start = clock_now(&clock_);
    CU_ASSERT_EQUAL(host_request(&host, REQUEST, NULL, 0, &frame, &error), ERROR_DEVICE);
    CU_ASSERT_EQUAL(next(&frame), ERROR_DEVICE);
    CU_ASSERT_EQUAL(clock_now(&clock_), start);
    tear_down();
}

/* What a device that is another one answers is told with its bytes. */
TEST(bytes_that_are_no_frame_are_told_instead_of_silence)
{
    struct frame reply;

    set_up();
    puppet_put(puppet, (const uint8_t[]){7, 2, 1, 2, 2, 0x18, 0xb8, 0}, 8);
    CU_ASSERT_EQUAL(host_request(&host, WIRE_STATUS, NULL, 0, &reply, &error), ERROR_TIMEOUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "07 02 01 02 02 18 b8 (they are a frame of another"));
    CU_ASSERT_EQUAL(host.counts.rejected, 1);
    tear_down();
}

TEST(a_reply_with_another_number_is_wrong_and_one_that_comes_again_is_not)
{
    struct frame reply;

    set_up();
    put(WIRE_STATUS | WIRE_ANSWER, 9, "", 0);
    put(WIRE_STATUS | WIRE_ANSWER, 2, "", 0);
    CU_ASSERT_EQUAL(host_request(&host, WIRE_STATUS, NULL, 0, &reply, &error), 0);
    CU_ASSERT_EQUAL(host.counts.wrong, 1);
    put(WIRE_STATUS | WIRE_ANSWER, 2, "", 0);
    put(WIRE_STATUS | WIRE_ANSWER, 3, "", 0);
    CU_ASSERT_EQUAL(host_request(&host, WIRE_STATUS, NULL, 0, &reply, &error), 0);
    CU_ASSERT_EQUAL(host.counts.wrong, 1);
    CU_ASSERT_EQUAL(host.counts.stray, 2);
    tear_down();
}

TEST(status_must_say_what_hello_said)
{
    set_up();
    put(WIRE_STATUS | WIRE_ANSWER, 2, (const uint8_t[]){1, 0, 1}, 3);
    CU_ASSERT_EQUAL(host_check_hello(&host, &error), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "HELLO has flags 0x00 and STATUS"));
    host.hello_events = 1;
    put(WIRE_STATUS | WIRE_ANSWER, 3, (const uint8_t[]){1, 0, 0}, 3);
    CU_ASSERT_EQUAL(host_check_hello(&host, &error), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "HELLO says that 1 events wait, and 0 came"));
    put(WIRE_STATUS | WIRE_ANSWER, 4, (const uint8_t[]){1, 0, 0}, 3);
    put(0x40, 0, "", 0);
    CU_ASSERT_EQUAL(host_check_hello(&host, &error), 0);
    tear_down();
}

TEST(a_device_that_sends_events_without_end_is_cut_off)
{
    struct frame event;
    unsigned taken = 0;

    set_up();
    host_allow(&host);
    do {
        put(0x40, (uint8_t)taken, (const uint8_t[]){(uint8_t)taken}, 1);
        taken++;
    } while (host_event(&host, &event, 0, &error) == 1);
    CU_ASSERT_EQUAL(taken, HOST_EVENTS_MAX + 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "more than 2000 events"));
    tear_down();
}
