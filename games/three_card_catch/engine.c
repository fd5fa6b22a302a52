/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/three_card_catch/three_card_catch.h"

#include "games/engine.h"

static const struct line x_tra_lines[CATCH_X_TRA_LINES] = {
    [CATCH_X_TRA_ROYAL] = {"catch royal flush", 0},
    [CATCH_X_TRA_STRAIGHT_FLUSH] = {"catch straight flush", 0},
    [CATCH_X_TRA_THREE_OF_A_KIND] = {"catch three of a kind", 0},
    [CATCH_X_TRA_STRAIGHT] = {"catch straight", 0},
    [CATCH_X_TRA_FLUSH] = {"catch flush", 0},
    [CATCH_X_TRA_NATURAL] = {"any natural", 1},
};

#define X_TRA_TABLE(table, royal, straight_flush, three_of_a_kind, straight, flush, natural)       \
    {                                                                                              \
        table,                                                                                     \
        {                                                                                          \
            [CATCH_X_TRA_ROYAL] = {PAY_ODDS, royal},                                               \
            [CATCH_X_TRA_STRAIGHT_FLUSH] = {PAY_ODDS, straight_flush},                             \
            [CATCH_X_TRA_THREE_OF_A_KIND] = {PAY_ODDS, three_of_a_kind},                           \
            [CATCH_X_TRA_STRAIGHT] = {PAY_ODDS, straight},                                         \
            [CATCH_X_TRA_FLUSH] = {PAY_ODDS, flush}, [CATCH_X_TRA_NATURAL] = {PAY_ODDS, natural},  \
        }                                                                                          \
    }

static const struct paytable x_tra_tables[] = {
    X_TRA_TABLE("1", 50, 20, 10, 2, 1, 1),
    X_TRA_TABLE("2", 50, 10, 6, 3, 1, 1),
};

static const struct line natural_pair_plus_lines[NATURAL_PAIR_PLUS_LINES] = {
    [NATURAL_PAIR_PLUS_ROYAL] = {"royal flush", 0},
    [NATURAL_PAIR_PLUS_STRAIGHT_FLUSH] = {"straight flush", 0},
    [NATURAL_PAIR_PLUS_THREE_OF_A_KIND] = {"three of a kind", 0},
    [NATURAL_PAIR_PLUS_STRAIGHT] = {"straight", 0},
    [NATURAL_PAIR_PLUS_FLUSH] = {"flush", 0},
    [NATURAL_PAIR_PLUS_PAIR] = {"pair of 8s or better", 0},
};

#define NATURAL_PAIR_PLUS_TABLE(table, royal, straight_flush, three_of_a_kind, straight, flush,    \
                                pair)                                                              \
    {                                                                                              \
        table,                                                                                     \
        {                                                                                          \
            [NATURAL_PAIR_PLUS_ROYAL] = {PAY_ODDS, royal},                                         \
            [NATURAL_PAIR_PLUS_STRAIGHT_FLUSH] = {PAY_ODDS, straight_flush},                       \
            [NATURAL_PAIR_PLUS_THREE_OF_A_KIND] = {PAY_ODDS, three_of_a_kind},                     \
            [NATURAL_PAIR_PLUS_STRAIGHT] = {PAY_ODDS, straight},                                   \
            [NATURAL_PAIR_PLUS_FLUSH] = {PAY_ODDS, flush},                                         \
            [NATURAL_PAIR_PLUS_PAIR] = {PAY_ODDS, pair},                                           \
        }                                                                                          \
    }

static const struct paytable natural_pair_plus_tables[] = {
    NATURAL_PAIR_PLUS_TABLE("1", 100, 40, 30, 6, 4, 2),
    NATURAL_PAIR_PLUS_TABLE("2", 200, 40, 30, 6, 4, 2),
    NATURAL_PAIR_PLUS_TABLE("3", 200, 50, 30, 5, 4, 2),
    NATURAL_PAIR_PLUS_TABLE("4", 200, 40, 30, 5, 4, 2),
};

