/*
 * Hands as four 13-bit suit masks in the 16-bit lanes of one integer, and what they are worth.
 * Everything is pure, inline, and free of branches where it counts: the four suits are worked on
 * side by side inside one register.
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

static inline flush_t hand_flush(hand_t hand)
{
    uint64_t n = hand - (hand >> 1 & HAND_LANES(0x5555));
    uint32_t a, b, c, d;

    n = (n & HAND_LANES(0x3333)) + (n >> 2 & HAND_LANES(0x3333));
    n = (n + (n >> 4)) & HAND_LANES(0x0f0f);
    n = (n + (n >> 8)) & HAND_LANES(0x0007);
    n = n << 13 | hand;
    a = (uint32_t)n & 0xffff;
    b = (uint32_t)n >> 16;
    c = (uint32_t)(n >> 32) & 0xffff;
    d = (uint32_t)(n >> 48);
    a = a > b ? a : b;
    c = c > d ? c : d;
    return a > c ? a : c;
}

/* Length of the longest straight flush, the ace high and low, never round the corner; at most 7. */
static inline unsigned hand_straight_flush(hand_t hand)
{
    uint64_t r1 = (hand << 1 & HAND_LANES(0x3ffe)) | (hand >> 12 & HAND_LANES(1));
    uint64_t r2 = r1 & r1 >> 1;
    uint64_t r3 = r2 & r2 >> 1;
    uint64_t r4 = r3 & r3 >> 1;
    uint64_t r5 = r4 & r4 >> 1;
    uint64_t r6 = r5 & r5 >> 1;
    uint64_t r7 = r6 & r6 >> 1;

    return (unsigned)(r1 != 0) + (r2 != 0) + (r3 != 0) + (r4 != 0) + (r5 != 0) + (r6 != 0) +
           (r7 != 0);
}

/* Whether the ace and the `length - 1` ranks below it are held in one suit; length 1 … 5. */
static inline bool hand_top_suited(hand_t hand, unsigned length)
{
    uint64_t top = hand & HAND_LANES(0x1000);

    for (unsigned i = 1; i < length; i++)
        top &= hand << i;
    return top != 0;
}

/* Both values of many hands at once, for whoever has many. */
struct hand_value {
    uint16_t flush; /* as flush_t */
    uint16_t straight_flush;
};

void hands_evaluate(const hand_t *hands, struct hand_value *values, size_t count);

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
 * Category << 16 | ranks that break ties (kickers included). With ace_low A-2-3 is the lowest
 * straight, without it no straight at all.
 */
typedef uint32_t three_t;

static inline enum three_category three_category(three_t three)
{
    return (enum three_category)(three >> 16);
}

/* Of exactly three cards, and the best three of exactly four. */
three_t hand_three(hand_t hand, bool ace_low);
three_t hand_best_three(hand_t hand, bool ace_low);

/* A-K-Q suited, the top straight flush. */
bool three_royal(three_t three);

/* A pair of eights or better. */
bool three_natural(three_t three);

#endif
