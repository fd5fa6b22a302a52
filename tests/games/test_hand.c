/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/hand.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/games/naive_hand.h"
#include "tests/support/seeded.h"
#include "tests/support/suite.h"

/* A hand from its text, which the tests write correctly. */
static hand_t hand(const char *text)
{
    card_t cards[8];
    int count = cards_parse(text, strlen(text), cards, 8, NULL);

    CU_ASSERT_TRUE_FATAL(count >= 0);
    return hand_of(cards, (size_t)count);
}

TEST(a_hand_holds_its_cards_suit_by_suit)
{
    hand_t cards = hand("As Td 9h 2c 3c");

    CU_ASSERT_EQUAL(hand_count(cards), 5);
    CU_ASSERT_EQUAL(hand_suit(cards, SUIT_SPADES), 1 << RANK_ACE);
    CU_ASSERT_EQUAL(hand_suit(cards, SUIT_DIAMONDS), 1 << RANK_TEN);
    CU_ASSERT_EQUAL(hand_suit(cards, SUIT_HEARTS), 1 << RANK_NINE);
    CU_ASSERT_EQUAL(hand_suit(cards, SUIT_CLUBS), 1 << RANK_TWO | 1 << RANK_THREE);
    CU_ASSERT_EQUAL(hand_count(HAND_DECK), DECK_SIZE);
    CU_ASSERT_EQUAL(hand_of(NULL, 0), 0);
}

TEST(a_longer_flush_beats_a_higher_one)
{
    CU_ASSERT_TRUE(hand_flush(hand("2c 3c 4c 5c")) > hand_flush(hand("As Ks Qs 2c 3d 4h")));
    CU_ASSERT_EQUAL(flush_length(hand_flush(hand("2c 3c 4c 5c Ad Kd Qd"))), 4);
    CU_ASSERT_EQUAL(flush_ranks(hand_flush(hand("2c 3c 4c 5c Ad Kd Qd"))), 0xf);
}

TEST(flushes_of_one_length_compare_card_by_card_from_the_top)
{
    CU_ASSERT_TRUE(hand_flush(hand("9c 3c 2c")) > hand_flush(hand("8c 7c 6c")));
    CU_ASSERT_TRUE(hand_flush(hand("Ac 3c 2c")) > hand_flush(hand("Kc Qc Jc")));
    CU_ASSERT_TRUE(hand_flush(hand("Ac Kc 3c")) > hand_flush(hand("Ac Kc 2c")));
    CU_ASSERT_EQUAL(hand_flush(hand("Ac Kc 3c")), hand_flush(hand("As Ks 3s")));
}

TEST(of_two_suits_of_equal_length_the_better_ranked_counts)
{
    flush_t nine_high = hand_flush(hand("9d 3d 2d"));

    CU_ASSERT_EQUAL(hand_flush(hand("8c 7c 6c 9d 3d 2d Ah")), nine_high);
    CU_ASSERT_EQUAL(hand_flush(hand("9d 3d 2d 8s 7s 6s Ah")), nine_high);
}

TEST(the_ace_is_high_and_low_in_a_straight_flush)
{
    CU_ASSERT_EQUAL(hand_straight_flush(hand("Ac 2c 3c 4c")), 4);
    CU_ASSERT_EQUAL(hand_straight_flush(hand("Jc Qc Kc Ac")), 4);
    CU_ASSERT_EQUAL(hand_straight_flush(hand("Ac 2c 3c 4c Jc Qc Kc")), 4);
    CU_ASSERT_EQUAL(hand_straight_flush(hand("Ac 2c 3c 4c 5c 6c 7c")), 7);
    CU_ASSERT_EQUAL(hand_straight_flush(hand("8c 9c Tc Jc Qc Kc Ac")), 7);
}

TEST(a_straight_flush_never_goes_round_the_corner)
{
    CU_ASSERT_EQUAL(hand_straight_flush(hand("Kc Ac 2c")), 2);
    CU_ASSERT_EQUAL(hand_straight_flush(hand("Qc Kc Ac 2c")), 3);
    CU_ASSERT_EQUAL(hand_straight_flush(hand("Kc Ac 2c 3c")), 3);
}

TEST(a_straight_flush_never_goes_from_suit_to_suit)
{
    CU_ASSERT_EQUAL(hand_straight_flush(hand("Qc Kc Ac 2d 3d 4d")), 3);
    CU_ASSERT_EQUAL(hand_straight_flush(hand("3c 4c 5c 6d 7d 8d 9h")), 3);
    CU_ASSERT_EQUAL(hand_straight_flush(hand("3c 4d 5c 6d")), 1);
    CU_ASSERT_EQUAL(hand_straight_flush(0), 0);
}

TEST(top_suited_asks_for_the_ace_and_what_is_just_below_it)
{
    CU_ASSERT_TRUE(hand_top_suited(hand("Ah Kh Qh Jh Th"), 5));
    CU_ASSERT_FALSE(hand_top_suited(hand("Ah Kh Qh Jh Td"), 5));
    CU_ASSERT_TRUE(hand_top_suited(hand("Ah Kh Qh Jh Td"), 4));
    CU_ASSERT_FALSE(hand_top_suited(hand("Kh Qh Jh Th 9h"), 3));
    CU_ASSERT_FALSE(hand_top_suited(hand("Ah Kd Qh 2c 2d"), 3));
}

