/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/shuffles/hands.h"

#include <string.h>

#include "games/audit/lines.h"

static const struct wager *rated_wager(const struct game *game)
{
    return &game->wagers[game->rated.wager];
}

static const struct paytable *table_of(const struct game *game)
{
    return &rated_wager(game)->tables[rated_wager(game)->default_table];
}

static void count_lines(const struct game *game, struct line_counts *counts)
{
    unsigned cards = game_hand_cards(game);

    if (cards == 7)
        count_seven_card_lines(table_of(game), game->rated.lines, counts);
    else
        count_few_card_lines(cards, table_of(game), game->rated.lines, counts);
}

static void init_game(struct hands_of_game *hands, const struct game *game)
{
    struct line_counts counts;
    double paid = 0;

    hands->game = game;
    hands->name = game->rated.name;
    hands->wager = rated_wager(game)->name;
    hands->line_count = rated_wager(game)->line_count;
    count_lines(game, &counts);
    for (size_t line = 0; line < hands->line_count; line++) {
        hands->chance[line] = (double)counts.line[line] / (double)counts.of;
        paid += hands->chance[line];
    }
    hands->chance[hands->line_count] = 1 - paid;
}

void hands_init(struct hands *hands)
{
    const struct game *game;

    memset(hands, 0, sizeof *hands);
    for (size_t i = 0; (game = game_at(i)); i++)
        if (game->rated.lines)
            init_game(&hands->games[hands->game_count++], game);
}

static struct hands_of_game *find_game(struct hands *hands, const struct game *game)
{
    for (size_t i = 0; i < hands->game_count; i++)
        if (hands->games[i].game == game)
            return &hands->games[i];
    return NULL;
}

void hands_clear(struct hands *hands)
{
    for (size_t i = 0; i < hands->game_count; i++) {
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

/* Where the first seat's cards lie in the order, kept for the rounds that are dealt alike. */
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
    const struct game *game = setup->game;
    struct hands_of_game *of = find_game(hands, game);
    hand_t hand = 0;
    int line;

    if (!of)
        return;
    if (!same_deal(hands, setup, seats))
        find_places(hands, setup, seats);
    if (hands->place_count != game_hand_cards(game) ||
        hands->place[hands->place_count - 1] >= count)
        return;
    for (size_t i = 0; i < hands->place_count; i++)
        hand |= hand_card(cards[hands->place[i]]);
    line = paytable_line(table_of(game), game->rated.lines(hand));
    of->seen[line < 0 ? of->line_count : (size_t)line]++;
    of->total++;
}
