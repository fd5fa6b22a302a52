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
    "2x with four of a suit, or with three of which two are in hand",
    "2x with three of a suit and one of them in hand, if at most 6 higher cards of it are unseen",
    "2x with two pairs of a suit, a card of each in hand, if three times the higher cards unseen "
    "in "
    "the one and those in the other, the lesser number first, come to at most 11",
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

/* Two suits with a card in hand and one on the flop: `unseen` of each. */
static bool bets_two_pairs(const unsigned unseen[2])
{
    unsigned less = unseen[0] < unseen[1] ? unseen[0] : unseen[1];

    return 3 * less + (unseen[0] + unseen[1] - less) <= 11;
}

bool chase_rule_2x(hand_t held, hand_t flop)
{
    unsigned unseen[SUIT_COUNT] = {0}, pairs = 0;

    for (unsigned suit = 0; suit < SUIT_COUNT; suit++) {
        unsigned mine = hand_suit(held, suit), open = hand_suit(flop, suit);
        unsigned count = hand_count(mine | open);

        if (count >= 4 || (count == 3 && hand_count(mine) >= 2))
            return true;
        if (count == 3)
            return mine && higher_unseen(mine, open) <= 6;
        if (mine && open)
            unseen[pairs++] = higher_unseen(mine, open);
    }
    return pairs == 2 && bets_two_pairs(unseen);
}