static const struct meter_rule progressive_meters[] = {
    {"1", (micros_t)5000 * MICROS_PER_DOLLAR, 500}, {"2", (micros_t)250 * MICROS_PER_DOLLAR, 400},
    {"3", (micros_t)250 * MICROS_PER_DOLLAR, 400},  {"4", (micros_t)250 * MICROS_PER_DOLLAR, 400},
    {"5", (micros_t)250 * MICROS_PER_DOLLAR, 400},
};

static const struct line progressive_lines[CATCH_PROGRESSIVE_LINES] = {
    [CATCH_PROGRESSIVE_NATURAL_ROYAL_SPADES] = {"natural royal flush in spades", 0},
    [CATCH_PROGRESSIVE_STRAIGHT_FLUSH_SPADES] = {"catch straight flush in spades", 1},
    [CATCH_PROGRESSIVE_STRAIGHT_FLUSH_DIAMONDS] = {"catch straight flush in diamonds", 1},
    [CATCH_PROGRESSIVE_STRAIGHT_FLUSH_HEARTS] = {"catch straight flush in hearts", 1},
    [CATCH_PROGRESSIVE_STRAIGHT_FLUSH_CLUBS] = {"catch straight flush in clubs", 1},
    [CATCH_PROGRESSIVE_NATURAL_ROYAL] = {"natural royal flush", 0},
    [CATCH_PROGRESSIVE_NATURAL_STRAIGHT_FLUSH] = {"natural straight flush", 0},
    [CATCH_PROGRESSIVE_NATURAL_THREE_OF_A_KIND] = {"natural three of a kind", 0},
    [CATCH_PROGRESSIVE_THREE_OF_A_KIND] = {"catch three of a kind", 1},
    [CATCH_PROGRESSIVE_STRAIGHT] = {"catch straight", 1},
};

static const struct paytable progressive_tables[] = {
    {"1",
     {
         [CATCH_PROGRESSIVE_NATURAL_ROYAL_SPADES] = {PAY_METER, 0},
         [CATCH_PROGRESSIVE_STRAIGHT_FLUSH_SPADES] = {PAY_METER, 1},
         [CATCH_PROGRESSIVE_STRAIGHT_FLUSH_DIAMONDS] = {PAY_METER, 2},
         [CATCH_PROGRESSIVE_STRAIGHT_FLUSH_HEARTS] = {PAY_METER, 3},
         [CATCH_PROGRESSIVE_STRAIGHT_FLUSH_CLUBS] = {PAY_METER, 4},
         [CATCH_PROGRESSIVE_NATURAL_ROYAL] = {PAY_CASH, 100000},
         [CATCH_PROGRESSIVE_NATURAL_STRAIGHT_FLUSH] = {PAY_CASH, 10000},
         [CATCH_PROGRESSIVE_NATURAL_THREE_OF_A_KIND] = {PAY_CASH, 7500},
         [CATCH_PROGRESSIVE_THREE_OF_A_KIND] = {PAY_CASH, 5000},
         [CATCH_PROGRESSIVE_STRAIGHT] = {PAY_CASH, 2500},
     }},
};

static const struct wager wagers[CATCH_WAGERS] = {
    [CATCH_ANTE] = {.name = "ante", .required = true, .equal_to = NO_WAGER},
    [CATCH_X_TRA] = {.name = "x-tra",
                     .required = true,
                     .equal_to = CATCH_ANTE,
                     .lines = x_tra_lines,
                     .line_count = CATCH_X_TRA_LINES,
                     .tables = x_tra_tables,
                     .table_count = 2},
    [CATCH_PLAY] = {.name = "play", .by_decision = true, .equal_to = NO_WAGER},
    [CATCH_NATURAL_PAIR_PLUS] = {.name = "natural-pair-plus",
                                 .equal_to = NO_WAGER,
                                 .lines = natural_pair_plus_lines,
                                 .line_count = NATURAL_PAIR_PLUS_LINES,
                                 .tables = natural_pair_plus_tables,
                                 .table_count = 4},
    [CATCH_PROGRESSIVE] = {.name = "progressive",
                           .progressive = true,
                           .equal_to = NO_WAGER,
                           .fixed = 500,
                           .lines = progressive_lines,
                           .line_count = CATCH_PROGRESSIVE_LINES,
                           .tables = progressive_tables,
                           .table_count = 1},
};

