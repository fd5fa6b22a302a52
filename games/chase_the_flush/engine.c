/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/chase_the_flush/chase_the_flush.h"

#include "games/engine.h"

static const struct line x_tra_lines[] = {
    {"7-card flush", 0},
    {"6-card flush", 0},
    {"5-card flush", 0},
    {"4-card flush", 0},
};

static const struct paytable x_tra_tables[] = {
    {"A", {{PAY_ODDS, 250}, {PAY_ODDS, 20}, {PAY_ODDS, 5}, {PAY_ODDS, 1}}},
    {"B", {{PAY_ODDS, 400}, {PAY_ODDS, 70}, {PAY_ODDS, 7}, {PAY_ODDS, 0}}},
};

static const struct paytable same_suit_tables[] = {
    {"A",
     {
         {PAY_ODDS, 2000},
         {PAY_ODDS, 2000},
         {PAY_ODDS, 100},
         {PAY_ODDS, 20},
         {PAY_ODDS, 300},
         {PAY_ODDS, 50},
         {PAY_ODDS, 10},
         {PAY_ODDS, 1},
     }},
    {"B",
     {
         {PAY_ODDS, 500},
         {PAY_ODDS, 500},
         {PAY_ODDS, 500},
         {PAY_ODDS, 20},
         {PAY_ODDS, 400},
         {PAY_ODDS, 50},
         {PAY_ODDS, 5},
         {PAY_ODDS, 1},
     }},
};

enum stax_meter { STAX_STAR, STAX_SPADE, STAX_HEART, STAX_DIAMOND, STAX_METERS };

static const struct meter_rule stax_meters[STAX_METERS] = {
    [STAX_STAR] = {"star", (micros_t)10000 * MICROS_PER_DOLLAR, 200},
    [STAX_SPADE] = {"spade", (micros_t)2500 * MICROS_PER_DOLLAR, 500},
    [STAX_HEART] = {"heart", (micros_t)1000 * MICROS_PER_DOLLAR, 500},
    [STAX_DIAMOND] = {"diamond", (micros_t)500 * MICROS_PER_DOLLAR, 500},
};

static const struct line stax_lines[STAX_LINES] = {
    [STAX_STRAIGHT_FLUSH_7] = {"7-card straight flush", 0},
    [STAX_STRAIGHT_FLUSH_6] = {"6-card straight flush", 0},
    [STAX_TOP_5] = {"A-K-Q-J-10 suited", 0},
    [STAX_STRAIGHT_FLUSH_5] = {"5-card straight flush", 0},
    [STAX_TOP_4] = {"A-K-Q-J suited", 0},
    [STAX_STRAIGHT_FLUSH_4] = {"4-card straight flush", 0},
    [STAX_TOP_3] = {"A-K-Q suited", 0},
    [STAX_STRAIGHT_FLUSH_3] = {"3-card straight flush", 0},
};

static const struct paytable stax_tables[] = {
    {"1",
     {
         [STAX_STRAIGHT_FLUSH_7] = {PAY_METER, STAX_STAR},
         [STAX_STRAIGHT_FLUSH_6] = {PAY_METER, STAX_SPADE},
         [STAX_TOP_5] = {PAY_METER, STAX_HEART},
         [STAX_STRAIGHT_FLUSH_5] = {PAY_METER, STAX_DIAMOND},
         [STAX_TOP_4] = {PAY_CASH, 25000},
         [STAX_STRAIGHT_FLUSH_4] = {PAY_CASH, 15000},
         [STAX_TOP_3] = {PAY_CASH, 10000},
         [STAX_STRAIGHT_FLUSH_3] = {PAY_CASH, 2500},
     }},
};

static const struct wager wagers[CHASE_WAGERS] = {
    [CHASE_ANTE] = {.name = "ante", .required = true, .equal_to = NO_WAGER},
    [CHASE_X_TRA] = {.name = "x-tra",
                     .required = true,
                     .equal_to = CHASE_ANTE,
                     .lines = x_tra_lines,
                     .line_count = sizeof x_tra_lines / sizeof x_tra_lines[0],
                     .tables = x_tra_tables,
                     .table_count = 2,
                     .default_table = 1},
    [CHASE_ALL_IN] = {.name = "all-in", .by_decision = true, .equal_to = NO_WAGER},
    [CHASE_SAME_SUIT] = {.name = "same-suit",
                         .equal_to = NO_WAGER,
                         .lines = flush_lines,
                         .line_count = FLUSH_LINE_COUNT,
                         .tables = same_suit_tables,
                         .table_count = 2,
                         .default_table = 1},
    [CHASE_STAX] = {.name = "stax",
                    .progressive = true,
                    .equal_to = NO_WAGER,
                    .fixed = 500,
                    .lines = stax_lines,
                    .line_count = STAX_LINES,
                    .tables = stax_tables,
                    .table_count = 1},
};