TEST(straight_flushes_of_every_suit_and_length_are_found)
{
    for (unsigned length = 1; length <= 7; length++)
        for (unsigned suit = 0; suit < SUIT_COUNT; suit++)
            for (unsigned low = 0; low < 14 - length; low++) {
                hand_t cards = (hand_t)(((1u << length) - 1) << low) << suit * 16;

                CU_ASSERT_EQUAL(hand_straight_flush(cards), length);
            }
}

TEST(flushes_of_every_suit_and_all_ranks_are_found)
{
    unsigned wrong = 0;

    for (unsigned suit = 0; suit < SUIT_COUNT; suit++)
        for (unsigned ranks = 1; ranks < 0x2000; ranks++)
            if (hand_count(ranks) <= 7)
                wrong +=
                    hand_flush((hand_t)ranks << suit * 16) != flush_make(hand_count(ranks), ranks);
    CU_ASSERT_EQUAL(wrong, 0);
}

#define THREES 22100

/* Every three-card hand, in any order. */
static void all_threes(hand_t hands[THREES])
{
    size_t filled = 0;

    for (unsigned a = 0; a < DECK_SIZE; a++)
        for (unsigned b = 0; b < a; b++)
            for (unsigned c = 0; c < b; c++)
                hands[filled++] = hand_card(card_from_index(a)) | hand_card(card_from_index(b)) |
                                  hand_card(card_from_index(c));
    CU_ASSERT_EQUAL_FATAL(filled, THREES);
}

struct ranking {
    unsigned naive;
    three_t three;
};

static int by_naive(const void *a, const void *b)
{
    const struct ranking *left = a, *right = b;

    return (left->naive > right->naive) - (left->naive < right->naive);
}

static uint64_t misranked(const hand_t *hands, bool ace_low)
{
    static struct ranking rankings[THREES];
    uint64_t wrong = 0;

    for (size_t i = 0; i < THREES; i++)
        rankings[i] =
            (struct ranking){naive_three(hands[i], ace_low), hand_three(hands[i], ace_low)};
    qsort(rankings, THREES, sizeof rankings[0], by_naive);
    for (size_t i = 0; i < THREES; i++)
        wrong += three_category(rankings[i].three) != naive_three_category(rankings[i].naive);
    for (size_t i = 1; i < THREES; i++) {
        const struct ranking *low = &rankings[i - 1], *high = &rankings[i];

        wrong += low->naive == high->naive ? low->three != high->three : low->three >= high->three;
    }
    return wrong;
}

TEST(three_cards_rank_as_the_rules_rank_them)
{
    static hand_t hands[THREES];

    all_threes(hands);
    CU_ASSERT_EQUAL(misranked(hands, true), 0);
    CU_ASSERT_EQUAL(misranked(hands, false), 0);
}

TEST(three_cards_are_counted_as_published)
{
    static hand_t hands[THREES];
    unsigned counts[THREE_STRAIGHT_FLUSH + 1] = {0}, royals = 0, naturals = 0;

    all_threes(hands);
    for (size_t i = 0; i < THREES; i++) {
        three_t three = hand_three(hands[i], true);

        counts[three_category(three)]++;
        royals += three_royal(three);
        naturals += three_natural(three);
    }
    CU_ASSERT_EQUAL(royals, 4);
    CU_ASSERT_EQUAL(counts[THREE_STRAIGHT_FLUSH], 44 + 4);
    CU_ASSERT_EQUAL(counts[THREE_OF_A_KIND], 52);
    CU_ASSERT_EQUAL(counts[THREE_STRAIGHT], 720);
    CU_ASSERT_EQUAL(counts[THREE_FLUSH], 1096);
    CU_ASSERT_EQUAL(naturals, 4 + 44 + 52 + 720 + 1096 + 2016);
}

TEST(a_pair_of_eights_is_natural_and_a_pair_of_sevens_is_not)
{
    CU_ASSERT_TRUE(three_natural(hand_three(hand("8c 8d 2h"), true)));
    CU_ASSERT_FALSE(three_natural(hand_three(hand("7c 7d Ah"), true)));
    CU_ASSERT_FALSE(three_natural(hand_three(hand("Ac Kd Jh"), true)));
    CU_ASSERT_TRUE(three_natural(hand_three(hand("2c 3c 5c"), true)));
}

TEST(only_a_k_q_suited_is_royal)
{
    CU_ASSERT_TRUE(three_royal(hand_three(hand("Ad Kd Qd"), false)));
    CU_ASSERT_FALSE(three_royal(hand_three(hand("Ad Kd Qs"), true)));
    CU_ASSERT_FALSE(three_royal(hand_three(hand("Kd Qd Jd"), true)));
    CU_ASSERT_FALSE(three_royal(hand_three(hand("Ad 2d 3d"), true)));
    CU_ASSERT_TRUE(three_royal(hand_best_three(hand("Ad Kd Qd Jd"), true)));
}

