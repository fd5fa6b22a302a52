/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/deck.h"

#include "tests/support/seeded.h"

void deck_in_order(card_t deck[DECK_SIZE])
{
    for (unsigned i = 0; i < DECK_SIZE; i++)
        deck[i] = card_from_index(i);
}

void deck_mix(card_t deck[DECK_SIZE], uint64_t *state)
{
    for (unsigned i = DECK_SIZE - 1; i; i--) {
        unsigned other = seeded_below(state, i + 1);
        card_t card = deck[i];

        deck[i] = deck[other];
        deck[other] = card;
    }
}

void deck_write(FILE *file, const card_t deck[DECK_SIZE])
{
    for (unsigned i = 0; i < DECK_SIZE; i++) {
        char card[2];

        card_format(deck[i], card);
        fprintf(file, "%s%.2s", i ? " " : "", card);
    }
}

void deck_write_rounds(FILE *file, unsigned count, uint64_t seed)
{
    card_t deck[DECK_SIZE];

    deck_in_order(deck);
    for (unsigned round = 1; round <= count; round++) {
        fprintf(file, "{\"round\":%u,\"before\":\"", round);
        deck_write(file, deck);
        deck_mix(deck, &seed);
        fputs("\",\"deck\":\"", file);
        deck_write(file, deck);
        fputs("\"}\n", file);
    }
}
