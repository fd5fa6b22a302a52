#include "tests/bench.h"

#include <stdio.h>
#include <time.h>

double bench_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double bench_best(unsigned runs, void (*run)(void *context), void *context)
{
    double best = 0;

    for (unsigned i = 0; i < runs; i++) {
        double start = bench_now(), seconds;

        run(context);
        seconds = bench_now() - start;
        if (i == 0 || seconds < best)
            best = seconds;
    }
    return best;
}

void bench_title(const char *title)
{
    printf("%s\n", title);
}

void bench_figure(const char *name, double figure, const char *unit, double baseline)
{
    int decimals = figure < 10 ? 3 : figure < 1000 ? 1 : 0;

    printf("  %-40s %12.*f ", name, decimals, figure);
    if (baseline > 0)
        printf("%-14s %9.2f x baseline\n", unit, figure / baseline);
    else
        printf("%s\n", unit);
    fflush(stdout);
}
