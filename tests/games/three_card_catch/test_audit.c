/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/audit/meters.h"
#include "games/audit/suits.h"
#include "tests/support/games/audited.h"
#include "tests/support/games/naive_hand.h"
#include "tests/support/seeded.h"
#include "tests/support/suite.h"

TEST(natural_pair_plus_keeps_what_each_of_its_four_tables_says)
{
    struct audited result;

    audited_sides("three-card-catch", &result);
    CU_ASSERT(audited_edge_is(&result, "natural-pair-plus", "1", 4, "7.7466"));
    CU_ASSERT(audited_edge_is(&result, "natural-pair-plus", "2", 4, "5.9367"));
    CU_ASSERT(audited_edge_is(&result, "natural-pair-plus", "3", 4, "7.2036"));
    CU_ASSERT(audited_edge_is(&result, "natural-pair-plus", "4", 4, "9.1946"));
}

TEST(naturals_are_counted_over_all_three_card_hands)
{
    const struct audit_entry *entry;
    struct audited result;

    audited_sides("three-card-catch", &result);
    entry = audited_find(&result, "natural-pair-plus", "1");
    CU_ASSERT_EQUAL(entry->lines[0].of, 22100);
    CU_ASSERT_EQUAL(audited_combinations(entry, "royal flush"), 4);
    CU_ASSERT_EQUAL(audited_combinations(entry, "straight flush"), 44);
    CU_ASSERT_EQUAL(audited_combinations(entry, "three of a kind"), 52);
    CU_ASSERT_EQUAL(audited_combinations(entry, "straight"), 720);
    CU_ASSERT_EQUAL(audited_combinations(entry, "flush"), 1096);
    CU_ASSERT_EQUAL(audited_combinations(entry, "pair of 8s or better"), 2016);
}

TEST(ace_high_only_makes_no_straight_of_a_2_3)
{
    struct audit_request request;
    struct audited result;

    audit_request_init(&request, game_find("three-card-catch"));
    request.ace_low = false;
    audited_units(&request, 0, 0, &result);
    CU_ASSERT_EQUAL(
        audited_combinations(audited_find(&result, "natural-pair-plus", "1"), "straight"), 660);
    CU_ASSERT_EQUAL(
        audited_combinations(audited_find(&result, "natural-pair-plus", "1"), "straight flush"),
        40);
}

static bool naive_natural(unsigned three)
{
    return three >= naive_three(hand_card(card_make(RANK_EIGHT, SUIT_CLUBS)) |
                                    hand_card(card_make(RANK_EIGHT, SUIT_SPADES)) |
                                    hand_card(card_make(RANK_TWO, SUIT_HEARTS)),
                                true);
}

static int naive_x_tra(unsigned three, bool natural)
{
    static const int pays[] = {[THREE_FLUSH] = 1,
                               [THREE_STRAIGHT] = 2,
                               [THREE_OF_A_KIND] = 10,
                               [THREE_STRAIGHT_FLUSH] = 20};
    unsigned royal = naive_three(HAND_DECK & 0x1c00, true);

    if (natural)
        return 1;
    return three == royal ? 50 : pays[naive_three_category(three)];
}

/* Ante, play and x-tra by table 1. */
static int64_t naive_catch_net(unsigned player, unsigned dealer, bool natural)
{
    if (player == dealer)
        return 0;
    return player > dealer ? 2 + naive_x_tra(player, natural) : -3;
}

static int64_t naive_draws(hand_t player, hand_t dealer, bool ace_low, const unsigned drawn[52])
{
    hand_t left = HAND_DECK & ~player & ~dealer;
    int64_t net = 0;

    for (hand_t d = left; d; d &= d - 1) {
        unsigned three = naive_best_three(dealer | (d & -d), ace_low);

        for (hand_t c = left & ~(d & -d); c; c &= c - 1)
            net += naive_catch_net(drawn[card_index((card_t)__builtin_ctzll(c))], three, false);
    }
    return net;
}

/* What playing a hand nets against every dealer and every two draws. */
static int64_t naive_catch_value(hand_t hand, bool ace_low)
{
    static struct triples triples;
    unsigned own = naive_three(hand, ace_low), drawn[DECK_SIZE] = {0};
    int64_t net = 0;

    triples_init(&triples);
    for (hand_t c = HAND_DECK & ~hand; c; c &= c - 1)
        drawn[card_index((card_t)__builtin_ctzll(c))] = naive_best_three(hand | (c & -c), ace_low);
    for (unsigned i = 0; i < TRIPLE_COUNT; i++) {
        hand_t dealer = triples.hand[i];
        unsigned three = naive_three(dealer, ace_low);

        if (dealer & hand)
            continue;
        if (naive_natural(own) || naive_natural(three))
            net += naive_catch_net(own, three, naive_natural(own)) * 46 * 45;
        else
            net += naive_draws(hand, dealer, ace_low, drawn);
    }
    return net;
}

#ifdef AUDITED_SLOWLY
#define CATCH_SAMPLES 1
#else
#define CATCH_SAMPLES 2
#endif

