/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether the ranks at any two places go together: the sum of their products, ranks being -6 … 6,
 * over all orders that reach both. Pure; nothing fails.
 */
#ifndef GAMES_SHUFFLES_PAIRS_H
#define GAMES_SHUFFLES_PAIRS_H

#include "games/shuffles/law.h"
#include "games/shuffles/shuffles.h"

/* A row is as long as eight can be added at a time; sums of so many orders cannot overflow. */
#define PAIRS_ROW 56
#define PAIRS_SUM 900

struct pairs {
    int16_t sums[DECK_SIZE][PAIRS_ROW]; /* of the orders since they were carried over */
    unsigned count;
    int64_t carried[DECK_SIZE][DECK_SIZE];
};

/* Ranks of the `count` first places. */
void pairs_add(struct pairs *pairs, const int16_t ranks[PAIRS_ROW], size_t count);

/*
 * How far the sum of two places, the upper one first, is off its mean in standard deviations, in
 * `total` orders that reach both. Any two places have the law of two neighbours.
 */
double pairs_z(const struct pairs *pairs, unsigned upper, unsigned lower, uint64_t total,
               const struct law_moments *law);

#endif
