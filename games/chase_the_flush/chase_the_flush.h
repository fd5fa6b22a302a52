/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chase the Flush: its wagers by number, when the dealer qualifies, and which lines of its
 * paytables a hand satisfies. Same Suit pays flush_lines (games/flush_line.h). Pure; shared by the
 * files of this folder.
 */
#ifndef GAMES_CHASE_THE_FLUSH_CHASE_THE_FLUSH_H
#define GAMES_CHASE_THE_FLUSH_CHASE_THE_FLUSH_H

#include "games/flush_line.h"
#include "games/game.h"

enum chase_wager {
    CHASE_ANTE,
    CHASE_X_TRA,
    CHASE_ALL_IN,
    CHASE_SAME_SUIT,
    CHASE_STAX,
    CHASE_WAGERS
};

enum stax_line {
    STAX_STRAIGHT_FLUSH_7,
    STAX_STRAIGHT_FLUSH_6,
    STAX_TOP_5,
    STAX_STRAIGHT_FLUSH_5,
    STAX_TOP_4,
    STAX_STRAIGHT_FLUSH_4,
    STAX_TOP_3,
    STAX_STRAIGHT_FLUSH_3,
    STAX_LINES
};

/* A 3-card flush, 9 high, or better. */
static inline bool chase_qualifies(flush_t dealer)
{
    return dealer >= flush_make(3, 1u << RANK_NINE);
}

/* Of a player's flush that has beaten the dealer's; a win without a line pushes. */
static inline lines_t chase_x_tra_lines(flush_t flush)
{
    unsigned length = flush_length(flush);

    return length >= 4 ? line_bit(7 - length) : 0;
}

static inline lines_t chase_same_suit_lines(hand_t seven)
{
    return hand_flush_lines(seven);
}

static inline lines_t chase_stax_lines(hand_t seven)
{
    static const lines_t straight[] = {
        [3] = 1 << STAX_STRAIGHT_FLUSH_3, [4] = 1 << STAX_STRAIGHT_FLUSH_4,
        [5] = 1 << STAX_STRAIGHT_FLUSH_5, [6] = 1 << STAX_STRAIGHT_FLUSH_6,
        [7] = 1 << STAX_STRAIGHT_FLUSH_7,
    };
    unsigned lines = straight[hand_straight_flush(seven)];

    if (hand_top_suited(seven, 3)) {
        lines |= line_bit(STAX_TOP_3);
        lines |= hand_top_suited(seven, 4) ? line_bit(STAX_TOP_4) : 0u;
        lines |= hand_top_suited(seven, 5) ? line_bit(STAX_TOP_5) : 0u;
    }
    return (lines_t)lines;
}

bool chase_bets(const struct game_setup *setup, hand_t seen, unsigned stage);

extern const struct audit_method chase_audit;

#endif