/* The others, not dealt yet, fold and lose two. */
TEST(a_3_card_catch_hand_is_worth_what_trying_every_draw_says)
{
    static struct suit_class classes[TRIPLE_CLASSES];
    const wide_t all = (wide_t)18424 * 46 * 45;
    struct audit_request request;
    struct audited result;
    uint64_t seed = 5;

    audit_request_init(&request, game_find("three-card-catch"));
    suit_classes(3, classes, TRIPLE_CLASSES);
    for (unsigned i = 0; i < CATCH_SAMPLES; i++) {
        unsigned unit = seeded_below(&seed, TRIPLE_CLASSES), weight = classes[unit].weight;
        wide_t value;

        request.ace_low = i % 2 == 0;
        value = naive_catch_value(classes[unit].hand, request.ace_low);
        if (value < -2 * all)
            value = -2 * all;
        audited_units(&request, unit, unit + 1, &result);
        CU_ASSERT(
            audited_same(audited_find(&result, "ante", "1")->ev,
                         ratio_make(value * weight - 2 * all * (22100 - weight), 22100 * all)));
    }
}

#ifndef AUDITED_SLOWLY

static const struct audited *three_card_catch(bool ace_low)
{
    static struct audited results[2];
    struct audit_request request;

    audit_request_init(&request, game_find("three-card-catch"));
    request.ace_low = ace_low;
    if (!results[ace_low].count)
        audited_whole(&request, NULL, NULL, &results[ace_low]);
    return &results[ace_low];
}

TEST(three_card_catch_keeps_5_9771_percent_by_1_and_4_7478_by_2)
{
    CU_ASSERT(audited_edge_is(three_card_catch(true), "ante", "1", 4, "5.9771"));
    CU_ASSERT(audited_edge_is(three_card_catch(true), "ante", "2", 4, "4.7478"));
}

TEST(three_card_catch_has_standard_deviations_of_3_2877_and_3_1673_antes)
{
    const struct audited *result = three_card_catch(true);

    CU_ASSERT(
        audited_reads(audit_standard_deviation(audited_find(result, "ante", "1")), 4, "3.2877"));
    CU_ASSERT(
        audited_reads(audit_standard_deviation(audited_find(result, "ante", "2")), 4, "3.1673"));
    CU_ASSERT(audited_same(law_mean(&audited_find(result, "ante", "1")->law),
                           audited_find(result, "ante", "1")->ev));
}

TEST(the_rules_of_three_card_catch_are_exact_by_either_table_and_ace)
{
    for (unsigned i = 0; i < 4; i++) {
        const struct audit_entry *entry =
            audited_find(three_card_catch(i % 2), "ante", i / 2 ? "2" : "1");

        CU_ASSERT(audited_same(entry->plays[0].ev, entry->ev));
        CU_ASSERT(ratio_subtract(entry->ev, entry->plays[1].ev).numerator > 0);
    }
}

/* The first meter of the progressive breaks even at $46,380; it keeps 37.4478 % at reseed. */
TEST(the_progressive_of_three_card_catch_breaks_even_where_it_does)
{
    const struct audit_entry *entry = audited_find(three_card_catch(true), "progressive", "1");
    struct audit_meter meters[METERS_MAX];
    struct ratio edge = audit_edge_at_reseed(entry);

    CU_ASSERT_EQUAL_FATAL(audit_meters(entry, meters), 5);
    CU_ASSERT_EQUAL(meters[0].break_even / MICROS_PER_DOLLAR, 46379);
    CU_ASSERT(audited_reads(ratio_make(100 * edge.numerator, edge.denominator), 4, "37.4478"));
}

/* Counted apart from the audit by dealing every drawing dealer beside every hand that plays. */
TEST(the_progressive_counts_catches_of_hands_that_play_and_draw)
{
    const struct audit_entry *entry = audited_find(three_card_catch(true), "progressive", "1");

    CU_ASSERT_EQUAL(audited_combinations(entry, "catch straight"), 47726741700);
    CU_ASSERT_EQUAL(audited_combinations(entry, "catch three of a kind"), 2182512600);
    CU_ASSERT_EQUAL(audited_combinations(entry, "catch straight flush in spades"), 2848585860 / 4);
    CU_ASSERT_EQUAL(audited_combinations(entry, "catch straight flush in clubs"), 2848585860 / 4);
    CU_ASSERT_EQUAL(audited_combinations(entry, "natural royal flush"),
                    (int64_t)3 * 18424 * 46 * 45);
    CU_ASSERT(
        audited_share_is(audited_find(three_card_catch(true), "ante", "1"), "fold", "1.0860"));
}

TEST(three_card_catch_with_the_ace_high_only_keeps_7_3923_and_6_2943_percent)
{
    CU_ASSERT(audited_edge_is(three_card_catch(false), "ante", "1", 4, "7.3923"));
    CU_ASSERT(audited_edge_is(three_card_catch(false), "ante", "2", 4, "6.2943"));
}

#endif
