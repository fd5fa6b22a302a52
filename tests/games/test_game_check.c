/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "games/audit/audit.h"
#include "games/chase_the_flush/chase_the_flush.h"
#include "games/game.h"
#include "tests/support/suite.h"
#include "tests/support/table.h"

TEST(every_game_passes_its_own_check)
{
    const struct game *game;
    struct error error;
    size_t count = 0;

    for (; (game = game_at(count)); count++) {
        CU_ASSERT_EQUAL(game_check(game, &error), 0);
        /* Also when another game has its name: only one of them is found. */
        CU_ASSERT_PTR_EQUAL(game_find(game->name), game);
    }
    CU_ASSERT(count >= 3 && count < REGISTRY_MAX);
    CU_ASSERT_PTR_NULL(game_find("baccarat"));
}

TEST(an_extra_table_must_fit_its_wager_and_the_games_meters)
{
    struct paytable table = game_find("chase-the-flush")->wagers[CHASE_STAX].tables[0];
    struct error error;

    CU_ASSERT_EQUAL(game_check_table(game_find("chase-the-flush"), CHASE_STAX, &table, NULL), 0);
    table.pays[STAX_STRAIGHT_FLUSH_5].amount = 4;
    CU_ASSERT_EQUAL(game_check_table(game_find("chase-the-flush"), CHASE_STAX, &table, &error),
                    ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "pays meter 5, but chase-the-flush has only 4"));
    table.pays[STAX_STRAIGHT_FLUSH_5] = (struct pay){PAY_CASH, 25000};
    CU_ASSERT_EQUAL(game_check_table(game_find("chase-the-flush"), CHASE_STAX, &table, &error),
                    ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "no line pays meter diamond"));
    CU_ASSERT_EQUAL(game_check_table(game_find("chase-the-flush"), CHASE_ANTE, &table, NULL),
                    ERROR_CONFIG);
    CU_ASSERT_EQUAL(game_check_table(game_find("chase-the-flush"), 99, &table, NULL), ERROR_CONFIG);
}

/* A copy of Chase the Flush whose parts can be broken. */
struct broken {
    struct wager wagers[WAGERS_MAX];
    struct meter_rule meters[METERS_MAX];
    struct stage stages[STAGES_MAX];
    struct paytable stax;
    struct game game;
};

static void copy_chase(struct broken *broken)
{
    const struct game *game = game_find("chase-the-flush");

    memcpy(broken->wagers, game->wagers, sizeof broken->wagers);
    memcpy(broken->meters, game->meters, game->meter_count * sizeof *game->meters);
    memcpy(broken->stages, game->stages, sizeof broken->stages);
    broken->stax = game->wagers[CHASE_STAX].tables[0];
    broken->wagers[CHASE_STAX].tables = &broken->stax;
    broken->game = *game;
    broken->game.wagers = broken->wagers;
    broken->game.meters = broken->meters;
    broken->game.stages = broken->stages;
}

static bool broken_refused(struct broken *broken, const char *words)
{
    struct error error = {0};
    bool refused = game_check(&broken->game, &error) == ERROR_CONFIG &&
                   strstr(error.text, "chase-the-flush: ") && strstr(error.text, words);

    copy_chase(broken);
    return refused;
}

