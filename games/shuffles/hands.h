/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Dealt hands by the line they would be paid on, beside the exact frequencies of the audit. Of
 * every shuffle one hand counts, that of the first seat: hands of one round share their cards and
 * would not be independent. Lines are those of the sheet's default table, whatever was played for.
 * A game without rated hands is left out.
 */
#ifndef GAMES_SHUFFLES_HANDS_H
#define GAMES_SHUFFLES_HANDS_H

#include <stddef.h>
#include <stdint.h>

#include "games/game.h"

/* What a hand can come to: a line, or nothing. */
#define HANDS_LINES (LINES_MAX + 1)

struct hands_of_game {
    const struct game *game;
    const char *name;  /* of the test: "hands of Flush Rush" */
    const char *wager; /* whose lines they are */
    uint64_t total;
    size_t line_count; /* of the wager; what is paid on none stands behind them */
    uint64_t seen[HANDS_LINES];
    double chance[HANDS_LINES];
};

struct hands {
    struct hands_of_game games[REGISTRY_MAX];
    size_t game_count;
    /* Where the first seat's cards lie, for the deal that was asked for last. */
    struct game_setup setup;
    seats_t seats;
    uint8_t place[DECK_SIZE];
    size_t place_count;
};

/* Counts the lines of all hands there are. */
void hands_init(struct hands *hands);
void hands_clear(struct hands *hands);

/* How many cards are dealt before anybody decides; 0 when such a deal cannot be. */
size_t hands_dealt(const struct game_setup *setup, seats_t seats);

/* Takes the first seat's hand out of the `count` first cards of an order, if it is there. */
void hands_add(struct hands *hands, const struct game_setup *setup, seats_t seats,
               const card_t *cards, size_t count);

#endif
