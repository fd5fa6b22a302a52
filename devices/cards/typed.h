/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cards as people type them: rank and suit in any case, `10` or `T`, with blanks and commas between
 * them or without: "as kd 10h 2c", "As,KD", "askd10h2c". Where there are two
 * decks each may have its own after it, "as/1 kd/2", and `deck 2` is that of all others.
 */
#ifndef DEVICES_CARDS_TYPED_H
#define DEVICES_CARDS_TYPED_H

#include "games/card.h"
#include "hal/base/error.h"

/*
 * How many, at most DECK_SIZE; or ERROR_CONFIG with a sentence that has what is no card. A card
 * that comes twice is not looked for here. `backs` has the deck of each, from 1, or 0 of all:
 * either every card has its deck or none has. NULL: there is one deck, and nothing is said of it.
 */
int cards_typed(const char *text, card_t cards[DECK_SIZE], uint8_t backs[DECK_SIZE],
                struct error *error);

#endif
