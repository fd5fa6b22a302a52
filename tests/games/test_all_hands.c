/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hands by the million: what takes seconds and finds what a few examples would not. */
#include "games/hand.h"

#include <string.h>

#include "tests/support/games/naive_hand.h"
#include "tests/support/seeded.h"
#include "tests/support/suite.h"

static hand_t turn_suits(hand_t cards, unsigned by)
{
    unsigned bits = by % SUIT_COUNT * 16;

    return bits ? cards << bits | cards >> (64 - bits) : cards;
}

TEST(every_count_of_cards_has_the_values_the_rules_give)
{
    uint64_t seed = 7, wrong = 0;

    for (unsigned i = 0; i < 2000000; i++) {
        hand_t cards = seeded_hand(&seed, i % 4 ? 7 : i / 4 % 8);
        unsigned length = 1 + i % 5;

        wrong += hand_flush(cards) != naive_flush(cards);
        wrong += hand_straight_flush(cards) != naive_straight_flush(cards);
        wrong += hand_top_suited(cards, length) != naive_top_suited(cards, length);
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

TEST(counting_one_suit_never_touches_the_next)
{
    uint64_t wrong = 0;

    for (unsigned a = 0; a < 0x2000; a++)
        for (unsigned b = 0; b < 0x2000; b++) {
            hand_t cards = (hand_t)a | (hand_t)b << 16;
            unsigned longer = hand_count(a) > hand_count(b) ? hand_count(a) : hand_count(b);

            if (hand_count(cards) <= 7)
                for (unsigned suit = 0; suit < SUIT_COUNT; suit++)
                    wrong += flush_length(hand_flush(turn_suits(cards, suit))) != longer;
        }
    CU_ASSERT_EQUAL(wrong, 0);
}

/*
 * All seven-card hands, one of each that differ only by which suit is which, with the number of
 * hands that it stands for. Suits come in descending count, equal counts in descending order of
 * their ranks; `visit` gets each hand with its suits turned, so that every lane has its turn.
 */
struct seven {
    const uint16_t *masks[8]; /* all sets of n ranks, in ascending order */
    size_t counts[8];
    void (*visit)(struct seven *, hand_t, unsigned);
    uint64_t visited, wrong;
    uint64_t lines[9];
};

static unsigned arrangements(const uint16_t suits[SUIT_COUNT])
{
    unsigned same = 1, all = 24;

    for (unsigned i = 1; i < SUIT_COUNT; i++) {
        same = suits[i] == suits[i - 1] ? same + 1 : 1;
        all /= same;
    }
    return all;
}

static void each_suit(struct seven *seven, uint16_t suits[SUIT_COUNT], unsigned suit, unsigned left)
{
    unsigned most = suit ? hand_count(suits[suit - 1]) : 7;

    if (suit == SUIT_COUNT) {
        hand_t cards = (hand_t)suits[0] | (hand_t)suits[1] << 16 | (hand_t)suits[2] << 32 |
                       (hand_t)suits[3] << 48;

        if (!left)
            seven->visit(seven, turn_suits(cards, (unsigned)seven->visited++), arrangements(suits));
        return;
    }
    for (unsigned n = 0; n <= most && n <= left; n++)
        for (size_t i = 0; i < seven->counts[n]; i++) {
            suits[suit] = seven->masks[n][i];
            if (suit && n == most && suits[suit] > suits[suit - 1])
                break;
            if (left <= n * (SUIT_COUNT - suit))
                each_suit(seven, suits, suit + 1, left - n);
        }
}

static void each_seven_cards(struct seven *seven)
{
    static uint16_t masks[8][0x2000];
    uint16_t suits[SUIT_COUNT];

    for (unsigned n = 0; n < 8; n++) {
        seven->masks[n] = masks[n];
        for (unsigned ranks = 0; ranks < 0x2000; ranks++)
            if (hand_count(ranks) == n)
                masks[n][seven->counts[n]++] = (uint16_t)ranks;
    }
    each_suit(seven, suits, 0, 7);
}

/* The lines of STAX, best first; the ninth is nothing. */
static unsigned stax_line(hand_t cards, unsigned straight_flush)
{
    if (straight_flush >= 6)
        return 7 - straight_flush;
    if (hand_top_suited(cards, 5))
        return 2;
    if (straight_flush == 5)
        return 3;
    if (hand_top_suited(cards, 4))
        return 4;
    if (straight_flush == 4)
        return 5;
    if (hand_top_suited(cards, 3))
        return 6;
    return straight_flush == 3 ? 7 : 8;
}

static void count_line(struct seven *seven, hand_t cards, unsigned weight)
{
    unsigned straight_flush = hand_straight_flush(cards);

    seven->lines[stax_line(cards, straight_flush)] += weight;
    seven->wrong +=
        hand_flush(cards) != naive_flush(cards) || straight_flush != naive_straight_flush(cards);
}

TEST(all_seven_card_hands_fall_on_the_lines_of_stax_as_counted)
{
    static const uint64_t expected[9] = {32,     1592,   4140,    35820,    64860,
                                         611336, 777724, 7865208, 124423848};
    struct seven seven = {.visit = count_line};

    each_seven_cards(&seven);
    CU_ASSERT_EQUAL(seven.wrong, 0);
    for (unsigned line = 0; line < 9; line++)
        CU_ASSERT_EQUAL(seven.lines[line], expected[line]);
}