TEST(ace_two_three_is_the_lowest_straight_or_none)
{
    hand_t wheel = hand("Ac 2d 3h");

    CU_ASSERT_EQUAL(three_category(hand_three(wheel, true)), THREE_STRAIGHT);
    CU_ASSERT_TRUE(hand_three(wheel, true) < hand_three(hand("2c 3d 4h"), true));
    CU_ASSERT_EQUAL(three_category(hand_three(wheel, false)), THREE_HIGH_CARD);
    CU_ASSERT_EQUAL(three_category(hand_three(hand("Ac 2c 3c"), false)), THREE_FLUSH);
    CU_ASSERT_EQUAL(three_category(hand_three(hand("Kc Ad 2h"), true)), THREE_HIGH_CARD);
    CU_ASSERT_EQUAL(hand_best_three(hand("Ac 2d 3h 4s"), true), hand_three(hand("2c 3d 4h"), true));
}

/* As if all cards were of one suit. */
static unsigned all_ranks(hand_t cards)
{
    unsigned ranks = 0;

    for (unsigned suit = 0; suit < SUIT_COUNT; suit++)
        ranks |= hand_suit(cards, suit);
    return ranks;
}

TEST(only_ace_two_three_has_an_ace_that_could_be_low)
{
    static hand_t hands[THREES];
    unsigned wrong = 0;

    all_threes(hands);
    for (size_t i = 0; i < THREES; i++) {
        three_t low = hand_three(hands[i], true), high = hand_three(hands[i], false);
        bool is_wheel = all_ranks(hands[i]) == (1 << RANK_ACE | 1 << RANK_TWO | 1 << RANK_THREE);

        wrong += three_ace_low(low) != is_wheel || three_no_ace_low(low);
        wrong += three_no_ace_low(high) != is_wheel || three_ace_low(high);
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

TEST(three_cards_are_named_by_their_category_and_the_royal_flush_by_itself)
{
    CU_ASSERT_STRING_EQUAL(three_name(hand_three(hand("Ac Kd Jh"), true)), "high card");
    CU_ASSERT_STRING_EQUAL(three_name(hand_three(hand("8c 8d 2h"), true)), "pair");
    CU_ASSERT_STRING_EQUAL(three_name(hand_three(hand("2c 3c 5c"), true)), "flush");
    CU_ASSERT_STRING_EQUAL(three_name(hand_three(hand("Ac Kd Qh"), true)), "straight");
    CU_ASSERT_STRING_EQUAL(three_name(hand_three(hand("8c 8d 8h"), true)), "three of a kind");
    CU_ASSERT_STRING_EQUAL(three_name(hand_three(hand("Kc Qc Jc"), true)), "straight flush");
    CU_ASSERT_STRING_EQUAL(three_name(hand_three(hand("Ac Kc Qc"), true)), "royal flush");
}

TEST(the_best_three_of_four_leave_out_the_right_card)
{
    CU_ASSERT_EQUAL(hand_best_three(hand("8c 8d 9h 9s"), true), hand_three(hand("9c 9d 8h"), true));
    CU_ASSERT_EQUAL(hand_best_three(hand("8c 8d 2h As"), true), hand_three(hand("8c 8d Ah"), true));
    CU_ASSERT_EQUAL(hand_best_three(hand("8c 8d 8h 8s"), true), hand_three(hand("8c 8d 8h"), true));
    CU_ASSERT_EQUAL(hand_best_three(hand("9c 7c 5c 3c"), true), hand_three(hand("9c 7c 5c"), true));
    CU_ASSERT_EQUAL(hand_best_three(hand("9d 7c 5c 3c"), true), hand_three(hand("7c 5c 3c"), true));
    CU_ASSERT_EQUAL(hand_best_three(hand("2c 3c 4c 5d"), true), hand_three(hand("2c 3c 4c"), true));
}

/* The best of the four hands that leave one card out. */
static three_t best_of_four(hand_t four, bool ace_low)
{
    three_t best = 0;

    for (hand_t left = four; left; left &= left - 1) {
        three_t three = hand_three(four & ~(left & -left), ace_low);

        best = three > best ? three : best;
    }
    return best;
}

TEST(the_best_three_of_any_four_cards_is_the_best_of_all_threes)
{
    uint64_t hands = 0, wrong = 0;

    for (unsigned a = 0; a < DECK_SIZE; a++)
        for (unsigned b = 0; b < a; b++)
            for (unsigned c = 0; c < b; c++)
                for (unsigned d = 0; d < c; d++) {
                    const card_t cards[] = {card_from_index(a), card_from_index(b),
                                            card_from_index(c), card_from_index(d)};
                    hand_t four = hand_of(cards, 4);

                    hands++;
                    wrong += hand_best_three(four, true) != best_of_four(four, true);
                    wrong += hand_best_three(four, false) != best_of_four(four, false);
                    wrong += three_category(hand_best_three(four, true)) !=
                             naive_three_category(naive_best_three(four, true));
                }
    CU_ASSERT_EQUAL(hands, 270725);
    CU_ASSERT_EQUAL(wrong, 0);
}
