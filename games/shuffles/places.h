/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How evenly the cards came to the places: one chi-square over all places together. Counts of
 * places are not independent, a card lies in one place at a time, and orders of which only the
 * first cards were seen do not reach every place: the statistic is the quadratic form of the
 * counts with the inverse of their exact covariance. For whole orders that is Pearson's X² times
 * 51/52 on 51² degrees of freedom. The same is asked of the cards that stay. Pure; nothing fails.
 */
#ifndef GAMES_SHUFFLES_PLACES_H
#define GAMES_SHUFFLES_PLACES_H

#include "games/shuffles/shuffles.h"
#include "games/shuffles/tail.h"

/*
 * Orders without which the law is not near enough: each card is then expected five times at each
 * place, or ten times where one place, or one count for each place, is all there is.
 */
#define PLACES_ORDERS_MIN ((uint64_t)DECK_SIZE * 5)
#define PLACE_ORDERS_MIN  ((uint64_t)DECK_SIZE * FIT_EXPECTED_MIN)

/* Orders that reach a place. */
uint64_t places_total(const shuffles_places *places, unsigned place);

/* Over all places that enough orders reach; df is 51 for each, the last one being no news. */
struct fit places_fit(const shuffles_places *places);

/* Over the cards at one place. */
struct fit places_fit_one(const shuffles_places *places, unsigned place);

/*
 * How often each place kept its card in `total` orders, against one time in 52. Places are nearly
 * independent here; the little that they are not is allowed for.
 */
struct fit places_fit_stayed(const uint32_t stayed[DECK_SIZE], uint64_t total);

/*
 * Its p-value. Squares of counts that are expected ten times scatter more than those of chi-square,
 * with which the far tail would be reached twice as often as it should: a chi-square is moved and
 * scaled to the first three moments of 52 squares of binomials. Simulated, what is left of that is
 * below a factor of two for 520 orders and falls with their number; p is larger by so much.
 */
double places_stayed_p(double statistic, uint64_t total);

#endif
