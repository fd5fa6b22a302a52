/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/three_card_catch/three_card_catch.h"

#include <string.h>

#include "tests/support/suite.h"
#include "tests/support/table.h"

#define DOLLARS(n) ((micros_t)(n)*MICROS_PER_DOLLAR)

/* Seat 2 stakes 1000 each on ante and x-tra and plays; draws follow the dealer's packet. */
static struct table played(const char *packets)
{
    struct table table;

    table_open(&table, game_find("three-card-catch"));
    table_seat(&table, 2, "ante 1000 x-tra 1000", "play");
    table_deal(&table, packets);
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    return table;
}

static bool nets(const struct table *table, cents_t ante, cents_t x_tra, cents_t play)
{
    const struct seat_result *seat = &table->result.seat[2];

    return seat->net[CATCH_ANTE] == ante && seat->net[CATCH_X_TRA] == x_tra &&
           seat->net[CATCH_PLAY] == play && seat->total == ante + x_tra + play;
}

static const char *seat_hand(const struct table *table)
{
    return table->result.seat[2].held.hand;
}

TEST(a_pair_of_eights_is_a_natural_and_a_pair_of_sevens_draws)
{
    struct table table = played("8c 8d 2h, Kc Qd 2s");

    CU_ASSERT_EQUAL(table.result.seat[2].held.card_count, 3);
    CU_ASSERT_EQUAL(table.result.dealer.card_count, 3);
    CU_ASSERT(nets(&table, 1000, 1000, 1000));
    table = played("7c 7d Ah, Kc Qd 2s, 3c, 4c");
    CU_ASSERT_EQUAL(table.result.seat[2].held.card_count, 4);
    CU_ASSERT_EQUAL(table.result.seat[2].held.cards[3], card_make(RANK_THREE, SUIT_CLUBS));
    CU_ASSERT_EQUAL(table.result.dealer.cards[3], card_make(RANK_FOUR, SUIT_CLUBS));
    CU_ASSERT(nets(&table, 1000, 0, 1000));
}

TEST(a_dealer_natural_ends_the_deal_for_everyone)
{
    struct table table = played("7c 7d Ah, 8c 8h 2s");

    CU_ASSERT_STRING_EQUAL(table.result.dealer.hand, "pair");
    CU_ASSERT_STRING_EQUAL(seat_hand(&table), "pair");
    CU_ASSERT(nets(&table, -1000, -1000, -1000));
    table_deal(&table, "7c 7d Ah, 8c 8h 2s, 3c");
    CU_ASSERT(table_refuses(&table, "packet 3 is one too many"));
}

TEST(natural_against_natural_is_compared_on_three_cards)
{
    struct table table = played("9c 9d 2h, 8c 8h As");

    CU_ASSERT(nets(&table, 1000, 1000, 1000));
    table = played("8d 8s Kh, 8c 8h As");
    CU_ASSERT(nets(&table, -1000, -1000, -1000));
    table = played("8d 8s Ah, 8c 8h As");
    CU_ASSERT(nets(&table, 0, 0, 0));
}

TEST(a_player_natural_is_settled_against_the_dealers_first_three_cards)
{
    struct table table;

    table_open(&table, game_find("three-card-catch"));
    table_seat(&table, 1, "ante 1000 x-tra 1000", "play");
    table_seat(&table, 2, "ante 1000 x-tra 1000", "play");
    /* The dealer catches three of a kind, too late for seat 2's natural. */
    table_deal(&table, "2c 5d 9h, 8c 8d 3h, 7c 7d Ks, 3d, 7h");
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    CU_ASSERT_STRING_EQUAL(table.result.dealer.hand, "three of a kind");
    CU_ASSERT(nets(&table, 1000, 1000, 1000));
    CU_ASSERT_EQUAL(table.result.seat[1].total, -3000);
}

