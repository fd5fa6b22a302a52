/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/three_card_poker/three_card_poker.h"

#include <string.h>

#include "tests/support/suite.h"
#include "tests/support/table.h"

/* Seat 2 stakes 1000 on the ante and 500 on pair plus. */
static struct table settled(const char *decision, const char *packets)
{
    struct table table;

    table_open(&table, game_find("three-card-poker"));
    table_seat(&table, 2, "ante 1000 pair-plus 500", decision);
    table_deal(&table, packets);
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    return table;
}

static bool nets(const char *packets, cents_t ante, cents_t play, cents_t pair_plus)
{
    struct table table = settled("bet", packets);
    const struct seat_result *seat = &table.result.seat[2];

    return seat->net[POKER_ANTE] == ante && seat->net[POKER_PLAY] == play &&
           seat->net[POKER_PAIR_PLUS] == pair_plus && seat->total == ante + play + pair_plus;
}

TEST(a_dealer_with_a_queen_high_qualifies)
{
    struct table table = settled("bet", "Kc 7d 5h, Qc 3d 2h");

    CU_ASSERT_TRUE(table.result.qualifies);
    CU_ASSERT(nets("Kc 7d 5h, Qc 3d 2h", 1000, 1000, -500));
    CU_ASSERT(nets("Jc Td 8h, Qc 3d 2h", -1000, -1000, -500));
    CU_ASSERT(nets("Jc 8d 7h, 2c 2d 3h", -1000, -1000, -500));
}

TEST(a_dealer_with_a_jack_high_does_not_qualify_and_the_ante_wins)
{
    struct table table = settled("bet", "Kc 7d 5h, Jc Td 8h");

    CU_ASSERT_FALSE(table.result.qualifies);
    CU_ASSERT(nets("Kc 7d 5h, Jc Td 8h", 1000, 0, -500));
    CU_ASSERT(nets("9c 7d 5h, Jc Td 8h", 1000, 0, -500));
    CU_ASSERT(nets("Jd Th 8s, Jc Td 8h", 1000, 0, -500));
}

TEST(a_tie_pushes_ante_and_play)
{
    CU_ASSERT(nets("Kd 9h 4s, Kc 9d 4h", 0, 0, -500));
    CU_ASSERT(nets("8h 8s 5c, 8c 8d 5h", 0, 0, 500));
}

TEST(the_ante_bonus_is_paid_whatever_the_dealer_has)
{
    CU_ASSERT(nets("5h 6h 7h, Kc 9d 4h", 6000, 1000, 20000));
    CU_ASSERT(nets("2c 2d 2h, Kc 9d 4h", 5000, 1000, 15000));
    CU_ASSERT(nets("9c Td Jh, Kc 9d 4h", 2000, 1000, 3000));
    CU_ASSERT(nets("4c 8c Kc, Kd 9d 4h", 1000, 1000, 2000));
    CU_ASSERT(nets("5h 6h 7h, As Ks Qs", 4000, -1000, 20000));
    CU_ASSERT(nets("9c Td Jh, Tc Jd Qh", 0, -1000, 3000));
    CU_ASSERT(nets("9c Td Jh, 9d Tc Jc", 1000, 0, 3000));
    CU_ASSERT(nets("9c Td Jh, Js 9d 4s", 2000, 0, 3000));
}

TEST(a_fold_loses_ante_and_pair_plus_and_has_no_bonus)
{
    struct table table = settled("fold", "2c 2d 2h, Kc 9d 4h");

    CU_ASSERT_EQUAL(table.result.seat[2].total, -1500);
    CU_ASSERT_EQUAL(table_net(&table, 2, "ante"), -1000);
    CU_ASSERT_EQUAL(table_net(&table, 2, "pair-plus"), -500);
    CU_ASSERT_FALSE(table.result.seat[2].made & 1u << POKER_PLAY);
    CU_ASSERT_STRING_EQUAL(table.result.seat[2].held.hand, "three of a kind");
}

TEST(the_ace_is_high_and_low_but_never_within_a_straight)
{
    struct table table = settled("bet", "Ad 2h 3s, Kc 9c 4c");

    CU_ASSERT_STRING_EQUAL(table.result.seat[2].held.hand, "straight");
    CU_ASSERT_EQUAL(table.result.seat[2].total, 2000 + 1000 + 3000);
    CU_ASSERT(nets("Ad 2h 3s, 2c 3d 4h", 0, -1000, 3000));
    CU_ASSERT(nets("Ad Kh Qs, Kc Qd Jh", 2000, 1000, 3000));
    CU_ASSERT(nets("Kd Ah 2s, Kc Qd Th", 1000, 1000, -500));
    table = settled("bet", "Ad Kd Qd, Kc 9c 4c");
    CU_ASSERT_STRING_EQUAL(table.result.seat[2].held.hand, "royal flush");
    CU_ASSERT_EQUAL(table_net(&table, 2, "pair-plus"), 20000);
}

