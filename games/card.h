/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Playing cards as small integers, and their text form: rank then suit, "As Td 9h 2c".
 * A card is suit * 16 + rank, so that 1 << card is its bit in a hand (games/hand.h) and neither
 * rank nor suit needs a division. Values are plain; nothing here allocates.
 */
#ifndef GAMES_CARD_H
#define GAMES_CARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/base/error.h"

typedef uint8_t card_t;

enum suit { SUIT_CLUBS, SUIT_DIAMONDS, SUIT_HEARTS, SUIT_SPADES, SUIT_COUNT };

enum rank {
    RANK_TWO,
    RANK_THREE,
    RANK_FOUR,
    RANK_FIVE,
    RANK_SIX,
    RANK_SEVEN,
    RANK_EIGHT,
    RANK_NINE,
    RANK_TEN,
    RANK_JACK,
    RANK_QUEEN,
    RANK_KING,
    RANK_ACE,
    RANK_COUNT
};

#define DECK_SIZE 52
#define DECKS_MAX 2 /* that take turns at a table */
#define CARD_NONE ((card_t)0xff)

static inline card_t card_make(unsigned rank, unsigned suit)
{
    return (card_t)(suit << 4 | rank);
}

static inline unsigned card_rank(card_t card)
{
    return card & 15u;
}

static inline unsigned card_suit(card_t card)
{
    return card >> 4;
}

static inline bool card_valid(card_t card)
{
    return card_rank(card) < RANK_COUNT && card_suit(card) < SUIT_COUNT;
}

/* The dense numbering 0 … 51, clubs first and deuces first in each suit, and back. */
static inline unsigned card_index(card_t card)
{
    return card_suit(card) * RANK_COUNT + card_rank(card);
}

static inline card_t card_from_index(unsigned index)
{
    return card_make(index % RANK_COUNT, index / RANK_COUNT);
}

/* Reads the two characters of one card; false when they are not a card. */
bool card_parse(const char text[2], card_t *card);

/* Writes two characters, no terminator; "??" for what is not a card. */
void card_format(card_t card, char text[2]);

/*
 * Reads cards separated by single spaces into an array of `size`. Returns how many, or
 * ERROR_RULE with a sentence that names the bad card and its place. An empty text is no card at
 * all. A card that comes twice is not looked for here.
 */
int cards_parse(const char *text, size_t length, card_t *cards, size_t size, struct error *error);

/*
 * Each card once: the index of the first that is no card of the deck or was there before it;
 * `count` when there is none such.
 */
size_t cards_once(const card_t *cards, size_t count);

#endif
