#include "games/shuffles/hands.h"

#include <string.h>

#include "games/audit/lines.h"
#include "games/audit/suits.h"
#include "games/chase_the_flush/chase_the_flush.h"
#include "games/flush_rush/flush_rush.h"
#include "games/three_card_catch/three_card_catch.h"

static lines_t first_three_lines(hand_t three)
{
    return catch_natural_pair_plus_lines(hand_three(three, true));
}

/* A wager that the first seat's dealt cards alone decide, in each game. */
static const struct rated {
    const struct game *game;
    const char *name;
    unsigned wager;
    unsigned cards;
    lines_t (*lines)(hand_t hand);
} rated[HANDS_GAMES] = {
    {&game_flush_rush, "hands of Flush Rush", FLUSH_RUSH_ANTE, 7, flush_rush_ante_lines},
    {&game_chase_the_flush, "hands of Chase the Flush", CHASE_SAME_SUIT, 7, chase_same_suit_lines},
    {&game_three_card_catch, "hands of 3 Card Catch", CATCH_NATURAL_PAIR_PLUS, 3,
     first_three_lines},
};

static const struct paytable *table_of(const struct rated *from)
{
    const struct wager *wager = &from->game->wagers[from->wager];

    return &wager->tables[wager->default_table];
}

static void count_three_card_lines(const struct rated *from, struct line_counts *counts)
{
    struct suit_class classes[TRIPLE_CLASSES];

    memset(counts, 0, sizeof *counts);
    suit_classes(3, classes, TRIPLE_CLASSES);
    for (unsigned i = 0; i < TRIPLE_CLASSES; i++) {
        int line = paytable_line(table_of(from), from->lines(classes[i].hand));

        if (line >= 0)
            counts->line[line] += classes[i].weight;
        counts->of += classes[i].weight;
    }
}

static void init_game(struct hands_of_game *hands, const struct rated *from)
{
    struct line_counts counts;
    double paid = 0;

    hands->game = from->game;
    hands->name = from->name;
    hands->wager = from->game->wagers[from->wager].name;
    hands->line_count = from->game->wagers[from->wager].line_count;
    if (from->cards == 3)
        count_three_card_lines(from, &counts);
    else
        count_seven_card_lines(table_of(from), from->lines, &counts);
    for (size_t line = 0; line < hands->line_count; line++) {
        hands->chance[line] = (double)counts.line[line] / (double)counts.of;
        paid += hands->chance[line];
    }
    hands->chance[hands->line_count] = 1 - paid;
}

void hands_init(struct hands *hands)
{
    memset(hands, 0, sizeof *hands);
    for (size_t i = 0; i < HANDS_GAMES; i++)
        init_game(&hands->games[i], &rated[i]);
}

void hands_clear(struct hands *hands)
{
    for (size_t i = 0; i < HANDS_GAMES; i++) {
        hands->games[i].total = 0;
        memset(hands->games[i].seen, 0, sizeof hands->games[i].seen);
    }
}

size_t hands_dealt(const struct game_setup *setup, seats_t seats)
{
    struct deal_step steps[PACKETS_MAX];
    size_t count = game_deal(setup, seats, steps), cards = 0;

    for (size_t i = 0; i < count; i++)
        cards += steps[i].cards;
    return cards;
}

/* Whether a step's cards belong to the hand of the first seat. */
static bool first_seats(const struct deal_step *step, unsigned first)
{
    return step->to == DEAL_TO_BOARD || (step->to == DEAL_TO_SEAT && step->seat == first);
}

/* The hand is where it was last time, round after round: only a new deal is worked out. */
static void find_places(struct hands *hands, const struct game_setup *setup, seats_t seats)
{
    struct deal_step steps[PACKETS_MAX];
    size_t count = game_deal(setup, seats, steps), at = 0;
    unsigned first = seats ? (unsigned)__builtin_ctz(seats) : 0;

    hands->setup = *setup;
    hands->seats = seats;
    hands->place_count = 0;
    for (size_t i = 0; i < count; at += steps[i++].cards) {
        size_t cards = steps[i].cards;

        if (!first_seats(&steps[i], first))
            continue;
        if (steps[i].to == DEAL_TO_BOARD && setup->deal == DEAL_PACKETS)
            cards -= setup->game->board_burn;
        for (size_t j = 0; j < cards; j++)
            hands->place[hands->place_count++] = (uint8_t)(at + j);
    }
}

static bool same_deal(const struct hands *hands, const struct game_setup *setup, seats_t seats)
{
    return hands->setup.game == setup->game && hands->setup.deal == setup->deal &&
           hands->setup.burn == setup->burn && hands->seats == seats;
}

void hands_add(struct hands *hands, const struct game_setup *setup, seats_t seats,
               const card_t *cards, size_t count)
{
    hand_t hand = 0;
    size_t game = 0;
    int line;

    while (game < HANDS_GAMES && rated[game].game != setup->game)
        game++;
    if (game == HANDS_GAMES)
        return;
    if (!same_deal(hands, setup, seats))
        find_places(hands, setup, seats);
    if (hands->place_count != rated[game].cards || hands->place[hands->place_count - 1] >= count)
        return;
    for (size_t i = 0; i < hands->place_count; i++)
        hand |= hand_card(cards[hands->place[i]]);
    line = paytable_line(table_of(&rated[game]), rated[game].lines(hand));
    hands->games[game].seen[line < 0 ? hands->games[game].line_count : (size_t)line]++;
    hands->games[game].total++;
}
