/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/shuffles/cells.h"

#include <math.h>

#include "tests/support/seeded.h"
#include "tests/support/suite.h"

static shuffles_places counts, totals;

static void fill(uint32_t total)
{
    for (unsigned i = 0; i < DECK_SIZE; i++)
        for (unsigned j = 0; j < DECK_SIZE; j++) {
            counts[i][j] = 0;
            totals[i][j] = total;
        }
}

/* 1 - (51/52)^5, and all five: (1/52)^5. */
TEST(a_tail_of_the_binomial_is_exact)
{
    CU_ASSERT_EQUAL(cell_tail(0, 5, 1.0 / 52), 1);
    CU_ASSERT_DOUBLE_EQUAL(cell_tail(1, 5, 1.0 / 52), 1 - pow(51.0 / 52, 5), 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(cell_tail(5, 5, 1.0 / 52) * pow(52, 5), 1, 1e-12);
}

TEST(the_largest_cell_is_corrected_for_all_that_there_are)
{
    struct cell cell;

    fill(5);
    counts[25][0] = 5;
    cell = cell_largest(&counts, &totals, 1.0 / 52);
    CU_ASSERT_EQUAL(cell.row, 25);
    CU_ASSERT_EQUAL(cell.column, 0);
    CU_ASSERT_EQUAL(cell.count, 5);
    CU_ASSERT_EQUAL(cell.cells, 2704);
    CU_ASSERT_DOUBLE_EQUAL(cell.p, 2704 / pow(52, 5), 1e-15);
    for (unsigned i = 0; i < DECK_SIZE; i++)
        totals[i][51] = 0;
    CU_ASSERT_EQUAL(cell_largest(&counts, &totals, 1.0 / 52).cells, 2652);
    fill(5);
    CU_ASSERT_EQUAL(cell_largest(&counts, &totals, 1.0 / 52).p, 1);
}

/* Cells that could have come more or less often: that one counts whose tail is the smallest. */
TEST(the_largest_cell_is_the_unlikeliest_and_not_the_most_frequent)
{
    uint64_t state = 1;

    for (unsigned times = 0; times < 20; times++) {
        double least = 1;
        struct cell cell;

        for (unsigned i = 0; i < DECK_SIZE; i++)
            for (unsigned j = 0; j < DECK_SIZE; j++) {
                totals[i][j] = seeded_below(&state, 300);
                counts[i][j] = seeded_below(&state, 1 + totals[i][j] / 8);
                if (totals[i][j])
                    least = fmin(least, cell_tail(counts[i][j], totals[i][j], 1.0 / 52));
            }
        cell = cell_largest(&counts, &totals, 1.0 / 52);
        CU_ASSERT_DOUBLE_EQUAL(cell.p, fmin(1, least * cell.cells), 1e-15);
        CU_ASSERT_EQUAL(cell.count, counts[cell.row][cell.column]);
    }
}

/* Beyond the critical count with the chance that is said, and hardly with one that is smaller. */
TEST(what_is_detectable_is_found_nine_times_in_ten)
{
    const struct cell cell = {.total = 600, .cells = 2704};
    double chance = cell_detectable(0.001, &cell, 1.0 / 52);
    uint32_t critical = 0;

    while (2704 * cell_tail(critical, 600, 1.0 / 52) > 0.001)
        critical++;
    CU_ASSERT_DOUBLE_EQUAL(cell_tail(critical, 600, chance), 0.9, 1e-9);
    CU_ASSERT(chance > 0.05 && chance < 0.08);
}

TEST(as_many_orders_as_are_needed_find_a_cell_and_far_fewer_do_not)
{
    uint64_t needed = cell_needed(0.001, 2704, 1.0 / 52, 0.1, 0.95, 1000000);

    for (unsigned i = 0; i < 2; i++) {
        uint32_t total = (uint32_t)(i ? needed : needed * 3 / 4), critical = 0;

        while (2704 * cell_tail(critical, total, 1.0 / 52) > 0.001)
            critical++;
        CU_ASSERT_EQUAL(cell_tail(critical, total, 0.1) >= 0.95, i);
    }
    CU_ASSERT_EQUAL(cell_needed(0.001, 2704, 1.0 / 52, 1.0 / 52, 0.95, 100000), 0);
    CU_ASSERT_EQUAL(cell_needed(0.001, 2704, 1.0 / 52, 1, 0.95, 100000), CELL_ORDERS_MIN);
}
