/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "games/chase_the_flush/chase_the_flush.h"
#include "games/game.h"
#include "tests/support/suite.h"
#include "tests/support/table.h"

static void bet(struct table *table, unsigned wager, cents_t stake)
{
    table->round.bets[3][wager] = stake;
}

TEST(an_empty_round_and_seats_that_do_not_exist_are_refused)
{
    struct table table = table_chase();

    CU_ASSERT_EQUAL(table_settle(&table), 0);
    table.round.seats |= seat_bit(0);
    CU_ASSERT(table_refuses(&table, "there is no seat 0; seats are 1 to 7"));
    CU_ASSERT_EQUAL(game_check_bets(&table.setup, &table.round, 99, &table.error), ERROR_RULE);
    CU_ASSERT_PTR_NOT_NULL(strstr(table.error.text, "no seat 99"));
    table_clear(&table);
    CU_ASSERT(table_refuses(&table, "no seat has a bet"));
}

TEST(a_required_wager_must_be_there)
{
    struct table table = table_chase();

    bet(&table, CHASE_X_TRA, 0);
    CU_ASSERT(table_refuses(&table, "seat 3: x-tra is missing"));
    bet(&table, CHASE_ANTE, 0);
    CU_ASSERT(table_refuses(&table, "seat 3: ante is missing"));
}

TEST(x_tra_must_equal_the_ante)
{
    struct table table = table_chase();

    bet(&table, CHASE_X_TRA, 999);
    CU_ASSERT(table_refuses(&table, "seat 3: x-tra of 999 cents must equal ante of 1000 cents"));
}

TEST(a_progressive_wager_is_exactly_five_dollars)
{
    struct table table = table_chase();

    bet(&table, CHASE_STAX, 400);
    CU_ASSERT(table_refuses(&table, "seat 3: stax must be exactly 500 cents, not 400 cents"));
    bet(&table, CHASE_STAX, 501);
    CU_ASSERT(table_refuses(&table, "not 501"));
    table_open(&table, game_find("three-card-catch"));
    table_seat(&table, 1, "ante 1000 x-tra 1000 progressive 400", "play");
    CU_ASSERT(
        table_refuses(&table, "seat 1: progressive must be exactly 500 cents, not 400 cents"));
}

TEST(a_wager_made_by_a_decision_cannot_be_staked)
{
    struct table table = table_chase();

    bet(&table, CHASE_ALL_IN, 2000);
    CU_ASSERT(table_refuses(&table, "seat 3: all-in is made by a decision"));
    CU_ASSERT(table_refuses(&table, "2000"));
}

TEST(a_stake_is_positive_and_at_most_a_million_dollars)
{
    struct table table = table_chase();

    bet(&table, CHASE_SAME_SUIT, STAKE_MAX);
    CU_ASSERT_EQUAL(table_settle(&table), 0);
    bet(&table, CHASE_SAME_SUIT, STAKE_MAX + 1);
    CU_ASSERT(table_refuses(&table, "seat 3: same-suit of 100000001 cents"));
    bet(&table, CHASE_SAME_SUIT, -1);
    CU_ASSERT(table_refuses(&table, "seat 3: same-suit of -1 cents; a stake is 1 to"));
    bet(&table, CHASE_SAME_SUIT, INT64_MIN);
    CU_ASSERT(table_refuses(&table, "seat 3: same-suit of -9223372036854775808 cents"));
    bet(&table, CHASE_SAME_SUIT, INT64_MAX);
    CU_ASSERT(table_refuses(&table, "seat 3: same-suit of 9223372036854775807 cents"));
}

TEST(a_wager_the_game_does_not_have_is_refused)
{
    struct table table;

    table_open(&table, game_find("flush-rush"));
    table_seat(&table, 1, "ante 1000", "fold");
    table_deal(&table, "2h 4h 6h 8h, Ts Qs 3d Th");
    CU_ASSERT_EQUAL(table_settle(&table), 0);
    table.round.bets[1][4] = 500;
    CU_ASSERT(table_refuses(&table, "seat 1: flush-rush has no wager 5"));
}

