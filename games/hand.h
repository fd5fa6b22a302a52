/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hands as four 13-bit suit masks in the 16-bit lanes of one integer, and what they are worth.
 * Everything is pure and nothing can fail: a hand holds cards of the deck only, and no more of
 * them than a function says. The four suits are worked on side by side inside one register, free
 * of branches where it counts.
 */
#ifndef GAMES_HAND_H
#define GAMES_HAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "games/card.h"

typedef uint64_t hand_t;

#define HAND_LANES(bits) ((uint64_t)(bits)*UINT64_C(0x0001000100010001))
#define HAND_DECK        HAND_LANES(0x1fff)

static inline hand_t hand_card(card_t card)
{
    return UINT64_C(1) << card;
}

static inline hand_t hand_of(const card_t *cards, size_t count)
{
    hand_t hand = 0;

    for (size_t i = 0; i < count; i++)
        hand |= hand_card(cards[i]);
    return hand;
}

static inline unsigned hand_suit(hand_t hand, unsigned suit)
{
    return (unsigned)(hand >> (suit * 16)) & 0x1fff;
}

static inline unsigned hand_count(hand_t hand)
{
    return (unsigned)__builtin_popcountll(hand);
}

/*
 * The longest flush of a hand of at most seven cards: length << 13 | ranks, ace high. Two flushes
 * compare as integers: the longer wins, then card by card from the top. Of two suits of equal
 * length the better ranked one counts.
 */
typedef uint32_t flush_t;

static inline flush_t flush_make(unsigned length, unsigned ranks)
{
    return length << 13 | ranks;
}

static inline unsigned flush_length(flush_t flush)
{
    return flush >> 13;
}

static inline unsigned flush_ranks(flush_t flush)
{
    return flush & 0x1fff;
}

/*
 * The cards of each suit counted side by side: the count stands in the top three bits of the
 * suit's lane, what is below it means nothing. Each third rank's bit first gathers its two
 * neighbours; one product then adds the five groups of a lane up at its top. The product's
 * overflow runs into the low bits of the next lane and stays there, because two suits together
 * hold no more than seven cards.
 */
static inline uint64_t hand_suit_counts(hand_t hand)
{
    uint64_t groups = hand - (hand >> 1 & HAND_LANES(0x36db)) - (hand >> 2 & HAND_LANES(0x1249));

    return groups * 0x2492;
}

static inline flush_t hand_flush(hand_t hand)
{
    uint64_t flushes = (hand_suit_counts(hand) & HAND_LANES(0xe000)) | hand;
    uint32_t clubs = (uint32_t)flushes & 0xffff;
    uint32_t diamonds = (uint32_t)flushes >> 16;
    uint32_t hearts = (uint32_t)(flushes >> 32) & 0xffff;
    uint32_t spades = (uint32_t)(flushes >> 48);
    uint32_t minor = clubs > diamonds ? clubs : diamonds;
    uint32_t major = hearts > spades ? hearts : spades;

    return minor > major ? minor : major;
}

/*
 * Length of the longest straight flush of at most seven cards, the ace high and low, never round
 * the corner. A run of n leaves a bit in the n-th mask. Fifteen hands in sixteen have no run of
 * three, which makes that one branch cheaper than none.
 */
static inline unsigned hand_straight_flush(hand_t hand)
{
    uint64_t ones = hand << 1 | (hand >> 12 & HAND_LANES(1));
    uint64_t twos = ones & ones >> 1;
    uint64_t threes = twos & twos >> 1;
    uint64_t fours, fives, sixes, sevens;

    if (!threes)
        return (unsigned)(ones != 0) + (twos != 0);
    fours = threes & threes >> 1;
    fives = fours & fours >> 1;
    sixes = fives & fives >> 1;
    sevens = sixes & sixes >> 1;
    return 3u + (fours != 0) + (fives != 0) + (sixes != 0) + (sevens != 0);
}

/* Whether the ace and the `length - 1` ranks below it are held in one suit; length 1 … 13. */
static inline bool hand_top_suited(hand_t hand, unsigned length)
{
    uint64_t absent = ~hand & HAND_LANES(0x1fffu & ~(0x1fffu >> length));

    /* Only a lane where nothing is absent borrows; what it borrows from changes nothing. */
    return ((absent - HAND_LANES(1)) & HAND_LANES(0x8000)) != 0;
}

/* Three-card poker, best last, so that ranks compare as integers. */
enum three_category {
    THREE_HIGH_CARD,
    THREE_PAIR,
    THREE_FLUSH,
    THREE_STRAIGHT,
    THREE_OF_A_KIND,
    THREE_STRAIGHT_FLUSH,
};

/*
 * Category << 26 | the pair << 13 | what else breaks ties, both masks of ranks: of a pair the
 * third card, of a straight its highest card, otherwise all of them. With ace_low A-2-3 is the
 * lowest straight, without it no straight at all.
 */
typedef uint32_t three_t;

static inline enum three_category three_category(three_t three)
{
    return (enum three_category)(three >> 26);
}

/* Of exactly three cards, and the best three of exactly four. */
three_t hand_three(hand_t hand, bool ace_low);
three_t hand_best_three(hand_t hand, bool ace_low);

/* A-K-Q suited, the top straight flush. */
bool three_royal(three_t three);

/* A pair of eights or better. */
bool three_natural(three_t three);

/* Ace, deuce and three: the lowest straight where the ace may be low, and no straight elsewhere. */
bool three_ace_low(three_t three);
bool three_no_ace_low(three_t three);

/* "royal flush" … "high card". */
const char *three_name(three_t three);

#endif
