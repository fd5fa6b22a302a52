/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every test of an accumulator, each by itself and still without Holm's correction; for
 * games/shuffles/ alone. Pure; nothing fails.
 */
#ifndef GAMES_SHUFFLES_TRIALS_H
#define GAMES_SHUFFLES_TRIALS_H

#include <stddef.h>

#include "games/shuffles/shuffles.h"

/* Orders whose sum is as good as normal, where mean and variance are all that is known. */
#define NORMAL_ORDERS_MIN 20

/*
 * One test. Its verdict is SHUFFLES_NO_EVIDENCE as soon as it has a p-value; what the p-value means
 * is said when all are known. One of `error`, `cell` and `share` says how a bias would show, the
 * others are 0.
 */
struct trial {
    struct shuffles_result result;
    double error;   /* standard error of the mean */
    int parts;      /* p-values that the smallest was taken of */
    double cell;    /* excess of a chance of 1 in 52 that makes a noncentrality of 1 */
    const char *of; /* whose chance that is */
    double share;   /* relative excess of paid hands that makes a noncentrality of 1 */
};

struct trials {
    size_t count;
    size_t judged;
    struct trial trials[SHUFFLES_RESULTS_MAX];
};

void trials_run(const struct shuffles *shuffles, struct trials *trials);

/* Writes one of a result's sentences. */
void trial_put(char text[SHUFFLES_TEXT_SIZE], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