TEST(each_pair_plus_table_pays_its_own_odds)
{
    static const char *const hands[] = {"5h 6h 7h, Kc 9d 4h", "2c 2d 2h, Kc 9d 4h",
                                        "9c Td Jh, Kc 9d 4h", "4c 8c Kc, Kd 9d 4h",
                                        "3c 3d Jh, Kc 9d 4h"};
    static const int odds[5][5] = {{40, 30, 6, 4, 1},
                                   {40, 30, 6, 3, 1},
                                   {40, 30, 5, 4, 1},
                                   {40, 25, 6, 4, 1},
                                   {50, 30, 6, 3, 1}};

    for (unsigned t = 0; t < 5; t++)
        for (unsigned hand = 0; hand < 5; hand++) {
            const char name[] = {(char)('1' + t), '\0'};
            struct table table;

            table_open(&table, game_find("three-card-poker"));
            table_choose(&table, "pair-plus", name);
            table_seat(&table, 2, "ante 1000 pair-plus 500", "play");
            table_deal(&table, hands[hand]);
            CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
            CU_ASSERT_EQUAL(table_net(&table, 2, "pair-plus"), 500 * odds[t][hand]);
        }
}

TEST(pair_plus_is_optional_and_the_ante_is_not)
{
    struct table table;

    table_open(&table, game_find("three-card-poker"));
    table_seat(&table, 1, "ante 1000", "bet");
    table_deal(&table, "3c 3d Jh, Kc 9d 4h");
    CU_ASSERT_EQUAL(table_settle(&table), 0);
    CU_ASSERT_EQUAL(table.result.seat[1].total, 2000);
    table_clear(&table);
    table_seat(&table, 1, "pair-plus 1000", "bet");
    table_deal(&table, "3c 3d Jh, Kc 9d 4h");
    CU_ASSERT(table_refuses(&table, "seat 1: ante is missing"));
}

TEST(what_the_rules_do_not_know_is_refused)
{
    struct table table;

    table_open(&table, game_find("three-card-poker"));
    table_seat(&table, 1, "ante 1000 play 1000", "bet");
    table_deal(&table, "3c 3d Jh, Kc 9d 4h");
    CU_ASSERT(table_refuses(&table, "play is made by a decision"));
    table_clear(&table);
    table_seat(&table, 1, "ante 1000", "check");
    table_deal(&table, "3c 3d Jh, Kc 9d 4h");
    CU_ASSERT(table_refuses(&table, "seat 1"));
    table_clear(&table);
    table_seat(&table, 1, "ante 1000", "bet");
    table_deal(&table, "3c 3d Jh 2s, Kc 9d 4h");
    CU_ASSERT(table_refuses(&table, "packet 1, for seat 1: expected 3 cards, got 4"));
    table_clear(&table);
    table_seat(&table, 1, "ante 1000", "bet");
    table_deal(&table, "3c 3d Jh, Kc 9d 4h, 2s");
    CU_ASSERT(table_refuses(&table, "packet 3 is one too many"));
}

TEST(it_is_dealt_in_packets_only)
{
    struct game_setup setup;
    struct error error;

    game_setup_init(&setup, game_find("three-card-poker"));
    setup.deal = DEAL_CARDS;
    CU_ASSERT_EQUAL(game_check_setup(&setup, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "never card by card"));
}

TEST(plain_plays_queen_six_four_and_better)
{
    struct game_setup setup;

    game_setup_init(&setup, game_find("three-card-poker"));
    CU_ASSERT_TRUE(setup.game->bets(&setup, table_hand("Qc 6d 4h"), 0));
    CU_ASSERT_FALSE(setup.game->bets(&setup, table_hand("Qc 6d 3h"), 0));
    CU_ASSERT_FALSE(setup.game->bets(&setup, table_hand("Qc 5d 4h"), 0));
    CU_ASSERT_FALSE(setup.game->bets(&setup, table_hand("Jc Td 8h"), 0));
    CU_ASSERT_TRUE(setup.game->bets(&setup, table_hand("Kc 3d 2h"), 0));
    CU_ASSERT_TRUE(setup.game->bets(&setup, table_hand("2c 2d 3h"), 0));
}

TEST(the_hands_of_dealer_and_player_are_named)
{
    struct table table;

    table_open(&table, game_find("three-card-poker"));
    table_seat(&table, 2, "ante 1000", "play");
    table_deal(&table, "Ac Ad 4h, 5s 6s 9s");
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    CU_ASSERT_STRING_EQUAL(table.result.dealer.hand, "flush");
    CU_ASSERT_STRING_EQUAL(table.result.seat[2].held.hand, "pair");
}