TEST(the_draws_go_clockwise_and_the_dealer_is_last)
{
    struct table table;

    table_open(&table, game_find("three-card-catch"));
    table_seat(&table, 1, "ante 1000 x-tra 1000", "play");
    table_seat(&table, 3, "ante 1000 x-tra 1000", "fold");
    table_seat(&table, 4, "ante 1000 x-tra 1000", "play");
    table_seat(&table, 7, "ante 1000 x-tra 1000", "play");
    table_deal(&table, "2c 5d 9h, 2d 5h 9s, As Ad 3h, 2h 6s Ts, 4c 7d Ks, Qc, Qd, Qh");
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    CU_ASSERT_EQUAL(table.result.seat[1].held.cards[3], card_make(RANK_QUEEN, SUIT_CLUBS));
    CU_ASSERT_EQUAL(table.result.seat[3].held.card_count, 3);
    CU_ASSERT_EQUAL(table.result.seat[4].held.card_count, 3);
    CU_ASSERT_EQUAL(table.result.seat[7].held.cards[3], card_make(RANK_QUEEN, SUIT_DIAMONDS));
    CU_ASSERT_EQUAL(table.result.dealer.cards[3], card_make(RANK_QUEEN, SUIT_HEARTS));
    CU_ASSERT_STRING_EQUAL(table.result.dealer.hand, "high card");
}

TEST(the_dealer_does_not_draw_when_no_player_does)
{
    struct table table;

    table_open(&table, game_find("three-card-catch"));
    table_seat(&table, 1, "ante 1000 x-tra 1000", "fold");
    table_seat(&table, 2, "ante 1000 x-tra 1000", "play");
    table_deal(&table, "2c 5d 9h, 8c 8d 3h, 7c 7d Ks");
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    CU_ASSERT_EQUAL(table.result.dealer.card_count, 3);
    table_deal(&table, "2c 5d 9h, 8c 8d 3h, 7c 7d Ks, 2h");
    CU_ASSERT(table_refuses(&table, "packet 4 is one too many"));
}

TEST(a_fold_loses_ante_and_x_tra_and_draws_nothing)
{
    struct table table;

    table_open(&table, game_find("three-card-catch"));
    table_seat(&table, 2, "ante 1000 x-tra 1000", "fold");
    table_deal(&table, "As Ks Qs, 2c 5d 9h");
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    CU_ASSERT_STRING_EQUAL(seat_hand(&table), "royal flush");
    CU_ASSERT(nets(&table, -1000, -1000, 0));
    CU_ASSERT_EQUAL(table.result.seat[2].made, 1 << CATCH_ANTE | 1 << CATCH_X_TRA);
}

TEST(a_higher_hand_wins_a_lower_one_loses_and_a_tie_pushes)
{
    struct table table = played("2c 5d 9h, 3c 6h Ts, Ah, Kh");

    CU_ASSERT(nets(&table, 1000, 0, 1000));
    table = played("2c 5d 9h, 3c 6h Ts, Kh, Ah");
    CU_ASSERT(nets(&table, -1000, -1000, -1000));
    /* A-9-5 and A-9-5: the fourth card plays no part. */
    table = played("2c 5d 9h, 3c 5h 9s, Ah, As");
    CU_ASSERT(nets(&table, 0, 0, 0));
}

TEST(kickers_decide_between_equal_pairs_and_high_cards)
{
    struct table table = played("7c 7d Kh, 7h 7s Qs, 2c, 3c");

    CU_ASSERT(nets(&table, 1000, 0, 1000));
    table = played("2c 9d Kh, 3c 8h Ks, 4d, 5d");
    CU_ASSERT(nets(&table, 1000, 0, 1000));
    table = played("2c 9d Kh, 3c 9h Ks, 4d, 5d");
    CU_ASSERT(nets(&table, -1000, -1000, -1000));
}

static cents_t x_tra(const char *paytable, const char *packets)
{
    struct table table;

    table_open(&table, game_find("three-card-catch"));
    table_choose(&table, "x-tra", paytable);
    table_seat(&table, 2, "ante 1000 x-tra 1000", "play");
    table_deal(&table, packets);
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    return table_net(&table, 2, "x-tra");
}

