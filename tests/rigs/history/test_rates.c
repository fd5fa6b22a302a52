/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fisher's exact test against sums over all tables, and values that others have printed. */
#include "rigs/history/rates.h"

#include <math.h>

#include "tests/support/suite.h"

#define NEAR(a, b) CU_ASSERT_DOUBLE_EQUAL(a, b, 1e-9)

TEST(the_lady_who_tasted_tea_is_judged_as_by_fisher)
{
    NEAR(rates_compare(3, 4, 1, 4), 34.0 / 70);
    NEAR(rates_compare(4, 4, 0, 4), 2.0 / 70);
}

TEST(sides_with_the_same_share_or_with_nothing_do_not_differ)
{
    NEAR(rates_compare(0, 10, 0, 1000), 1);
    NEAR(rates_compare(5, 5, 7, 7), 1);
    NEAR(rates_compare(3, 6, 5, 10), 1);
    NEAR(rates_compare(0, 0, 3, 7), 1);
}

/* In whole numbers, a table after the other. */
static double by_counting(unsigned first, unsigned first_all, unsigned second, unsigned second_all)
{
    double choose[32][32] = {{0}}, found, far = 0, all = 0;

    for (unsigned n = 0; n < 32; n++)
        for (unsigned k = 0; k <= n; k++)
            choose[n][k] = k && k < n ? choose[n - 1][k - 1] + choose[n - 1][k] : 1;
    found = choose[first_all][first] * choose[second_all][second];
    for (unsigned i = 0; i <= first_all && i <= first + second; i++) {
        double ways = first + second - i <= second_all
                          ? choose[first_all][i] * choose[second_all][first + second - i]
                          : 0;

        all += ways;
        far += ways <= found ? ways : 0;
    }
    return far / all;
}

TEST(the_chance_is_that_of_all_tables_which_are_no_likelier)
{
    for (unsigned first_all = 1; first_all <= 9; first_all++)
        for (unsigned second_all = 1; second_all <= 12; second_all++)
            for (unsigned first = 0; first <= first_all; first++)
                for (unsigned second = 0; second <= second_all; second++)
                    NEAR(rates_compare(first, first_all, second, second_all),
                         by_counting(first, first_all, second, second_all));
}

TEST(large_counts_are_judged_too)
{
    CU_ASSERT(rates_compare(10, 1000000, 60, 1000000) < 1e-8);
    CU_ASSERT(rates_compare(10, 1000000, 12, 1000000) > 0.5);
    NEAR(rates_compare(10, 1000000, 12, 900000), rates_compare(12, 900000, 10, 1000000));
}
