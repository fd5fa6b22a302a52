/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cards as the open protocol writes them (suit × 16 + rank), decks of 52, and chance. */
#ifndef SECOND_CARDS_H
#define SECOND_CARDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CARDS_DECK 52

bool cards_valid(uint8_t card);

/* True when all are cards and none comes twice. */
bool cards_distinct(const uint8_t *cards, size_t count);

void cards_fresh(uint8_t deck[CARDS_DECK]);

void cards_shuffle(uint8_t deck[CARDS_DECK], uint64_t *chance);

/* Brings the cards given to the top, in their order. */
void cards_to_top(uint8_t deck[CARDS_DECK], const uint8_t *cards, size_t count);

/* A number below the limit, each as likely as any other. */
uint64_t cards_chance(uint64_t *chance, uint64_t limit);

#endif