TEST(x_tra_pays_a_winning_catch_and_any_winning_natural)
{
    static const struct {
        const char *packets;
        cents_t one, two;
    } lines[] = {
        {"As Ks 2d, 3c 6h Ts, Qs, 4d", 50000, 50000}, {"Js Ks 2d, 3c 6h Ts, Qs, 4d", 20000, 10000},
        {"As 2s 7d, 3c 6h Ts, 3s, 4d", 20000, 10000}, {"7s 7c 2d, 3c 6h Ts, 7h, 4d", 10000, 6000},
        {"Js Kc 2d, 3c 6h Ts, Qs, 4d", 2000, 3000},   {"As 2c 7d, 3c 6h Ts, 3s, 4d", 2000, 3000},
        {"7s 7c 8d, 3c 6h Ts, 9h, 4d", 2000, 3000},   {"Js 3s 2d, 3c 6h Ts, 9s, 4d", 1000, 1000},
        {"7s 7c Ks, 3c 6h Ts, 2s, 4d", 1000, 1000},   {"As Ks Qs, 3c 6h Ts", 1000, 1000},
        {"8s 8c 2d, 3c 6h Ts", 1000, 1000},           {"Js 3s 2d, 3c 6h Ts, Jh, 4d", 0, 0},
        {"7s 7c 2d, 3c 6h Ts, Jh, 4d", 0, 0},         {"As Ks 2d, 3c 6h Ts, 9h, 4d", 0, 0},
    };

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        CU_ASSERT_EQUAL(x_tra("1", lines[i].packets), lines[i].one);
        CU_ASSERT_EQUAL(x_tra("2", lines[i].packets), lines[i].two);
    }
}

TEST(x_tra_loses_with_a_beaten_catch_and_pushes_with_a_tied_one)
{
    CU_ASSERT_EQUAL(x_tra("1", "Js Kc 2d, Ks Ad 4c, Qs, Qh"), -1000);
    CU_ASSERT_EQUAL(x_tra("1", "Js Kc 2d, Ks Jd 4c, Qs, Qh"), 0);
}

TEST(of_a_caught_straight_and_a_caught_flush_the_straight_counts)
{
    /* 5-6-7, and 5-6-9 of spades. */
    CU_ASSERT_EQUAL(x_tra("1", "5s 9s 7d, 3c Kh Td, 6s, 4d"), 2000);
    CU_ASSERT_EQUAL(x_tra("1", "5s 9s 8d, 3c Kh Td, 6s, 4d"), 1000);
}

static bool catches(const char *first, const char *draw)
{
    card_t cards[4];
    struct catch_hand hand;

    CU_ASSERT_EQUAL(cards_parse(first, strlen(first), cards, 3, NULL), 3);
    CU_ASSERT_EQUAL(cards_parse(draw, strlen(draw), cards + 3, 1, NULL), 1);
    hand = catch_hand_make(cards, 4, true);
    return catch_made(&hand);
}

TEST(a_catch_is_a_draw_that_improved_the_hand_to_a_pair_or_better)
{
    CU_ASSERT(catches("2c 9d Kh", "Kc"));
    CU_ASSERT(catches("7c 7d 2h", "7s"));
    CU_ASSERT_FALSE(catches("2c 9d Kh", "Ac"));
    CU_ASSERT_FALSE(catches("2c 9d Kh", "3c"));
    CU_ASSERT_FALSE(catches("7c 7d Kh", "2c"));
}

static cents_t pair_plus(const char *paytable, const char *decisions, const char *packets)
{
    struct table table;

    table_open(&table, game_find("three-card-catch"));
    table_choose(&table, "natural-pair-plus", paytable);
    table_seat(&table, 2, "ante 1000 x-tra 1000 natural-pair-plus 100", decisions);
    table_deal(&table, packets);
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    return table_net(&table, 2, "natural-pair-plus");
}