TEST(a_broken_wager_or_table_is_found_by_the_self_check)
{
    struct broken b;

    copy_chase(&b);
    CU_ASSERT_EQUAL(game_check(&b.game, NULL), 0);
    b.wagers[CHASE_X_TRA].name = "ante";
    CU_ASSERT(broken_refused(&b, "two wagers are named 'ante'"));
    b.wagers[CHASE_X_TRA].equal_to = CHASE_STAX;
    CU_ASSERT(broken_refused(&b, "x-tra must equal a wager that stands before it"));
    b.wagers[CHASE_ALL_IN].by_decision = false;
    CU_ASSERT(broken_refused(&b, "all-in is not made by a decision"));
    b.wagers[CHASE_SAME_SUIT].by_decision = true;
    CU_ASSERT(broken_refused(&b, "same-suit is made by a decision"));
    b.wagers[CHASE_ANTE].required = false;
    CU_ASSERT(broken_refused(&b, "first wager"));
    b.wagers[CHASE_X_TRA].default_table = 2;
    CU_ASSERT(broken_refused(&b, "x-tra: its default table"));
    b.wagers[CHASE_STAX].fixed = -500;
    CU_ASSERT(broken_refused(&b, "stax has a fixed stake"));
    b.stax.pays[STAX_TOP_3] = (struct pay){PAY_NONE, 0};
    CU_ASSERT(broken_refused(&b, "'A-K-Q suited' has no pay"));
    b.stax.pays[STAX_TOP_3].amount = 15001;
    CU_ASSERT(broken_refused(&b, "'A-K-Q suited' pays more than the better hand"));
    b.stax.pays[STAX_STRAIGHT_FLUSH_5].amount = 2;
    CU_ASSERT(broken_refused(&b, "pay the same meter"));
    b.stax.pays[STAX_STRAIGHT_FLUSH_5] = (struct pay){PAY_CASH, 25000};
    CU_ASSERT(broken_refused(&b, "no line pays meter diamond"));
    b.wagers[CHASE_STAX].line_count--;
    CU_ASSERT(broken_refused(&b, "more pays than the 7 lines"));
}

TEST(a_broken_meter_stage_or_deal_is_found_by_the_self_check)
{
    struct broken b;

    copy_chase(&b);
    b.meters[1].name = "star";
    CU_ASSERT(broken_refused(&b, "two meters are named 'star'"));
    b.meters[1].reseed = 0;
    CU_ASSERT(broken_refused(&b, "meter spade"));
    b.meters[1].rate = RATE_MAX + 1;
    CU_ASSERT(broken_refused(&b, "meter spade"));
    b.stages[1].choices[0].decision = DECISION_BET;
    CU_ASSERT(broken_refused(&b, "stage 2 offers 'bet' twice"));
    b.stages[2].choices[0].last = false;
    CU_ASSERT(broken_refused(&b, "the play does not end with 'fold'"));
    b.stages[1].choices[1].multiple = 0;
    CU_ASSERT(broken_refused(&b, "stage 2: 'bet' makes no wager"));
    b.game.stage_count = STAGES_MAX + 1;
    CU_ASSERT(broken_refused(&b, "out of range"));
    b.game.hole_cards = 5;
    CU_ASSERT(broken_refused(&b, "does not fit a deck and a table: 5 cards to a hand"));
    b.game.settle = NULL;
    CU_ASSERT(broken_refused(&b, "cannot settle"));
    b.game.board_burn = 1;
    CU_ASSERT(broken_refused(&b, "no bottom card to burn"));
    b.stages[0].board = 3;
    CU_ASSERT(broken_refused(&b, "stage 2: 2 community cards cannot lie open by then"));
    b.stages[2].board = 5;
    CU_ASSERT(broken_refused(&b, "stage 3: 5 community cards"));
}

TEST(broken_rated_hands_or_a_broken_audit_are_found_by_the_self_check)
{
    struct audit_method audit;
    struct broken b;

    copy_chase(&b);
    audit = *b.game.audit;
    b.game.rated.wager = CHASE_ANTE;
    CU_ASSERT(broken_refused(&b, "rated hands need a name and a wager with a paytable"));
    b.game.rated.wager = CHASE_WAGERS;
    CU_ASSERT(broken_refused(&b, "rated hands need a name and a wager with a paytable"));
    b.game.rated.name = NULL;
    CU_ASSERT(broken_refused(&b, "rated hands need a name and a wager with a paytable"));
    b.game.hole_cards = 2;
    CU_ASSERT(broken_refused(&b, "hands of 6 cards cannot be rated"));
    audit.unit = NULL;
    b.game.audit = &audit;
    CU_ASSERT(broken_refused(&b, "its audit lacks"));
}

TEST(broken_coverage_points_are_found_by_the_self_check)
{
    static const char *const nameless[] = {"a tie", ""};
    struct broken b;

    copy_chase(&b);
    b.game.point_count = POINTS_MAX + 1;
    CU_ASSERT(broken_refused(&b, "33 coverage points; at most 32 can be marked"));
    b.game.points = NULL;
    CU_ASSERT(broken_refused(&b, "coverage points; at most 32"));
    b.game.points = nameless;
    b.game.point_count = 2;
    CU_ASSERT(broken_refused(&b, "coverage point 2 has no name"));
}
