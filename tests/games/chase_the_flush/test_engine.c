/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/chase_the_flush/chase_the_flush.h"

#include <string.h>

#include "tests/support/suite.h"
#include "tests/support/table.h"

#define DOLLARS(n) ((micros_t)(n)*MICROS_PER_DOLLAR)

/* Seat 2 stakes 1000 each on ante and x-tra and plays to the end with `decisions`. */
static struct table played(const char *decisions, const char *packets)
{
    struct table table;

    table_open(&table, game_find("chase-the-flush"));
    table_seat(&table, 2, "ante 1000 x-tra 1000", decisions);
    table_deal(&table, packets);
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    return table;
}

static bool nets(const struct table *table, cents_t ante, cents_t x_tra, cents_t all_in)
{
    const struct seat_result *seat = &table->result.seat[2];

    return seat->net[CHASE_ANTE] == ante && seat->net[CHASE_X_TRA] == x_tra &&
           seat->net[CHASE_ALL_IN] == all_in && seat->total == ante + x_tra + all_in;
}

TEST(an_all_in_bet_is_three_two_or_one_antes_by_when_it_is_made)
{
    /* 5-card flush over a dealer with K high, 3 cards. */
    const char *deal = "As Ks 2d, 9h Kh Qd, 3s 4s 5s 7h";
    struct table table = played("bet", deal);

    CU_ASSERT_EQUAL(table_net(&table, 2, "all-in"), 3000);
    table = played("check bet", deal);
    CU_ASSERT_EQUAL(table_net(&table, 2, "all-in"), 2000);
    table = played("check check bet", deal);
    CU_ASSERT_EQUAL(table_net(&table, 2, "all-in"), 1000);
    table = played("check all-in", deal);
    CU_ASSERT_EQUAL(table_net(&table, 2, "all-in"), 2000);
}

TEST(the_dealer_qualifies_with_a_three_card_flush_nine_high)
{
    /* Board 2h 4h Tc Jd; the dealer's third heart decides. */
    struct table table = played("bet", "Ac Kc 3s, 9h 3c 5d, 2h 4h Tc Jd");

    CU_ASSERT_STRING_EQUAL(table.result.dealer.hand, "3-card flush");
    CU_ASSERT(table.result.qualifies);
    CU_ASSERT(nets(&table, 1000, 0, 3000));
    table = played("bet", "Ac Kc 3s, 8h 3c 5d, 2h 4h Tc Jd");
    CU_ASSERT_STRING_EQUAL(table.result.dealer.hand, "3-card flush");
    CU_ASSERT_FALSE(table.result.qualifies);
    CU_ASSERT(nets(&table, 0, 0, 3000));
}

TEST(any_four_card_flush_qualifies_and_no_two_card_flush_does)
{
    CU_ASSERT(chase_qualifies(hand_flush(table_hand("2h 3h 4h 5h Ac Kd Qs"))));
    CU_ASSERT_FALSE(chase_qualifies(hand_flush(table_hand("Ah Kh Ad Kd Ac Kc As"))));
    CU_ASSERT(chase_qualifies(hand_flush(table_hand("9h 3h 2h Ad Kd Ac Kc"))));
    CU_ASSERT_FALSE(chase_qualifies(hand_flush(table_hand("8h 7h 6h Ad Kd Ac Kc"))));
}

TEST(a_losing_hand_loses_all_but_an_ante_that_an_unqualified_dealer_returns)
{
    struct table table = played("check bet", "2c 3d 5s, Kh 3c 5d, 2h 4h Tc Jd");

    CU_ASSERT(table.result.qualifies);
    CU_ASSERT(nets(&table, -1000, -1000, -2000));
    /* Dealer: three hearts 8 high; player: two cards. */
    table = played("check bet", "2c 3d 5s, 8h 3c 5d, 2h 4h Tc Jd");
    CU_ASSERT_FALSE(table.result.qualifies);
    CU_ASSERT(nets(&table, 0, -1000, -2000));
}

TEST(against_an_unqualified_dealer_the_higher_flush_still_wins)
{
    /* Three hearts each, 4-2 on the board: 7 against 8, then 8 against 7. */
    struct table table = played("bet", "7h 3d 5s, 8h 3c 5d, 2h 4h Tc Jd");

    CU_ASSERT(nets(&table, 0, -1000, -3000));
    table = played("bet", "8h 3d 5s, 7h 3c 5d, 2h 4h Tc Jd");
    CU_ASSERT(nets(&table, 0, 0, 3000));
}

