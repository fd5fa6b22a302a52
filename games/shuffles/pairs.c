/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/shuffles/pairs.h"

#include <math.h>
#include <string.h>

static void carry(struct pairs *pairs)
{
    for (unsigned i = 0; i < DECK_SIZE; i++)
        for (unsigned j = 0; j < DECK_SIZE; j++)
            pairs->carried[i][j] += pairs->sums[i][j];
    memset(pairs->sums, 0, sizeof pairs->sums);
    pairs->count = 0;
}

/* Compilers add eight at a time once they know that the two rows are not the same. */
static void add_row(int16_t *restrict sums, const int16_t *restrict ranks, int16_t rank)
{
    for (unsigned i = 0; i < PAIRS_ROW; i++)
        sums[i] = (int16_t)(sums[i] + rank * ranks[i]);
}

void pairs_add(struct pairs *pairs, const int16_t ranks[PAIRS_ROW], size_t count)
{
    for (size_t i = 0; i < count; i++)
        add_row(pairs->sums[i], ranks, ranks[i]);
    if (++pairs->count == PAIRS_SUM)
        carry(pairs);
}

double pairs_z(const struct pairs *pairs, unsigned upper, unsigned lower, uint64_t total,
               const struct law_moments *law)
{
    double sum = (double)pairs->carried[upper][lower] + pairs->sums[upper][lower];

    return (sum - (double)total * law->mean) / sqrt((double)total * law->variance);
}
