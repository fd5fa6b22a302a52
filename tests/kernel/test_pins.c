/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpio: pins on real lines: the real libgpiod, gpiolib and gpio-sim. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "tests/kernel/sim.h"
#include "tests/kernel/timings.h"
#include "tests/support/devices/pins_contract.h"

#define LABEL "header"

struct pins_peer {
    struct sim sim;
    struct clock clock;
};

static const char *const lines[] = PINS_CONTRACT_LINES;

static struct pins_peer *make(struct hal *hal, char address[PINS_LABEL_MAX])
{
    struct pins_peer *peer = calloc(1, sizeof *peer);

    (void)hal;
    clock_real(&peer->clock);
    sim_make(&peer->sim, LABEL, lines, PINS_CONTRACT_COUNT);
    strcpy(address, "gpio:" LABEL);
    return peer;
}

static nanos_t now(struct pins_peer *peer)
{
    return clock_now(&peer->clock);
}

static void pass(struct pins_peer *peer, nanos_t until)
{
    while (clock_now(&peer->clock) < until)
        guest_sleep(1);
}

static void drive(struct pins_peer *peer, unsigned line, bool level, nanos_t time)
{
    (void)time;
    sim_pull(&peer->sim, line, level);
}

static bool level_of(struct pins_peer *peer, unsigned line)
{
    return sim_value(&peer->sim, line);
}

static void free_peer(struct pins_peer *peer)
{
    sim_free(&peer->sim);
    free(peer);
}

/* What happens at a time of the test's choice, or at no time at all, is for the mocked kernel. */
const struct pins_contract pins_contract = {
    .bad_addresses = (const char *const[]){"gpio:", "gpio:pinctrl-rp1", "gpio:gpiochip0",
                                           "gpio:/dev/gpiochip0", NULL},
    .make = make,
    .now = now,
    .pass = pass,
    .drive = drive,
    .level = level_of,
    .free = free_peer,
};

/* A bench with pins on that chip. */
struct desk {
    struct clock clock;
    struct hal hal;
    struct pins_peer *peer;
    char address[PINS_LABEL_MAX];
    struct pins *pins;
    struct error error;
};

static int desk_open(struct desk *desk, const struct pin_request *requests, size_t count)
{
    return pins_open(&desk->pins, &desk->hal, desk->address, requests, count, &desk->error);
}

static void desk_start(struct desk *desk)
{
    *desk = (struct desk){0};
    clock_real(&desk->clock);
    CU_ASSERT_EQUAL_FATAL(hal_open(&desk->hal, &desk->clock, &desk->error), 0);
    desk->peer = make(&desk->hal, desk->address);
}

static void desk_end(struct desk *desk)
{
    pins_close(desk->pins);
    free_peer(desk->peer);
    hal_close(&desk->hal);
}

TEST(an_edge_bears_the_time_at_which_the_kernel_saw_it)
{
    const struct pin_request requests[] = {{.line = "bet1", .edges = PIN_BOTH_EDGES},
                                           {.line = "bet2", .edges = PIN_BOTH_EDGES}};
    struct pin_event event;
    struct desk desk;

    desk_start(&desk);
    CU_ASSERT_EQUAL_FATAL(desk_open(&desk, requests, 2), 0);
    for (unsigned i = 0; i < 8; i++) {
        nanos_t before = clock_now(&desk.clock), after;

        sim_pull(&desk.peer->sim, i & 1 ? BET2 : BET1, !(i & 2));
        after = clock_now(&desk.clock);
        guest_sleep(5);
        CU_ASSERT_EQUAL(
            pins_wait(desk.pins, &event, clock_deadline(&desk.clock, 1000), &desk.error), 1);
        CU_ASSERT_EQUAL(event.pin, i & 1);
        CU_ASSERT_EQUAL(event.rising, !(i & 2));
        CU_ASSERT(event.time >= before && event.time <= after);
    }
    CU_ASSERT_EQUAL(pins_wait(desk.pins, &event, 0, &desk.error), 0);
    desk_end(&desk);
}

#define STORM 1000 /* edges, even */
#define BURST 10   /* that libgpiod 1.6 can keep while nobody reads */

struct storm {
    struct sim *sim;
    atomic_uint heard; /* edges that were waited for; not used unless it is waited for them */
    bool waits;        /* after each burst, for whoever listens */
};

/* A sensor with a bad contact. */
static void *storm(void *context)
{
    struct storm *storm = context;

    for (unsigned i = 0; i < STORM; i++) {
        sim_pull(storm->sim, BET1, !(i & 1));
        if (storm->waits && i % BURST == BURST - 1)
            for (unsigned waited = 0; atomic_load(&storm->heard) <= i && waited < 1000; waited++)
                guest_sleep(1);
    }
    return NULL;
}