static const struct stage stages[] = {
    {{{DECISION_FOLD, NO_WAGER, 0, true}, {DECISION_BET, CATCH_PLAY, 1, true}}, 0},
};

struct catch_hand catch_hand_make(const card_t *cards, size_t count, bool ace_low)
{
    struct catch_hand hand = {.cards = hand_of(cards, count), .drew = count == 4};

    hand.first = hand_three(hand_of(cards, 3), ace_low);
    hand.final = hand.drew ? hand_best_three(hand.cards, ace_low) : hand.first;
    return hand;
}

/* Who draws has no natural: what counts among four cards is what the fourth one made. */
lines_t catch_x_tra_lines(const struct catch_hand *hand)
{
    if (!hand->drew)
        return line_bit(CATCH_X_TRA_NATURAL);
    switch (three_category(hand->final)) {
    case THREE_STRAIGHT_FLUSH:
        return line_bit(three_royal(hand->final) ? CATCH_X_TRA_ROYAL : CATCH_X_TRA_STRAIGHT_FLUSH);
    case THREE_OF_A_KIND:
        return line_bit(CATCH_X_TRA_THREE_OF_A_KIND);
    case THREE_STRAIGHT:
        return line_bit(CATCH_X_TRA_STRAIGHT);
    case THREE_FLUSH:
        return line_bit(CATCH_X_TRA_FLUSH);
    case THREE_PAIR:
    case THREE_HIGH_CARD:
        break;
    }
    return 0;
}

lines_t catch_natural_pair_plus_lines(three_t first)
{
    switch (three_category(first)) {
    case THREE_STRAIGHT_FLUSH:
        return line_bit(three_royal(first) ? NATURAL_PAIR_PLUS_ROYAL
                                           : NATURAL_PAIR_PLUS_STRAIGHT_FLUSH);
    case THREE_OF_A_KIND:
        return line_bit(NATURAL_PAIR_PLUS_THREE_OF_A_KIND);
    case THREE_STRAIGHT:
        return line_bit(NATURAL_PAIR_PLUS_STRAIGHT);
    case THREE_FLUSH:
        return line_bit(NATURAL_PAIR_PLUS_FLUSH);
    case THREE_PAIR:
        return three_natural(first) ? line_bit(NATURAL_PAIR_PLUS_PAIR) : 0;
    case THREE_HIGH_CARD:
        break;
    }
    return 0;
}

/* The suit of which a hand of three or four cards holds at least three. */
static unsigned flush_suit(hand_t cards)
{
    unsigned suit = 0;

    while (suit < SUIT_SPADES && hand_count(hand_suit(cards, suit)) < 3)
        suit++;
    return suit;
}

static lines_t natural_progressive_lines(const struct catch_hand *hand)
{
    switch (three_category(hand->first)) {
    case THREE_STRAIGHT_FLUSH:
        if (!three_royal(hand->first))
            return line_bit(CATCH_PROGRESSIVE_NATURAL_STRAIGHT_FLUSH);
        return line_bit(flush_suit(hand->cards) == SUIT_SPADES
                            ? CATCH_PROGRESSIVE_NATURAL_ROYAL_SPADES
                            : CATCH_PROGRESSIVE_NATURAL_ROYAL);
    case THREE_OF_A_KIND:
        return line_bit(CATCH_PROGRESSIVE_NATURAL_THREE_OF_A_KIND);
    default:
        return 0;
    }
}

lines_t catch_progressive_lines(const struct catch_hand *hand)
{
    static const enum catch_progressive_line straight_flush[SUIT_COUNT] = {
        [SUIT_SPADES] = CATCH_PROGRESSIVE_STRAIGHT_FLUSH_SPADES,
        [SUIT_DIAMONDS] = CATCH_PROGRESSIVE_STRAIGHT_FLUSH_DIAMONDS,
        [SUIT_HEARTS] = CATCH_PROGRESSIVE_STRAIGHT_FLUSH_HEARTS,
        [SUIT_CLUBS] = CATCH_PROGRESSIVE_STRAIGHT_FLUSH_CLUBS,
    };

    if (!hand->drew)
        return natural_progressive_lines(hand);
    switch (three_category(hand->final)) {
    case THREE_STRAIGHT_FLUSH:
        return line_bit(straight_flush[flush_suit(hand->cards)]);
    case THREE_OF_A_KIND:
        return line_bit(CATCH_PROGRESSIVE_THREE_OF_A_KIND);
    case THREE_STRAIGHT:
        return line_bit(CATCH_PROGRESSIVE_STRAIGHT);
    default:
        return 0;
    }
}

