/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples of one kind of waiting, and how they are spread, in one line. */
#ifndef TESTS_KERNEL_TIMINGS_H
#define TESTS_KERNEL_TIMINGS_H

#include "hal/clock.h"

#define TIMINGS_MAX 1000

struct timings {
    unsigned count;
    nanos_t samples[TIMINGS_MAX];
};

/* More than TIMINGS_MAX are not kept. */
void timings_add(struct timings *timings, nanos_t sample);
/* Sorts them. */
void timings_print(struct timings *timings, const char *what);
/* After that: so many of a hundred are no longer. */
nanos_t timings_at(const struct timings *timings, unsigned percent);

#endif
