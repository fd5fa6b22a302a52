/* The host's end of a conversation, with a device that a test plays by hand. */
#include "devices/host.h"

#include <stdio.h>
#include <string.h>

#include "tests/puppet.h"
#include "tests/suite.h"

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

static void set_up(void)
{
    const struct link_reopen_policy policy = {
        .first = NANOS_PER_MILLI, .longest = NANOS_PER_MILLI, .tries = 10};
    char address[32];

    clock_virtual(&clock_, 1000);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &clock_, &error), 0);
    puppet_stage_open(&stage, &hal);
    puppet = puppet_add(&stage);
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

static void an_event_is_waited_for_after_the_device_came_back(void)
{
    nanos_t deadline;
    struct frame event;

    set_up();
    puppet_unplug(puppet);
    puppet->is_away = false;
    deadline = clock_deadline(&clock_, 1000);
    puppet->ready_at = clock_now(&clock_) + 500 * NANOS_PER_MILLI;
    put(EVENT, 0, "\1", 1);
    CU_ASSERT_EQUAL(host_event(&host, &event, deadline, &error), 1);
    CU_ASSERT_EQUAL(event.type, EVENT);
    CU_ASSERT_EQUAL(puppet->plugged, 2);
    CU_ASSERT(clock_now(&clock_) < deadline);
    tear_down();
}

static void a_device_that_came_back_and_says_nothing_is_waited_for_until_the_deadline(void)
{
    nanos_t deadline;
    struct frame event;

    set_up();
    puppet_unplug(puppet);
    puppet->is_away = false;
    deadline = clock_deadline(&clock_, 1000);
    CU_ASSERT_EQUAL(host_event(&host, &event, deadline, &error), 0);
    CU_ASSERT_EQUAL(clock_now(&clock_), deadline);
    tear_down();
}

SUITE("host", TEST(an_event_is_waited_for_after_the_device_came_back),
      TEST(a_device_that_came_back_and_says_nothing_is_waited_for_until_the_deadline))