TEST(every_edge_of_a_storm_comes_while_somebody_listens)
{
    const struct pin_request request = {.line = "bet1", .edges = PIN_BOTH_EDGES};
    struct storm bad_contact = {.waits = true};
    struct pin_event event;
    struct desk desk;
    pthread_t thread;
    unsigned count = 0, wrong = 0;
    nanos_t last = 0;
    int status;

    desk_start(&desk);
    bad_contact.sim = &desk.peer->sim;
    CU_ASSERT_EQUAL_FATAL(desk_open(&desk, &request, 1), 0);
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, storm, &bad_contact), 0);
    while ((status = pins_wait(desk.pins, &event, clock_deadline(&desk.clock, 1500), &desk.error)) >
           0) {
        wrong += event.rising != !(count & 1) || event.time < last;
        last = event.time;
        atomic_store(&bad_contact.heard, ++count);
        if (count == STORM)
            break;
    }
    pthread_join(thread, NULL);
    CU_ASSERT_EQUAL(status, 1);
    CU_ASSERT_EQUAL(count, STORM);
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_EQUAL(pins_wait(desk.pins, &event, 0, &desk.error), 0);
    desk_end(&desk);
}

/*
 * Nobody reads meanwhile. libgpiod 2 numbers the edges and the loss is reported; 1.6 keeps 16 of a
 * line and cannot know, which its capabilities say.
 */
TEST(a_storm_that_nobody_hears_is_reported_or_was_said_to_be_unknown)
{
    const struct pin_request request = {.line = "bet1", .edges = PIN_BOTH_EDGES};
    struct pin_event event;
    struct desk desk;
    unsigned count = 0, losses = 0;
    int status;

    desk_start(&desk);
    CU_ASSERT_EQUAL_FATAL(desk_open(&desk, &request, 1), 0);
    storm(&(struct storm){.sim = &desk.peer->sim});
    while ((status = pins_wait(desk.pins, &event, clock_deadline(&desk.clock, 50), &desk.error))) {
        count += status == 1;
        losses += status == ERROR_RIG;
        CU_ASSERT_FATAL(count + losses <= STORM);
    }
    CU_ASSERT(count >= 16 && count < STORM);
    CU_ASSERT_EQUAL(losses > 0, (pins_capabilities(desk.pins) & PINS_LOSS_DETECTED) != 0);
    desk_end(&desk);
}

TEST(a_debounced_line_comes_to_rest_after_a_storm_that_nobody_heard)
{
    const struct pin_request request = {
        .line = "bet1", .edges = PIN_BOTH_EDGES, .debounce_us = 2000};
    struct desk desk;
    nanos_t deadline;
    uint64_t values;

    desk_start(&desk);
    CU_ASSERT_EQUAL_FATAL(desk_open(&desk, &request, 1), 0);
    for (unsigned level = 1; level < 2; level--) {
        storm(&(struct storm){.sim = &desk.peer->sim});
        sim_pull(&desk.peer->sim, BET1, level);
        deadline = clock_deadline(&desk.clock, 1000);
        do {
            CU_ASSERT_EQUAL_FATAL(pins_read(desk.pins, &values, &desk.error), 0);
        } while (values != level && clock_now(&desk.clock) < deadline);
        CU_ASSERT_EQUAL(values, level);
    }
    desk_end(&desk);
}

static bool take_bet2(void *desk)
{
    return desk_open(desk, &(struct pin_request){.line = "bet2"}, 1) == 0;
}

TEST(a_line_held_by_another_process_is_refused_with_its_consumer)
{
    const struct pin_request request = {.line = "bet2"};
    struct desk desk;
    pid_t other;

    desk_start(&desk);
    other = guest_hold(take_bet2, &desk);
    CU_ASSERT_EQUAL(desk_open(&desk, &request, 1), ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(desk.error.text, "'bet2' (offset 1) is in use by 'dealproof'"));
    guest_release(other);
    CU_ASSERT_EQUAL(desk_open(&desk, &request, 1), 0);
    desk_end(&desk);
}

#define EDGES 300

struct puller {
    struct sim *sim;
    struct clock clock;
    _Atomic nanos_t pulled;
};

static void *pull_now_and_then(void *context)
{
    struct puller *puller = context;

    for (unsigned i = 0; i < EDGES; i++) {
        guest_sleep(3);
        atomic_store(&puller->pulled, clock_now(&puller->clock));
        sim_pull(puller->sim, BET1, !(i & 1));
    }
    return NULL;
}

/* From the pull of a line to the event in the hands of whoever waits for it. */
TEST(edge_latencies_are_measured)
{
    const struct pin_request request = {.line = "bet1", .edges = PIN_BOTH_EDGES};
    struct timings timings = {0};
    struct pin_event event;
    struct puller puller;
    struct desk desk;
    pthread_t thread;

    desk_start(&desk);
    CU_ASSERT_EQUAL_FATAL(desk_open(&desk, &request, 1), 0);
    puller = (struct puller){.sim = &desk.peer->sim, .clock = desk.clock};
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, pull_now_and_then, &puller), 0);
    for (unsigned i = 0; i < EDGES; i++) {
        CU_ASSERT_EQUAL_FATAL(
            pins_wait(desk.pins, &event, clock_deadline(&desk.clock, 1000), &desk.error), 1);
        timings_add(&timings, clock_now(&desk.clock) - atomic_load(&puller.pulled));
    }
    pthread_join(thread, NULL);
    timings_print(&timings, "an edge from its line to who waits for it");
    desk_end(&desk);
}

PINS_CONTRACT_OF_LINES(TEST_OF_CONTRACT)
