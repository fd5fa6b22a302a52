/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/hand.h"

#include "hal/base/clones.h"

/*
 * Hands worked on together. A fixed number, so that the compiler makes vectors of the loops: with
 * AVX2 they take sixteen hands at a time, without it eight.
 */
#define BLOCK 64

struct suits {
    uint16_t ranks[SUIT_COUNT][BLOCK];
};

#if __has_builtin(__builtin_shufflevector)
typedef uint16_t lanes_t __attribute__((vector_size(16), aligned(2), may_alias));

#define LOW_HALVES(a, b)    __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11)
#define HIGH_HALVES(a, b)   __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15)
#define LOW_ZIPPED(a, b)    __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH_ZIPPED(a, b)   __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define HANDS_PER_TRANSPOSE 8

/*
 * Takes eight hands apart: zipping twice brings the four cards of each suit of four hands
 * together. Big-endian machines get the suits in reverse, which is the same to every value.
 */
static ALWAYS_INLINE void suits_split(struct suits *suits, const hand_t hands[BLOCK])
{
    for (size_t i = 0; i < BLOCK; i += HANDS_PER_TRANSPOSE) {
        const lanes_t *pair = (const lanes_t *)(hands + i);
        lanes_t even = LOW_ZIPPED(pair[0], pair[1]), odd = HIGH_ZIPPED(pair[0], pair[1]);
        lanes_t minor = LOW_ZIPPED(even, odd), major = HIGH_ZIPPED(even, odd);
        lanes_t next_even = LOW_ZIPPED(pair[2], pair[3]), next_odd = HIGH_ZIPPED(pair[2], pair[3]);
        lanes_t next_minor = LOW_ZIPPED(next_even, next_odd);
        lanes_t next_major = HIGH_ZIPPED(next_even, next_odd);

        *(lanes_t *)(suits->ranks[0] + i) = LOW_HALVES(minor, next_minor);
        *(lanes_t *)(suits->ranks[1] + i) = HIGH_HALVES(minor, next_minor);
        *(lanes_t *)(suits->ranks[2] + i) = LOW_HALVES(major, next_major);
        *(lanes_t *)(suits->ranks[3] + i) = HIGH_HALVES(major, next_major);
    }
}
#else
static ALWAYS_INLINE void suits_split(struct suits *suits, const hand_t hands[BLOCK])
{
    for (size_t i = 0; i < BLOCK; i++) {
        suits->ranks[0][i] = (uint16_t)hands[i];
        suits->ranks[1][i] = (uint16_t)(hands[i] >> 16);
        suits->ranks[2][i] = (uint16_t)(hands[i] >> 32);
        suits->ranks[3][i] = (uint16_t)(hands[i] >> 48);
    }
}
#endif

static ALWAYS_INLINE uint16_t higher(uint16_t a, uint16_t b)
{
    return a > b ? a : b;
}

/* What hand_suit_counts() does, in one suit. */
static ALWAYS_INLINE uint16_t suit_flush(uint16_t ranks)
{
    uint16_t groups = (uint16_t)(ranks - (ranks >> 1 & 0x36db) - (ranks >> 2 & 0x1249));

    return (uint16_t)((groups * 0x2492u & 0xe000) | ranks);
}

static ALWAYS_INLINE uint16_t ace_both_ways(uint16_t ranks)
{
    return (uint16_t)(ranks << 1 | ranks >> 12);
}

/* From the runs of n, each marked by its last rank, to the runs of n + 1. */
static ALWAYS_INLINE uint16_t longer(uint16_t runs)
{
    return (uint16_t)(runs & runs << 1);
}

static ALWAYS_INLINE void suits_evaluate(const struct suits *suits, struct hand_value values[BLOCK])
{
    for (size_t i = 0; i < BLOCK; i++) {
        uint16_t c = suits->ranks[0][i], d = suits->ranks[1][i];
        uint16_t h = suits->ranks[2][i], s = suits->ranks[3][i];
        uint16_t flush =
            higher(higher(suit_flush(c), suit_flush(d)), higher(suit_flush(h), suit_flush(s)));
        uint16_t c2 = longer(ace_both_ways(c)), d2 = longer(ace_both_ways(d));
        uint16_t h2 = longer(ace_both_ways(h)), s2 = longer(ace_both_ways(s));
        uint16_t c3 = longer(c2), d3 = longer(d2), h3 = longer(h2), s3 = longer(s2);
        uint16_t twos = c2 | d2 | h2 | s2;
        uint16_t threes = c3 | d3 | h3 | s3;
        /* Only one suit of seven cards can hold a run of four: from here on one mask will do. */
        uint16_t fours = longer(c3) | longer(d3) | longer(h3) | longer(s3);
        uint16_t fives = longer(fours), sixes = longer(fives), sevens = longer(sixes);

        values[i].flush = flush;
        values[i].straight_flush =
            (uint16_t)(7 - (flush == 0) - (twos == 0) - (threes == 0) - (fours == 0) -
                       (fives == 0) - (sixes == 0) - (sevens == 0));
    }
}

EACH_VECTOR_WIDTH
static void evaluate_blocks(const hand_t *hands, struct hand_value *values, size_t blocks)
{
    struct suits suits;

    for (size_t block = 0; block < blocks; block++) {
        suits_split(&suits, hands + block * BLOCK);
        suits_evaluate(&suits, values + block * BLOCK);
    }
}

void hands_evaluate(const hand_t *hands, struct hand_value *values, size_t count)
{
    size_t blocks = count / BLOCK;

    evaluate_blocks(hands, values, blocks);
    for (size_t i = blocks * BLOCK; i < count; i++) {
        values[i].flush = (uint16_t)hand_flush(hands[i]);
        values[i].straight_flush = (uint16_t)hand_straight_flush(hands[i]);
    }
}

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
