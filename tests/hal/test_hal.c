/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/hal.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "tests/support/suite.h"

struct bench {
    struct clock clock;
    struct hal hal;
    int ends[2]; /* of a pipe: read, write */
    struct error error;
};

static void bench_start(struct bench *bench, bool is_virtual)
{
    if (is_virtual)
        clock_virtual(&bench->clock, 1000);
    else
        clock_real(&bench->clock);
    CU_ASSERT_FATAL(hal_open(&bench->hal, &bench->clock, &bench->error) == 0);
    CU_ASSERT_FATAL(pipe(bench->ends) == 0);
}

static void bench_end(struct bench *bench)
{
    hal_close(&bench->hal);
    close(bench->ends[0]);
    if (bench->ends[1] >= 0)
        close(bench->ends[1]);
}

static int wait_for(struct bench *bench, int fd, nanos_t deadline)
{
    return hal_wait(&bench->hal, fd, POLLIN, deadline, &bench->error);
}

TEST(a_ready_descriptor_ends_the_wait_at_once)
{
    struct bench bench;

    bench_start(&bench, true);
    CU_ASSERT_EQUAL(write(bench.ends[1], "x", 1), 1);
    CU_ASSERT_EQUAL(wait_for(&bench, bench.ends[0], 5000), POLLIN);
    CU_ASSERT_EQUAL(wait_for(&bench, bench.ends[0], 0), POLLIN);
    CU_ASSERT_EQUAL(wait_for(&bench, bench.ends[0], NEVER), POLLIN);
    CU_ASSERT_EQUAL(bench.clock.now, 1000);
    bench_end(&bench);
}

TEST(virtual_time_jumps_to_the_deadline_of_a_silent_descriptor)
{
    struct bench bench;

    bench_start(&bench, true);
    CU_ASSERT_EQUAL(wait_for(&bench, bench.ends[0], 3600 * NANOS_PER_SECOND), 0);
    CU_ASSERT_EQUAL(bench.clock.now, 3600 * NANOS_PER_SECOND);
    CU_ASSERT_EQUAL(wait_for(&bench, -1, 7200 * NANOS_PER_SECOND), 0);
    CU_ASSERT_EQUAL(bench.clock.now, 7200 * NANOS_PER_SECOND);
    CU_ASSERT_EQUAL(wait_for(&bench, -1, 1), 0);
    CU_ASSERT_EQUAL(bench.clock.now, 7200 * NANOS_PER_SECOND);
    bench_end(&bench);
}

TEST(a_virtual_wait_for_nothing_without_end_is_an_error)
{
    struct bench bench;

    bench_start(&bench, true);
    CU_ASSERT_EQUAL(wait_for(&bench, -1, NEVER), ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "deadline"));
    CU_ASSERT_EQUAL(bench.clock.now, 1000);
    bench_end(&bench);
}

TEST(a_real_wait_lasts_until_its_deadline_and_costs_no_processor_time)
{
    struct rusage before, after;
    struct bench bench;
    nanos_t start, took, busy;

    bench_start(&bench, false);
    getrusage(RUSAGE_THREAD, &before);
    start = clock_now(&bench.clock);
    CU_ASSERT_EQUAL(wait_for(&bench, bench.ends[0], start + 50 * NANOS_PER_MILLI), 0);
    took = clock_now(&bench.clock) - start;
    getrusage(RUSAGE_THREAD, &after);
    busy = (after.ru_utime.tv_sec - before.ru_utime.tv_sec + after.ru_stime.tv_sec -
            before.ru_stime.tv_sec) *
               NANOS_PER_SECOND +
           (after.ru_utime.tv_usec - before.ru_utime.tv_usec + after.ru_stime.tv_usec -
            before.ru_stime.tv_usec) *
               NANOS_PER_MICRO;
    CU_ASSERT(took >= 50 * NANOS_PER_MILLI);
    CU_ASSERT(busy < took / 2);
    CU_ASSERT(after.ru_nvcsw - before.ru_nvcsw < 10);
    bench_end(&bench);
}

TEST(a_hung_up_descriptor_is_told_without_being_asked_for)
{
    struct bench bench;

    bench_start(&bench, true);
    close(bench.ends[1]);
    bench.ends[1] = -1;
    CU_ASSERT_EQUAL(wait_for(&bench, bench.ends[0], 5000), POLLHUP);
    bench_end(&bench);
}

