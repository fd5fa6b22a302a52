/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/flush_rush/flush_rush.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/suite.h"
#include "tests/support/table.h"

/* One seat with an ante of 1000 that bets twice; the packet of seat 3, then the community's. */
static struct table played(const char *packets)
{
    struct table table;

    table_open(&table, game_find("flush-rush"));
    table_seat(&table, 3, "ante 1000 all-or-nothing 200", "bet bet");
    table_deal(&table, packets);
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    return table;
}

static const char *hand_of_seat(const struct table *table)
{
    return table->result.seat[3].held.hand;
}

struct paying {
    const char *packets;
    const char *hand;
    cents_t ante;
};

TEST(every_line_of_the_sheet_pays_its_odds)
{
    static const struct paying lines[] = {
        {"5h 6h 7h 8h, 9h Th Jh 2c", "7-card straight flush", 1000000},
        {"5h 6h 7h 8h, 9h Th 2c 3c", "6-card straight flush", 500000},
        {"5h 6h 7h 8h, 9h Ks 2c 3c", "5-card straight flush", 100000},
        {"5h 6h 7h 8h, Ts Ks 2c 3c", "4-card straight flush", 15000},
        {"2h 4h 6h 8h, Th Qh Ah 3c", "7-card flush", 300000},
        {"2h 4h 6h 8h, Th Qh 3d 3c", "6-card flush", 20000},
        {"2h 4h 6h 8h, Th Qs 3d 3c", "5-card flush", 9000},
        {"2h 4h 6h 8h, Ts Qs 3d 3c", "4-card flush", 5000},
    };

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct table table = played(lines[i].packets);

        CU_ASSERT_STRING_EQUAL(hand_of_seat(&table), lines[i].hand);
        CU_ASSERT_EQUAL(table_net(&table, 3, "ante"), lines[i].ante);
        CU_ASSERT_EQUAL(table_net(&table, 3, "bet-1"), 1000);
        CU_ASSERT_EQUAL(table_net(&table, 3, "bet-2"), 1000);
        CU_ASSERT_EQUAL(table_net(&table, 3, "all-or-nothing"), 6000);
        CU_ASSERT_EQUAL(table.result.seat[3].total, lines[i].ante + 8000);
    }
}

TEST(less_than_a_four_card_flush_loses_everything)
{
    struct table table = played("2h 4h 6h 8s, Ts Qs 3d Ac");

    CU_ASSERT_STRING_EQUAL(hand_of_seat(&table), "3-card flush");
    CU_ASSERT_EQUAL(table_net(&table, 3, "ante"), -1000);
    CU_ASSERT_EQUAL(table_net(&table, 3, "bet-1"), -1000);
    CU_ASSERT_EQUAL(table_net(&table, 3, "bet-2"), -1000);
    CU_ASSERT_EQUAL(table_net(&table, 3, "all-or-nothing"), -200);
    CU_ASSERT_EQUAL(table.result.seat[3].total, -3200);
    table = played("2h 4h 6d 8d, Ts Qs 3c Ac");
    CU_ASSERT_STRING_EQUAL(hand_of_seat(&table), "2-card flush");
    CU_ASSERT_EQUAL(table_net(&table, 3, "ante"), -1000);
}

TEST(a_seven_card_flush_is_paid_before_the_straight_flush_inside_it)
{
    struct table table = played("2h 3h 4h 5h, 6h 9h Jh Kc");

    CU_ASSERT_STRING_EQUAL(hand_of_seat(&table), "7-card flush");
    CU_ASSERT_EQUAL(table_net(&table, 3, "ante"), 300000);
}

TEST(a_five_card_straight_flush_is_paid_before_the_six_card_flush_around_it)
{
    struct table table = played("2h 3h 4h 5h, 6h 9h Js Kc");

    CU_ASSERT_STRING_EQUAL(hand_of_seat(&table), "5-card straight flush");
    CU_ASSERT_EQUAL(table_net(&table, 3, "ante"), 100000);
}

TEST(a_four_card_straight_flush_is_between_the_six_and_the_five_card_flush)
{
    struct table table = played("2h 3h 4h 5h, 9h Jh Ks Kc");

    CU_ASSERT_STRING_EQUAL(hand_of_seat(&table), "6-card flush");
    CU_ASSERT_EQUAL(table_net(&table, 3, "ante"), 20000);
    table = played("2h 3h 4h 5h, 9h Js Ks Kc");
    CU_ASSERT_STRING_EQUAL(hand_of_seat(&table), "4-card straight flush");
    CU_ASSERT_EQUAL(table_net(&table, 3, "ante"), 15000);
}

TEST(the_ace_is_low_and_high_but_never_in_the_middle)
{
    struct table table = played("Ah 2h 3h 4h, 9s Js Kd Kc");

    CU_ASSERT_STRING_EQUAL(hand_of_seat(&table), "4-card straight flush");
    table = played("Ah Kh Qh Jh, 9s Js Kd Kc");
    CU_ASSERT_STRING_EQUAL(hand_of_seat(&table), "4-card straight flush");
    table = played("Kh Ah 2h 3h, 9s Js Kd Kc");
    CU_ASSERT_STRING_EQUAL(hand_of_seat(&table), "4-card flush");
    CU_ASSERT_EQUAL(table_net(&table, 3, "ante"), 5000);
}

