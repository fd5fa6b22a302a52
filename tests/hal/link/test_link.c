/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/link/link.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/devices/puppet.h"
#include "tests/support/suite.h"

struct bench {
    struct clock clock;
    struct hal hal;
    struct puppet_stage stage;
    struct puppet *puppet;
    struct link *link;
    struct error error;
};

static void bench_start(struct bench *bench)
{
    clock_virtual(&bench->clock, 0);
    CU_ASSERT_FATAL(hal_open(&bench->hal, &bench->clock, &bench->error) == 0);
    puppet_stage_open(&bench->stage, &bench->hal);
    bench->puppet = puppet_add(&bench->stage);
    CU_ASSERT_FATAL(link_open(&bench->link, &bench->hal, "emu:puppet0", &bench->error) == 0);
}

static void bench_end(struct bench *bench)
{
    link_close(bench->link);
    CU_ASSERT_EQUAL(bench->puppet->plugged, bench->puppet->freed);
    puppet_stage_close(&bench->stage);
    hal_close(&bench->hal);
}

static ssize_t read_by(struct bench *bench, nanos_t deadline)
{
    char bytes[8];

    return link_read(bench->link, bytes, sizeof bytes, deadline, &bench->error);
}

TEST(every_backend_is_complete)
{
    const struct link_backend *backend;
    size_t count = 0;

    for (; (backend = link_backend_at(count)); count++) {
        CU_ASSERT_EQUAL(strspn(backend->scheme, "abcdefghijklmnopqrstuvwxyz"),
                        strlen(backend->scheme));
        CU_ASSERT_EQUAL(strncmp(backend->form, backend->scheme, strlen(backend->scheme)), 0);
        CU_ASSERT(backend->size > sizeof(struct link));
        CU_ASSERT(backend->open && backend->close && backend->read && backend->write);
        CU_ASSERT_EQUAL(!backend->get_lines, !backend->set_lines);
    }
    CU_ASSERT(count >= 3);
}

TEST(an_address_without_a_known_scheme_is_told_the_known_ones)
{
    static const char *const addresses[] = {"",           ":",
                                            "emu",        "/dev/ttyS0",
                                            "emux:a",     "em:a",
                                            "EMU:a",      "fault:emu:puppet0",
                                            "tap:emu",    " emu:puppet0",
                                            "http://x:80"};
    struct bench bench;
    struct link *link;

    bench_start(&bench);
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++) {
        char quoted[64];

        snprintf(quoted, sizeof quoted, "'%s'", addresses[i]);
        CU_ASSERT_EQUAL(link_open(&link, &bench.hal, addresses[i], &bench.error), ERROR_CONFIG);
        CU_ASSERT_PTR_NULL(link);
        CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, quoted));
        CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "emu:, "));
        CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "pty:, "));
        CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "tcp:"));
    }
    bench_end(&bench);
}

TEST(an_address_has_at_most_255_bytes)
{
    char address[LINK_ADDRESS_MAX + 1];
    struct bench bench;
    struct link *link;

    bench_start(&bench);
    memset(address, 'x', sizeof address);
    memcpy(address, "emu:puppet0?", 12);
    address[LINK_ADDRESS_MAX - 1] = '\0';
    CU_ASSERT_EQUAL(link_open(&link, &bench.hal, address, &bench.error), 0);
    link_close(link);
    address[LINK_ADDRESS_MAX - 1] = 'x';
    address[LINK_ADDRESS_MAX] = '\0';
    CU_ASSERT_EQUAL(link_open(&link, &bench.hal, address, &bench.error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "too long"));
    bench_end(&bench);
}

TEST(closing_nothing_is_allowed)
{
    link_close(NULL);
}

/* Time stamps of the tries that fail show the back-off; the maker is where they are seen. */
struct tries {
    struct clock *clock;
    nanos_t at[8];
    unsigned count, until_return;
    struct bench *bench;
};

static struct model *fail_some_times(void *context, const char *name, const char *options,
                                     struct error *error)
{
    struct tries *tries = context;

    if (tries->count < 8)
        tries->at[tries->count] = tries->clock->now;
    if (++tries->count < tries->until_return) {
        error_set(error, ERROR_RIG, "try %u failed", tries->count);
        return NULL;
    }
    (void)name;
    (void)options;
    tries->bench->puppet->model.gone = false;
    tries->bench->puppet->plugged++;
    return &tries->bench->puppet->model;
}

struct said {
    unsigned times, tries;
    nanos_t away;
};