/* By the sheet's reading of the ace. */
static lines_t rated_lines(hand_t three)
{
    return catch_natural_pair_plus_lines(hand_three(three, true));
}

static bool natural(const struct game_setup *setup, const card_t *hole)
{
    return three_natural(hand_three(hand_of(hole, 3), setup->ace_low));
}

static seats_t draws(const struct game_setup *setup, const card_t hole[SEATS_MAX + 1][4],
                     seats_t seats_in, bool *dealer_draws)
{
    seats_t drawing = 0;

    if (!natural(setup, hole[0]))
        for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
            if (seats_in & seat_bit(seat) && !natural(setup, hole[seat]))
                drawing |= seat_bit(seat);
    *dealer_draws = drawing != 0;
    return drawing;
}

enum point {
    POINT_DEALER_EIGHTS,
    POINT_DEALER_SEVENS,
    POINT_DEALER_NATURAL,
    POINT_DEALER_RESTS,
    POINT_DEALER_CATCHES,
    POINT_EIGHTS,
    POINT_SEVENS,
    POINT_NATURALS_BEATEN,
    POINT_NATURALS_AHEAD,
    POINT_NATURALS_TIED,
    POINT_ENDED,
    POINT_NATURAL_ALONE,
    POINT_NATURAL_OVERTAKEN,
    POINT_DRAWN_BEATEN,
    POINT_DRAWN_AHEAD,
    POINT_DRAWN_TIED,
    POINT_CAUGHT_PAIR,
    POINT_CAUGHT_NOTHING,
    POINT_BY_KICKER,
    POINT_BY_HIGH_CARD,
    POINT_ORDER, /* of a category and the next better one, five pairs */
    POINT_PAIR_PLUS_FOLDED = POINT_ORDER + THREE_STRAIGHT_FLUSH,
    POINT_PAIR_PLUS_LOST,
    POINT_PROGRESSIVE_FOLDED,
    POINT_PROGRESSIVE_LOST,
    POINT_ACE_LOW,
    POINT_ACE_HIGH_ONLY,
    POINT_COUNT
};

static const char *const points[POINT_COUNT] = {
    [POINT_DEALER_EIGHTS] = "a dealer with just a natural: a pair of eights",
    [POINT_DEALER_SEVENS] = "a dealer who just has to draw: a pair of sevens",
    [POINT_DEALER_NATURAL] = "a dealer's natural",
    [POINT_DEALER_RESTS] = "a dealer without a natural who has nobody to draw against",
    [POINT_DEALER_CATCHES] = "a dealer whose fourth card makes his hand",
    [POINT_EIGHTS] = "a player with just a natural: a pair of eights",
    [POINT_SEVENS] = "a player who just has to draw: a pair of sevens",
    [POINT_NATURALS_BEATEN] = "a natural that beats a natural",
    [POINT_NATURALS_AHEAD] = "a natural that loses against a natural",
    [POINT_NATURALS_TIED] = "a natural that ties with a natural",
    [POINT_ENDED] = "a hand without a natural that a dealer's natural ends",
    [POINT_NATURAL_ALONE] = "a natural against a dealer without one",
    [POINT_NATURAL_OVERTAKEN] = "a natural that wins though the dealer's fourth card beats it",
    [POINT_DRAWN_BEATEN] = "a drawn hand that wins",
    [POINT_DRAWN_AHEAD] = "a drawn hand that loses",
    [POINT_DRAWN_TIED] = "a drawn hand that ties",
    [POINT_CAUGHT_PAIR] = "a caught pair that wins, so that X-tra pushes",
    [POINT_CAUGHT_NOTHING] = "a draw that catches nothing and wins",
    [POINT_BY_KICKER] = "equal pairs that the third card decides",
    [POINT_BY_HIGH_CARD] = "high cards that are compared card by card",
    [POINT_ORDER + THREE_HIGH_CARD] = "a pair against a high card",
    [POINT_ORDER + THREE_PAIR] = "a flush against a pair",
    [POINT_ORDER + THREE_FLUSH] = "a straight against a flush",
    [POINT_ORDER + THREE_STRAIGHT] = "three of a kind against a straight",
    [POINT_ORDER + THREE_OF_A_KIND] = "a straight flush against three of a kind",
    [POINT_PAIR_PLUS_FOLDED] = "Natural Pair Plus won by a hand that folded",
    [POINT_PAIR_PLUS_LOST] = "Natural Pair Plus won by a hand that lost",
    [POINT_PROGRESSIVE_FOLDED] = "the progressive won by a hand that folded",
    [POINT_PROGRESSIVE_LOST] = "the progressive won by a hand that lost",
    [POINT_ACE_LOW] = "ace, deuce and three as the lowest straight",
    [POINT_ACE_HIGH_ONLY] = "ace, deuce and three where that is no straight",
};

