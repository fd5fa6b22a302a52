/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rank test against sums over all ways, tables that others have printed, and itself. */
#include "rigs/history/rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/seeded.h"
#include "tests/support/suite.h"

static int by_size(const void *a, const void *b)
{
    int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;

    return (first > second) - (first < second);
}

static struct rank_result compare(int64_t *first, size_t first_count, int64_t *second,
                                  size_t second_count)
{
    struct rank_result result = {0};

    qsort(first, first_count, sizeof *first, by_size);
    qsort(second, second_count, sizeof *second, by_size);
    CU_ASSERT(rank_compare(first, first_count, second, second_count, &result));
    return result;
}

#define NEAR(a, b) CU_ASSERT_DOUBLE_EQUAL(a, b, 1e-9)

TEST(samples_that_do_not_overlap_have_the_smallest_chance_there_is)
{
    int64_t first[] = {1, 2, 3, 4}, second[] = {5, 6, 7, 8, 9};
    struct rank_result result = compare(first, 4, second, 5);

    CU_ASSERT(result.is_exact);
    NEAR(result.p, 2.0 / 126);
    NEAR(result.larger, 1);
    result = compare(second, 5, first, 4);
    NEAR(result.p, 2.0 / 126);
    NEAR(result.larger, 0);
}

TEST(values_that_are_all_equal_differ_in_nothing)
{
    int64_t first[40], second[50];
    struct rank_result result;

    for (size_t i = 0; i < 50; i++)
        second[i] = 7;
    memcpy(first, second, sizeof first);
    result = compare(first, 4, second, 5);
    NEAR(result.p, 1);
    NEAR(result.larger, 0.5);
    result = compare(first, 40, second, 50);
    CU_ASSERT_FALSE(result.is_exact);
    NEAR(result.p, 1);
}

/* What the straightforward way gives: every choice of the second sample among all values. */
static double by_hand(const int64_t *values, size_t count, size_t chosen)
{
    double ranks[16], found = 0, middle = (double)chosen * (double)(count + 1) / 2;
    double far = 0, all = 0;

    for (size_t i = 0; i < count; i++) {
        double below = 0, equal = 0;

        for (size_t j = 0; j < count; j++) {
            below += values[j] < values[i];
            equal += values[j] == values[i];
        }
        ranks[i] = below + (equal + 1) / 2;
    }
    for (size_t i = count - chosen; i < count; i++)
        found += ranks[i];
    for (unsigned set = 0; set < 1u << count; set++) {
        double sum = 0;

        if ((size_t)__builtin_popcount(set) != chosen)
            continue;
        for (size_t i = 0; i < count; i++)
            sum += set >> i & 1 ? ranks[i] : 0;
        all++;
        far += fabs(sum - middle) >= fabs(found - middle) - 1e-9;
    }
    return far / all;
}

TEST(the_exact_chance_is_that_of_all_ways_also_with_ties)
{
    uint64_t random = 5;

    for (int turn = 0; turn < 60; turn++) {
        size_t first = 1 + seeded_below(&random, 6), second = 1 + seeded_below(&random, 6);
        int64_t values[16], sorted[16];

        for (size_t i = 0; i < first + second; i++)
            values[i] = (int64_t)seeded_below(&random, turn % 2 ? 4 : 1000);
        memcpy(sorted, values, sizeof sorted);
        NEAR(compare(sorted, first, sorted + first, second).p,
             by_hand(values, first + second, second));
    }
}

/* 30 and 31 values are judged by the normal law, 30 and 30 exactly: they must not be far apart. */
TEST(the_normal_law_goes_on_where_the_exact_one_ends)
{
    int64_t first[30], second[31];
    struct rank_result exact, normal;

    for (int i = 0; i < 30; i++)
        first[i] = 10 * i;
    for (int i = 0; i < 31; i++)
        second[i] = 10 * i + 41;
    exact = compare(first, 30, second, 30);
    normal = compare(first, 30, second, 31);
    CU_ASSERT(exact.is_exact && !normal.is_exact);
    CU_ASSERT(exact.p < 0.2 && exact.p > 0.01);
    CU_ASSERT_DOUBLE_EQUAL(normal.p, exact.p, 0.03);
}

/* Of samples from one law, one in twenty may seem to differ at that level. */
TEST(equal_machines_are_not_blamed_more_often_than_declared)
{
    uint64_t random = 9;
    unsigned blamed = 0;

    for (int turn = 0; turn < 2000; turn++) {
        int64_t first[80], second[70];

        for (int i = 0; i < 80; i++)
            first[i] = (int64_t)seeded_below(&random, 50);
        for (int i = 0; i < 70; i++)
            second[i] = (int64_t)seeded_below(&random, 50);
        blamed += compare(first, 80, second, 70).p < 0.05;
    }
    CU_ASSERT(blamed > 60 && blamed < 140);
}

TEST(holm_corrects_the_smallest_most)
{
    double p[] = {0.04, 0.01, 0.03, 0.6};

    rank_holm(p, 4);
    NEAR(p[1], 0.04);
    NEAR(p[2], 0.09);
    NEAR(p[0], 0.09);
    NEAR(p[3], 0.6);
    p[0] = 1e-30;
    p[1] = 0;
    rank_holm(p, 2);
    CU_ASSERT(p[0] > 0.5e-30 && p[0] < 2e-30);
    CU_ASSERT_EQUAL(p[1], 0);
}
