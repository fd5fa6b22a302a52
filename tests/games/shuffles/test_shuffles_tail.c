/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "games/shuffles/law.h"
#include "games/shuffles/tail.h"
#include "tests/support/suite.h"

#define MANY 12
#define ROOM (MANY * (DECK_SIZE + 1))

/* The law of the sum of one value more. */
static void convolve(double *sum, const double *chance, size_t size)
{
    double next[ROOM] = {0};

    for (size_t i = 0; i + size <= ROOM; i++)
        for (size_t j = 0; j < size; j++)
            next[i + j] += sum[i] * chance[j];
    memcpy(sum, next, sizeof next);
}

/* The saddlepoint against the law itself, for every sum that is not rarer than one in 10^12. */
static void compare(const double *chance, size_t size, unsigned count, double tolerance)
{
    double sum[ROOM] = {[0] = 1}, above[ROOM + 1] = {0}, below = 0;

    for (unsigned i = 0; i < count; i++)
        convolve(sum, chance, size);
    for (size_t i = ROOM; i-- > 0;)
        above[i] = above[i + 1] + sum[i];
    for (size_t i = 0; i < ROOM; i++) {
        struct tails tails = tails_of_sum(chance, size, count, i);

        below += sum[i];
        if (above[i] > 1e-12 && above[i] < 0.4)
            CU_ASSERT_DOUBLE_EQUAL(tails.above / above[i], 1, tolerance);
        if (below > 1e-12 && below < 0.4)
            CU_ASSERT_DOUBLE_EQUAL(tails.below / below, 1, tolerance);
    }
}

/* What is worst is the smallest sum that there can be, such as no pair kept at all. */
TEST(tails_of_a_sum_are_those_of_the_convolved_law)
{
    double chance[LAW_SIZE];

    for (unsigned count = 2; count <= MANY; count += 5) {
        law_rising(DECK_SIZE, chance);
        compare(chance, DECK_SIZE + 1, count, 0.001);
        law_valleys(DECK_SIZE, chance);
        compare(chance, 26, count, 0.005);
        law_cycles(DECK_SIZE, chance);
        compare(chance, DECK_SIZE + 1, count, 0.06);
        law_successions(DECK_SIZE, chance);
        compare(chance, DECK_SIZE, count, 0.07);
    }
}

TEST(tails_of_one_value_are_exact)
{
    static const double chance[] = {0.125, 0.5, 0.25, 0.125};

    CU_ASSERT_EQUAL(tails_of_sum(chance, 4, 1, 0).below, 0.125);
    CU_ASSERT_EQUAL(tails_of_sum(chance, 4, 1, 0).above, 1);
    CU_ASSERT_EQUAL(tails_of_sum(chance, 4, 1, 2).below, 0.875);
    CU_ASSERT_EQUAL(tails_of_sum(chance, 4, 1, 2).above, 0.375);
}

TEST(a_sum_that_cannot_be_passed_has_a_tail_of_one)
{
    double chance[LAW_SIZE];
    struct tails tails;

    law_rising(DECK_SIZE, chance);
    tails = tails_of_sum(chance, DECK_SIZE + 1, 3, 3);
    CU_ASSERT_EQUAL(tails.above, 1);
    CU_ASSERT_TRUE(tails.below < 1e-100);
    tails = tails_of_sum(chance, DECK_SIZE + 1, 3, 3 * 52);
    CU_ASSERT_EQUAL(tails.below, 1);
    CU_ASSERT_TRUE(tails.above < 1e-100);
}

TEST(a_sum_far_out_is_no_number_but_a_small_one)
{
    double chance[LAW_SIZE];
    struct tails tails;

    law_displacement(DECK_SIZE, chance);
    tails = tails_of_sum(chance, LAW_SIZE, 1000000, 400000000);
    CU_ASSERT_EQUAL(tails.above, 1);
    CU_ASSERT_EQUAL(tails.below, 0);
    tails = tails_of_sum(chance, LAW_SIZE, 1000000, 0);
    CU_ASSERT_TRUE(tails.below >= 0 && tails.below < 1e-300);
}

/* Abramowitz and Stegun, table 26.8: 5 % beyond 18.307 on 10 degrees of freedom, 95 beyond 3.940.
 */
TEST(chi_square_has_the_published_quantiles)
{
    CU_ASSERT_DOUBLE_EQUAL(tail_chi_square(18.307, 10), 0.05, 1e-5);
    CU_ASSERT_DOUBLE_EQUAL(tail_chi_square(3.940, 10), 0.95, 1e-4);
    CU_ASSERT_DOUBLE_EQUAL(tail_chi_square_both(18.307, 10), 0.1, 2e-5);
    CU_ASSERT_DOUBLE_EQUAL(tail_chi_square_both(3.940, 10), 0.1, 2e-4);
    CU_ASSERT_DOUBLE_EQUAL(tail_normal(1.959964), 0.05, 1e-7);
    CU_ASSERT_DOUBLE_EQUAL(tail_normal(-1.959964), 0.05, 1e-7);
}

TEST(a_rare_event_is_as_rare_as_its_mean)
{
    CU_ASSERT_EQUAL(tail_poisson(0, 1e-60), 1);
    CU_ASSERT_DOUBLE_EQUAL(tail_poisson(1, 1e-60) / 1e-60, 1, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(tail_poisson(2, 1), 1 - 2 * exp(-1), 1e-12);
}

/* 20 values: bars of 12, 4 + 4 (not ten, so with the first), … as the sentence in the header says.
 */
TEST(bars_are_put_together_until_ten_are_expected)
{
    static const double chance[] = {0.05, 0.45, 0.3, 0.15, 0.05};
    static const uint64_t seen[] = {4, 46, 26, 18, 6}, all_in_one[] = {100, 0, 0, 0, 0};
    struct fit fit = fit_of(seen, chance, 5, 100);

    /* 50 of 50, 26 of 30, 24 of 20. */
    CU_ASSERT_EQUAL(fit.df, 2);
    CU_ASSERT_DOUBLE_EQUAL(fit.statistic, 16.0 / 30 + 16.0 / 20, 1e-12);
    fit = fit_of(all_in_one, chance, 5, 100);
    CU_ASSERT_DOUBLE_EQUAL(fit.statistic, 50 + 30 + 20, 1e-12);
    /* Half as many leave two bars, which say nothing of a shape. */
    fit = fit_of(seen, chance, 5, 49);
    CU_ASSERT_EQUAL(fit.df, 0);
}

/* Noncentralities that the exact law asks for at 5 % are 10.507 for one df and 12.654 for two. */
TEST(a_bias_is_shown_nine_times_in_ten)
{
    CU_ASSERT_DOUBLE_EQUAL(detectable_shift(0.05), 1.959964 + 1.281552, 1e-5);
    CU_ASSERT_DOUBLE_EQUAL(detectable_noncentrality(0.05, 1), 10.507, 0.07 * 10.507);
    CU_ASSERT_DOUBLE_EQUAL(detectable_noncentrality(0.05, 2), 12.654, 0.07 * 12.654);
    CU_ASSERT_TRUE(detectable_noncentrality(0.01, 51) > detectable_noncentrality(0.05, 51));
    /* A unit so small that the cell scatters as before, and one that nothing reaches. */
    CU_ASSERT_DOUBLE_EQUAL((detectable_chance(0.01, 51, 0.5, 1e-6) - 0.5) / 1e-6,
                           sqrt(detectable_noncentrality(0.01, 51)), 1e-3);
    CU_ASSERT_DOUBLE_EQUAL(detectable_chance(0.01, 51, 0.02, 1), 1, 1e-9);
}
