/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one cell of a table that stands out most: how often a card came to a place, a card after
 * another, a place's card to another place. Each cell's count is binomial; the smallest tail of all
 * is multiplied by the number of cells, which is on the safe side however they hang together, and
 * however few orders there are. Pure; nothing fails.
 */
#ifndef GAMES_SHUFFLES_CELLS_H
#define GAMES_SHUFFLES_CELLS_H

#include "games/shuffles/shuffles.h"

/*
 * Orders without which no cell of 2704 could stand out: all of five have a chance of 1 in 140,000
 * by then.
 */
#define CELL_ORDERS_MIN 5

struct cell {
    unsigned row, column;
    uint32_t count;
    uint32_t total; /* orders in which it could have come */
    double p;       /* corrected for all cells; 1 where there is none */
    unsigned cells; /* that there are */
};

/* P(X >= count) of a binomial. */
double cell_tail(uint32_t count, uint32_t total, double chance);

/*
 * Of a table in which each cell has the same chance; `totals` has the orders in which it could have
 * come, cells with none do not count.
 */
struct cell cell_largest(const shuffles_places *counts, const shuffles_places *totals,
                         double chance);

/* The chance of one cell that is found nine times in ten, at `alpha` for all of them; at most 1. */
double cell_detectable(double alpha, const struct cell *cell, double chance);

/*
 * The fewest orders of which a cell with the chance `flawed` in place of `chance` is found, at
 * `alpha` for all `cells` of them, with chance `power`; 0 when more than `most` would be needed.
 */
uint64_t cell_needed(double alpha, unsigned cells, double chance, double flawed, double power,
                     uint64_t most);

#endif
