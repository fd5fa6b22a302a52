/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/chase_the_flush/rules.h"

#include <stddef.h>

const char *const chase_rules[] = {
    "3x with three of a suit",
    "3x with two of a suit if the third card is no lower than: any with an ace in the suit; K-Q 3, "
    "K-J 4, K-10 and K-9 5, K-8 6, K-7 to K-4 7, K-3 and K-2 8; Q-J to Q-9 jack, Q-8 to Q-2 queen; "
    "J-10 to J-3 king, J-2 ace; 10-9 to 10-2 ace",
    "3x with three suits from A-A-4, A-K-7, A-Q-10, A-J-J and K-K-J upwards, the first two cards "
    "as they stand here",
    "2x with four of a suit, or with three and two, of which two and one are in hand",
    "2x with three of a suit, two of them in hand, from 9 high upwards; 8, 7, 6 or 5 high if the "
    "third card in hand is at most 6 or 2 lower, at least 3 or 6 higher than the flop's other",
    "2x with three of a suit, one of them in hand, if at most 5 higher cards of it are unseen; 6, "
    "7 or 8 if the flop's higher card is no lower than 10, Q or A",
    "2x likewise if the other two in hand are of one suit, but 6, 7 or 8 if the flop's higher card "
    "and theirs add up to 13, 18 or 22 (J 11, Q 12, K 13, A 14)",
    "2x with two pairs of a suit, a card of each in hand, if that of one is A, or K or Q with A on "
    "the flop; else if 3 times the higher cards unseen of the other, less the third card in hand, "
    "are at most: K 16; Q with K on the flop 16, else 5; J with A 19, K 10, Q 4, else -2; 10 with "
    "A 13, K 5, Q -1, else -4; 9 with A 6, K 1, else -5; 8 with A 1",
    "2x with a pair of a suit, a card of it in hand with two of another suit, if the higher of "
    "these is at most 4 lower than the flop's other card with A in the pair, 6 lower with K and A "
    "on the flop, 1 lower with Q and A, at least 4 higher with J and A",
    "1x on the river unless it is worth no more than folding: of the dealer's 14,190 hands count 2 "
    "for each that loses, 1 if it does not qualify, -3 for each that wins, -2 if it does not "
    "qualify; fold at -28,380 or less",
    NULL,
};

#define NEVER RANK_COUNT

/* With two of a suit, the higher and the lower: the lowest third card to bet on. */
static unsigned lowest_beside(unsigned high, unsigned low)
{
    static const uint8_t king[RANK_KING] = {
        [RANK_TWO] = RANK_EIGHT,  [RANK_THREE] = RANK_EIGHT, [RANK_FOUR] = RANK_SEVEN,
        [RANK_FIVE] = RANK_SEVEN, [RANK_SIX] = RANK_SEVEN,   [RANK_SEVEN] = RANK_SEVEN,
        [RANK_EIGHT] = RANK_SIX,  [RANK_NINE] = RANK_FIVE,   [RANK_TEN] = RANK_FIVE,
        [RANK_JACK] = RANK_FOUR,  [RANK_QUEEN] = RANK_THREE,
    };

    switch (high) {
    case RANK_ACE:
        return RANK_TWO;
    case RANK_KING:
        return king[low];
    case RANK_QUEEN:
        return low >= RANK_NINE ? RANK_JACK : RANK_QUEEN;
    case RANK_JACK:
        return low >= RANK_THREE ? RANK_KING : RANK_ACE;
    case RANK_TEN:
        return RANK_ACE;
    default:
        return NEVER;
    }
}

/* Of three suits, the first and the second card: the lowest third. */
static unsigned lowest_third(unsigned first, unsigned second)
{
    if (first == RANK_KING)
        return second == RANK_KING ? RANK_JACK : NEVER;
    if (first != RANK_ACE)
        return NEVER;
    switch (second) {
    case RANK_ACE:
        return RANK_FOUR;
    case RANK_KING:
        return RANK_SEVEN;
    case RANK_QUEEN:
        return RANK_TEN;
    case RANK_JACK:
        return RANK_JACK;
    default:
        return NEVER;
    }
}

static unsigned highest(unsigned mask)
{
    return 31u - (unsigned)__builtin_clz(mask);
}

static bool bets_three_suits(hand_t held)
{
    unsigned ranks[SUIT_COUNT] = {0}, count = 0;

    for (unsigned rank = RANK_COUNT; rank-- > 0;)
        for (unsigned suit = 0; suit < SUIT_COUNT; suit++)
            if (hand_suit(held, suit) >> rank & 1)
                ranks[count++] = rank;
    return ranks[2] >= lowest_third(ranks[0], ranks[1]);
}

bool chase_rule_3x(hand_t held)
{
    unsigned pair = 0, third = 0;

    for (unsigned suit = 0; suit < SUIT_COUNT; suit++) {
        unsigned mask = hand_suit(held, suit);

        if (hand_count(mask) == 3)
            return true;
        if (hand_count(mask) == 2)
            pair = mask;
        else if (mask)
            third = mask;
    }
    if (!pair)
        return bets_three_suits(held);
    return highest(third) >= lowest_beside(highest(pair), (unsigned)__builtin_ctz(pair));
}

/* Cards of a suit that are not seen and higher than the highest in hand. */
static unsigned higher_unseen(unsigned held, unsigned flop)
{
    unsigned top = highest(held);

    return RANK_COUNT - 1 - top - hand_count(flop >> (top + 1));
}

/* What is in hand and open of each suit, by what makes a rule apply. */
struct flop_view {
    unsigned mine[SUIT_COUNT], open[SUIT_COUNT];
    unsigned pair[2]; /* suits with one in hand and one open */
    unsigned pairs;
    int longest; /* the suit with three, or -1 */
};

