/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples of one kind of waiting, and their median and 99th percentile in one line. */
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
void timings_print(struct timings *timings, const char *what);

#endif
