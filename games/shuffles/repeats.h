/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which orders have come before, in memory that does not grow with their number. Orders are kept
 * as they are, none is taken for another; once REPEATS_KEPT of them are there, only those stay
 * whose hash begins with one zero bit more, and so on. An order is watched or not by its hash
 * alone, so that a machine that goes round in a circle is found out whatever the share watched.
 */
#ifndef GAMES_SHUFFLES_REPEATS_H
#define GAMES_SHUFFLES_REPEATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "games/card.h"

#define REPEATS_KEPT 65536

/* Fewer cards than these come again all the time: six have fourteen thousand million orders. */
#define REPEATS_CARDS_MIN 6

struct repeats;

/* NULL when memory is short. */
struct repeats *repeats_new(void);
void repeats_free(struct repeats *repeats);
void repeats_clear(struct repeats *repeats);

/* Takes note of an order of dense card numbers; whether it has come before. */
bool repeats_add(struct repeats *repeats, const uint8_t *cards, size_t count);

/* Orders that had come before, and the share of all orders that is watched: 1, 1/2, 1/4, … */
uint64_t repeats_count(const struct repeats *repeats);
double repeats_share(const struct repeats *repeats);

#endif