TEST(natural_pair_plus_pays_the_first_three_cards_by_its_table)
{
    static const char *const tables[] = {"1", "2", "3", "4"};
    static const struct {
        const char *packets;
        cents_t odds[4];
    } lines[] = {
        {"Ah Kh Qh, 3c 6h Ts", {100, 200, 200, 200}}, {"Kh Qh Jh, 3c 6h Ts", {40, 40, 50, 40}},
        {"Ah 2h 3h, 3c 6h Ts", {40, 40, 50, 40}},     {"2h 2d 2s, 3c 6h Ts", {30, 30, 30, 30}},
        {"Kh Qh Jd, 3c 6h Ts", {6, 6, 5, 5}},         {"Ah 2h 3d, 3c 6h Ts", {6, 6, 5, 5}},
        {"Kh Ah 2h, 3c 6h Ts", {4, 4, 4, 4}},         {"8h 8d 2s, 3c 6h Ts", {2, 2, 2, 2}},
    };

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        for (size_t j = 0; j < 4; j++) {
            CU_ASSERT_EQUAL(pair_plus(tables[j], "play", lines[i].packets), lines[i].odds[j] * 100);
            CU_ASSERT_EQUAL(pair_plus(tables[j], "fold", lines[i].packets), lines[i].odds[j] * 100);
        }
}

TEST(natural_pair_plus_loses_below_a_pair_of_eights_whatever_is_caught)
{
    CU_ASSERT_EQUAL(pair_plus("1", "play", "7h 7d Ks, 3c 6h Ts, 7s, 4d"), -100);
    CU_ASSERT_EQUAL(pair_plus("1", "fold", "7h 7d Ks, 3c 6h Ts"), -100);
    CU_ASSERT_EQUAL(pair_plus("1", "fold", "Kh Ad 2s, 3c 6h Ts"), -100);
}

TEST(natural_pair_plus_pays_against_a_better_dealer)
{
    CU_ASSERT_EQUAL(pair_plus("1", "play", "8h 8d Ks, 3c 3h 3s"), 200);
}

/* What seat 2 nets on the progressive once the meters are paid. */
static cents_t progressive(const char *decisions, const char *packets, struct table *table)
{
    table_open(table, game_find("three-card-catch"));
    table_seat(table, 2, "ante 1000 x-tra 1000 progressive 500", decisions);
    table_deal(table, packets);
    CU_ASSERT_EQUAL_FATAL(table_settle(table), 0);
    return table_net(table, 2, "progressive");
}

TEST(the_progressive_pays_cash_and_keeps_the_stake)
{
    static const struct {
        const char *packets;
        cents_t pays;
    } lines[] = {
        {"Ah Kh Qh, 3c 6h Ts", 100000},
        {"Ac Kc Qc, 3c 6h Ts", 100000},
        {"Kh Qh Jh, 3c 6h Ts", 10000},
        {"As 2s 3s, 3c 6h Ts", 10000},
        {"2h 2d 2s, 3c 6h Ts", 7500},
        {"7h 7d 2s, 3c 6h Ts, 7c, 4d", 5000},
        {"Kh Qd 2s, 3c 6h Ts, Jc, 4d", 2500},
        {"Ah 2d 9s, 3c 6h Ts, 3s, 4d", 2500},
        {"Kh 2h 9s, 3c 6h Ts, 5h, 4d", 0},
        {"Kh Qh 9h, 3c 6h Ts", 0},
        {"Kh Qd Jh, 3c 6h Ts", 0},
        {"8h 8d 2s, 3c 6h Ts", 0},
        {"7h 7d 2s, 3c 6h Ts, 2d, 4d", 0},
    };
    struct table table;

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        CU_ASSERT_EQUAL(progressive("play", lines[i].packets, &table), lines[i].pays - 500);
        CU_ASSERT_EQUAL(table.result.award_count, 0);
    }
}

