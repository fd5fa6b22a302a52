/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The judge judged: how often the tests of shuffles find evidence against a model whose law is
 * known, over many seeds. The same seeds give the same counts. Only memory can fail.
 */
#ifndef RIGS_SHUFFLES_POWER_H
#define RIGS_SHUFFLES_POWER_H

#include <stddef.h>
#include <stdint.h>

#include "devices/deck/shuffle.h"
#include "games/shuffles/shuffles.h"
#include "hal/base/error.h"

/*
 * The chance with which theory has its shuffles find a flaw, and the share of seeds in which they
 * must: theory takes means for normal.
 */
#define SHUFFLES_POWER_THEORY 0.95
#define SHUFFLES_POWER_DUE    0.9

/* Of one method with one number of shuffles. */
struct shuffles_power {
    uint64_t count; /* shuffles that were judged together; the caller's */
    unsigned seeds;
    unsigned found;   /* seeds with evidence against */
    unsigned too_few; /* seeds with too few shuffles to say */
    /* By test, as a report has them: seeds in which its p-value was the smallest of those found. */
    const char *name[SHUFFLES_RESULTS_MAX];
    unsigned first[SHUFFLES_RESULTS_MAX];
    size_t tests;
};

/*
 * Shuffles with each of `seeds` seeds from `seed` on, from a deck in order and each time what came
 * out before, and judges after the `count` of each of `sizes` cells, which ascend.
 */
int shuffles_power(const struct shuffle_method *method, uint64_t seed, unsigned seeds, double alpha,
                   struct shuffles_power *cells, size_t sizes, struct error *error);

/*
 * How many shuffles theory needs to find out a method (rigs/shuffles/theory.h) although Holm's
 * correction divides alpha among all tests.
 */
int shuffles_power_needed(const struct shuffle_method *method, double alpha, uint64_t *needed,
                          struct error *error);

/* Within which a share lies that was found `found` times in `of`, with that confidence (exact). */
struct shuffles_interval {
    double low, high;
};

struct shuffles_interval shuffles_interval(unsigned found, unsigned of, double confidence);

#endif
