/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/clock.h"

#include <limits.h>
#include <time.h>

#include "tests/support/suite.h"

TEST(real_time_is_the_monotonic_clock)
{
    struct timespec before, after;
    struct clock clock;
    nanos_t now;

    clock_real(&clock);
    clock_gettime(CLOCK_MONOTONIC, &before);
    now = clock_now(&clock);
    clock_gettime(CLOCK_MONOTONIC, &after);
    CU_ASSERT(now >= before.tv_sec * NANOS_PER_SECOND + before.tv_nsec);
    CU_ASSERT(now <= after.tv_sec * NANOS_PER_SECOND + after.tv_nsec);
}

TEST(virtual_time_stands_still_until_it_is_moved)
{
    struct clock clock;

    clock_virtual(&clock, 42);
    CU_ASSERT_EQUAL(clock_now(&clock), 42);
    CU_ASSERT_EQUAL(clock_now(&clock), 42);
    clock_advance(&clock, 43);
    CU_ASSERT_EQUAL(clock_now(&clock), 43);
}

TEST(virtual_time_never_goes_back)
{
    struct clock clock;

    clock_virtual(&clock, 100);
    clock_advance(&clock, 99);
    CU_ASSERT_EQUAL(clock_now(&clock), 100);
}

TEST(real_time_cannot_be_moved)
{
    struct clock clock;
    nanos_t before;

    clock_real(&clock);
    before = clock_now(&clock);
    clock_advance(&clock, before + 3600 * NANOS_PER_SECOND);
    CU_ASSERT(clock_now(&clock) - before < 60 * NANOS_PER_SECOND);
}

TEST(a_deadline_is_so_many_milliseconds_away)
{
    struct clock clock;

    clock_virtual(&clock, 7);
    CU_ASSERT_EQUAL(clock_deadline(&clock, 0), 7);
    CU_ASSERT_EQUAL(clock_deadline(&clock, 1), 1000007);
    CU_ASSERT_EQUAL(clock_deadline(&clock, -1), NEVER);
}

TEST(a_deadline_beyond_the_end_of_time_is_never)
{
    const int64_t most = (NEVER - 7) / NANOS_PER_MILLI;
    struct clock clock;

    clock_virtual(&clock, 7);
    CU_ASSERT_EQUAL(clock_deadline(&clock, most), 7 + most * NANOS_PER_MILLI);
    CU_ASSERT_EQUAL(clock_deadline(&clock, most + 1), NEVER);
    CU_ASSERT_EQUAL(clock_deadline(&clock, INT64_MAX), NEVER);
}

TEST(a_poll_does_not_end_before_its_deadline)
{
    struct clock clock;

    clock_virtual(&clock, 0);
    CU_ASSERT_EQUAL(clock_poll_timeout(&clock, 1), 1);
    CU_ASSERT_EQUAL(clock_poll_timeout(&clock, NANOS_PER_MILLI), 1);
    CU_ASSERT_EQUAL(clock_poll_timeout(&clock, NANOS_PER_MILLI + 1), 2);
}

TEST(a_poll_for_the_past_looks_once_and_one_for_never_has_no_end)
{
    struct clock clock;

    clock_virtual(&clock, 5);
    CU_ASSERT_EQUAL(clock_poll_timeout(&clock, 5), 0);
    CU_ASSERT_EQUAL(clock_poll_timeout(&clock, 4), 0);
    CU_ASSERT_EQUAL(clock_poll_timeout(&clock, NEVER), -1);
    CU_ASSERT_EQUAL(clock_poll_timeout(&clock, NEVER - 1), INT_MAX);
}