TEST(table_limits_hold_on_both_sides_for_bets_by_decision_and_for_all_together)
{
    struct table table = table_chase();

    table.setup.minimum[CHASE_ANTE] = 1000;
    table.setup.maximum[CHASE_ANTE] = 1000;
    table.setup.maximum[CHASE_ALL_IN] = 3000;
    table.setup.minimum[CHASE_ALL_IN] = 1000;
    table.setup.minimum[CHASE_SAME_SUIT] = 700;
    CU_ASSERT_EQUAL(table_settle(&table), 0);
    CU_ASSERT_EQUAL(table_net(&table, 3, "all-in"), 2000);
    table.setup.minimum[CHASE_ANTE] = 1001;
    CU_ASSERT(table_refuses(&table,
                            "seat 3: ante of 1000 cents is below the table minimum of 1001 cents"));
    table.setup.minimum[CHASE_ANTE] = 0;
    table.setup.maximum[CHASE_ANTE] = 999;
    CU_ASSERT(table_refuses(&table,
                            "seat 3: ante of 1000 cents is above the table maximum of 999 cents"));
    table.setup.maximum[CHASE_ANTE] = 0;
    bet(&table, CHASE_SAME_SUIT, 0);
    CU_ASSERT_EQUAL(table_settle(&table), 0);
    bet(&table, CHASE_SAME_SUIT, 699);
    CU_ASSERT(table_refuses(&table, "same-suit of 699 cents is below"));
    bet(&table, CHASE_SAME_SUIT, 0);
    table.setup.most = 1;
    CU_ASSERT(
        table_refuses(&table, "cents in all are above the table maximum of 1 cent for a seat"));
    table.setup.most = 1000000;
    CU_ASSERT_EQUAL(table_settle(&table), 0);
    table.setup.maximum[CHASE_ALL_IN] = 999;
    table.setup.minimum[CHASE_ALL_IN] = 0;
    CU_ASSERT(table_refuses(&table, "by decision, is above the table maximum of 999 cents"));
    table.setup.maximum[CHASE_ALL_IN] = 0;
    table.setup.minimum[CHASE_ALL_IN] = 9000;
    CU_ASSERT(table_refuses(&table, "by decision, is below the table minimum of 9000 cents"));
}

TEST(a_bet_by_decision_may_be_just_what_the_limits_say)
{
    struct table table = table_chase();

    table.setup.minimum[CHASE_ALL_IN] = table.setup.maximum[CHASE_ALL_IN] = 2000;
    CU_ASSERT_EQUAL(table_settle(&table), 0);
    table.setup.maximum[CHASE_ALL_IN] = 1999;
    table.setup.minimum[CHASE_ALL_IN] = 0;
    CU_ASSERT(table_refuses(&table, "seat 3: all-in of 2000 cents, by decision, is above"));
    table.setup.maximum[CHASE_ALL_IN] = 0;
    table.setup.minimum[CHASE_ALL_IN] = 2001;
    CU_ASSERT(table_refuses(&table, "seat 3: all-in of 2000 cents, by decision, is below"));
}

TEST(all_that_a_seat_stakes_and_nothing_else_counts_for_its_limit)
{
    struct table table = table_chase();
    cents_t stakes[WAGERS_MAX + 1] = {1000, 1000, 0, 700, 500, 1}; /* the last is of no wager */
    bool folded;

    table.setup.most = 5200;
    CU_ASSERT_EQUAL(table_settle(&table), 0);
    CU_ASSERT_EQUAL(game_check_decisions(&table.setup, &table.round, 3, stakes, &folded, NULL), 0);
    table.setup.most = 5199;
    CU_ASSERT(table_refuses(&table, "seat 3: 5200 cents in all are above the table maximum of "
                                    "5199 cents for a seat"));
}

static void decide(struct table *table, unsigned count, enum decision a, enum decision b,
                   enum decision c)
{
    const enum decision all[] = {a, b, c};

    for (unsigned i = 0; i < STAGES_MAX; i++)
        table->round.decisions[3][i] = (uint8_t)all[i];
    table->round.decision_count[3] = (uint8_t)count;
}

