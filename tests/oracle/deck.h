/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A seeded deck whose places are known before the deal, so that a round can be stacked: every
 * seat, the dealer (seat 0), the community and the house burn have slots of their own. Also
 * writes the header and the rounds of a recording. Nothing here fails.
 */
#ifndef TESTS_ORACLE_DECK_H
#define TESTS_ORACLE_DECK_H

#include <jansson.h>

#include "tests/oracle/table.h"

#define SLOT_SEAT(seat, card) (4 * (seat) + (card))
#define SLOT_BOARD(card)      (4 * (SEATS + 1) + (card))
#define SLOT_BURN(card)       (4 * (SEATS + 2) + (card))
#define SLOT_UNUSED           (DECK - 2)

struct chance {
    uint64_t state;
};

/* 0 … below - 1. */
int chance_below(struct chance *chance, int below);
bool chance_one_in(struct chance *chance, int n);

struct card card_number(int number);
void deck_shuffle(struct chance *chance, struct card deck[DECK]);

/* Moves a card to a slot; what was there goes where the card was. */
void deck_put(struct card deck[DECK], int slot, struct card card);

/* Deals the slots that the round needs in the order of the table's deal. Needs bets and play. */
void deck_deal(const struct card deck[DECK], const struct table *table, struct round *round);

void table_init(struct table *table, const struct game *game);

/* The caller owns the result. */
json_t *header_json(const struct table *table, const char *note);
json_t *round_json(const struct table *table, const struct round *round);
void line_write(json_t *line, FILE *out);

#endif
