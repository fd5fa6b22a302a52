/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is counted in one order of cards. A moved order has for each place, from the top, the place
 * that its card had before; all counts are of that permutation alone. Pure, without allocation;
 * any number of cards up to DECK_SIZE will do, so that small decks can be counted out in full.
 */
#ifndef GAMES_SHUFFLES_ORDER_H
#define GAMES_SHUFFLES_ORDER_H

#include <stdint.h>

/* Cards that still lie on the card they lay on. */
unsigned order_pairs_kept(const uint8_t *moved, unsigned cards);

/* Longest runs of cards that lie, with others between them, in the order they lay. */
unsigned order_rising(const uint8_t *moved, unsigned cards);

/* Places between the ends whose card came from higher up, or from lower down, than both others. */
unsigned order_valleys(const uint8_t *moved, unsigned cards);
unsigned order_peaks(const uint8_t *moved, unsigned cards);

unsigned order_fixed_points(const uint8_t *moved, unsigned cards);
unsigned order_cycles(const uint8_t *moved, unsigned cards);

/* Half the sum of the distances that all cards moved; the sum is always even. */
unsigned order_displacement(const uint8_t *moved, unsigned cards);

/*
 * Right guesses of somebody who is shown each card after guessing it and never guesses one that is
 * gone. First the card that lay on top; then `next` guesses the next one left below the card shown,
 * and from the top again when there is none: made for riffles. `along` goes on in the
 * direction of the last two cards shown, and turns round when there is none: made for shelves.
 */
unsigned order_guessed_next(const uint8_t *moved, unsigned cards);
unsigned order_guessed_along(const uint8_t *moved, unsigned cards);

#endif