static const struct stage stages[] = {
    {{{DECISION_CHECK, NO_WAGER, 0, false}, {DECISION_BET, CHASE_ALL_IN, 3, true}}, 0},
    {{{DECISION_CHECK, NO_WAGER, 0, false}, {DECISION_BET, CHASE_ALL_IN, 2, true}}, 2},
    {{{DECISION_FOLD, NO_WAGER, 0, true}, {DECISION_BET, CHASE_ALL_IN, 1, true}}, 4},
};

enum point {
    POINT_NINE_HIGH,
    POINT_EIGHT_HIGH,
    POINT_TWO_SUITED,
    POINT_QUALIFIED_BEATEN,
    POINT_QUALIFIED_AHEAD,
    POINT_QUALIFIED_TIED,
    POINT_UNQUALIFIED_BEATEN,
    POINT_UNQUALIFIED_AHEAD,
    POINT_UNQUALIFIED_TIED,
    POINT_BY_RANK,
    POINT_BY_LAST_CARD,
    POINT_BY_ACE,
    POINT_LONGER_BUT_LOWER,
    POINT_SAME_SUIT_FOLDED,
    POINT_SAME_SUIT_LOST,
    POINT_STAX_FOLDED,
    POINT_STAX_LOST,
    POINT_SAME_SUIT_UNQUALIFIED,
    POINT_STAX_UNQUALIFIED,
    POINT_TWO_LINES,
    POINT_STAX_BEST,
    POINT_ACE_LOW,
    POINT_COUNT
};

static const char *const points[POINT_COUNT] = {
    [POINT_NINE_HIGH] = "a dealer who just qualifies: three of a suit, nine high",
    [POINT_EIGHT_HIGH] = "a dealer who just does not: three of a suit, eight high",
    [POINT_TWO_SUITED] = "a dealer with no more than two of a suit",
    [POINT_QUALIFIED_BEATEN] = "a dealer who qualifies and is beaten",
    [POINT_QUALIFIED_AHEAD] = "a dealer who qualifies and wins",
    [POINT_QUALIFIED_TIED] = "a dealer who qualifies and ties",
    [POINT_UNQUALIFIED_BEATEN] = "a dealer who does not qualify and is beaten",
    [POINT_UNQUALIFIED_AHEAD] = "a dealer who does not qualify and wins",
    [POINT_UNQUALIFIED_TIED] = "a dealer who does not qualify and ties",
    [POINT_BY_RANK] = "flushes of one length that their cards decide",
    [POINT_BY_LAST_CARD] = "flushes that only their lowest card decides",
    [POINT_BY_ACE] = "flushes of one length that an ace decides",
    [POINT_LONGER_BUT_LOWER] = "a longer flush against a higher one",
    [POINT_SAME_SUIT_FOLDED] = "Same Suit won by a hand that folded",
    [POINT_SAME_SUIT_LOST] = "Same Suit won by a hand that lost",
    [POINT_STAX_FOLDED] = "STAX won by a hand that folded",
    [POINT_STAX_LOST] = "STAX won by a hand that lost",
    [POINT_SAME_SUIT_UNQUALIFIED] = "Same Suit won while the dealer does not qualify",
    [POINT_STAX_UNQUALIFIED] = "STAX won while the dealer does not qualify",
    [POINT_TWO_LINES] = "a straight flush shorter than the flush beside it, on Same Suit",
    [POINT_STAX_BEST] = "a hand of two lines of STAX, paid on the better one",
    [POINT_ACE_LOW] = "a straight flush on STAX that begins with its ace",
};

static bool is_of(flush_t flush, unsigned length, unsigned top)
{
    return flush_length(flush) == length && flush_ranks(flush) >> top == 1;
}

static void mark_dealer(flush_t dealer, struct round_marks *marks)
{
    engine_mark(marks, POINT_NINE_HIGH, is_of(dealer, 3, RANK_NINE));
    engine_mark(marks, POINT_EIGHT_HIGH, is_of(dealer, 3, RANK_EIGHT));
    engine_mark(marks, POINT_TWO_SUITED, flush_length(dealer) <= 2);
}

static void mark_showdown(flush_t player, flush_t dealer, cents_t even, struct round_marks *marks)
{
    unsigned first = chase_qualifies(dealer) ? POINT_QUALIFIED_BEATEN : POINT_UNQUALIFIED_BEATEN;
    unsigned ranks = flush_ranks(player), others = flush_ranks(dealer);
    bool is_as_long = flush_length(player) == flush_length(dealer);

    engine_mark(marks, first + (even > 0 ? 0 : even < 0 ? 1 : 2), true);
    engine_mark(marks, POINT_BY_RANK, is_as_long && even);
    engine_mark(marks, POINT_BY_LAST_CARD,
                is_as_long && even && (ranks & (ranks - 1)) == (others & (others - 1)));
    engine_mark(marks, POINT_BY_ACE, is_as_long && (ranks ^ others) >> RANK_ACE);
    engine_mark(marks, POINT_LONGER_BUT_LOWER, !is_as_long && (even > 0) == (ranks < others));
}

