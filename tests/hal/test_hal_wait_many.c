/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "hal/hal.h"
#include "tests/support/suite.h"

struct bench {
    struct clock clock;
    struct hal hal;
    struct error error;
    int first[2], second[2];
    struct pollfd fds[2];
};

static void bench_make(struct bench *bench, bool is_virtual)
{
    if (is_virtual)
        clock_virtual(&bench->clock, 0);
    else
        clock_real(&bench->clock);
    CU_ASSERT_EQUAL_FATAL(hal_open(&bench->hal, &bench->clock, &bench->error), 0);
    CU_ASSERT_EQUAL_FATAL(pipe(bench->first), 0);
    CU_ASSERT_EQUAL_FATAL(pipe(bench->second), 0);
    bench->fds[0] = (struct pollfd){.fd = bench->first[0], .events = POLLIN};
    bench->fds[1] = (struct pollfd){.fd = bench->second[0], .events = POLLIN};
}

static void bench_free(struct bench *bench)
{
    for (int i = 0; i < 2; i++) {
        close(bench->first[i]);
        close(bench->second[i]);
    }
    hal_close(&bench->hal);
}

TEST(the_ready_one_of_several_descriptors_is_told)
{
    struct bench bench;

    bench_make(&bench, false);
    CU_ASSERT_EQUAL(write(bench.second[1], "x", 1), 1);
    CU_ASSERT_EQUAL(hal_wait_many(&bench.hal, bench.fds, 2, NEVER, &bench.error), 1);
    CU_ASSERT_EQUAL(bench.fds[0].revents, 0);
    CU_ASSERT_EQUAL(bench.fds[1].revents, POLLIN);
    CU_ASSERT_EQUAL(write(bench.first[1], "x", 1), 1);
    CU_ASSERT_EQUAL(hal_wait_many(&bench.hal, bench.fds, 2, 0, &bench.error), 2);
    bench_free(&bench);
}

TEST(a_wait_for_silent_descriptors_is_0_at_its_deadline)
{
    struct bench bench;

    bench_make(&bench, true);
    CU_ASSERT_EQUAL(hal_wait_many(&bench.hal, bench.fds, 2, 5000, &bench.error), 0);
    CU_ASSERT_EQUAL(clock_now(&bench.clock), 5000);
    CU_ASSERT_EQUAL(hal_wait_many(&bench.hal, NULL, 0, 6000, &bench.error), 0);
    CU_ASSERT_EQUAL(clock_now(&bench.clock), 6000);
    CU_ASSERT_EQUAL(hal_wait_many(&bench.hal, NULL, 0, NEVER, &bench.error), ERROR_RIG);
    bench_free(&bench);
}

TEST(a_cancelled_bench_waits_for_no_descriptor)
{
    struct bench bench;

    bench_make(&bench, false);
    CU_ASSERT_EQUAL(write(bench.first[1], "x", 1), 1);
    hal_cancel(&bench.hal);
    CU_ASSERT_EQUAL(hal_wait_many(&bench.hal, bench.fds, 2, NEVER, &bench.error), ERROR_ABORTED);
    bench_free(&bench);
}

TEST(as_many_descriptors_as_promised_and_no_more)
{
    struct pollfd many[HAL_WAIT_MAX + 1];
    struct bench bench;

    bench_make(&bench, false);
    for (size_t i = 0; i <= HAL_WAIT_MAX; i++)
        many[i] = bench.fds[0];
    CU_ASSERT_EQUAL(write(bench.first[1], "x", 1), 1);
    CU_ASSERT_EQUAL(hal_wait_many(&bench.hal, many, HAL_WAIT_MAX, NEVER, &bench.error),
                    HAL_WAIT_MAX);
    CU_ASSERT_EQUAL(many[HAL_WAIT_MAX - 1].revents, POLLIN);
    CU_ASSERT_EQUAL(hal_wait_many(&bench.hal, many, HAL_WAIT_MAX + 1, NEVER, &bench.error),
                    ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "at most 64"));
    bench_free(&bench);
}
