/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the engines share when they settle: paying one wager of one seat on the best line its hand
 * satisfies, by the table the setup has chosen, and marking what came up. The setup has been
 * checked; nothing can fail.
 */
#ifndef GAMES_ENGINE_H
#define GAMES_ENGINE_H

#include "games/game.h"

/* Marks a point of the game where it has come up. */
static inline void engine_mark(struct round_marks *marks, unsigned point, bool has_come_up)
{
    marks->points |= (uint32_t)has_come_up << point;
}

/* Two hands of three cards whose categories are neighbours: the point of the lower one. */
static inline void engine_mark_order(struct round_marks *marks, unsigned first, three_t a,
                                     three_t b)
{
    unsigned low = (unsigned)three_category(a < b ? a : b);
    unsigned high = (unsigned)three_category(a < b ? b : a);

    engine_mark(marks, first + low, high == low + 1);
}

static inline void engine_mark_line(struct round_marks *marks, unsigned wager, int line)
{
    marks->lines[wager] |= line < 0 ? MARK_NO_LINE : line_bit((unsigned)line);
}

/* The result of a wager at odds; `otherwise` when no line is satisfied. */
static inline cents_t engine_odds(const struct game_setup *setup, unsigned wager, lines_t lines,
                                  cents_t stake, cents_t otherwise, struct round_marks *marks)
{
    int line = paytable_line(setup->table[wager], lines);

    if (stake)
        engine_mark_line(marks, wager, line);
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

    if (stake)
        engine_mark_line(&settlement->marks, wager, line);
    if (line >= 0)
        pay = setup->table[wager]->pays[line];
    settlement->seat[seat].net[wager] = (pay.kind == PAY_CASH ? pay.amount : 0) - stake;
    if (pay.kind == PAY_METER)
        settlement->awards[settlement->award_count++] =
            (struct award){.seat = (uint8_t)seat, .meter = (uint8_t)pay.amount};
}

#endif
