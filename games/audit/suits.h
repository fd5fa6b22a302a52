/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Suit symmetry, the tool of every audit: renaming the suits changes no result, so one hand stands
 * for all that it can be renamed into. A hand is canonical when its suit masks do not increase
 * from clubs to spades. Three-card hands also have a dense number, so that what is known of them
 * lies in arrays. Tables are built once, by whoever owns them; nothing fails.
 */
#ifndef GAMES_AUDIT_SUITS_H
#define GAMES_AUDIT_SUITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "games/hand.h"

/* Ways to rename the suits. */
#define SUIT_ORDERS 24

/* Which neighbouring suit masks of a canonical hand are equal: three bits. */
#define SUIT_PATTERNS 8

/* Canonical hands of two, three and four cards, and all hands of three. */
#define PAIR_CLASSES   169
#define TRIPLE_CLASSES 1755
#define QUAD_CLASSES   16432
#define TRIPLE_COUNT   22100

struct suit_class {
    hand_t hand;
    uint32_t weight; /* hands that it stands for, itself included */
};

typedef void (*suit_class_fn)(void *context, const struct suit_class *class);

/* Every canonical hand of `cards` cards. */
void suit_classes_each(unsigned cards, suit_class_fn call, void *context);

/* Fills `classes` with the canonical hands of `cards` cards; returns how many there are. */
size_t suit_classes(unsigned cards, struct suit_class *classes, size_t size);

bool suits_canonical(hand_t hand);

/* The hand with its suits renamed. */
hand_t suits_reorder(hand_t hand, unsigned order);

/* An order that makes the hand canonical. */
unsigned suits_canonical_order(hand_t hand);

/* The pattern of equal masks of a canonical hand: which orders leave it as it is. */
unsigned suits_pattern(hand_t canonical);

/* The number of a set of three cards given as dense indices a < b < c. */
static inline unsigned triple_index(unsigned a, unsigned b, unsigned c)
{
    return c * (c - 1) * (c - 2) / 6 + b * (b - 1) / 2 + a;
}

unsigned triple_of_hand(hand_t hand);

struct triples {
    uint8_t cards[TRIPLE_COUNT][3]; /* dense indices, ascending */
    hand_t hand[TRIPLE_COUNT];
    uint16_t reordered[SUIT_ORDERS][TRIPLE_COUNT];
    uint16_t class[TRIPLE_COUNT]; /* index into classes */
    struct suit_class classes[TRIPLE_CLASSES];
    /*
     * Beside a canonical hand with some pattern, the first of the hands that one can be renamed
     * into stands for all of them: which it is, and for how many it stands (0 if it is another).
     */
    uint16_t first[SUIT_PATTERNS][TRIPLE_COUNT];
    uint8_t orbit[SUIT_PATTERNS][TRIPLE_COUNT];
};

void triples_init(struct triples *triples);

#endif