static void note_said(void *context, const char *address, unsigned tries, nanos_t away)
{
    struct said *said = context;

    CU_ASSERT_STRING_EQUAL(address, "emu:puppet0");
    said->times++;
    said->tries = tries;
    said->away = away;
}

static void bench_lose(struct bench *bench, struct tries *tries, unsigned until_return)
{
    *tries = (struct tries){.clock = &bench->clock, .until_return = until_return, .bench = bench};
    bench->hal.make_model = fail_some_times;
    bench->hal.model_context = tries;
    bench->puppet->model.gone = true;
}

/* A bench whose device has gone, and comes back with the last of that many tries. */
static void bench_start_losing(struct bench *bench, const struct reopen_policy *policy,
                               struct tries *tries, unsigned until_return)
{
    bench_start(bench);
    CU_ASSERT_EQUAL(link_reopen(bench->link, policy, &bench->error), 0);
    bench_lose(bench, tries, until_return);
}

TEST(pauses_double_up_to_the_longest)
{
    static const nanos_t expected[] = {10, 30, 70, 110, 150};
    struct said said = {0};
    const struct reopen_policy policy = {
        .first = 10, .longest = 40, .tries = 9, .said = note_said, .context = &said};
    struct bench bench;
    struct tries tries;

    bench_start_losing(&bench, &policy, &tries, 5);
    CU_ASSERT_EQUAL(read_by(&bench, 100000), 0);
    CU_ASSERT_EQUAL(tries.count, 5);
    CU_ASSERT_EQUAL(memcmp(tries.at, expected, sizeof expected), 0);
    CU_ASSERT_EQUAL(said.times, 1);
    CU_ASSERT_EQUAL(said.tries, 5);
    CU_ASSERT_EQUAL(said.away, 150);
    bench_end(&bench);
}

TEST(the_back_off_goes_on_over_several_short_reads)
{
    const struct reopen_policy policy = {.first = 10, .longest = 40, .tries = 9};
    static const nanos_t expected[] = {10, 30, 70};
    struct bench bench;
    struct tries tries;

    bench_start_losing(&bench, &policy, &tries, 3);
    for (nanos_t deadline = 5; deadline < 70; deadline += 5) {
        CU_ASSERT_EQUAL(read_by(&bench, deadline), ERROR_DEVICE);
        CU_ASSERT_EQUAL(bench.clock.now, deadline);
    }
    CU_ASSERT_EQUAL(read_by(&bench, 70), 0);
    CU_ASSERT_EQUAL(memcmp(tries.at, expected, sizeof expected), 0);
    bench_end(&bench);
}

TEST(a_device_given_up_is_tried_again_only_when_asked_for_again)
{
    const struct reopen_policy policy = {.first = 10, .longest = 40, .tries = 2};
    struct bench bench;
    struct tries tries;

    bench_start_losing(&bench, &policy, &tries, 4);
    CU_ASSERT_EQUAL(read_by(&bench, NEVER), ERROR_DEVICE);
    CU_ASSERT_EQUAL(bench.error.code, ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "2 tries"));
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "try 2 failed"));
    CU_ASSERT_EQUAL(read_by(&bench, NEVER), ERROR_DEVICE);
    CU_ASSERT_EQUAL(tries.count, 2);
    CU_ASSERT_EQUAL(bench.clock.now, 30);
    CU_ASSERT_EQUAL(link_reopen(bench.link, &policy, &bench.error), 0);
    CU_ASSERT_EQUAL(read_by(&bench, NEVER), 0);
    CU_ASSERT_EQUAL(tries.count, 4);
    CU_ASSERT_EQUAL(bench.clock.now, 60);
    bench_end(&bench);
}

TEST(a_device_is_not_reopened_when_nobody_asked)
{
    const struct reopen_policy policy = {.first = 10, .longest = 40, .tries = 2};
    struct bench bench;
    struct tries tries;

    bench_start(&bench);
    CU_ASSERT_EQUAL(link_reopen(bench.link, &policy, &bench.error), 0);
    CU_ASSERT_EQUAL(link_reopen(bench.link, NULL, &bench.error), 0);
    bench_lose(&bench, &tries, 1);
    CU_ASSERT_EQUAL(read_by(&bench, 1000), ERROR_DEVICE);
    CU_ASSERT_EQUAL(bench.clock.now, 0);
    CU_ASSERT_EQUAL(tries.count, 0);
    bench_end(&bench);
}