TEST(the_bottom_card_of_the_community_packet_is_burned_and_plays_no_part)
{
    struct table table = played("2h 4h 6h 8s, Ts Qs 3d Th");

    CU_ASSERT_STRING_EQUAL(hand_of_seat(&table), "3-card flush");
    CU_ASSERT_EQUAL(table.result.board_count, 3);
    CU_ASSERT_EQUAL(memcmp(table.result.board, table.round.dealt + 4, 3), 0);
    CU_ASSERT_EQUAL(table.result.burned_count, 1);
    CU_ASSERT_EQUAL(table.result.burned[0], table.round.dealt[7]);
    CU_ASSERT_EQUAL(table.result.dealer.card_count, 0);
}

TEST(a_house_burn_is_a_packet_of_its_own_and_listed_first)
{
    struct table table;

    table_open(&table, game_find("flush-rush"));
    table.setup.burn = 2;
    table_seat(&table, 1, "ante 500", "bet bet");
    table_deal(&table, "Ac Ad, 2h 4h 6h 8h, Ts Qs 3d Th");
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    CU_ASSERT_EQUAL(table_net(&table, 1, "ante"), 2500);
    CU_ASSERT_EQUAL(table.result.burned_count, 3);
    CU_ASSERT_EQUAL(table.result.burned[0], card_make(RANK_ACE, SUIT_CLUBS));
    CU_ASSERT_EQUAL(table.result.burned[1], card_make(RANK_ACE, SUIT_DIAMONDS));
    CU_ASSERT_EQUAL(table.result.burned[2], card_make(RANK_TEN, SUIT_HEARTS));
}

TEST(a_fold_loses_what_was_staked_so_far_whatever_the_hand)
{
    struct table table;

    table_open(&table, game_find("flush-rush"));
    table_seat(&table, 1, "ante 500", "fold");
    table_seat(&table, 2, "ante 700", "bet fold");
    table_deal(&table, "2h 4h 6h 8h, 2s 4s 6s 8s, Th Ts 3d Kd");
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    CU_ASSERT_EQUAL(table_net(&table, 1, "ante"), -500);
    CU_ASSERT_EQUAL(table.result.seat[1].made, 1 << FLUSH_RUSH_ANTE);
    CU_ASSERT_EQUAL(table.result.seat[1].total, -500);
    CU_ASSERT_STRING_EQUAL(table.result.seat[1].held.hand, "5-card flush");
    CU_ASSERT_EQUAL(table_net(&table, 2, "ante"), -700);
    CU_ASSERT_EQUAL(table_net(&table, 2, "bet-1"), -700);
    CU_ASSERT_EQUAL(table.result.seat[2].made, 1 << FLUSH_RUSH_ANTE | 1 << FLUSH_RUSH_BET_1);
    CU_ASSERT_EQUAL(table.result.seat[2].total, -1400);
}

TEST(all_or_nothing_is_paid_on_the_first_four_cards_also_after_a_fold)
{
    struct table table;

    table_open(&table, game_find("flush-rush"));
    table_seat(&table, 1, "ante 500 all-or-nothing 100", "fold");
    table_seat(&table, 2, "ante 500 all-or-nothing 100", "bet fold");
    table_seat(&table, 4, "ante 500 all-or-nothing 100", "fold");
    table_seat(&table, 6, "ante 500 all-or-nothing 100", "bet bet");
    table_deal(&table, "2h 4h 6h 8h, 2s 4d 6c Ah, Qs 7s 9s 8d, 3s 3d 3h 3c, Ts Js Ks Kd");
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    CU_ASSERT_EQUAL(table_net(&table, 1, "all-or-nothing"), 3000);
    CU_ASSERT_EQUAL(table_net(&table, 2, "all-or-nothing"), 500);
    CU_ASSERT_EQUAL(table_net(&table, 4, "all-or-nothing"), -100);
    CU_ASSERT_EQUAL(table_net(&table, 6, "all-or-nothing"), 500);
}

TEST(the_shuffler_gives_packets_of_four_seat_by_seat_then_the_community)
{
    struct game_setup setup;
    struct deal_step steps[PACKETS_MAX];

    game_setup_init(&setup, game_find("flush-rush"));
    CU_ASSERT_EQUAL_FATAL(game_deal(&setup, seat_bit(2) | seat_bit(5), steps), 3);
    CU_ASSERT_EQUAL(steps[0].to, DEAL_TO_SEAT);
    CU_ASSERT_EQUAL(steps[0].seat, 2);
    CU_ASSERT_EQUAL(steps[0].cards, 4);
    CU_ASSERT_EQUAL(steps[1].seat, 5);
    CU_ASSERT_EQUAL(steps[2].to, DEAL_TO_BOARD);
    CU_ASSERT_EQUAL(steps[2].cards, 4);
}

