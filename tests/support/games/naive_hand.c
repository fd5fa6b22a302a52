/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/games/naive_hand.h"

static bool holds(hand_t hand, int rank, unsigned suit)
{
    return hand >> (suit * 16 + (unsigned)rank) & 1;
}

flush_t naive_flush(hand_t hand)
{
    flush_t best = 0;

    for (unsigned suit = 0; suit < SUIT_COUNT; suit++) {
        unsigned length = 0, ranks = 0;

        for (int rank = RANK_TWO; rank <= RANK_ACE; rank++)
            if (holds(hand, rank, suit)) {
                length++;
                ranks |= 1u << rank;
            }
        if (flush_make(length, ranks) > best)
            best = flush_make(length, ranks);
    }
    return best;
}

unsigned naive_straight_flush(hand_t hand)
{
    unsigned longest = 0;

    for (unsigned suit = 0; suit < SUIT_COUNT; suit++) {
        unsigned run = holds(hand, RANK_ACE, suit);

        if (run > longest)
            longest = run;
        for (int rank = RANK_TWO; rank <= RANK_ACE; rank++) {
            run = holds(hand, rank, suit) ? run + 1 : 0;
            if (run > longest)
                longest = run;
        }
    }
    return longest;
}

bool naive_top_suited(hand_t hand, unsigned length)
{
    for (unsigned suit = 0; suit < SUIT_COUNT; suit++) {
        unsigned run = 0;

        while (run < length && holds(hand, RANK_ACE - (int)run, suit))
            run++;
        if (run == length)
            return true;
    }
    return false;
}

static unsigned scale(enum three_category category, unsigned a, unsigned b, unsigned c)
{
    return (unsigned)category << 12 | a << 8 | b << 4 | c;
}

/* From the three ranks in descending order. */
static unsigned by_ranks(unsigned a, unsigned b, unsigned c, bool suited, bool ace_low)
{
    bool wheel = ace_low && a == RANK_ACE && b == RANK_THREE && c == RANK_TWO;
    bool straight = wheel || (a == b + 1 && b == c + 1);

    if (a == b && b == c)
        return scale(THREE_OF_A_KIND, a, 0, 0);
    if (a == b || b == c)
        return scale(THREE_PAIR, b, a == b ? c : a, 0);
    if (straight)
        return scale(suited ? THREE_STRAIGHT_FLUSH : THREE_STRAIGHT, wheel ? b : a, 0, 0);
    return scale(suited ? THREE_FLUSH : THREE_HIGH_CARD, a, b, c);
}

unsigned naive_three(hand_t hand, bool ace_low)
{
    unsigned ranks[3] = {0}, suits[3] = {0}, count = 0;

    for (int rank = RANK_ACE; rank >= RANK_TWO; rank--)
        for (unsigned suit = 0; suit < SUIT_COUNT; suit++)
            if (holds(hand, rank, suit) && count < 3) {
                ranks[count] = (unsigned)rank;
                suits[count++] = suit;
            }
    return by_ranks(ranks[0], ranks[1], ranks[2], suits[0] == suits[1] && suits[1] == suits[2],
                    ace_low);
}

unsigned naive_best_three(hand_t hand, bool ace_low)
{
    unsigned best = 0;

    for (unsigned card = 0; card < 64; card++) {
        hand_t without = hand & ~(UINT64_C(1) << card);

        if (without != hand && naive_three(without, ace_low) > best)
            best = naive_three(without, ace_low);
    }
    return best;
}

enum three_category naive_three_category(unsigned three)
{
    return (enum three_category)(three >> 12);
}