static void mark_sides(const struct seat_result *seat, bool folded, bool qualifies, hand_t seven,
                       const cents_t *stakes, struct round_marks *marks)
{
    bool has_lost = !folded && seat->net[CHASE_ALL_IN] < 0;
    bool has_won_suit = seat->net[CHASE_SAME_SUIT] > 0;
    lines_t stax = stakes[CHASE_STAX] ? chase_stax_lines(seven) : 0;

    engine_mark(marks, POINT_SAME_SUIT_FOLDED, has_won_suit && folded);
    engine_mark(marks, POINT_SAME_SUIT_LOST, has_won_suit && has_lost);
    engine_mark(marks, POINT_STAX_FOLDED, stax && folded);
    engine_mark(marks, POINT_STAX_LOST, stax && has_lost);
    engine_mark(marks, POINT_SAME_SUIT_UNQUALIFIED, has_won_suit && !qualifies);
    engine_mark(marks, POINT_STAX_UNQUALIFIED, stax && !qualifies);
    engine_mark(marks, POINT_TWO_LINES,
                has_won_suit && flush_lines_cross(chase_same_suit_lines(seven)));
    engine_mark(marks, POINT_STAX_BEST, stax & (stax - 1));
    engine_mark(marks, POINT_ACE_LOW, stax && hand_ace_low(seven, 3));
}

/* Ante, x-tra and all-in of a hand that was played to the end. */
static void settle_showdown(const struct game_setup *setup, const cents_t *stakes, flush_t player,
                            flush_t dealer, cents_t *net, struct round_marks *marks)
{
    cents_t even = (player > dealer) - (player < dealer);

    mark_showdown(player, dealer, even, marks);

    net[CHASE_ALL_IN] = even * stakes[CHASE_ALL_IN];
    net[CHASE_ANTE] = chase_qualifies(dealer) ? even * stakes[CHASE_ANTE] : 0;
    net[CHASE_X_TRA] = player > dealer ? engine_odds(setup, CHASE_X_TRA, chase_x_tra_lines(player),
                                                     stakes[CHASE_X_TRA], 0, marks)
                                       : even * stakes[CHASE_X_TRA];
}

static void settle_seat(const struct game_setup *setup, const cents_t *stakes, bool folded,
                        hand_t board, flush_t dealer, unsigned number,
                        struct settlement *settlement)
{
    struct seat_result *seat = &settlement->seat[number];
    hand_t seven = hand_of(seat->held.cards, seat->held.card_count) | board;
    flush_t player = hand_flush(seven);

    seat->held.hand = flush_name(flush_length(player));
    if (folded) {
        seat->net[CHASE_ANTE] = -stakes[CHASE_ANTE];
        seat->net[CHASE_X_TRA] = -stakes[CHASE_X_TRA];
    } else {
        settle_showdown(setup, stakes, player, dealer, seat->net, &settlement->marks);
    }
    if (stakes[CHASE_SAME_SUIT])
        seat->net[CHASE_SAME_SUIT] =
            engine_odds(setup, CHASE_SAME_SUIT, chase_same_suit_lines(seven),
                        stakes[CHASE_SAME_SUIT], -stakes[CHASE_SAME_SUIT], &settlement->marks);
    engine_progressive(setup, CHASE_STAX, chase_stax_lines(seven), stakes[CHASE_STAX], number,
                       settlement);
    mark_sides(seat, folded, settlement->qualifies, seven, stakes, &settlement->marks);
}

static void settle(const struct game_setup *setup, cents_t stakes[SEATS_MAX + 1][WAGERS_MAX],
                   seats_t folded, struct settlement *settlement)
{
    hand_t board = hand_of(settlement->board, settlement->board_count);
    flush_t dealer =
        hand_flush(board | hand_of(settlement->dealer.cards, settlement->dealer.card_count));

    settlement->dealer.hand = flush_name(flush_length(dealer));
    settlement->qualifies = chase_qualifies(dealer);
    mark_dealer(dealer, &settlement->marks);
    for (unsigned seat = SEATS_MAX; seat; seat--)
        if (settlement->seats & seat_bit(seat))
            settle_seat(setup, stakes[seat], folded & seat_bit(seat), board, dealer, seat,
                        settlement);
}

static const struct game chase_the_flush = {
    .name = "chase-the-flush",
    .title = "Chase the Flush",
    .wagers = wagers,
    .meters = stax_meters,
    .stages = stages,
    .wager_count = CHASE_WAGERS,
    .meter_count = STAX_METERS,
    .stage_count = sizeof stages / sizeof stages[0],
    .hole_cards = 3,
    .board_cards = 4,
    .dealer = true,
    .dealer_qualifies = true,
    .card_at_a_time = true,
    .rounding = ROUNDING_CENTS,
    .settle = settle,
    .bets = chase_bets,
    .audit = &chase_audit,
    .rated = {"hands of Chase the Flush", CHASE_SAME_SUIT, chase_same_suit_lines},
    .points = points,
    .point_count = POINT_COUNT,
};

REGISTER(games, chase_the_flush);
