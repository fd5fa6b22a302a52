/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/bench.h"

#include <stdio.h>
#include <time.h>

static double seconds_of(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double best_of(clockid_t clock, unsigned runs, void (*run)(void *context), void *context)
{
    double best = 0;

    for (unsigned i = 0; i < runs; i++) {
        double start = seconds_of(clock), seconds;

        run(context);
        seconds = seconds_of(clock) - start;
        if (i == 0 || seconds < best)
            best = seconds;
    }
    return best;
}

double bench_now(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

double bench_best(unsigned runs, void (*run)(void *context), void *context)
{
    return best_of(CLOCK_MONOTONIC, runs, run, context);
}

double bench_best_cpu(unsigned runs, void (*run)(void *context), void *context)
{
    return best_of(CLOCK_THREAD_CPUTIME_ID, runs, run, context);
}

void bench_title(const char *title)
{
    printf("%s\n", title);
}

void bench_figure_for(const char *name, double figure, const char *unit, double baseline,
                      const char *target)
{
    int decimals = figure < 10 ? 3 : figure < 1000 ? 1 : 0;

    printf("  %-40s %12.*f ", name, decimals, figure);
    if (baseline > 0)
        printf("%-14s %9.2f x baseline", unit, figure / baseline);
    else
        printf("%s", unit);
    if (target)
        printf("  (target: %s)", target);
    printf("\n");
    fflush(stdout);
}

void bench_figure(const char *name, double figure, const char *unit, double baseline)
{
    bench_figure_for(name, figure, unit, baseline, NULL);
}