TEST(a_missing_decision_is_named_with_its_choices)
{
    struct table table = table_chase();

    table.round.decision_count[3] = 0;
    CU_ASSERT(table_refuses(&table, "seat 3: decision 1 is missing; it is 'check' or 'bet'"));
    decide(&table, 2, DECISION_CHECK, DECISION_CHECK, DECISION_BET);
    CU_ASSERT(table_refuses(&table, "seat 3: decision 3 is missing; it is 'fold' or 'bet'"));
    decide(&table, 3, DECISION_CHECK, DECISION_CHECK, DECISION_BET);
    CU_ASSERT_EQUAL(table_settle(&table), 0);
}

TEST(no_decision_follows_a_bet_or_a_fold_that_ends_the_play)
{
    struct table table = table_chase();

    decide(&table, 2, DECISION_BET, DECISION_CHECK, DECISION_CHECK);
    CU_ASSERT(table_refuses(&table, "seat 3: 2 decisions, but no decision follows 'bet' as"));
    decide(&table, 4, DECISION_CHECK, DECISION_CHECK, DECISION_FOLD);
    CU_ASSERT(table_refuses(&table, "seat 3: 4 decisions, but no decision follows 'fold' as"));
    decide(&table, 255, DECISION_CHECK, DECISION_CHECK, DECISION_BET);
    CU_ASSERT(table_refuses(&table, "255 decisions"));
    table_open(&table, game_find("flush-rush"));
    table_seat(&table, 3, "ante 1000", "fold bet");
    CU_ASSERT(table_refuses(&table, "no decision follows 'fold' as number 1"));
}

TEST(a_decision_that_the_stage_does_not_offer_is_refused)
{
    struct table table = table_chase();

    decide(&table, 1, DECISION_FOLD, DECISION_FOLD, DECISION_FOLD);
    CU_ASSERT(table_refuses(
        &table, "seat 3: decision 1 of chase-the-flush is 'check' or 'bet', not 'fold'"));
    decide(&table, 3, DECISION_CHECK, DECISION_CHECK, DECISION_CHECK);
    CU_ASSERT(table_refuses(&table, "decision 3 of chase-the-flush is 'fold' or 'bet'"));
    decide(&table, 1, (enum decision)77, DECISION_FOLD, DECISION_FOLD);
    CU_ASSERT(table_refuses(&table, "not '?'"));
    decide(&table, 1, DECISION_COUNT, DECISION_FOLD, DECISION_FOLD);
    CU_ASSERT(table_refuses(&table, "not '?'"));
}

TEST(a_play_whose_last_stage_does_not_end_it_is_refused)
{
    static const struct stage stages[] = {
        {{{DECISION_CHECK, NO_WAGER, 0, false}, {DECISION_BET, NO_WAGER, 0, true}}, 0},
        {{{DECISION_CHECK, NO_WAGER, 0, true}, {DECISION_BET, NO_WAGER, 0, true}}, 0},
    };
    const struct game game = {.name = "endless", .stages = stages, .stage_count = 1};
    const struct game_setup setup = {.game = &game};
    struct table table = table_chase();
    cents_t stakes[WAGERS_MAX] = {1000};
    bool folded;

    decide(&table, 2, DECISION_CHECK, DECISION_CHECK, DECISION_CHECK);
    CU_ASSERT_EQUAL(game_check_decisions(&setup, &table.round, 3, stakes, &folded, &table.error),
                    ERROR_RULE);
    CU_ASSERT_STRING_EQUAL(table.error.text, "seat 3: the play of endless has no end");
}

TEST(a_misdeal_may_leave_decisions_out_and_those_made_must_be_right)
{
    struct table table = table_chase();

    table.round.is_void = true;
    table.round.packet_count = 1;
    table.round.dealt_count = 3;
    decide(&table, 0, DECISION_FOLD, DECISION_FOLD, DECISION_FOLD);
    CU_ASSERT_EQUAL(table_settle(&table), 0);
    decide(&table, 1, DECISION_CHECK, DECISION_FOLD, DECISION_FOLD);
    CU_ASSERT_EQUAL(table_settle(&table), 0);
    decide(&table, 1, DECISION_FOLD, DECISION_FOLD, DECISION_FOLD);
    CU_ASSERT(table_refuses(&table, "seat 3: decision 1 of chase-the-flush is"));
    decide(&table, 0, DECISION_FOLD, DECISION_FOLD, DECISION_FOLD);
    table.setup.most = 1;
    CU_ASSERT(table_refuses(&table, "in all are above the table maximum of 1"));
}
