/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/flush_rush/flush_rush.h"

#include "games/engine.h"

static const struct paytable ante_tables[] = {
    {"sample",
     {
         {PAY_ODDS, 1000},
         {PAY_ODDS, 500},
         {PAY_ODDS, 100},
         {PAY_ODDS, 15},
         {PAY_ODDS, 300},
         {PAY_ODDS, 20},
         {PAY_ODDS, 9},
         {PAY_ODDS, 5},
     }},
};

static const struct line all_or_nothing_lines[ALL_OR_NOTHING_LINES] = {
    [ALL_OR_NOTHING_ALL] = {"all", 0},
    [ALL_OR_NOTHING_NOTHING] = {"nothing", 1},
};

static const struct paytable all_or_nothing_tables[] = {
    {"sample",
     {
         [ALL_OR_NOTHING_ALL] = {PAY_ODDS, 30},
         [ALL_OR_NOTHING_NOTHING] = {PAY_ODDS, 5},
     }},
};

static const struct wager wagers[FLUSH_RUSH_WAGERS] = {
    [FLUSH_RUSH_ANTE] = {.name = "ante",
                         .required = true,
                         .equal_to = NO_WAGER,
                         .lines = flush_lines,
                         .line_count = FLUSH_LINE_COUNT,
                         .tables = ante_tables,
                         .table_count = 1},
    [FLUSH_RUSH_BET_1] = {.name = "bet-1", .by_decision = true, .equal_to = NO_WAGER},
    [FLUSH_RUSH_BET_2] = {.name = "bet-2", .by_decision = true, .equal_to = NO_WAGER},
    [FLUSH_RUSH_ALL_OR_NOTHING] = {.name = "all-or-nothing",
                                   .equal_to = NO_WAGER,
                                   .lines = all_or_nothing_lines,
                                   .line_count = ALL_OR_NOTHING_LINES,
                                   .tables = all_or_nothing_tables,
                                   .table_count = 1},
};

static const struct stage stages[] = {
    {{{DECISION_FOLD, NO_WAGER, 0, true}, {DECISION_BET, FLUSH_RUSH_BET_1, 1, false}}, 0},
    {{{DECISION_FOLD, NO_WAGER, 0, true}, {DECISION_BET, FLUSH_RUSH_BET_2, 1, true}}, 2},
};

static const char *const points[FLUSH_RUSH_POINTS] = {
    [FLUSH_RUSH_ONE_SHORT] = "a hand that was played with three of a suit, one short of paying",
    [FLUSH_RUSH_WINNER_FOLDED] = "a fold of what would have won",
    [FLUSH_RUSH_SIDE_FOLDED] = "All or Nothing won by a hand that folded",
    [FLUSH_RUSH_SIDE_LOST] = "All or Nothing won by a hand that lost",
    [FLUSH_RUSH_TWO_LINES] = "a straight flush shorter than the flush beside it",
    [FLUSH_RUSH_ACE_LOW] = "a straight flush that begins with its ace",
    [FLUSH_RUSH_ACE_HIGH] = "a straight flush that ends with its ace",
};

static void mark(hand_t seven, lines_t lines, bool folded, const struct seat_result *seat,
                 struct round_marks *marks)
{
    bool has_won_side = seat->net[FLUSH_RUSH_ALL_OR_NOTHING] > 0;

    engine_mark(marks, FLUSH_RUSH_ONE_SHORT, !folded && flush_length(hand_flush(seven)) == 3);
    engine_mark(marks, FLUSH_RUSH_WINNER_FOLDED, folded && lines);
    engine_mark(marks, FLUSH_RUSH_SIDE_FOLDED, has_won_side && folded);
    engine_mark(marks, FLUSH_RUSH_SIDE_LOST, has_won_side && !folded && !lines);
    engine_mark(marks, FLUSH_RUSH_TWO_LINES, !folded && flush_lines_cross(lines));
    engine_mark(marks, FLUSH_RUSH_ACE_LOW, !folded && hand_ace_low(seven, 4));
    engine_mark(marks, FLUSH_RUSH_ACE_HIGH, !folded && hand_top_suited(seven, 4));
}

static void settle_seat(const struct game_setup *setup, const cents_t *stakes, bool folded,
                        hand_t board, struct seat_result *seat, struct round_marks *marks)
{
    hand_t hole = hand_of(seat->held.cards, seat->held.card_count);
    lines_t lines = flush_rush_ante_lines(hole | board);
    int line = paytable_line(setup->table[FLUSH_RUSH_ANTE], lines);
    cents_t even = !folded && line >= 0 ? 1 : -1;

    seat->held.hand =
        line < 0 ? flush_name(flush_length(hand_flush(hole | board))) : flush_lines[line].name;
    seat->net[FLUSH_RUSH_ANTE] = -stakes[FLUSH_RUSH_ANTE];
    if (!folded)
        seat->net[FLUSH_RUSH_ANTE] =
            engine_odds(setup, FLUSH_RUSH_ANTE, lines, stakes[FLUSH_RUSH_ANTE],
                        -stakes[FLUSH_RUSH_ANTE], marks);
    seat->net[FLUSH_RUSH_BET_1] = even * stakes[FLUSH_RUSH_BET_1];
    seat->net[FLUSH_RUSH_BET_2] = even * stakes[FLUSH_RUSH_BET_2];
    seat->net[FLUSH_RUSH_ALL_OR_NOTHING] =
        engine_odds(setup, FLUSH_RUSH_ALL_OR_NOTHING, flush_rush_all_or_nothing_lines(hole),
                    stakes[FLUSH_RUSH_ALL_OR_NOTHING], -stakes[FLUSH_RUSH_ALL_OR_NOTHING], marks);
    mark(hole | board, lines, folded, seat, marks);
}

static void settle(const struct game_setup *setup, cents_t stakes[SEATS_MAX + 1][WAGERS_MAX],
                   seats_t folded, struct settlement *settlement)
{
    hand_t board = hand_of(settlement->board, settlement->board_count);

    for (unsigned seat = SEATS_MAX; seat; seat--)
        if (settlement->seats & seat_bit(seat))
            settle_seat(setup, stakes[seat], folded & seat_bit(seat), board,
                        &settlement->seat[seat], &settlement->marks);
}

static const struct game flush_rush = {
    .name = "flush-rush",
    .title = "Flush Rush",
    .wagers = wagers,
    .stages = stages,
    .wager_count = FLUSH_RUSH_WAGERS,
    .stage_count = sizeof stages / sizeof stages[0],
    .hole_cards = 4,
    .board_cards = 4,
    .board_burn = 1,
    .rounding = ROUNDING_CENTS,
    .settle = settle,
    .bets = flush_rush_bets,
    .audit = &flush_rush_audit,
    .rated = {"hands of Flush Rush", FLUSH_RUSH_ANTE, flush_rush_ante_lines},
    .points = points,
    .point_count = FLUSH_RUSH_POINTS,
};

REGISTER(games, flush_rush);
