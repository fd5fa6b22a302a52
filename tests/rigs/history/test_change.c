/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes are found where they are, and not where there are none. */
#include "rigs/history/change.h"

#include "tests/support/seeded.h"
#include "tests/support/suite.h"

#define MOST 200

static void fill(uint64_t *random, double *values, size_t count, double level)
{
    for (size_t i = 0; i < count; i++)
        values[i] = level + (double)seeded_below(random, 1000);
}

TEST(a_change_of_level_is_found_where_it_is)
{
    struct change changes[8];
    double values[60];
    uint64_t random = 3;

    fill(&random, values, 35, 0);
    fill(&random, values + 35, 25, 900);
    CU_ASSERT_EQUAL_FATAL(change_find(values, 60, 0.01, changes, 8), 1);
    CU_ASSERT(changes[0].at >= 33 && changes[0].at <= 37);
    CU_ASSERT(changes[0].before < 700 && changes[0].after > 1200);
    CU_ASSERT(changes[0].p < 0.001);
}

TEST(two_changes_are_found_in_their_order)
{
    struct change changes[8];
    double values[90];
    uint64_t random = 4;

    fill(&random, values, 30, 0);
    fill(&random, values + 30, 30, 3000);
    fill(&random, values + 60, 30, 1500);
    CU_ASSERT_EQUAL_FATAL(change_find(values, 90, 0.01, changes, 8), 2);
    CU_ASSERT_EQUAL(changes[0].at, 30);
    CU_ASSERT_EQUAL(changes[1].at, 60);
    CU_ASSERT(changes[0].after > 3000 && changes[1].before > 3000);
    CU_ASSERT_EQUAL(change_find(values, 90, 0.01, changes, 1), 1);
}

TEST(one_value_that_is_far_out_is_no_change)
{
    struct change changes[8];
    double values[40];
    uint64_t random = 5;

    fill(&random, values, 40, 0);
    values[20] = 1e9;
    CU_ASSERT_EQUAL(change_find(values, 40, 0.01, changes, 8), 0);
}

TEST(what_cannot_show_a_change_is_said)
{
    struct change changes[8];
    double values[40];

    for (size_t count = 2; count <= 40; count++) {
        for (size_t i = 0; i < count; i++)
            values[i] = i >= count / 2;
        CU_ASSERT_EQUAL(change_can_show(count, 0.01),
                        change_find(values, count, 0.01, changes, 8) > 0);
    }
    CU_ASSERT(change_can_show(40, 0.01));
    CU_ASSERT_FALSE(change_can_show(8, 0.01));
}

TEST(too_few_values_and_equal_ones_show_nothing)
{
    struct change changes[8];
    double values[] = {1, 1, 1, 9, 9, 9, 9}, same[50] = {0};

    CU_ASSERT_EQUAL(change_find(values, 7, 0.01, changes, 8), 0);
    CU_ASSERT_EQUAL(change_find(same, 50, 0.01, changes, 8), 0);
    CU_ASSERT_EQUAL(change_find(values, 0, 0.01, changes, 8), 0);
}

/* At a level of 0.05, of series of one law, of any length and also with many ties. */
TEST(a_machine_that_stays_as_it_is_is_not_blamed_more_often_than_declared)
{
    static const size_t lengths[] = {8, 12, 30, 100, MOST};
    struct change changes[8];
    uint64_t random = 6;

    for (size_t which = 0; which < 2 * sizeof lengths / sizeof lengths[0]; which++) {
        size_t count = lengths[which / 2];
        unsigned blamed = 0;

        for (int turn = 0; turn < 400; turn++) {
            double values[MOST];

            for (size_t i = 0; i < count; i++)
                values[i] = (double)seeded_below(&random, which % 2 ? 3 : 100000);
            blamed += change_find(values, count, 0.05, changes, 8) > 0;
        }
        CU_ASSERT(blamed <= 26);
    }
}