TEST(a_longer_flush_beats_a_higher_one)
{
    struct table table = played("bet", "2c 3c 5s, Ah Kd Qd, 4c 6c Jh Th");

    CU_ASSERT_STRING_EQUAL(table.result.seat[2].held.hand, "4-card flush");
    CU_ASSERT_STRING_EQUAL(table.result.dealer.hand, "3-card flush");
    CU_ASSERT(nets(&table, 1000, 0, 3000));
}

TEST(equal_lengths_are_compared_card_by_card_from_the_top)
{
    /* Board Ah Kh 5h 9c: both hold four hearts, 7 against 6 in the third place. */
    struct table table = played("bet", "7h 2c 3d, 6h 2d 3s, Ah Kh 5h 9c");

    CU_ASSERT(nets(&table, 1000, 0, 3000));
    table = played("bet", "6h 2c 3d, 7h 2d 3s, Ah Kh 5h 9c");
    CU_ASSERT(nets(&table, -1000, -1000, -3000));
    /* The last card decides: 3 against 2 below A-K-5. */
    table = played("bet", "3h 2c 4d, 2h 2d 3s, Ah Kh 5h 9c");
    CU_ASSERT(nets(&table, 1000, 0, 3000));
}

TEST(equal_on_every_card_is_a_tie_and_everything_pushes)
{
    struct table table = played("bet", "2c 3d 4s, 2d 3s 4c, Ah Kh 5h 9h");

    CU_ASSERT(table.result.qualifies);
    CU_ASSERT(nets(&table, 0, 0, 0));
    /* Two flushes of one rank set in two suits tie as well, and without a qualifying dealer. */
    table = played("bet", "8s 4s 6c, 8d 4d 6h, 2s 2d Jc Qh");
    CU_ASSERT_FALSE(table.result.qualifies);
    CU_ASSERT(nets(&table, 0, 0, 0));
    CU_ASSERT_EQUAL(table.result.seat[2].made,
                    1 << CHASE_ANTE | 1 << CHASE_X_TRA | 1 << CHASE_ALL_IN);
}

TEST(of_two_suits_of_equal_length_the_better_ranked_counts)
{
    /* Player: hearts A-6-2 and spades K-Q-J; dealer: diamonds A-5-4 and hearts 9-6-2. */
    struct table table = played("bet", "Ah Ks 3c, Ad 5d 9h, 2h 6h Qs Js");

    CU_ASSERT_STRING_EQUAL(table.result.seat[2].held.hand, "3-card flush");
    CU_ASSERT(nets(&table, 1000, 0, 3000));
}

TEST(a_straight_flush_means_nothing_against_the_dealer)
{
    /* 5-4-3-2 in sequence against A-10-5-4. */
    struct table table = played("bet", "2h 3h Kd, Ah Th Qd, 4h 5h 7c 9c");

    CU_ASSERT_STRING_EQUAL(table.result.seat[2].held.hand, "4-card flush");
    CU_ASSERT_STRING_EQUAL(table.result.dealer.hand, "4-card flush");
    CU_ASSERT(nets(&table, -1000, -1000, -3000));
}

TEST(a_fold_loses_ante_and_x_tra_whether_the_dealer_qualifies_or_not)
{
    struct table table = played("check check fold", "Ac Kc 3s, 9h 3c 5d, 2h 4h Tc Jd");

    CU_ASSERT(table.result.qualifies);
    CU_ASSERT(nets(&table, -1000, -1000, 0));
    CU_ASSERT_EQUAL(table.result.seat[2].made, 1 << CHASE_ANTE | 1 << CHASE_X_TRA);
    table = played("check check fold", "Ac Kc 3s, 8h 3c 5d, 2h 4h Tc Jd");
    CU_ASSERT_FALSE(table.result.qualifies);
    CU_ASSERT(nets(&table, -1000, -1000, 0));
}

static cents_t x_tra(const char *paytable, const char *packets)
{
    struct table table;

    table_open(&table, game_find("chase-the-flush"));
    table_choose(&table, "x-tra", paytable);
    table_seat(&table, 2, "ante 1000 x-tra 1000", "bet");
    table_deal(&table, packets);
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    return table_net(&table, 2, "x-tra");
}

