/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exact laws of what can be counted in a uniform shuffle: chance[k] becomes the chance of k. All
 * come from recurrences over positive numbers in long double, so nothing cancels and every chance
 * is right to about fifteen digits, however small. Nothing allocates and nothing fails; `cards` is
 * at most DECK_SIZE, and each says how many chances it fills.
 */
#ifndef GAMES_SHUFFLES_LAW_H
#define GAMES_SHUFFLES_LAW_H

#include <stddef.h>

#include "games/card.h"

/* Ranks centred, so that they add up to 0: -6 … 6. */
#define RANK_MIDDLE 6

/* Room for every law. */
#define LAW_SIZE ((size_t)DECK_SIZE * DECK_SIZE / 4 + 1)

/* Runs of cards that are alike, in `groups` groups of `alike` cards each: 0 … groups * alike. */
void law_runs(unsigned groups, unsigned alike, double *chance);

/* Cards still followed by the card that followed them: 0 … cards - 1. */
void law_successions(unsigned cards, double *chance);

/*
 * The same where the first `before` cards of one order are known and the first `now` of the next.
 */
void law_successions_seen(unsigned cards, unsigned before, unsigned now, double *chance);

/* Rising sequences, by the Eulerian numbers: 0 … cards. */
void law_rising(unsigned cards, double *chance);

/* Valleys, or peaks, between the two ends: 0 … (cards - 1) / 2. */
void law_valleys(unsigned cards, double *chance);

/* Cards in their old place, by the derangements: 0 … cards. */
void law_fixed_points(unsigned cards, double *chance);

/* Cycles, by the Stirling numbers of the first kind: 0 … cards. Right guesses have this law too. */
void law_cycles(unsigned cards, double *chance);

/* Half the sum of the distances that all cards moved: 0 … cards * cards / 4. */
void law_displacement(unsigned cards, double *chance);

/* Cards of `first` that are among any other `first` of the deck: 0 … first. */
void law_overlap(unsigned cards, unsigned first, double *chance);

/* Mean and variance of a law. */
struct law_moments {
    double mean;
    double variance;
};

struct law_moments law_moments(const double *chance, size_t size);

/* Runs among the first `seen` cards of such a shuffle. */
struct law_moments law_runs_seen(unsigned groups, unsigned alike, unsigned seen);

/*
 * The sum of products of neighbours among the first `seen` cards, for values that add up to 0:
 * `squares` and `fourths` are the sums of their second and fourth powers over all `cards`.
 */
struct law_moments law_products(unsigned cards, double squares, double fourths, unsigned seen);

/* The same of ranks, centred: -6 … 6. */
struct law_moments law_rank_products(unsigned seen);

/* The sum over the first `seen` places of their ranks, centred, times LAW_TREND of the place. */
#define LAW_TREND(place) (DECK_SIZE - 1 - 2 * (int)(place))
struct law_moments law_rank_trend(unsigned seen);

/* Cards that are among the first `a` of one shuffle and the first `b` of another. */
struct law_moments law_overlap_seen(unsigned cards, unsigned a, unsigned b);

#endif
