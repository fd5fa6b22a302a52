/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * 3 Card Catch: its wagers by number, and which lines of its paytables a hand satisfies. A hand is
 * known by its first three cards, by its final worth (the best three of four after a draw, else
 * the first three) and by whether it drew. Pure; shared by the files of this folder.
 */
#ifndef GAMES_THREE_CARD_CATCH_THREE_CARD_CATCH_H
#define GAMES_THREE_CARD_CATCH_THREE_CARD_CATCH_H

#include "games/game.h"

enum catch_wager {
    CATCH_ANTE,
    CATCH_X_TRA,
    CATCH_PLAY,
    CATCH_NATURAL_PAIR_PLUS,
    CATCH_PROGRESSIVE,
    CATCH_WAGERS
};

enum catch_x_tra_line {
    CATCH_X_TRA_ROYAL,
    CATCH_X_TRA_STRAIGHT_FLUSH,
    CATCH_X_TRA_THREE_OF_A_KIND,
    CATCH_X_TRA_STRAIGHT,
    CATCH_X_TRA_FLUSH,
    CATCH_X_TRA_NATURAL,
    CATCH_X_TRA_LINES
};

enum natural_pair_plus_line {
    NATURAL_PAIR_PLUS_ROYAL,
    NATURAL_PAIR_PLUS_STRAIGHT_FLUSH,
    NATURAL_PAIR_PLUS_THREE_OF_A_KIND,
    NATURAL_PAIR_PLUS_STRAIGHT,
    NATURAL_PAIR_PLUS_FLUSH,
    NATURAL_PAIR_PLUS_PAIR,
    NATURAL_PAIR_PLUS_LINES
};

enum catch_progressive_line {
    CATCH_PROGRESSIVE_NATURAL_ROYAL_SPADES,
    CATCH_PROGRESSIVE_STRAIGHT_FLUSH_SPADES,
    CATCH_PROGRESSIVE_STRAIGHT_FLUSH_DIAMONDS,
    CATCH_PROGRESSIVE_STRAIGHT_FLUSH_HEARTS,
    CATCH_PROGRESSIVE_STRAIGHT_FLUSH_CLUBS,
    CATCH_PROGRESSIVE_NATURAL_ROYAL,
    CATCH_PROGRESSIVE_NATURAL_STRAIGHT_FLUSH,
    CATCH_PROGRESSIVE_NATURAL_THREE_OF_A_KIND,
    CATCH_PROGRESSIVE_THREE_OF_A_KIND,
    CATCH_PROGRESSIVE_STRAIGHT,
    CATCH_PROGRESSIVE_LINES
};

struct catch_hand {
    hand_t cards; /* three, or four after a draw */
    three_t first;
    three_t final;
    bool drew;
};

/* The hand of `count` cards in the order dealt, three or four of them. */
struct catch_hand catch_hand_make(const card_t *cards, size_t count, bool ace_low);

/* Whether the draw improved the hand to a pair or better. */
static inline bool catch_made(const struct catch_hand *hand)
{
    return hand->drew && hand->final > hand->first && three_category(hand->final) >= THREE_PAIR;
}

/* Of a hand that has beaten the dealer's, with a natural or a draw; a win without a line pushes. */
lines_t catch_x_tra_lines(const struct catch_hand *hand);

lines_t catch_natural_pair_plus_lines(three_t first);

lines_t catch_progressive_lines(const struct catch_hand *hand);

bool catch_bets(const struct game_setup *setup, hand_t seen, unsigned stage);

extern const struct audit_method catch_audit;

#endif
