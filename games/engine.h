/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the engines share when they settle: paying one wager of one seat on the best line its hand
 * satisfies, by the table the setup has chosen. The setup has been checked; nothing can fail.
 */
#ifndef GAMES_ENGINE_H
#define GAMES_ENGINE_H

#include "games/game.h"

/* The result of a wager at odds; `otherwise` when no line is satisfied. */
static inline cents_t engine_odds(const struct game_setup *setup, unsigned wager, lines_t lines,
                                  cents_t stake, cents_t otherwise)
{
    int line = paytable_line(setup->table[wager], lines);

    return line < 0 ? otherwise : stake * setup->table[wager]->pays[line].amount;
}

/*
 * A progressive wager, whose stake is gone: pays cash, or notes the meter that is due to the seat.
 * Called right to left, as the awards are listed in the order of the calls.
 */
static inline void engine_progressive(const struct game_setup *setup, unsigned wager, lines_t lines,
                                      cents_t stake, unsigned seat, struct settlement *settlement)
{
    struct pay pay = {PAY_NONE, 0};
    int line = stake ? paytable_line(setup->table[wager], lines) : -1;

    if (line >= 0)
        pay = setup->table[wager]->pays[line];
    settlement->seat[seat].net[wager] = (pay.kind == PAY_CASH ? pay.amount : 0) - stake;
    if (pay.kind == PAY_METER)
        settlement->awards[settlement->award_count++] =
            (struct award){.seat = (uint8_t)seat, .meter = (uint8_t)pay.amount};
}

#endif