TEST(a_closed_descriptor_is_told_and_not_waited_for)
{
    struct bench bench;
    int closed;

    bench_start(&bench, false);
    closed = dup(bench.ends[0]);
    close(closed);
    CU_ASSERT_EQUAL(wait_for(&bench, closed, NEVER), POLLNVAL);
    bench_end(&bench);
}

TEST(a_cancellation_lasts_and_comes_before_ready_bytes)
{
    struct bench bench;

    bench_start(&bench, true);
    CU_ASSERT_FALSE(hal_cancelled(&bench.hal));
    hal_cancel(&bench.hal);
    CU_ASSERT_EQUAL(write(bench.ends[1], "x", 1), 1);
    for (int i = 0; i < 2; i++) {
        CU_ASSERT_TRUE(hal_cancelled(&bench.hal));
        CU_ASSERT_EQUAL(wait_for(&bench, bench.ends[0], 5000), ERROR_ABORTED);
        CU_ASSERT_EQUAL(wait_for(&bench, -1, NEVER), ERROR_ABORTED);
    }
    CU_ASSERT_EQUAL(bench.clock.now, 1000);
    bench_end(&bench);
}

TEST(a_bench_without_cancellation_waits_as_well)
{
    struct clock clock;
    struct hal hal = {.clock = &clock, .cancel_fd = -1};
    struct error error;

    clock_virtual(&clock, 0);
    CU_ASSERT_FALSE(hal_cancelled(&hal));
    hal_cancel(&hal);
    CU_ASSERT_FALSE(hal_cancelled(&hal));
    CU_ASSERT_EQUAL(hal_wait(&hal, -1, 0, 70, &error), 0);
    CU_ASSERT_EQUAL(clock.now, 70);
}

static void ignore_signal(int number)
{
    (void)number;
}

TEST(a_signal_does_not_end_a_wait_early)
{
    const struct itimerval every_3_ms = {{0, 3000}, {0, 3000}}, none = {{0, 0}, {0, 0}};
    struct sigaction action = {.sa_handler = ignore_signal}, before;
    struct bench bench;
    nanos_t start;

    bench_start(&bench, false);
    sigaction(SIGALRM, &action, &before);
    setitimer(ITIMER_REAL, &every_3_ms, NULL);
    start = clock_now(&bench.clock);
    CU_ASSERT_EQUAL(wait_for(&bench, bench.ends[0], start + 30 * NANOS_PER_MILLI), 0);
    CU_ASSERT(clock_now(&bench.clock) - start >= 30 * NANOS_PER_MILLI);
    setitimer(ITIMER_REAL, &none, NULL);
    sigaction(SIGALRM, &before, NULL);
    bench_end(&bench);
}

static struct hal *cancelled_by_signal;

static void cancel_on_signal(int number)
{
    (void)number;
    hal_cancel(cancelled_by_signal);
}

TEST(a_signal_handler_may_cancel)
{
    const struct itimerval soon = {{0, 0}, {0, 5000}};
    struct sigaction action = {.sa_handler = cancel_on_signal}, before;
    struct bench bench;

    bench_start(&bench, false);
    cancelled_by_signal = &bench.hal;
    sigaction(SIGALRM, &action, &before);
    setitimer(ITIMER_REAL, &soon, NULL);
    CU_ASSERT_EQUAL(wait_for(&bench, bench.ends[0], clock_deadline(&bench.clock, 10000)),
                    ERROR_ABORTED);
    sigaction(SIGALRM, &before, NULL);
    bench_end(&bench);
}

TEST(a_bench_without_descriptors_says_so)
{
    struct rlimit before, none;
    struct error error;
    struct clock clock;
    struct hal hal;
    int status;

    clock_virtual(&clock, 0);
    getrlimit(RLIMIT_NOFILE, &before);
    none = before;
    none.rlim_cur = 0;
    setrlimit(RLIMIT_NOFILE, &none);
    status = hal_open(&hal, &clock, &error);
    setrlimit(RLIMIT_NOFILE, &before);
    CU_ASSERT_EQUAL(status, ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "ulimit"));
    hal_close(&hal);
}
