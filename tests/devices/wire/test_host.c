/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The host's end of a conversation, with a device that a test plays by hand. */
#include "devices/wire/host.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/devices/puppet.h"
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
static unsigned takes; /* milliseconds of real time to open it */
static model_maker make_puppet;

static struct model *make_late(void *context, const char *name, const char *options,
                               struct error *why)
{
    usleep(takes * 1000);
    if (!refusals)
        return make_puppet(context, name, options, why);
    refusals--;
    error_set(why, ERROR_DEVICE, "'%s' is not there yet", name);
    return NULL;
}

static void set_up_on(void (*start_clock)(struct clock *clock))
{
    const struct reopen_policy policy = {
        .first = NANOS_PER_MILLI, .longest = 200 * NANOS_PER_MILLI, .tries = 20};
    char address[32];

    start_clock(&clock_);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &clock_, &error), 0);
    puppet_stage_open(&stage, &hal);
    puppet = puppet_add(&stage);
    make_puppet = hal.make_model;
    hal.make_model = make_late;
    refusals = takes = 0;
    snprintf(address, sizeof address, "emu:%s", puppet->name);
    CU_ASSERT_EQUAL_FATAL(link_open(&wire, &hal, address, &error), 0);
    CU_ASSERT_EQUAL_FATAL(link_reopen(wire, &policy, &error), 0);
    put(WIRE_HELLO | WIRE_ANSWER, 1, (const uint8_t[]){FRAME_VERSION, 0, 0}, 3);
    CU_ASSERT_EQUAL_FATAL(host_open(&host, wire, FRAME_SHUFFLER, &error), 0);
}

static void start_virtual(struct clock *clock)
{
    clock_virtual(clock, 1000);
}

