/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/shuffles/cells.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define POWER 0.9

double cell_tail(uint32_t count, uint32_t total, double chance)
{
    return count ? gsl_cdf_binomial_Q(count - 1, chance, total) : 1;
}

/* More in no more orders has a smaller tail: only those are reckoned that could have one. */
struct cell cell_largest(const shuffles_places *counts, const shuffles_places *totals,
                         double chance)
{
    struct cell best = {.p = 1};

    for (unsigned row = 0; row < DECK_SIZE; row++)
        for (unsigned column = 0; column < DECK_SIZE; column++) {
            uint32_t count = (*counts)[row][column], total = (*totals)[row][column];
            double p;

            best.cells += total > 0;
            if (!total || (best.total && count <= best.count && total >= best.total))
                continue;
            p = cell_tail(count, total, chance);
            if (!best.total || p < best.p)
                best = (struct cell){row, column, count, total, p, best.cells};
        }
    best.p = fmin(1, best.p * best.cells);
    return best;
}

/* The fewest that are evidence. */
static uint32_t critical(double alpha, uint32_t total, double chance)
{
    uint32_t low = 0, high = total + 1;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (cell_tail(middle, total, chance) <= alpha)
            high = middle;
        else
            low = middle + 1;
    }
    return high;
}

double cell_detectable(double alpha, const struct cell *cell, double chance)
{
    uint32_t count = critical(alpha / cell->cells, cell->total, chance);
    double low = chance, high = 1;

    for (int i = 0; i < 50; i++) {
        double middle = (low + high) / 2;

        if (cell_tail(count, cell->total, middle) < POWER)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static bool is_enough(double alpha, uint32_t total, double chance, double flawed, double power)
{
    return cell_tail(critical(alpha, total, chance), total, flawed) >= power;
}

/* Whole numbers make the power go up and down a little: the first that is enough is near. */
uint64_t cell_needed(double alpha, unsigned cells, double chance, double flawed, double power,
                     uint64_t most)
{
    uint64_t low = CELL_ORDERS_MIN, high = CELL_ORDERS_MIN;

    while (!is_enough(alpha / cells, (uint32_t)high, chance, flawed, power)) {
        low = high;
        high *= 2;
        if (high > most || high > UINT32_MAX / 2)
            return 0;
    }
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (is_enough(alpha / cells, (uint32_t)middle, chance, flawed, power))
            high = middle;
        else
            low = middle + 1;
    }
    return high;
}
