/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Orders of shuffles as a store keeps them: for each four bytes, how many cards there are, whether
 * it is unrelated to the one before (1) and of the second deck (2), cards burned, and the seats;
 * then the cards, a byte each. What was not written here is refused.
 */
#ifndef RIGS_HISTORY_ORDERS_H
#define RIGS_HISTORY_ORDERS_H

#include "games/shuffles/shuffles.h"
#include "rigs/history/store/bytes.h"

/* False when memory is short. */
bool history_orders_add(struct history_bytes *bytes, const struct shuffles_order *order);

/*
 * The order at `*at`, which moves on; the setup is for the game of that name. 1 with one, 0 at the
 * end, ERROR_CONFIG when the bytes are none or the game is not known here.
 */
int history_orders_next(const unsigned char *data, size_t length, size_t *at, const char *game,
                        struct game_setup *setup, struct shuffles_order *order,
                        struct error *error);

#endif