static bool is_pair_of(three_t three, unsigned rank)
{
    return three_category(three) == THREE_PAIR && (three >> 13 & 0x1fff) == 1u << rank;
}

static void mark_dealer(const struct catch_hand *dealer, struct round_marks *marks)
{
    bool has_natural = three_natural(dealer->first);

    engine_mark(marks, POINT_DEALER_EIGHTS, is_pair_of(dealer->first, RANK_EIGHT));
    engine_mark(marks, POINT_DEALER_SEVENS, dealer->drew && is_pair_of(dealer->first, RANK_SEVEN));
    engine_mark(marks, POINT_DEALER_NATURAL, has_natural);
    engine_mark(marks, POINT_DEALER_RESTS, !has_natural && !dealer->drew);
    engine_mark(marks, POINT_DEALER_CATCHES, catch_made(dealer));
}

/* Hands that were compared: both naturals, one of them, or drawn. */
static void mark_compared(const struct catch_hand *player, const struct catch_hand *dealer,
                          cents_t even, struct round_marks *marks)
{
    unsigned order = even > 0 ? 0 : even < 0 ? 1 : 2;

    if (player->drew) {
        engine_mark(marks, POINT_DRAWN_BEATEN + order, true);
        engine_mark(marks, POINT_CAUGHT_NOTHING, even > 0 && !catch_made(player));
        engine_mark(marks, POINT_CAUGHT_PAIR,
                    even > 0 && catch_made(player) && three_category(player->final) == THREE_PAIR);
    } else if (!three_natural(dealer->first)) {
        engine_mark(marks, POINT_NATURAL_ALONE, true);
        engine_mark(marks, POINT_NATURAL_OVERTAKEN, dealer->final > player->final);
    } else {
        engine_mark(marks,
                    three_natural(player->first) ? POINT_NATURALS_BEATEN + order : POINT_ENDED,
                    true);
    }
}

static void mark_showdown(const struct catch_hand *player, const struct catch_hand *dealer,
                          three_t against, cents_t even, struct round_marks *marks)
{
    mark_compared(player, dealer, even, marks);
    engine_mark(marks, POINT_EIGHTS, is_pair_of(player->first, RANK_EIGHT));
    engine_mark(marks, POINT_SEVENS, player->drew && is_pair_of(player->first, RANK_SEVEN));
    engine_mark(marks, POINT_BY_KICKER,
                even && three_category(against) == THREE_PAIR &&
                    against >> 13 == player->final >> 13);
    engine_mark(marks, POINT_BY_HIGH_CARD,
                even && three_category(against) == THREE_HIGH_CARD &&
                    three_category(player->final) == THREE_HIGH_CARD);
    engine_mark_order(marks, POINT_ORDER, player->final, against);
    engine_mark(marks, POINT_ACE_LOW, three_ace_low(player->first));
    engine_mark(marks, POINT_ACE_HIGH_ONLY, three_no_ace_low(player->first));
}