TEST(a_caught_straight_flush_wins_the_meter_of_its_suit)
{
    static const struct {
        const char *packets;
        uint8_t meter;
    } lines[] = {
        {"Ks Qs 2d, 3c 6h Td, Js, 4d", 1}, {"Kd Qd 2s, 3c 6h Ts, Jd, 4d", 2},
        {"Kh Qh 2s, 3c 6d Ts, Jh, 4d", 3}, {"Kc Qc 2s, 3c 6h Ts, Jc, 4d", 4},
        {"As Ks 2d, 3c 6h Td, Qs, 4d", 1}, {"Ac Kc 2d, 3c 6h Td, Qc, 4d", 4},
        {"Ad 2d Ts, 3c 6h Td, 3d, 4d", 2},
    };
    struct table table;

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        CU_ASSERT_EQUAL(progressive("play", lines[i].packets, &table), 25000 - 500);
        CU_ASSERT_EQUAL_FATAL(table.result.award_count, 1);
        CU_ASSERT_EQUAL(table.result.awards[0].meter, lines[i].meter);
        CU_ASSERT_EQUAL(table.result.awards[0].seat, 2);
    }
}

TEST(a_natural_royal_in_spades_wins_the_first_meter_also_folded_or_beaten)
{
    struct table table;

    CU_ASSERT_EQUAL(progressive("play", "As Ks Qs, 3c 6h Ts", &table), 500000 - 500);
    CU_ASSERT_EQUAL(table.result.awards[0].meter, 0);
    CU_ASSERT_EQUAL(progressive("fold", "As Ks Qs, 3c 6h Ts", &table), 500000 - 500);
    CU_ASSERT_EQUAL(progressive("play", "As Ks Qs, Ac Kc Qc", &table), 500000 - 500);
    CU_ASSERT_EQUAL(table.result.seat[2].net[CATCH_ANTE], 0);
}

TEST(naturals_pay_the_progressive_against_a_dealer_natural_too)
{
    struct table table;

    CU_ASSERT_EQUAL(progressive("play", "2h 2d 2s, 3c 3h 3s", &table), 7500 - 500);
    CU_ASSERT_EQUAL(progressive("fold", "Kh Qh Jh, 3c 3h 3s", &table), 10000 - 500);
}

TEST(all_five_meters_take_their_share_of_each_wager)
{
    struct table table;

    progressive("play", "8h 8d 2s, 3c 6h Ts", &table);
    CU_ASSERT_EQUAL(table_meter(&table, "1"), DOLLARS(5000) + 250000);
    CU_ASSERT_EQUAL(table_meter(&table, "2"), DOLLARS(250) + 200000);
    CU_ASSERT_EQUAL(table_meter(&table, "3"), DOLLARS(250) + 200000);
    CU_ASSERT_EQUAL(table_meter(&table, "4"), DOLLARS(250) + 200000);
    CU_ASSERT_EQUAL(table_meter(&table, "5"), DOLLARS(250) + 200000);
}

static cents_t meter_pay(enum rounding rounding, micros_t value)
{
    struct table table;

    table_open(&table, game_find("three-card-catch"));
    CU_ASSERT_EQUAL(table.setup.rounding, ROUNDING_UP);
    table.setup.rounding = rounding;
    game_meters_init(&table.setup, &table.meters);
    CU_ASSERT_EQUAL(meters_open(&table.meters, "2", value, NULL), 0);
    table_seat(&table, 2, "ante 1000 x-tra 1000 progressive 500", "play");
    table_deal(&table, "Ks Qs 2d, 3c 6h Td, Js, 4d");
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    CU_ASSERT_EQUAL(table_meter(&table, "2"), DOLLARS(250) + 200000);
    return table.result.awards[0].pays;
}