TEST(x_tra_pays_a_winning_flush_by_its_length)
{
    static const struct {
        const char *packets;
        cents_t a, b;
    } lines[] = {
        {"2h 4h 6h, Ac Kd Qs, 8h Th Qh Ah", 250000, 400000},
        {"2h 4h 6h, Ac Kd Qs, 8h Th Qh 3c", 20000, 70000},
        {"2h 4h 6h, Ac Kd Qs, 8h Th 3d 3c", 5000, 7000},
        {"2h 4h 6h, Ac Kd Qs, 8h Ts 3d 3c", 1000, 0},
        {"2h 4h 6d, Ac Kd Qs, 8h Ts 3d 3c", 0, 0},
    };

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        CU_ASSERT_EQUAL(x_tra("A", lines[i].packets), lines[i].a);
        CU_ASSERT_EQUAL(x_tra("B", lines[i].packets), lines[i].b);
    }
    CU_ASSERT_EQUAL(chase_x_tra_lines(flush_make(4, 0x000f)), line_bit(3));
    CU_ASSERT_EQUAL(chase_x_tra_lines(flush_make(3, 0x1c00)), 0);
}

TEST(x_tra_pays_nothing_for_a_long_flush_that_is_beaten_or_tied)
{
    CU_ASSERT_EQUAL(x_tra("A", "2h 4h 6s, 3h Kh Qs, 8h Th Qh 3c"), -1000);
    CU_ASSERT_EQUAL(x_tra("A", "2s 4s 6s, 3d Kd Qs, 8h Th Qh Ah"), 0);
}

static cents_t same_suit(const char *paytable, const char *decisions, const char *packets)
{
    struct table table;

    table_open(&table, game_find("chase-the-flush"));
    table_choose(&table, "same-suit", paytable);
    table_seat(&table, 2, "ante 1000 x-tra 1000 same-suit 100", decisions);
    table_deal(&table, packets);
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    return table_net(&table, 2, "same-suit");
}

TEST(same_suit_pays_its_lines_with_or_without_a_fold)
{
    static const struct {
        const char *packets;
        cents_t a, b;
    } lines[] = {
        {"5h 6h 7h, Ac Kd Qs, 8h 9h Th Jh", 200000, 50000},
        {"5h 6h 7h, Ac Kd Qs, 8h 9h Th 2c", 200000, 50000},
        {"5h 6h 7h, Ac Kd Qs, 8h 9h 2s 2c", 10000, 50000},
        {"5h 6h 7h, Ac Kd Qs, 8h Js 2s 2c", 2000, 2000},
        {"2h 4h 6h, Ac Kd Qs, 8h Th Qh Ah", 30000, 40000},
        {"2h 4h 6h, Ac Kd Qs, 8h Th Qh 3c", 5000, 5000},
        {"2h 4h 6h, Ac Kd Qs, 8h Th 3d 3c", 1000, 500},
        {"2h 4h 6h, Ac Kd Qs, 8h Ts 3d 3c", 100, 100},
        {"2h 4h 6d, Ac Kd Qs, 8h Ts 3d 3c", -100, -100},
    };

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        CU_ASSERT_EQUAL(same_suit("A", "bet", lines[i].packets), lines[i].a);
        CU_ASSERT_EQUAL(same_suit("B", "bet", lines[i].packets), lines[i].b);
        CU_ASSERT_EQUAL(same_suit("B", "check check fold", lines[i].packets), lines[i].b);
    }
}

TEST(same_suit_pays_the_better_of_flush_and_straight_flush)
{
    const char *both = "2h 3h 4h, Ac Kd Qs, 5h 6h 9h Jh";

    CU_ASSERT_EQUAL(same_suit("A", "bet", both), 30000);
    CU_ASSERT_EQUAL(same_suit("B", "bet", both), 50000);
}

TEST(same_suit_and_stax_count_the_ace_low_but_not_round_the_corner)
{
    CU_ASSERT_EQUAL(same_suit("B", "bet", "Ah 2h 3h, Ac Kd Qs, 4h 9s Tc Jc"), 2000);
    CU_ASSERT_EQUAL(same_suit("B", "bet", "Kh Ah 2h, Ac Kd Qs, 3h 9s Tc Jc"), 100);
    CU_ASSERT_EQUAL(chase_stax_lines(table_hand("Ah 2h 3h 9c 9d 9s Tc")),
                    line_bit(STAX_STRAIGHT_FLUSH_3));
    CU_ASSERT_EQUAL(chase_stax_lines(table_hand("Kh Ah 2h 9c 9d 9s Tc")), 0);
}

