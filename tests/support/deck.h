/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decks of cards for tests and measurements: in order, mixed evenly by a seeded generator, written
 * as recordings have them.
 */
#ifndef TESTS_SUPPORT_DECK_H
#define TESTS_SUPPORT_DECK_H

#include <stdint.h>
#include <stdio.h>

#include "games/card.h"

/* 2c 3c … As. */
void deck_in_order(card_t deck[DECK_SIZE]);

/* Every order equally likely; see tests/support/seeded.h for the state. */
void deck_mix(card_t deck[DECK_SIZE], uint64_t *state);

/* "2c 3c … As", nothing around it. */
void deck_write(FILE *file, const card_t deck[DECK_SIZE]);

/* Rounds of a recording, 1 … count: each deck is mixed from the one before, the first from order.
 */
void deck_write_rounds(FILE *file, unsigned count, uint64_t seed);

#endif
