/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/kernel/timings.h"

#include <stdio.h>
#include <stdlib.h>

void timings_add(struct timings *timings, nanos_t sample)
{
    if (timings->count < TIMINGS_MAX)
        timings->samples[timings->count++] = sample;
}

static int compare(const void *a, const void *b)
{
    nanos_t left = *(const nanos_t *)a, right = *(const nanos_t *)b;

    return (left > right) - (left < right);
}

nanos_t timings_at(const struct timings *timings, unsigned percent)
{
    unsigned at = timings->count * percent / 100;

    return timings->samples[at < timings->count ? at : timings->count - 1];
}

static double milliseconds(const struct timings *timings, unsigned percent)
{
    return (double)timings_at(timings, percent) / (double)NANOS_PER_MILLI;
}

void timings_print(struct timings *timings, const char *what)
{
    if (!timings->count)
        return;
    qsort(timings->samples, timings->count, sizeof timings->samples[0], compare);
    printf("%s: p50 %.3f ms, p90 %.3f ms, p99 %.3f ms, longest %.3f ms of %u\n", what,
           milliseconds(timings, 50), milliseconds(timings, 90), milliseconds(timings, 99),
           milliseconds(timings, 100), timings->count);
}