static void mark_sides(const struct catch_hand *player, bool folded, const struct seat_result *seat,
                       const cents_t *stakes, struct round_marks *marks)
{
    bool has_lost = !folded && seat->net[CATCH_ANTE] < 0;
    bool has_won_pair = seat->net[CATCH_NATURAL_PAIR_PLUS] > 0;
    bool has_won = stakes[CATCH_PROGRESSIVE] && catch_progressive_lines(player);

    engine_mark(marks, POINT_PAIR_PLUS_FOLDED, has_won_pair && folded);
    engine_mark(marks, POINT_PAIR_PLUS_LOST, has_won_pair && has_lost);
    engine_mark(marks, POINT_PROGRESSIVE_FOLDED, has_won && folded);
    engine_mark(marks, POINT_PROGRESSIVE_LOST, has_won && has_lost);
}

/* A hand without a draw is compared with the dealer's first three cards, drawn to or not. */
static void settle_showdown(const struct game_setup *setup, const cents_t *stakes,
                            const struct catch_hand *player, const struct catch_hand *dealer,
                            cents_t *net, struct round_marks *marks)
{
    three_t against = player->drew ? dealer->final : dealer->first;
    cents_t even = (player->final > against) - (player->final < against);

    mark_showdown(player, dealer, against, even, marks);

    net[CATCH_ANTE] = even * stakes[CATCH_ANTE];
    net[CATCH_PLAY] = even * stakes[CATCH_PLAY];
    net[CATCH_X_TRA] = even > 0 ? engine_odds(setup, CATCH_X_TRA, catch_x_tra_lines(player),
                                              stakes[CATCH_X_TRA], 0, marks)
                                : even * stakes[CATCH_X_TRA];
}

static void settle_seat(const struct game_setup *setup, const cents_t *stakes, bool folded,
                        const struct catch_hand *dealer, unsigned number,
                        struct settlement *settlement)
{
    struct seat_result *seat = &settlement->seat[number];
    struct catch_hand player =
        catch_hand_make(seat->held.cards, seat->held.card_count, setup->ace_low);

    seat->held.hand = three_name(player.final);
    if (folded) {
        seat->net[CATCH_ANTE] = -stakes[CATCH_ANTE];
        seat->net[CATCH_X_TRA] = -stakes[CATCH_X_TRA];
    } else {
        settle_showdown(setup, stakes, &player, dealer, seat->net, &settlement->marks);
    }
    seat->net[CATCH_NATURAL_PAIR_PLUS] = engine_odds(
        setup, CATCH_NATURAL_PAIR_PLUS, catch_natural_pair_plus_lines(player.first),
        stakes[CATCH_NATURAL_PAIR_PLUS], -stakes[CATCH_NATURAL_PAIR_PLUS], &settlement->marks);
    engine_progressive(setup, CATCH_PROGRESSIVE, catch_progressive_lines(&player),
                       stakes[CATCH_PROGRESSIVE], number, settlement);
    mark_sides(&player, folded, seat, stakes, &settlement->marks);
}

static void settle(const struct game_setup *setup, cents_t stakes[SEATS_MAX + 1][WAGERS_MAX],
                   seats_t folded, struct settlement *settlement)
{
    struct catch_hand dealer =
        catch_hand_make(settlement->dealer.cards, settlement->dealer.card_count, setup->ace_low);

    settlement->dealer.hand = three_name(dealer.final);
    mark_dealer(&dealer, &settlement->marks);
    for (unsigned seat = SEATS_MAX; seat; seat--)
        if (settlement->seats & seat_bit(seat))
            settle_seat(setup, stakes[seat], folded & seat_bit(seat), &dealer, seat, settlement);
}

static const struct game three_card_catch = {
    .name = "three-card-catch",
    .title = "3 Card Catch",
    .wagers = wagers,
    .meters = progressive_meters,
    .stages = stages,
    .wager_count = CATCH_WAGERS,
    .meter_count = sizeof progressive_meters / sizeof progressive_meters[0],
    .stage_count = sizeof stages / sizeof stages[0],
    .hole_cards = 3,
    .dealer = true,
    .card_at_a_time = true,
    .ace_low_open = true,
    .rounding_open = true,
    .rounding = ROUNDING_UP,
    .draws = draws,
    .settle = settle,
    .bets = catch_bets,
    .audit = &catch_audit,
    .rated = {"hands of 3 Card Catch", CATCH_NATURAL_PAIR_PLUS, rated_lines},
    .points = points,
    .point_count = POINT_COUNT,
};

REGISTER(games, three_card_catch);