TEST(a_device_is_awaited_until_it_is_back_or_given_up)
{
    const struct reopen_policy policy = {.first = 10, .longest = 40, .tries = 4};
    struct bench bench;
    struct tries tries;

    bench_start_losing(&bench, &policy, &tries, 3);
    CU_ASSERT_EQUAL(read_by(&bench, 5), ERROR_DEVICE);
    CU_ASSERT_EQUAL(link_comebacks(bench.link), 0);
    CU_ASSERT_EQUAL(link_await(bench.link, &bench.error), 0);
    CU_ASSERT_EQUAL(bench.clock.now, 70);
    CU_ASSERT_EQUAL(link_comebacks(bench.link), 1);
    CU_ASSERT_EQUAL(link_await(bench.link, &bench.error), 0);
    CU_ASSERT_EQUAL(bench.clock.now, 70);
    bench_lose(&bench, &tries, 9);
    CU_ASSERT_EQUAL(read_by(&bench, 75), ERROR_DEVICE);
    CU_ASSERT_EQUAL(link_await(bench.link, &bench.error), ERROR_DEVICE);
    CU_ASSERT_EQUAL(tries.count, 4);
    CU_ASSERT_EQUAL(link_comebacks(bench.link), 1);
    bench_end(&bench);
}

TEST(nothing_is_awaited_when_nobody_asked)
{
    struct bench bench;
    struct tries tries;

    bench_start(&bench);
    bench_lose(&bench, &tries, 1);
    CU_ASSERT_EQUAL(read_by(&bench, 1000), ERROR_DEVICE);
    strcpy(bench.error.text, "as it was");
    CU_ASSERT_EQUAL(link_await(bench.link, &bench.error), ERROR_DEVICE);
    CU_ASSERT_STRING_EQUAL(bench.error.text, "as it was");
    CU_ASSERT_EQUAL(bench.clock.now, 0);
    CU_ASSERT_EQUAL(link_comebacks(bench.link), 0);
    bench_end(&bench);
}

TEST(reopening_may_be_asked_for_while_the_device_is_away)
{
    struct said said = {0};
    const struct reopen_policy policy = {
        .first = 10, .longest = 40, .tries = 1, .said = note_said, .context = &said};
    struct bench bench;
    struct tries tries;

    bench_start_losing(&bench, &policy, &tries, 2);
    CU_ASSERT_EQUAL(read_by(&bench, NEVER), ERROR_DEVICE);
    CU_ASSERT_EQUAL(link_reopen(bench.link, NULL, &bench.error), 0);
    CU_ASSERT_EQUAL(read_by(&bench, NEVER), ERROR_DEVICE);
    CU_ASSERT_EQUAL(link_reopen(bench.link, &policy, &bench.error), 0);
    CU_ASSERT_EQUAL(read_by(&bench, NEVER), 0);
    CU_ASSERT_EQUAL(bench.clock.now, 20);
    CU_ASSERT_EQUAL(said.away, 10);
    bench_end(&bench);
}

TEST(a_link_that_is_away_can_be_closed)
{
    const struct reopen_policy policy = {.first = 10, .longest = 40, .tries = 1};
    struct bench bench;
    struct tries tries;

    bench_start_losing(&bench, &policy, &tries, 2);
    CU_ASSERT_EQUAL(read_by(&bench, NEVER), ERROR_DEVICE);
    CU_ASSERT_EQUAL(bench.puppet->freed, 1);
    bench_end(&bench);
}

TEST(a_cancelled_bench_does_not_wait_for_a_return)
{
    const struct reopen_policy policy = {.first = 10, .longest = 40, .tries = 9};
    struct bench bench;
    struct tries tries;

    bench_start_losing(&bench, &policy, &tries, 2);
    CU_ASSERT_EQUAL(link_write(bench.link, "x", 1, 5, &bench.error), ERROR_DEVICE);
    hal_cancel(&bench.hal);
    CU_ASSERT_EQUAL(link_write(bench.link, "x", 1, NEVER, &bench.error), ERROR_ABORTED);
    CU_ASSERT_EQUAL(tries.count, 0);
    bench_end(&bench);
}

static struct model *cancel_while_opening(void *context, const char *name, const char *options,
                                          struct error *error)
{
    (void)name;
    (void)options;
    hal_cancel(context);
    error_set(error, ERROR_ABORTED, "cancelled");
    return NULL;
}

