/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/hand.h"

#include "hal/base/clones.h"

static ALWAYS_INLINE three_t three_make(unsigned category, unsigned pair, unsigned ranks)
{
    return category << 26 | pair << 13 | ranks;
}

/* How often the ranks of a hand occur, whatever their suits: each a mask of ranks. */
struct ranks {
    unsigned held, twice, thrice;
};

static ALWAYS_INLINE struct ranks ranks_of(hand_t hand)
{
    uint32_t either = (uint32_t)(hand | hand >> 32), both = (uint32_t)(hand & hand >> 32);

    return (struct ranks){
        .held = (either | either >> 16) & 0x1fff,
        .twice = (both | both >> 16 | (either & either >> 16)) & 0x1fff,
        .thrice = ((both & either >> 16) | (both >> 16 & either)) & 0x1fff,
    };
}

/*
 * The highest card of the best straight in each of two lanes of four ranks at most, or 0. Four
 * ranks hold two straights at most, one just above the other. `low_aces` has the lowest bit of
 * each lane set when the ace counts low.
 */
static ALWAYS_INLINE uint32_t best_straights(uint32_t ranks, uint32_t low_aces)
{
    uint32_t both_ways = ranks << 1 | (ranks >> 12 & low_aces);
    uint32_t straights = both_ways & both_ways << 1 & both_ways << 2;

    return (straights & ~(straights >> 1)) >> 1;
}

three_t hand_three(hand_t hand, bool ace_low)
{
    struct ranks ranks = ranks_of(hand);
    unsigned kicker = ranks.held ^ ranks.twice;
    unsigned straight = best_straights(ranks.held, ace_low);
    bool suited = hand >> (__builtin_ctzll(hand) & 48) <= 0x1fff;
    three_t three = three_make(ranks.twice ? THREE_PAIR : THREE_HIGH_CARD, ranks.twice, kicker);

    _Static_assert((int)THREE_STRAIGHT + (int)THREE_FLUSH == THREE_STRAIGHT_FLUSH,
                   "a straight that is a flush too is a straight flush");
    three = straight ? three_make(THREE_STRAIGHT, 0, straight) : three;
    three = kicker ? three : three_make(THREE_OF_A_KIND, 0, ranks.twice);
    return three + (suited ? three_make(THREE_FLUSH, 0, 0) : 0);
}

/* Two bits at most: the higher one, or the only one, or none. More bits: all but the lowest. */
static ALWAYS_INLINE unsigned upper(unsigned bits)
{
    unsigned without_lowest = bits & (bits - 1);

    return without_lowest ? without_lowest : bits;
}

/* The ranks of the one suit that has three of four cards or more, or 0. */
static ALWAYS_INLINE unsigned suited_ranks(hand_t hand)
{
    /* One more takes a count of three to the lane's top bit. */
    uint64_t suits = (hand_suit_counts(hand) + HAND_LANES(0x2000)) & HAND_LANES(0x8000);
    uint64_t suited = hand & (suits - (suits >> 15));

    suited |= suited >> 32;
    return (unsigned)(suited | suited >> 16) & 0x1fff;
}

/* From the lowest category up. All of it is conditional moves: no branch here can be predicted. */
three_t hand_best_three(hand_t hand, bool ace_low)
{
    struct ranks ranks = ranks_of(hand);
    unsigned suited = suited_ranks(hand), upper_suited = suited & (suited - 1);
    uint32_t straights = best_straights(suited << 16 | ranks.held, ace_low ? 0x10001 : 0);
    unsigned straight = straights & 0xffff, straight_flush = straights >> 16;
    unsigned pair = upper(ranks.twice), others = upper(ranks.held ^ pair);
    three_t best = three_make(pair ? THREE_PAIR : THREE_HIGH_CARD, pair, others);

    /* Four cards of one suit: the upper three of them are also the best of all. */
    upper_suited = upper_suited == best ? upper_suited : suited;
    best = suited ? three_make(THREE_FLUSH, 0, upper_suited) : best;
    best = straight ? three_make(THREE_STRAIGHT, 0, straight) : best;
    best = ranks.thrice ? three_make(THREE_OF_A_KIND, 0, ranks.thrice) : best;
    return straight_flush ? three_make(THREE_STRAIGHT_FLUSH, 0, straight_flush) : best;
}

bool three_royal(three_t three)
{
    return three == three_make(THREE_STRAIGHT_FLUSH, 0, 1 << RANK_ACE);
}

bool three_ace_low(three_t three)
{
    enum three_category category = three_category(three);

    return (category == THREE_STRAIGHT || category == THREE_STRAIGHT_FLUSH) &&
           (three & 0x1fff) == 1u << RANK_THREE;
}

bool three_no_ace_low(three_t three)
{
    enum three_category category = three_category(three);

    return (category == THREE_HIGH_CARD || category == THREE_FLUSH) &&
           (three & 0x1fff) == (1u << RANK_ACE | 1u << RANK_TWO | 1u << RANK_THREE);
}

bool three_natural(three_t three)
{
    return three >= three_make(THREE_PAIR, 1 << RANK_EIGHT, 0);
}

const char *three_name(three_t three)
{
    static const char *const names[] = {
        [THREE_HIGH_CARD] = "high card",
        [THREE_PAIR] = "pair",
        [THREE_FLUSH] = "flush",
        [THREE_STRAIGHT] = "straight",
        [THREE_OF_A_KIND] = "three of a kind",
        [THREE_STRAIGHT_FLUSH] = "straight flush",
    };

    return three_royal(three) ? "royal flush" : names[three_category(three)];
}
