/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/clock.h"

#include <limits.h>
#include <time.h>

void clock_real(struct clock *clock)
{
    *clock = (struct clock){.is_virtual = false};
}

void clock_virtual(struct clock *clock, nanos_t start)
{
    *clock = (struct clock){.is_virtual = true, .now = start};
}

nanos_t clock_read_real(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * NANOS_PER_SECOND + now.tv_nsec;
}

void clock_advance(struct clock *clock, nanos_t until)
{
    if (clock->is_virtual && until > clock->now)
        clock->now = until;
}

nanos_t clock_deadline(const struct clock *clock, int64_t milliseconds)
{
    nanos_t now = clock_now(clock);

    if (milliseconds < 0 || milliseconds > (NEVER - now) / NANOS_PER_MILLI)
        return NEVER;
    return now + milliseconds * NANOS_PER_MILLI;
}

int clock_poll_timeout(const struct clock *clock, nanos_t deadline)
{
    nanos_t left;

    if (deadline == NEVER)
        return -1;
    left = deadline - clock_now(clock);
    if (left <= 0)
        return 0;
    if (left > INT_MAX * NANOS_PER_MILLI)
        return INT_MAX;
    return (int)((left + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI);
}
