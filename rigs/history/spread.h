/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Timings of one name, of a run or of several, sorted: what was measured, not a mean of it. What
 * people took is kept apart from what machines did. The caller owns the spreads, which start as
 * zeros and are given back by history_spreads_free().
 */
#ifndef RIGS_HISTORY_SPREAD_H
#define RIGS_HISTORY_SPREAD_H

#include "rigs/history/details.h"

#define HISTORY_NAME_SIZE 64

struct history_spread {
    char name[HISTORY_NAME_SIZE];
    bool by_hand;
    int64_t limit; /* the last that was told; 0: none */
    int64_t *took; /* nanoseconds, the shortest first */
    size_t count, size;
};

struct history_spreads {
    struct history_spread *items; /* in the order of their names */
    size_t count;
};

/* Adds those of one run; they are sorted. Errors as store_ask(), ERROR_RIG without memory. */
int history_spreads_of_run(struct store *store, int64_t run, struct history_spreads *spreads,
                           struct error *error);
void history_spreads_free(struct history_spreads *spreads);

/* NULL when there is none of that name. */
const struct history_spread *history_spread_find(const struct history_spreads *spreads,
                                                 const char *name, bool by_hand);

/* The middle one, or the lower of two; 0 of none. The last. */
int64_t history_spread_median(const struct history_spread *spread);
int64_t history_spread_slowest(const struct history_spread *spread);

#endif