static void set_up(void)
{
    set_up_on(start_virtual);
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

TEST(events_that_come_before_the_reply_to_hello_may_have_its_numbers)
{
    struct frame event;

    set_up();
    put(EVENT, 0, "\1", 1);
    put(EVENT, 1, "\2", 1);
    CU_ASSERT_EQUAL(next(&event), 1);
    CU_ASSERT_EQUAL(next(&event), 1);
    puppet_unplug(puppet);
    puppet->is_away = false;
    put(EVENT, 0, "\3", 1);
    put(WIRE_HELLO | WIRE_ANSWER, 2, (const uint8_t[]){FRAME_VERSION, 0, 1}, 3);
    put(EVENT, 1, "\4", 1);
    for (unsigned number = 3; number <= 4; number++) {
        CU_ASSERT_EQUAL(next(&event), 1);
        CU_ASSERT_EQUAL(event.payload[0], number);
    }
    CU_ASSERT_EQUAL(host.counts.lost + host.counts.restarts, 0);
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

/* What excuses a repeat is counted when the event comes, not when somebody asks for it. */
TEST(an_event_knows_how_often_the_power_may_have_been_lost_before_it)
{
    struct frame frame;

    set_up();
    for (unsigned i = 0; i < 3; i++)
        put(EVENT, (uint8_t)(i % 2), (const uint8_t[]){(uint8_t)(i / 2)}, 1);
    put(REQUEST | WIRE_ANSWER, 2, "", 0);
    CU_ASSERT_EQUAL(host_request(&host, REQUEST, NULL, 0, &frame, &error), 0);
    for (unsigned i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(next(&frame), 1);
        CU_ASSERT_EQUAL(host.event_renewals, i / 2);
    }
    host.last_event = 255;
    put(EVENT, 0, "\1", 1);
    CU_ASSERT_EQUAL(next(&frame), 1);
    CU_ASSERT_EQUAL(host.event_renewals, 2);
    CU_ASSERT_EQUAL(host.counts.restarts, 1);
    tear_down();
}

TEST(an_event_that_comes_before_the_reply_to_a_new_hello_is_the_first_of_the_conversation)
{
    struct frame event;

    set_up();
    for (uint8_t i = 0; i < 2; i++)
        put(EVENT, i, &i, 1);
    CU_ASSERT_EQUAL(next(&event), 1);
    CU_ASSERT_EQUAL(next(&event), 1);
    puppet_unplug(puppet);
    puppet->is_away = false;
    put(EVENT, 0, "\1", 1);
    put(WIRE_HELLO | WIRE_ANSWER, 2, (const uint8_t[]){FRAME_VERSION, 0, 1}, 3);
    put(EVENT, 1, "\2", 1);
    CU_ASSERT_EQUAL(next(&event), 1);
    CU_ASSERT_EQUAL(event.payload[0], 2);
    CU_ASSERT_EQUAL(host.counts.duplicates, 1);
    CU_ASSERT_EQUAL(host.counts.lost + host.counts.restarts, 0);
    tear_down();
}

/* A device that needs a second to come back leaves four tries without an answer. */
TEST(a_hello_without_a_reply_is_said_again_while_an_event_is_waited_for)
{
    struct frame event;

    set_up();
    replug(3);
    puppet->ready_at = clock_now(&clock_) + 900 * NANOS_PER_MILLI;
    put(EVENT, 0, "\1", 1);
    CU_ASSERT_EQUAL(next(&event), 1);
    CU_ASSERT_EQUAL(next(&event), 0);
    CU_ASSERT_EQUAL(host.counts.lost, 0);
    tear_down();
}

/* Longer than a turn of reading; the device keeps its event until it hears a HELLO. */
TEST(a_device_that_takes_long_to_open_hears_a_hello)
{
    uint8_t heard[FRAME_ENCODED_MAX];
    struct frame event;

    set_up_on(clock_real);
    puppet_take(puppet, heard, sizeof heard);
    puppet_unplug(puppet);
    puppet->is_away = false;
    takes = 60;
    host_event(&host, &event, clock_deadline(&clock_, 150), &error);
    CU_ASSERT(puppet_take(puppet, heard, sizeof heard) >= 12);
    CU_ASSERT_EQUAL(heard[3], WIRE_HELLO);
    tear_down();
}

static const struct model_ops *played;
static unsigned looks;

/* Nothing at first; then an event and the same again, but this process is held up meanwhile. */
static size_t send_held_up(struct model *model, uint8_t *bytes, size_t size, nanos_t now)
{
    if (looks > 1)
        return played->send(model, bytes, size, now);
    if (looks++ == 1) {
        usleep(250000);
        put(EVENT, 1, "x", 1);
        put(EVENT, 1, "x", 1);
    }
    return 0;
}

/* On a real clock the device has waited for its acknowledgement, and nobody was there to say so. */
TEST(an_event_that_is_repeated_while_this_process_is_held_up_is_not_hasty)
{
    struct model_ops held_up;
    struct frame event;

    set_up_on(clock_real);
    put(EVENT, 0, (const uint8_t[60]){1}, 60); /* much at once: the line is fast */
    CU_ASSERT_EQUAL(next(&event), 1);
    played = puppet->model.ops;
    held_up = *played;
    held_up.send = send_held_up;
    looks = 0;
    puppet->model.ops = &held_up;
    CU_ASSERT_EQUAL(host_event(&host, &event, NEVER, &error), 1);
    CU_ASSERT_EQUAL(event.sequence, 1);
    CU_ASSERT_EQUAL(host_event(&host, &event, clock_deadline(&clock_, 1), &error), 0);
    CU_ASSERT_EQUAL(host.counts.duplicates, 1);
    CU_ASSERT_EQUAL(host.counts.hasty, 0);
    puppet->model.ops = played;
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

TEST(a_reply_that_comes_after_its_request_was_given_up_is_late_and_not_wrong)
{
    struct frame reply;

    set_up();
    CU_ASSERT_EQUAL(host_request(&host, WIRE_STATUS, NULL, 0, &reply, &error), ERROR_TIMEOUT);
    put(WIRE_STATUS | WIRE_ANSWER, 2, (const uint8_t[]){1, 0, 0}, 3);
    put(WIRE_STATUS | WIRE_ANSWER, 3, (const uint8_t[]){1, 0, 0}, 3);
    CU_ASSERT_EQUAL(host_request(&host, WIRE_STATUS, NULL, 0, &reply, &error), 0);
    CU_ASSERT_EQUAL(host.counts.stray, 1);
    CU_ASSERT_EQUAL(host.counts.wrong, 0);
    put(WIRE_LOG | WIRE_ANSWER, 2, (const uint8_t[]){1, 0, 0}, 3);
    put(WIRE_STATUS | WIRE_ANSWER, 4, (const uint8_t[]){1, 0, 0}, 3);
    CU_ASSERT_EQUAL(host_request(&host, WIRE_STATUS, NULL, 0, &reply, &error), 0);
    CU_ASSERT_EQUAL(host.counts.wrong, 1);
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
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "HELLO says that 1 event waits, and 0 came"));
    put(WIRE_STATUS | WIRE_ANSWER, 4, (const uint8_t[]){1, 0, 0}, 3);
    put(0x40, 0, "", 0);
    CU_ASSERT_EQUAL(host_check_hello(&host, &error), 0);
    tear_down();
}

/* What comes of a request after the device came back with this HELLO and STATUS, and events. */
static int come_back(const uint8_t hello[3], uint8_t flags, unsigned events, uint8_t type)
{
    struct frame reply;
    int result;

    set_up();
    put(WIRE_STATUS | WIRE_ANSWER, 2, (const uint8_t[]){1, 0, 0}, 3);
    CU_ASSERT_EQUAL(host_check_hello(&host, &error), 0);
    puppet_unplug(puppet);
    puppet->is_away = false;
    put(WIRE_STATUS | WIRE_ANSWER, 3, (const uint8_t[]){1, 0, 0}, 3);
    put(WIRE_HELLO | WIRE_ANSWER, 4, hello, 3);
    put(WIRE_STATUS | WIRE_ANSWER, 5, (const uint8_t[]){1, 0, flags}, 3);
    for (unsigned i = 0; i < events; i++)
        put(type, (uint8_t)i, "\1", 1);
    CU_ASSERT_EQUAL(host_request(&host, WIRE_STATUS, NULL, 0, &reply, &error), 0);
    put(WIRE_LOG | WIRE_ANSWER, 6, "", 0);
    result = host_request(&host, WIRE_LOG, NULL, 0, &reply, &error);
    tear_down();
    return result;
}

TEST(hello_after_the_device_came_back_is_judged_like_the_first)
{
    CU_ASSERT_EQUAL(come_back((const uint8_t[]){FRAME_VERSION, 0, 0}, 0, 0, EVENT), 0);
    CU_ASSERT_EQUAL(come_back((const uint8_t[]){FRAME_VERSION, 0, 2}, 0, 2, EVENT), 0);
    CU_ASSERT_EQUAL(come_back((const uint8_t[]){FRAME_VERSION + 3, 0, 0}, 0, 0, EVENT),
                    ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "protocol version 4"));
    CU_ASSERT_EQUAL(come_back((const uint8_t[]){FRAME_VERSION, 1, 0}, 0, 0, EVENT), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "its HELLO has flags 0x01 and STATUS"));
    CU_ASSERT_EQUAL(come_back((const uint8_t[]){FRAME_VERSION, 0, 0}, 2, 0, EVENT), ERROR_DEVICE);
    CU_ASSERT_EQUAL(come_back((const uint8_t[]){FRAME_VERSION, 0, 3}, 0, 2, EVENT), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "its HELLO says that 3 events wait, and 2 came"));
    /* TEST MODE may tell what has changed between the two, other events do not. */
    CU_ASSERT_EQUAL(come_back((const uint8_t[]){FRAME_VERSION, 1, 0}, 0, 2, EVENT), ERROR_DEVICE);
    CU_ASSERT_EQUAL(come_back((const uint8_t[]){FRAME_VERSION, 1, 0}, 0, 1, 0x45), 0);
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