/* What seat 2 nets on stax after the meters are paid. */
static cents_t stax(const char *decisions, const char *packets, struct table *table)
{
    table_open(table, game_find("chase-the-flush"));
    table_seat(table, 2, "ante 1000 x-tra 1000 stax 500", decisions);
    table_deal(table, packets);
    CU_ASSERT_EQUAL_FATAL(table_settle(table), 0);
    return table_net(table, 2, "stax");
}

TEST(stax_pays_cash_for_the_lower_four_lines_and_keeps_the_stake)
{
    static const struct {
        const char *packets;
        cents_t pays;
    } lines[] = {
        {"Ah Kh Qh, 2c 4d 6s, Jh 9c 9d 9s", 25000}, {"5h 6h 7h, 2c 4d 6s, 8h Jc Jd Js", 15000},
        {"Ah Kh Qh, 2c 4d 6s, Th 9c 9d 9s", 10000}, {"5h 6h 7h, 2c 4d 6s, 9h Jc Jd Js", 2500},
        {"5h 6h 8h, 2c 4d 6s, 9h Jc Jd Js", 0},
    };
    struct table table;

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        CU_ASSERT_EQUAL(stax("bet", lines[i].packets, &table), lines[i].pays - 500);
        CU_ASSERT_EQUAL(table.result.award_count, 0);
        CU_ASSERT_EQUAL(stax("check check fold", lines[i].packets, &table), lines[i].pays - 500);
    }
}

TEST(stax_pays_a_whole_meter_for_the_upper_four_lines)
{
    static const struct {
        const char *packets;
        uint8_t meter;
        cents_t pays;
    } lines[] = {
        {"5h 6h 7h, 2c 4d 6s, 8h 9h Th Jh", 0, 1000000},
        {"5h 6h 7h, 2c 4d 6s, 8h 9h Th Js", 1, 250000},
        {"Ah Kh Qh, 2c 4d 6s, Jh Th 9c 9d", 2, 100000},
        {"5h 6h 7h, 2c 4d 6s, 8h 9h Tc Js", 3, 50000},
        {"Ah 2h 3h, 2c 4d 6s, 4h 5h Tc Js", 3, 50000},
        {"9h Kh Qh, 2c 4d 6s, Jh Th 9c Ah", 1, 250000},
    };
    struct table table;

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        CU_ASSERT_EQUAL(stax("check check fold", lines[i].packets, &table), lines[i].pays - 500);
        CU_ASSERT_EQUAL_FATAL(table.result.award_count, 1);
        CU_ASSERT_EQUAL(table.result.awards[0].seat, 2);
        CU_ASSERT_EQUAL(table.result.awards[0].meter, lines[i].meter);
        CU_ASSERT_EQUAL(table.result.awards[0].pays, lines[i].pays);
        CU_ASSERT_EQUAL(table.result.seat[2].total, lines[i].pays - 500 - 2000);
    }
}

TEST(a_four_card_straight_flush_is_paid_before_ace_king_queen_in_another_suit)
{
    struct table table;

    CU_ASSERT_EQUAL(stax("bet", "Ah Kh Qh, 2c 4d 6s, 5s 7s 8s 4s", &table), 10000 - 500);
    CU_ASSERT_EQUAL(stax("bet", "Ah Kh Qh, 2c 4d Js, 5s 7s 8s 6s", &table), 15000 - 500);
}

TEST(contributions_are_added_after_the_rounds_jackpots)
{
    struct table table;

    CU_ASSERT_EQUAL(stax("bet", "5h 6h 7h, 2c 4d 6s, 8h 9h Tc Js", &table), 50000 - 500);
    CU_ASSERT_EQUAL(table_meter(&table, "star"), DOLLARS(10000) + 100000);
    CU_ASSERT_EQUAL(table_meter(&table, "spade"), DOLLARS(2500) + 250000);
    CU_ASSERT_EQUAL(table_meter(&table, "heart"), DOLLARS(1000) + 250000);
    CU_ASSERT_EQUAL(table_meter(&table, "diamond"), DOLLARS(500) + 250000);
}

/* Community 5h 6h 7h 8h: seats 1 and 3 hold the 9h and the 4h, a 5-card straight flush each. */
static struct table two_winners(void)
{
    struct table table;

