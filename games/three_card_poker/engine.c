/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/engine.h"
#include "games/three_card_poker/three_card_poker.h"

static const struct line lines[POKER_LINES] = {
    [POKER_STRAIGHT_FLUSH] = {"straight flush", 0},
    [POKER_THREE_OF_A_KIND] = {"three of a kind", 0},
    [POKER_STRAIGHT] = {"straight", 0},
    [POKER_FLUSH] = {"flush", 0},
    [POKER_PAIR] = {"pair", 0},
};

static const struct paytable bonus_tables[] = {
    {"1", {{PAY_ODDS, 5}, {PAY_ODDS, 4}, {PAY_ODDS, 1}}},
};

static const struct paytable pair_plus_tables[] = {
    {"1", {{PAY_ODDS, 40}, {PAY_ODDS, 30}, {PAY_ODDS, 6}, {PAY_ODDS, 4}, {PAY_ODDS, 1}}},
    {"2", {{PAY_ODDS, 40}, {PAY_ODDS, 30}, {PAY_ODDS, 6}, {PAY_ODDS, 3}, {PAY_ODDS, 1}}},
    {"3", {{PAY_ODDS, 40}, {PAY_ODDS, 30}, {PAY_ODDS, 5}, {PAY_ODDS, 4}, {PAY_ODDS, 1}}},
    {"4", {{PAY_ODDS, 40}, {PAY_ODDS, 25}, {PAY_ODDS, 6}, {PAY_ODDS, 4}, {PAY_ODDS, 1}}},
    {"5", {{PAY_ODDS, 50}, {PAY_ODDS, 30}, {PAY_ODDS, 6}, {PAY_ODDS, 3}, {PAY_ODDS, 1}}},
};

static const struct wager wagers[POKER_WAGERS] = {
    [POKER_ANTE] = {.name = "ante",
                    .required = true,
                    .equal_to = NO_WAGER,
                    .lines = lines,
                    .line_count = POKER_BONUS_LINES,
                    .tables = bonus_tables,
                    .table_count = sizeof bonus_tables / sizeof bonus_tables[0]},
    [POKER_PLAY] = {.name = "play", .by_decision = true, .equal_to = NO_WAGER},
    [POKER_PAIR_PLUS] = {.name = "pair-plus",
                         .equal_to = NO_WAGER,
                         .lines = lines,
                         .line_count = POKER_LINES,
                         .tables = pair_plus_tables,
                         .table_count = sizeof pair_plus_tables / sizeof pair_plus_tables[0]},
};

static const struct stage stages[] = {
    {{{DECISION_FOLD, NO_WAGER, 0, true}, {DECISION_BET, POKER_PLAY, 1, true}}, 0},
};

/* The bonus is part of the ante's result, whatever the dealer has. */
static void settle_showdown(const struct game_setup *setup, const cents_t *stakes, hand_t hand,
                            three_t dealer, cents_t *net)
{
    three_t player = poker_three(hand);
    bool qualifies = poker_qualifies(dealer);
    cents_t even = (player > dealer) - (player < dealer);

    net[POKER_PLAY] = qualifies ? even * stakes[POKER_PLAY] : 0;
    net[POKER_ANTE] =
        (qualifies ? even : 1) * stakes[POKER_ANTE] +
        engine_odds(setup, POKER_ANTE, poker_bonus_lines(hand), stakes[POKER_ANTE], 0);
}

static void settle_seat(const struct game_setup *setup, const cents_t *stakes, bool folded,
                        three_t dealer, struct seat_result *seat)
{
    hand_t hand = hand_of(seat->held.cards, seat->held.card_count);
    lines_t pair_plus = folded ? 0 : poker_pair_plus_lines(hand);

    seat->held.hand = three_name(poker_three(hand));
    if (folded)
        seat->net[POKER_ANTE] = -stakes[POKER_ANTE];
    else
        settle_showdown(setup, stakes, hand, dealer, seat->net);
    seat->net[POKER_PAIR_PLUS] = engine_odds(setup, POKER_PAIR_PLUS, pair_plus,
                                             stakes[POKER_PAIR_PLUS], -stakes[POKER_PAIR_PLUS]);
}

static void settle(const struct game_setup *setup, cents_t stakes[SEATS_MAX + 1][WAGERS_MAX],
                   seats_t folded, struct settlement *settlement)
{
    struct hand_result *held = &settlement->dealer;
    three_t dealer = poker_three(hand_of(held->cards, held->card_count));

    held->hand = three_name(dealer);
    settlement->qualifies = poker_qualifies(dealer);
    for (unsigned seat = SEATS_MAX; seat; seat--)
        if (settlement->seats & seat_bit(seat))
            settle_seat(setup, stakes[seat], folded & seat_bit(seat), dealer,
                        &settlement->seat[seat]);
}

static const struct game three_card_poker = {
    .name = "three-card-poker",
    .title = "Three Card Poker",
    .wagers = wagers,
    .stages = stages,
    .wager_count = POKER_WAGERS,
    .stage_count = sizeof stages / sizeof stages[0],
    .hole_cards = 3,
    .dealer = true,
    .dealer_qualifies = true,
    .rounding = ROUNDING_CENTS,
    .settle = settle,
    .bets = poker_bets,
    .audit = &poker_audit,
    .rated = {"hands of Three Card Poker", POKER_PAIR_PLUS, poker_pair_plus_lines},
};

REGISTER(games, three_card_poker);