TEST(a_meter_is_rounded_up_or_to_the_nearest_dollar_and_goes_to_its_reset_value)
{
    CU_ASSERT_EQUAL(meter_pay(ROUNDING_UP, 300200000), 30100);
    CU_ASSERT_EQUAL(meter_pay(ROUNDING_UP, 300000000), 30000);
    CU_ASSERT_EQUAL(meter_pay(ROUNDING_NEAREST, 300200000), 30000);
    CU_ASSERT_EQUAL(meter_pay(ROUNDING_NEAREST, 300500000), 30100);
    CU_ASSERT_EQUAL(meter_pay(ROUNDING_NEAREST, 300499999), 30000);
}

TEST(with_the_ace_high_only_ace_two_three_is_no_straight_and_no_natural)
{
    struct table table;

    table_open(&table, game_find("three-card-catch"));
    table.setup.ace_low = false;
    table_seat(&table, 2, "ante 1000 x-tra 1000 natural-pair-plus 100", "play");
    table_deal(&table, "Ac 2d 3h, 4c 6h Ts, 9c, 8c");
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    CU_ASSERT_STRING_EQUAL(seat_hand(&table), "high card");
    CU_ASSERT_EQUAL(table_net(&table, 2, "natural-pair-plus"), -100);
    /* In one suit it is still a flush, and a flush is a natural. */
    table_deal(&table, "Ac 2c 3c, 4c 6h Ts");
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    CU_ASSERT_STRING_EQUAL(seat_hand(&table), "flush");
    CU_ASSERT_EQUAL(table_net(&table, 2, "natural-pair-plus"), 400);
    table.setup.ace_low = true;
    table_deal(&table, "Ac 2d 3h, 4c 6h Ts");
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    CU_ASSERT_STRING_EQUAL(seat_hand(&table), "straight");
    table_deal(&table, "Kc Ad 2h, 4c 6h Ts, 9c, 8c");
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    CU_ASSERT_STRING_EQUAL(seat_hand(&table), "high card");
}

TEST(from_the_hand_cards_and_draws_come_one_by_one)
{
    struct table table;

    table_open(&table, game_find("three-card-catch"));
    table.setup.deal = DEAL_CARDS;
    table_seat(&table, 2, "ante 1000 x-tra 1000", "play");
    table_seat(&table, 5, "ante 1000 x-tra 1000", "play");
    table_deal(&table, "2c 3d 4h 5d 6h 7c 9h Ts Jd 2d 3h 4s");
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    CU_ASSERT_STRING_EQUAL(seat_hand(&table), "pair");
    CU_ASSERT_STRING_EQUAL(table.result.seat[5].held.hand, "pair");
    CU_ASSERT_STRING_EQUAL(table.result.dealer.hand, "pair");
    CU_ASSERT_EQUAL(table.result.seat[2].held.cards[1], card_make(RANK_FIVE, SUIT_DIAMONDS));
    table.round.packet_count--;
    table.round.dealt_count--;
    CU_ASSERT(table_refuses(&table, "card 12 is missing: 1 card for the dealer"));
}

/* All 22,100 first hands; the counts are those of three-card poker. */
TEST(natural_pair_plus_lines_hit_as_often_as_counting_says)
{
    static const unsigned expected[] = {4, 44, 52, 720, 1096, 2016};
    unsigned hits[NATURAL_PAIR_PLUS_LINES] = {0}, hands = 0;

    for (unsigned a = 0; a < DECK_SIZE; a++)
        for (unsigned b = 0; b < a; b++)
            for (unsigned c = 0; c < b; c++) {
                card_t cards[] = {card_from_index(a), card_from_index(b), card_from_index(c)};
                lines_t lines = catch_natural_pair_plus_lines(hand_three(hand_of(cards, 3), true));

                hands++;
                if (lines)
                    hits[__builtin_ctz(lines)]++;
            }
    CU_ASSERT_EQUAL(hands, 22100);
    CU_ASSERT_EQUAL(memcmp(hits, expected, sizeof hits), 0);
}
