/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "games/chase_the_flush/chase_the_flush.h"
#include "games/flush_rush/flush_rush.h"
#include "games/game.h"
#include "tests/support/suite.h"
#include "tests/support/table.h"

TEST(wagers_stand_in_the_order_they_are_reported)
{
    static const struct {
        const char *game, *wagers[WAGERS_MAX];
    } sheets[] = {
        {"flush-rush", {"ante", "bet-1", "bet-2", "all-or-nothing"}},
        {"chase-the-flush", {"ante", "x-tra", "all-in", "same-suit", "stax"}},
        {"three-card-catch", {"ante", "x-tra", "play", "natural-pair-plus", "progressive"}},
        {"three-card-poker", {"ante", "play", "pair-plus"}},
    };

    for (unsigned i = 0; i < sizeof sheets / sizeof sheets[0]; i++) {
        const struct game *game = game_find(sheets[i].game);

        for (unsigned j = 0; j < game->wager_count; j++) {
            CU_ASSERT_STRING_EQUAL(game->wagers[j].name, sheets[i].wagers[j]);
            CU_ASSERT_EQUAL(game_wager(game, sheets[i].wagers[j]), (int)j);
        }
    }
    CU_ASSERT_EQUAL(game_wager(game_find("flush-rush"), "x-tra"), -1);
}

TEST(a_decision_may_be_written_as_the_wager_it_makes_at_its_stage)
{
    CU_ASSERT_EQUAL(game_decision(game_find("flush-rush"), 0, "bet"), DECISION_BET);
    CU_ASSERT_EQUAL(game_decision(game_find("flush-rush"), 0, "bet-1"), DECISION_BET);
    CU_ASSERT_EQUAL(game_decision(game_find("flush-rush"), 0, "bet-2"), -1);
    CU_ASSERT_EQUAL(game_decision(game_find("flush-rush"), 1, "bet-2"), DECISION_BET);
    CU_ASSERT_EQUAL(game_decision(game_find("flush-rush"), 1, "ante"), -1);
    CU_ASSERT_EQUAL(game_decision(game_find("chase-the-flush"), 2, "all-in"), DECISION_BET);
    CU_ASSERT_EQUAL(game_decision(game_find("chase-the-flush"), 2, "fold"), DECISION_FOLD);
    CU_ASSERT_EQUAL(game_decision(game_find("chase-the-flush"), 3, "all-in"), -1);
    CU_ASSERT_EQUAL(game_decision(game_find("three-card-catch"), 0, "play"), DECISION_BET);
    CU_ASSERT_EQUAL(game_decision(game_find("three-card-catch"), 0, "raise"), -1);
}

static bool setup_refused(const struct game_setup *setup, const char *words)
{
    struct error error;

    return game_check_setup(setup, &error) == ERROR_CONFIG && strstr(error.text, words);
}

TEST(a_setup_the_sheet_does_not_allow_is_a_configuration_error)
{
    struct game_setup good, setup;

    game_setup_init(&good, game_find("chase-the-flush"));
    setup = good;
    setup.burn = 42;
    CU_ASSERT_EQUAL(game_check_setup(&setup, NULL), 0);
    setup.burn = 43;
    CU_ASSERT(setup_refused(&setup, "burn: 43 of 52 cards leave too few"));
    setup = good;
    setup.table[CHASE_STAX] = NULL;
    CU_ASSERT(setup_refused(&setup, "stax of chase-the-flush needs a paytable"));
    setup = good;
    setup.table[CHASE_ANTE] = good.table[CHASE_X_TRA];
    CU_ASSERT(setup_refused(&setup, "ante of chase-the-flush cannot have a paytable"));
    setup = good;
    setup.minimum[CHASE_ANTE] = 500;
    setup.maximum[CHASE_ANTE] = 499;
    CU_ASSERT(setup_refused(&setup, "ante: table limits of 500 to 499"));
    setup.maximum[CHASE_ANTE] = 500;
    CU_ASSERT_EQUAL(game_check_setup(&setup, NULL), 0);
    setup.minimum[CHASE_STAX] = 501;
    CU_ASSERT(setup_refused(
        &setup, "stax: table limits of 501 to 0 cents leave out its only stake of 500 cents"));
    setup = good;
    setup.maximum[CHASE_ANTE] = -1;
    CU_ASSERT(setup_refused(&setup, "ante: table limits"));
}

TEST(a_burn_leaves_one_seats_round_with_its_draws)
{
    struct game_setup setup;

    game_setup_init(&setup, game_find("three-card-catch"));
    setup.burn = DECK_SIZE - 2 * (3 + 1);
    CU_ASSERT_EQUAL(game_check_setup(&setup, NULL), 0);
    setup.burn++;
    CU_ASSERT(setup_refused(&setup, "at most 44"));
    game_setup_init(&setup, game_find("flush-rush"));
    setup.burn = DECK_SIZE - 2 * 4;
    CU_ASSERT_EQUAL(game_check_setup(&setup, NULL), 0);
    setup.burn++;
    CU_ASSERT(setup_refused(&setup, "at most 44"));
}

TEST(an_extra_table_is_paid_like_a_built_in_one)
{
    struct table table;
    struct paytable extra = game_find("flush-rush")->wagers[FLUSH_RUSH_ANTE].tables[0];

    strcpy(extra.name, "house");
    extra.pays[3] = (struct pay){PAY_ODDS, 25};
    CU_ASSERT_EQUAL(game_check_table(game_find("flush-rush"), FLUSH_RUSH_ANTE, &extra, NULL), 0);
    table_open(&table, game_find("flush-rush"));
    table.setup.table[FLUSH_RUSH_ANTE] = &extra;
    table_seat(&table, 1, "ante 1000", "bet bet");
    table_deal(&table, "2h 3h 4h 5h, 9h Jh Ks Kc");
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    CU_ASSERT_STRING_EQUAL(table.result.seat[1].held.hand, "4-card straight flush");
    CU_ASSERT_EQUAL(table_net(&table, 1, "ante"), 25000);
}
