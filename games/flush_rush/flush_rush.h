/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Flush Rush: its wagers by number, and which lines of its paytables a hand satisfies. The ante
 * pays flush_lines (games/flush_line.h) on seven cards. Pure; shared by the files of this folder.
 */
#ifndef GAMES_FLUSH_RUSH_FLUSH_RUSH_H
#define GAMES_FLUSH_RUSH_FLUSH_RUSH_H

#include "games/flush_line.h"
#include "games/game.h"

enum flush_rush_wager {
    FLUSH_RUSH_ANTE,
    FLUSH_RUSH_BET_1,
    FLUSH_RUSH_BET_2,
    FLUSH_RUSH_ALL_OR_NOTHING,
    FLUSH_RUSH_WAGERS
};

enum flush_rush_point {
    FLUSH_RUSH_ONE_SHORT,
    FLUSH_RUSH_WINNER_FOLDED,
    FLUSH_RUSH_SIDE_FOLDED,
    FLUSH_RUSH_SIDE_LOST,
    FLUSH_RUSH_TWO_LINES,
    FLUSH_RUSH_ACE_LOW,
    FLUSH_RUSH_ACE_HIGH,
    FLUSH_RUSH_POINTS
};

enum all_or_nothing_line { ALL_OR_NOTHING_ALL, ALL_OR_NOTHING_NOTHING, ALL_OR_NOTHING_LINES };

static inline lines_t flush_rush_ante_lines(hand_t seven)
{
    return hand_flush_lines(seven);
}

/* Of the four hole cards: all of one suit, or no two of one suit. */
static inline lines_t flush_rush_all_or_nothing_lines(hand_t hole)
{
    unsigned length = flush_length(hand_flush(hole));

    if (length == 4)
        return line_bit(ALL_OR_NOTHING_ALL);
    return length == 1 ? line_bit(ALL_OR_NOTHING_NOTHING) : 0;
}

bool flush_rush_bets(const struct game_setup *setup, hand_t seen, unsigned stage);

extern const struct audit_method flush_rush_audit;

#endif