static void view_init(struct flop_view *view, hand_t held, hand_t flop)
{
    *view = (struct flop_view){.longest = -1};
    for (unsigned suit = 0; suit < SUIT_COUNT; suit++) {
        unsigned mine = view->mine[suit] = hand_suit(held, suit);
        unsigned open = view->open[suit] = hand_suit(flop, suit);

        if (hand_count(mine) == 1 && hand_count(open) == 1)
            view->pair[view->pairs++] = suit;
        if (hand_count(mine | open) == 3)
            view->longest = (int)suit;
    }
}

/* The highest card in hand of the other suits. */
static unsigned highest_beside(const unsigned masks[SUIT_COUNT], unsigned suit)
{
    unsigned mask = 0;

    for (unsigned i = 0; i < SUIT_COUNT; i++)
        mask |= i == suit ? 0 : masks[i];
    return highest(mask);
}

/* Three of a suit, two of them in hand: the third card against the flop's other one. */
static bool bets_two_of_three(const struct flop_view *view, unsigned suit)
{
    static const int least[RANK_NINE] = {
        [RANK_TWO] = NEVER, [RANK_THREE] = NEVER, [RANK_FOUR] = NEVER, [RANK_FIVE] = 6,
        [RANK_SIX] = 3,     [RANK_SEVEN] = -2,    [RANK_EIGHT] = -6,
    };
    unsigned top = highest(view->mine[suit] | view->open[suit]);

    if (view->pairs || top >= RANK_NINE)
        return true;
    return (int)highest_beside(view->mine, suit) - (int)highest_beside(view->open, suit) >=
           least[top];
}

/* Three of a suit, one of them in hand. */
static bool bets_one_of_three(const struct flop_view *view, unsigned suit)
{
    static const unsigned alone[] = {[6] = RANK_TEN, [7] = RANK_QUEEN, [8] = RANK_ACE};
    static const unsigned together[] = {[6] = 13, [7] = 18, [8] = 22}; /* ranks from 2 to 14 */
    unsigned unseen = higher_unseen(view->mine[suit], view->open[suit]);
    unsigned top = highest(view->open[suit]);

    if (unseen <= 5 || unseen > 8)
        return unseen <= 5;
    for (unsigned i = 0; i < SUIT_COUNT; i++)
        if (hand_count(view->mine[i]) == 2)
            return top + 2 + highest(view->mine[i]) + 2 >= together[unseen];
    return top >= alone[unseen];
}

/* Of one pair, the card in hand and the one on the flop: the limit for the other. */
static int limit_of_pair(unsigned mine, unsigned open)
{
    /* With a queen, a king or an ace on the flop that is higher, after what holds without one. */
    static const int8_t nine[] = {-5, -5, 1, 6}, ten[] = {-4, -1, 5, 13}, jack[] = {-2, 4, 10, 19};
    unsigned column = open > mine && open >= RANK_QUEEN ? open - RANK_QUEEN + 1 : 0;

    if (mine == RANK_ACE || (open == RANK_ACE && mine >= RANK_QUEEN))
        return 3 * RANK_COUNT;
    switch (mine) {
    case RANK_KING:
        return 16;
    case RANK_QUEEN:
        return open == RANK_KING ? 16 : 5;
    case RANK_JACK:
        return jack[column];
    case RANK_TEN:
        return ten[column];
    case RANK_NINE:
        return nine[column];
    case RANK_EIGHT:
        return open == RANK_ACE ? 1 : -3 * RANK_COUNT;
    default:
        return -3 * RANK_COUNT;
    }
}

static bool bets_two_pairs(const struct flop_view *view)
{
    int third = 0;

    for (unsigned i = 0; i < SUIT_COUNT; i++)
        if (view->mine[i] && !view->open[i])
            third = (int)highest(view->mine[i]) + 2;
    for (unsigned i = 0; i < 2; i++) {
        unsigned one = view->pair[i], other = view->pair[1 - i];
        int unseen = (int)higher_unseen(view->mine[other], view->open[other]);

        if (3 * unseen - third <= limit_of_pair(highest(view->mine[one]), highest(view->open[one])))
            return true;
    }
    return false;
}

/* One pair and two of another suit in hand: those against the flop's other card. */
static bool bets_pair_and_two(const struct flop_view *view)
{
    unsigned mine = highest(view->mine[view->pair[0]]), open = highest(view->open[view->pair[0]]);
    int more = (int)highest_beside(view->mine, view->pair[0]) -
               (int)highest_beside(view->open, view->pair[0]);

    if (mine == RANK_ACE)
        return more >= -4;
    if (open != RANK_ACE)
        return false;
    return (mine == RANK_KING && more >= -6) || (mine == RANK_QUEEN && more >= -1) ||
           (mine == RANK_JACK && more >= 4);
}

bool chase_rule_2x(hand_t held, hand_t flop)
{
    unsigned length = flush_length(hand_flush(held | flop));
    struct flop_view view;

    if (length >= 4)
        return true;
    view_init(&view, held, flop);
    if (view.longest >= 0) {
        unsigned suit = (unsigned)view.longest;
        unsigned mine = hand_count(view.mine[suit]);

        return mine > 2 || (mine == 2 && bets_two_of_three(&view, suit)) ||
               (mine == 1 && bets_one_of_three(&view, suit));
    }
    if (view.pairs == 2)
        return bets_two_pairs(&view);
    return view.pairs == 1 && flush_length(hand_flush(held)) == 2 && bets_pair_and_two(&view);
}