/* Says HELLO anew, as another run does; an event comes before the answer, `more` after it. */
static void open_again(uint8_t old, uint8_t waiting, const char *more)
{
    put(EVENT, old, "\1", 1);
    put(WIRE_HELLO | WIRE_ANSWER, 1, (const uint8_t[]){FRAME_VERSION, 0, waiting}, 3);
    CU_ASSERT_EQUAL_FATAL(host_open(&host, wire, FRAME_SHUFFLER, &error), 0);
    put(WIRE_STATUS | WIRE_ANSWER, 2, (const uint8_t[]){1, 0, 0}, 3);
    for (uint8_t i = 0; more[i]; i++)
        put(EVENT, i, more + i, 1);
    CU_ASSERT_EQUAL(host_check_hello(&host, &error), 0);
}

TEST(an_event_that_comes_before_hello_is_answered_is_no_gap_and_comes_once)
{
    struct frame event;

    for (uint8_t old = 0; old < 2; old++) { /* its number is an old one, or happens to be 0 */
        set_up();
        open_again(old ? 5 : 0, 2, "\1\2");
        CU_ASSERT_EQUAL(next(&event), 1);
        CU_ASSERT_EQUAL(event.payload[0], 1);
        CU_ASSERT_EQUAL(next(&event), 1);
        CU_ASSERT_EQUAL(event.payload[0], 2);
        CU_ASSERT_EQUAL(next(&event), 0);
        CU_ASSERT_EQUAL(host.counts.lost + host.counts.restarts, 0);
        tear_down();
    }
}

