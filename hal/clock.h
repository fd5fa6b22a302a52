/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Time in nanoseconds, real or virtual. Real time is CLOCK_MONOTONIC. Virtual time stands still
 * until somebody waits, and then jumps: an hour of dealing takes milliseconds and two runs are
 * identical. A clock is owned by whoever opened it and must outlive everything opened with it.
 */
#ifndef HAL_CLOCK_H
#define HAL_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

typedef int64_t nanos_t;

#define NANOS_PER_MICRO  ((nanos_t)1000)
#define NANOS_PER_MILLI  ((nanos_t)1000000)
#define NANOS_PER_SECOND ((nanos_t)1000000000)
#define NEVER            INT64_MAX

struct clock {
    bool is_virtual;
    nanos_t now; /* virtual only */
};

void clock_real(struct clock *clock);
void clock_virtual(struct clock *clock, nanos_t start);

nanos_t clock_read_real(void);

static inline nanos_t clock_now(const struct clock *clock)
{
    return clock->is_virtual ? clock->now : clock_read_real();
}

/* Moves virtual time on; never back. Meaningless on a real clock, and ignored there. */
void clock_advance(struct clock *clock, nanos_t until);

/* A deadline that many milliseconds from now; a negative number is NEVER. */
nanos_t clock_deadline(const struct clock *clock, int64_t milliseconds);

/* What is left until a deadline, as poll(2) takes it: rounded up, at least 0, -1 for NEVER. */
int clock_poll_timeout(const struct clock *clock, nanos_t deadline);

#endif