TEST(the_sheet_knows_no_deal_card_by_card)
{
    struct game_setup setup;
    struct deal_step steps[PACKETS_MAX];

    game_setup_init(&setup, game_find("flush-rush"));
    CU_ASSERT_EQUAL(game_check_setup(&setup, NULL), 0);
    setup.deal = DEAL_CARDS;
    CU_ASSERT_EQUAL(game_check_setup(&setup, NULL), ERROR_CONFIG);
    CU_ASSERT_EQUAL(game_deal(&setup, seat_bit(1), steps), 0);
}

TEST(seven_seats_take_thirty_two_cards)
{
    struct game_setup setup;
    struct deal_step steps[PACKETS_MAX];

    game_setup_init(&setup, game_find("flush-rush"));
    setup.burn = 20;
    CU_ASSERT_EQUAL(game_deal(&setup, 0xfe, steps), 9);
    setup.burn = 21;
    CU_ASSERT_EQUAL(game_deal(&setup, 0xfe, steps), 0);
}

/* Counted over all four-card hands: 4 C(13,4) of one suit, 13^4 of four suits. */
TEST(all_or_nothing_hits_as_often_as_counting_says)
{
    unsigned hits[ALL_OR_NOTHING_LINES] = {0}, hands = 0;

    for (unsigned a = 0; a < DECK_SIZE; a++)
        for (unsigned b = 0; b < a; b++)
            for (unsigned c = 0; c < b; c++)
                for (unsigned d = 0; d < c; d++) {
                    card_t hole[] = {card_from_index(a), card_from_index(b), card_from_index(c),
                                     card_from_index(d)};
                    lines_t lines = flush_rush_all_or_nothing_lines(hand_of(hole, 4));

                    hands++;
                    if (lines)
                        hits[__builtin_ctz(lines)]++;
                }
    CU_ASSERT_EQUAL(hands, 270725);
    CU_ASSERT_EQUAL(hits[ALL_OR_NOTHING_ALL], 2860);
    CU_ASSERT_EQUAL(hits[ALL_OR_NOTHING_NOTHING], 28561);
}

#define POINT(name) (1u << FLUSH_RUSH_##name)

struct marked {
    const char *wagers, *decisions, *packets;
    uint32_t points;
};

TEST(a_round_shows_the_points_that_came_up_in_it_and_no_others)
{
    static const char with[] = "ante 1000 all-or-nothing 200", without[] = "ante 1000";
    static const struct marked rounds[] = {
        {with, "bet bet", "2h 4h 6d 8d, Ts Qs 3c Ac", 0},
        {with, "bet bet", "2h 4h 6h 8s, Ts Qd 3d Ac", POINT(ONE_SHORT)},
        {with, "fold", "2h 4h 6h 8s, Ts Qd 3d Ac", 0},
        {with, "bet bet", "2h 4h 6h 8h, Ts Qs 3d 3c", 0},
        {with, "fold", "2h 4h 6h 8h, Ts Qs 3d 3c", POINT(WINNER_FOLDED) | POINT(SIDE_FOLDED)},
        {without, "fold", "2h 4h 6h 8h, Ts Qs 3d 3c", POINT(WINNER_FOLDED)},
        {with, "bet bet", "2h 3d 4s 5c, 6h 8d Ts Qc", POINT(SIDE_LOST)},
        {with, "fold", "2h 3d 4s 5c, 6h 8d Ts Qc", POINT(SIDE_FOLDED)},
        {without, "bet bet", "2h 3d 4s 5c, 6h 8d Ts Qc", 0},
        {with, "bet bet", "2h 3h 4h 5h, 9h Js Ks Kc", POINT(TWO_LINES)},
        {without, "fold", "2h 3h 4h 5h, 9h Js Ks Kc", POINT(WINNER_FOLDED)},
        {with, "bet bet", "Ah 2h 3h 4h, 9s Js Kd Kc", POINT(ACE_LOW)},
        {without, "fold", "Ah 2h 3h 4h, 9s Js Kd Kc", POINT(WINNER_FOLDED)},
        {with, "bet bet", "Ah 2h 3h 8s, 9s Jd Kd Kc", POINT(ONE_SHORT)},
        {with, "bet bet", "Ah Kh Qh Jh, 9s Js Kd Kc", POINT(ACE_HIGH)},
        {without, "fold", "Ah Kh Qh Jh, 9s Js Kd Kc", POINT(WINNER_FOLDED)},
        {with, "bet bet", "Ah Kh Qh 8s, 9s Jd Kd Kc", POINT(ONE_SHORT)},
    };

    for (size_t i = 0; i < sizeof rounds / sizeof rounds[0]; i++) {
        struct table table;

        table_open(&table, game_find("flush-rush"));
        table_seat(&table, 3, rounds[i].wagers, rounds[i].decisions);
        table_deal(&table, rounds[i].packets);
        CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
        if (table.result.marks.points != rounds[i].points)
            printf("%s, %s: points %#x\n", rounds[i].decisions, rounds[i].packets,
                   table.result.marks.points);
        CU_ASSERT_EQUAL(table.result.marks.points, rounds[i].points);
    }
}