TEST(an_event_that_was_acknowledged_before_hello_is_not_one_of_those_that_wait)
{
    struct frame event;

    set_up();
    open_again(0, 1, "\2");
    CU_ASSERT_EQUAL(host.queued, 2);
    CU_ASSERT_EQUAL(next(&event), 1);
    CU_ASSERT_EQUAL(host.counts.lost + host.counts.restarts, 0);
    tear_down();
}

TEST(an_event_that_waits_may_come_before_the_answer_to_hello)
{
    set_up();
    open_again(0, 1, "");
    CU_ASSERT_EQUAL(host.queued, 1);
    tear_down();
}

#define POWER_UP 0x46

TEST(a_restart_is_known_by_its_power_up)
{
    struct frame event;

    set_up();
    put(EVENT, 0, "\1", 1);
    put(EVENT, 1, "\2", 1);
    put(EVENT, 0, "\2", 1);
    put(POWER_UP, 1, "\1", 1);
    for (unsigned i = 0; i < 4; i++)
        CU_ASSERT_EQUAL(next(&event), 1);
    CU_ASSERT_EQUAL(host.counts.restarts, 1);
    CU_ASSERT_EQUAL(host.counts.power_ups, 1);
    put(EVENT, 0, "\3", 1);
    put(EVENT, 1, "\4", 1);
    CU_ASSERT_EQUAL(next(&event), 1);
    CU_ASSERT_EQUAL(host.counts.restarts, 2);
    CU_ASSERT_EQUAL(host.counts.power_ups, 1);
    tear_down();
}

static void ask_status(uint8_t number, uint8_t says)
{
    struct frame reply;

    put(WIRE_STATUS | WIRE_ANSWER, number, &says, 1);
    CU_ASSERT_EQUAL(host_request(&host, WIRE_STATUS, NULL, 0, &reply, &error), 0);
}

TEST(status_changes_with_an_event_or_a_request_only)
{
    struct frame reply, event;

    set_up();
    ask_status(2, 1);
    put(REQUEST | WIRE_ANSWER, 3, "", 0);
    CU_ASSERT_EQUAL(host_request(&host, REQUEST, NULL, 0, &reply, &error), 0);
    ask_status(4, 2);
    ask_status(5, 2);
    ask_status(6, 3);
    put(EVENT, 0, "\1", 1); /* it waited behind another one */
    CU_ASSERT_EQUAL(next(&event), 1);
    ask_status(7, 3);
    host_settle(&host);
    CU_ASSERT_EQUAL(host.counts.restated, 0);
    ask_status(8, 4);
    host_settle(&host);
    CU_ASSERT_EQUAL(host.counts.restated, 1);
    tear_down();
}
