/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Three Card Poker: its wagers by number, when the dealer qualifies, and which lines of its
 * paytables a hand satisfies. Pure; shared by the files of this folder.
 */
#ifndef GAMES_THREE_CARD_POKER_THREE_CARD_POKER_H
#define GAMES_THREE_CARD_POKER_THREE_CARD_POKER_H

#include "games/game.h"

enum poker_wager { POKER_ANTE, POKER_PLAY, POKER_PAIR_PLUS, POKER_WAGERS };

/* The lines of pair plus; the first three are those of the ante's bonus. */
enum poker_line {
    POKER_STRAIGHT_FLUSH,
    POKER_THREE_OF_A_KIND,
    POKER_STRAIGHT,
    POKER_BONUS_LINES,
    POKER_FLUSH = POKER_BONUS_LINES,
    POKER_PAIR,
    POKER_LINES
};

/* Three cards, the ace high and low. */
static inline three_t poker_three(hand_t hand)
{
    return hand_three(hand, true);
}

/* Queen high or better. */
static inline bool poker_qualifies(three_t dealer)
{
    return dealer >= 1u << RANK_QUEEN;
}

static inline lines_t poker_pair_plus_lines(hand_t hand)
{
    enum three_category category = three_category(poker_three(hand));

    return category >= THREE_PAIR ? line_bit(THREE_STRAIGHT_FLUSH - category) : 0;
}

static inline lines_t poker_bonus_lines(hand_t hand)
{
    return poker_pair_plus_lines(hand) & (line_bit(POKER_BONUS_LINES) - 1);
}

bool poker_bets(const struct game_setup *setup, hand_t seen, unsigned stage);

extern const struct audit_method poker_audit;

#endif
