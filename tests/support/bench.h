/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measurements: the shortest of several runs, printed as aligned figures with their ratio to a
 * baseline of the same run. Nothing here fails on time; a measurement whose results are wrong
 * says so through its exit status.
 */
#ifndef TESTS_SUPPORT_BENCH_H
#define TESTS_SUPPORT_BENCH_H

/* Seconds of a clock that never goes back. */
double bench_now(void);

/* Seconds of the shortest of `runs` calls. */
double bench_best(unsigned runs, void (*run)(void *context), void *context);

/* The same in processor time of this thread, which a busy machine does not stretch. */
double bench_best_cpu(unsigned runs, void (*run)(void *context), void *context);

/* A line that says what the figures below it are. */
void bench_title(const char *title);

/*
 * One figure, and how many times the baseline it is. A baseline of 0 leaves the ratio out: that is
 * for the baseline itself.
 */
void bench_figure(const char *name, double figure, const char *unit, double baseline);

/* The same with what the figure, or its ratio, is meant to reach: "at least 0.6". */
void bench_figure_for(const char *name, double figure, const char *unit, double baseline,
                      const char *target);

#endif