TEST(a_last_try_that_is_cancelled_is_no_device_given_up)
{
    const struct reopen_policy policy = {.first = 10, .longest = 40, .tries = 1};
    struct bench bench;

    bench_start(&bench);
    CU_ASSERT_EQUAL(link_reopen(bench.link, &policy, &bench.error), 0);
    bench.hal.make_model = cancel_while_opening;
    bench.hal.model_context = &bench.hal;
    bench.puppet->model.gone = true;
    CU_ASSERT_EQUAL(read_by(&bench, NEVER), ERROR_ABORTED);
    CU_ASSERT_EQUAL(bench.error.code, ERROR_ABORTED);
    CU_ASSERT_STRING_EQUAL(bench.error.text, "emu:puppet0: cancelled");
    bench_end(&bench);
}

TEST(a_policy_that_breaks_its_bounds_is_refused)
{
    const struct reopen_policy wrong[] = {
        {.first = 0, .longest = 40, .tries = 1},
        {.first = -1, .longest = 40, .tries = 1},
        {.first = 10, .longest = 9, .tries = 1},
        {.first = 10, .longest = 40, .tries = 0},
    };
    const struct reopen_policy narrowest = {.first = 1, .longest = 1, .tries = 1};
    struct bench bench;

    bench_start(&bench);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        CU_ASSERT_EQUAL(link_reopen(bench.link, &wrong[i], &bench.error), ERROR_CONFIG);
        CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "emu:puppet0"));
    }
    CU_ASSERT_EQUAL(link_reopen(bench.link, &narrowest, &bench.error), 0);
    bench_end(&bench);
}

TEST(a_pause_without_end_waits_for_the_deadline)
{
    const struct reopen_policy policy = {.first = NEVER, .longest = NEVER, .tries = 1};
    struct bench bench;
    struct tries tries;

    bench_start(&bench);
    clock_advance(&bench.clock, 10);
    CU_ASSERT_EQUAL(link_reopen(bench.link, &policy, &bench.error), 0);
    bench_lose(&bench, &tries, 1);
    CU_ASSERT_EQUAL(read_by(&bench, NEVER - 1), ERROR_DEVICE);
    CU_ASSERT_EQUAL(tries.count, 0);
    bench_end(&bench);
}

/* A device that goes in the middle of a message and comes back wants it from the beginning. */
struct short_link {
    struct link link;
    unsigned writes;
    char got[16];
    size_t count;
};

static ssize_t short_write(struct link *link, const void *bytes, size_t size, nanos_t deadline,
                           struct error *error)
{
    struct short_link *self = (struct short_link *)link;
    size_t taken = size < 3 ? size : 3;

    (void)deadline;
    if (++self->writes == 2)
        return error_set(error, ERROR_DEVICE, "torn");
    memcpy(self->got + self->count, bytes, taken);
    self->count += taken;
    return (ssize_t)taken;
}

static const struct link_backend short_backend = {
    .scheme = "short", .size = sizeof(struct short_link), .write = short_write};

TEST(a_message_torn_by_an_unplug_is_written_again_from_its_first_byte)
{
    const struct reopen_policy policy = {.first = 10, .longest = 40, .tries = 1};
    struct short_link *outer;
    struct link *link;
    struct bench bench;

    bench_start(&bench);
    CU_ASSERT_FATAL(link_wrap(&link, &short_backend, bench.link, &bench.error) == 0);
    bench.link = link;
    outer = (struct short_link *)link;
    CU_ASSERT_EQUAL(link_reopen(link, &policy, &bench.error), 0);
    CU_ASSERT_EQUAL(link_write_all(link, "abcdefg", 7, NEVER, &bench.error), 0);
    CU_ASSERT_EQUAL(outer->count, 10);
    CU_ASSERT_EQUAL(memcmp(outer->got, "abcabcdefg", 10), 0);
    CU_ASSERT_EQUAL(bench.puppet->plugged, 2);
    bench_end(&bench);
}

TEST(a_decorator_has_the_address_and_the_lines_of_what_it_wraps)
{
    struct bench bench;
    struct link *link;
    unsigned lines;

    bench_start(&bench);
    CU_ASSERT_FATAL(link_wrap(&link, &short_backend, bench.link, &bench.error) == 0);
    bench.link = link;
    CU_ASSERT_STRING_EQUAL(link->address, "emu:puppet0");
    CU_ASSERT_EQUAL(link_get_lines(link, &lines, &bench.error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(link_set_lines(link, LINK_DTR, 0, &bench.error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "no modem lines"));
    bench_end(&bench);
}
