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

enum point {
    POINT_QUEEN_HIGH,
    POINT_JACK_HIGH,
    POINT_QUALIFIED_BEATEN,
    POINT_QUALIFIED_AHEAD,
    POINT_QUALIFIED_TIED,
    POINT_UNQUALIFIED_BEATEN,
    POINT_UNQUALIFIED_AHEAD,
    POINT_UNQUALIFIED_TIED,
    POINT_BY_KICKER,
    POINT_ORDER, /* of a category and the next better one, five pairs */
    POINT_BONUS_LOST = POINT_ORDER + THREE_STRAIGHT_FLUSH,
    POINT_PAIR_PLUS_LOST,
    POINT_PAIR_PLUS_FOLDED,
    POINT_ACE_LOW,
    POINT_COUNT
};

static const char *const points[POINT_COUNT] = {
    [POINT_QUEEN_HIGH] = "a dealer who just qualifies: queen high",
    [POINT_JACK_HIGH] = "a dealer who just does not: jack high",
    [POINT_QUALIFIED_BEATEN] = "a dealer who qualifies and is beaten",
    [POINT_QUALIFIED_AHEAD] = "a dealer who qualifies and wins",
    [POINT_QUALIFIED_TIED] = "a dealer who qualifies and ties",
    [POINT_UNQUALIFIED_BEATEN] = "a dealer who does not qualify with the lower hand",
    [POINT_UNQUALIFIED_AHEAD] = "a dealer who does not qualify with the higher hand",
    [POINT_UNQUALIFIED_TIED] = "a dealer who does not qualify with an equal hand",
    [POINT_BY_KICKER] = "equal pairs that the third card decides",
    [POINT_ORDER + THREE_HIGH_CARD] = "a pair against a high card",
    [POINT_ORDER + THREE_PAIR] = "a flush against a pair",
    [POINT_ORDER + THREE_FLUSH] = "a straight against a flush",
    [POINT_ORDER + THREE_STRAIGHT] = "three of a kind against a straight",
    [POINT_ORDER + THREE_OF_A_KIND] = "a straight flush against three of a kind",
    [POINT_BONUS_LOST] = "an ante bonus paid to a hand that lost",
    [POINT_PAIR_PLUS_LOST] = "Pair Plus won by a hand that lost",
    [POINT_PAIR_PLUS_FOLDED] = "Pair Plus lost by a fold of what would have won it",
    [POINT_ACE_LOW] = "ace, deuce and three as the lowest straight",
};

static bool is_high(three_t dealer, unsigned rank)
{
    return dealer >> rank == 1;
}

static void mark_dealer(three_t dealer, struct round_marks *marks)
{
    engine_mark(marks, POINT_QUEEN_HIGH, is_high(dealer, RANK_QUEEN));
    engine_mark(marks, POINT_JACK_HIGH, is_high(dealer, RANK_JACK));
}

static void mark_showdown(three_t player, three_t dealer, cents_t even, struct round_marks *marks)
{
    unsigned first = poker_qualifies(dealer) ? POINT_QUALIFIED_BEATEN : POINT_UNQUALIFIED_BEATEN;

    engine_mark(marks, first + (even > 0 ? 0 : even < 0 ? 1 : 2), true);
    engine_mark(marks, POINT_BY_KICKER,
                three_category(player) == THREE_PAIR && player >> 13 == dealer >> 13 && even);
    engine_mark_order(marks, POINT_ORDER, player, dealer);
}

static void mark_sides(hand_t hand, three_t dealer, bool folded, const struct seat_result *seat,
                       const cents_t *stakes, struct round_marks *marks)
{
    bool has_lost = !folded && poker_qualifies(dealer) && poker_three(hand) < dealer;

    engine_mark(marks, POINT_BONUS_LOST, has_lost && poker_bonus_lines(hand));
    engine_mark(marks, POINT_PAIR_PLUS_LOST, has_lost && seat->net[POKER_PAIR_PLUS] > 0);
    engine_mark(marks, POINT_PAIR_PLUS_FOLDED,
                folded && stakes[POKER_PAIR_PLUS] && poker_pair_plus_lines(hand));
    engine_mark(marks, POINT_ACE_LOW, !folded && three_ace_low(poker_three(hand)));
}

/* The bonus is part of the ante's result, whatever the dealer has. */
static void settle_showdown(const struct game_setup *setup, const cents_t *stakes, hand_t hand,
                            three_t dealer, cents_t *net, struct round_marks *marks)
{
    three_t player = poker_three(hand);
    bool qualifies = poker_qualifies(dealer);
    cents_t even = (player > dealer) - (player < dealer);

    mark_showdown(player, dealer, even, marks);
    net[POKER_PLAY] = qualifies ? even * stakes[POKER_PLAY] : 0;
    net[POKER_ANTE] =
        (qualifies ? even : 1) * stakes[POKER_ANTE] +
        engine_odds(setup, POKER_ANTE, poker_bonus_lines(hand), stakes[POKER_ANTE], 0, marks);
}

static void settle_seat(const struct game_setup *setup, const cents_t *stakes, bool folded,
                        three_t dealer, struct seat_result *seat, struct round_marks *marks)
{
    hand_t hand = hand_of(seat->held.cards, seat->held.card_count);

    seat->held.hand = three_name(poker_three(hand));
    if (folded) {
        seat->net[POKER_ANTE] = -stakes[POKER_ANTE];
        seat->net[POKER_PAIR_PLUS] = -stakes[POKER_PAIR_PLUS];
    } else {
        settle_showdown(setup, stakes, hand, dealer, seat->net, marks);
        seat->net[POKER_PAIR_PLUS] =
            engine_odds(setup, POKER_PAIR_PLUS, poker_pair_plus_lines(hand),
                        stakes[POKER_PAIR_PLUS], -stakes[POKER_PAIR_PLUS], marks);
    }
    mark_sides(hand, dealer, folded, seat, stakes, marks);
}

static void settle(const struct game_setup *setup, cents_t stakes[SEATS_MAX + 1][WAGERS_MAX],
                   seats_t folded, struct settlement *settlement)
{
    struct hand_result *held = &settlement->dealer;
    three_t dealer = poker_three(hand_of(held->cards, held->card_count));

    held->hand = three_name(dealer);
    settlement->qualifies = poker_qualifies(dealer);
    mark_dealer(dealer, &settlement->marks);
    for (unsigned seat = SEATS_MAX; seat; seat--)
        if (settlement->seats & seat_bit(seat))
            settle_seat(setup, stakes[seat], folded & seat_bit(seat), dealer,
                        &settlement->seat[seat], &settlement->marks);
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
    .points = points,
    .point_count = POINT_COUNT,
};

REGISTER(games, three_card_poker);
