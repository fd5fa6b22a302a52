/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every test of an accumulator, each by itself and still without Holm's correction; for
 * games/shuffles/ alone. Pure; nothing fails.
 */
#ifndef GAMES_SHUFFLES_TRIALS_H
#define GAMES_SHUFFLES_TRIALS_H

#include <stddef.h>

#include "games/shuffles/cells.h"
#include "games/shuffles/shuffles.h"
#include "games/shuffles/tail.h"

/* Orders whose sum is as good as normal, where mean and variance are all that is known. */
#define NORMAL_ORDERS_MIN 20

/*
 * One test. Its verdict is SHUFFLES_NO_EVIDENCE as soon as it has a p-value; what the p-value means
 * is said when all are known. One of `error`, `cell`, `share` and `chance` says how a bias would
 * show, the others are 0.
 */
struct trial {
    struct shuffles_result result;
    double error;   /* standard error of the mean */
    int parts;      /* p-values that the smallest was taken of */
    double cell;    /* excess of a chance of 1 in 52 that makes a noncentrality of 1 */
    const char *of; /* whose chance that is */
    double share;   /* relative excess of paid hands that makes a noncentrality of 1 */
    /* Or the one cell of a table that stands out, and the chance that every cell has. */
    struct cell largest;
    double chance;
};

struct trials {
    size_t count;
    size_t judged;
    double weight; /* of those judged */
    struct trial trials[SHUFFLES_RESULTS_MAX];
};

void trials_run(const struct shuffles *shuffles, struct trials *trials);

/* Those that look for one kind of flaw; they weigh SHUFFLES_SPECIAL_WEIGHT each. */
void trials_special(const struct shuffles *shuffles, struct trials *trials);

/* The next result, still without a finding. */
struct trial *trial_start(struct trials *trials, const char *name, const char *catches);

/* Whether there are enough to judge by; says so if not. */
bool trial_enough(struct trial *trial, uint64_t count, uint64_t needed);

/* Whether it is known what orders moved from; says so if not. */
bool trial_moves(const struct shuffles *shuffles, uint64_t count, struct trial *trial);

void trial_find(struct trial *trial, enum shuffles_law law, double statistic, double df, double p);

struct deviation;
void trial_deviation(struct trial *trial, const struct deviation *deviation);
void trial_bars(struct trial *trial, const struct shuffles_bars *bars);

/* Of so many orders each place was seen, or more. */
void trial_fit(struct trial *trial, const struct fit *fit, uint64_t orders);

/* Writes one of a result's sentences. */
void trial_put(char text[SHUFFLES_TEXT_SIZE], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
