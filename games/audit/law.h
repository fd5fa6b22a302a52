/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The law of what one round brings a wager: every net result that there is and in how many deals it
 * comes. Results are whole steps, of which `per` make a stake (an ante, in a main game). All sums
 * are exact; nothing fails.
 */
#ifndef GAMES_AUDIT_LAW_H
#define GAMES_AUDIT_LAW_H

#include <stdint.h>

#include "games/audit/ratio.h"

#define LAW_MAX 64

struct audit_outcome {
    int64_t net; /* in steps */
    wide_t deals;
};

struct audit_law {
    struct audit_outcome outcome[LAW_MAX]; /* from the greatest loss up */
    unsigned count;
    int64_t per;
};

void law_init(struct audit_law *law, int64_t per);

/* Adds deals with that result; none add nothing. There is room for LAW_MAX results. */
void law_add(struct audit_law *law, int64_t net, wide_t deals);

/* The longest steps and the fewest deals that say the same. */
void law_reduce(struct audit_law *law);

/* All deals. */
wide_t law_deals(const struct audit_law *law);

/* Of the net result, in stakes and in squares of stakes, reduced; 0 of a law without results. */
struct ratio law_mean(const struct audit_law *law);
struct ratio law_variance(const struct audit_law *law);

#endif
