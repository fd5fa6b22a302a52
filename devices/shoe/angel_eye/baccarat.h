/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The game that an Angel Eye shoe believes it deals, for its model: whose card the next one is, and
 * when the game is over. Pure; a zeroed struct is a game that has not begun. Nothing of a table is
 * settled by it.
 */
#ifndef DEVICES_SHOE_ANGEL_EYE_BACCARAT_H
#define DEVICES_SHOE_ANGEL_EYE_BACCARAT_H

#include "games/card.h"

enum baccarat_side { BACCARAT_PLAYER, BACCARAT_BANKER, BACCARAT_SIDES };

struct angel_eye_baccarat {
    struct {
        uint8_t count;
        uint8_t points[3]; /* of each card */
        uint8_t ranks[2];  /* of the first two, for pairs */
    } hands[BACCARAT_SIDES];
};

/* Whose card comes next; false when the game is over. */
bool angel_eye_baccarat_next(const struct angel_eye_baccarat *game, enum baccarat_side *side);
void angel_eye_baccarat_take(struct angel_eye_baccarat *game, enum baccarat_side side, card_t card);

/* Points of a hand, 0 … 9. */
unsigned angel_eye_baccarat_points(const struct angel_eye_baccarat *game, enum baccarat_side side);
bool angel_eye_baccarat_pair(const struct angel_eye_baccarat *game, enum baccarat_side side);

#endif