    table_open(&table, game_find("chase-the-flush"));
    CU_ASSERT_EQUAL(meters_open(&table.meters, "diamond", 612345678, NULL), 0);
    table_seat(&table, 1, "ante 1000 x-tra 1000 stax 500", "check check fold");
    table_seat(&table, 3, "ante 1000 x-tra 1000 stax 500", "check check fold");
    table_seat(&table, 6, "ante 1000 x-tra 1000", "check check fold");
    table_deal(&table, "9h 2c 2d, 4h 3c 3d, Ks Kd Kc, Ac Ad As, 5h 6h 7h 8h");
    return table;
}

TEST(the_right_hand_seat_wins_the_meter_and_the_next_one_its_reseed_value)
{
    struct table table = two_winners();

    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    CU_ASSERT_EQUAL_FATAL(table.result.award_count, 2);
    CU_ASSERT_EQUAL(table.result.awards[0].seat, 3);
    CU_ASSERT_EQUAL(table.result.awards[0].pays, 61234);
    CU_ASSERT_EQUAL(table.result.awards[1].seat, 1);
    CU_ASSERT_EQUAL(table.result.awards[1].pays, 50000);
    CU_ASSERT_EQUAL(table_net(&table, 3, "stax"), 61234 - 500);
    CU_ASSERT_EQUAL(table_net(&table, 1, "stax"), 50000 - 500);
    CU_ASSERT_EQUAL(table_meter(&table, "diamond"), DOLLARS(500) + 5678 + 500000);
}

TEST(without_its_wager_a_seat_wins_no_meter)
{
    struct table table = two_winners();

    table.round.bets[3][CHASE_STAX] = 0;
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    CU_ASSERT_EQUAL_FATAL(table.result.award_count, 1);
    CU_ASSERT_EQUAL(table.result.awards[0].seat, 1);
    CU_ASSERT_EQUAL(table.result.awards[0].pays, 61234);
    CU_ASSERT_EQUAL(table.result.seat[3].net[CHASE_STAX], 0);
    CU_ASSERT_EQUAL(table_meter(&table, "diamond"), DOLLARS(500) + 5678 + 250000);
}

TEST(from_a_shoe_three_passes_go_round_the_table_with_the_dealer_last)
{
    struct table table;
    card_t second[] = {card_make(RANK_KING, SUIT_SPADES), card_make(RANK_TWO, SUIT_CLUBS),
                       card_make(RANK_TWO, SUIT_DIAMONDS)};

    table_open(&table, game_find("chase-the-flush"));
    table.setup.deal = DEAL_CARDS;
    table.setup.burn = 1;
    table_seat(&table, 1, "ante 1000 x-tra 1000", "bet");
    table_seat(&table, 4, "ante 1000 x-tra 1000", "bet");
    table_deal(&table, "Th As Ks 9h Ah 2c 9c Qs 2d 9d 3h 4h 5h 6s");
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    CU_ASSERT_EQUAL(memcmp(table.result.seat[4].held.cards, second, 3), 0);
    CU_ASSERT_EQUAL(table.result.dealer.cards[2], card_make(RANK_NINE, SUIT_DIAMONDS));
    CU_ASSERT_EQUAL(table.result.board_count, 4);
    CU_ASSERT_EQUAL(table.result.board[3], card_make(RANK_SIX, SUIT_SPADES));
    CU_ASSERT_EQUAL(table.result.burned_count, 1);
    CU_ASSERT_EQUAL(table.result.burned[0], card_make(RANK_TEN, SUIT_HEARTS));
    CU_ASSERT_STRING_EQUAL(table.result.seat[1].held.hand, "4-card flush");
    CU_ASSERT_STRING_EQUAL(table.result.dealer.hand, "4-card flush");
    CU_ASSERT_EQUAL(table.result.seat[1].total, 1000 + 0 + 3000);
    CU_ASSERT_EQUAL(table.result.seat[4].total, -5000);
}

TEST(the_tables_on_the_printed_layout_are_the_default)
{
    struct game_setup setup;

    game_setup_init(&setup, game_find("chase-the-flush"));
    CU_ASSERT_STRING_EQUAL(setup.table[CHASE_X_TRA]->name, "B");
    CU_ASSERT_STRING_EQUAL(setup.table[CHASE_SAME_SUIT]->name, "B");
    CU_ASSERT_STRING_EQUAL(setup.table[CHASE_STAX]->name, "1");
    CU_ASSERT_PTR_NULL(setup.table[CHASE_ANTE]);
    CU_ASSERT_EQUAL(setup.rounding, ROUNDING_CENTS);
}
