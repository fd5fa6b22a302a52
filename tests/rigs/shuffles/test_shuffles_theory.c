/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What theory says of each way of shuffling, beside what was published. */
#include <math.h>
#include <string.h>

#include "rigs/shuffles/theory.h"
#include "tests/support/suite.h"

static struct shuffle_method read_method(const char *text)
{
    struct shuffle_method method;

    CU_ASSERT_EQUAL_FATAL(shuffle_method_parse(text, strlen(text), &method, NULL), 0);
    return method;
}

static double distance(const char *text)
{
    struct shuffle_method method = read_method(text);

    return shuffles_theory_distance(&method);
}

static uint64_t needed(const char *text, double alpha)
{
    struct shuffle_method method = read_method(text);

    return shuffles_theory(&method, alpha, 0.9);
}

/* Bayer and Diaconis 1992, table 1: 52 cards, one to ten riffles. */
TEST(the_distance_after_riffles_is_the_published_one)
{
    static const double published[] = {1.000, 1.000, 1.000, 1.000, 0.924,
                                       0.614, 0.334, 0.167, 0.085, 0.043};

    for (unsigned i = 0; i < 10; i++) {
        struct shuffle_method method = {SHUFFLE_RIFFLE, i + 1};

        CU_ASSERT_DOUBLE_EQUAL(shuffles_theory_distance(&method), published[i], 0.0005001);
    }
    CU_ASSERT(distance("riffle:100") < 1e-12);
}

/* Diaconis, Fulman and Holmes 2013, table 1: 52 cards. */
TEST(the_distance_after_shelves_is_the_published_one)
{
    static const struct {
        uint32_t shelves;
        double distance;
    } published[] = {{10, 1.000},  {15, 0.943},  {20, 0.720},  {25, 0.544},
                     {30, 0.391},  {35, 0.299},  {50, 0.159},  {100, 0.041},
                     {150, 0.018}, {200, 0.010}, {250, 0.007}, {300, 0.005}};

    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        struct shuffle_method method = {SHUFFLE_SHELF, published[i].shelves};

        CU_ASSERT_DOUBLE_EQUAL(shuffles_theory_distance(&method), published[i].distance, 0.0005001);
    }
}

TEST(other_distances_are_known_where_they_can_be)
{
    CU_ASSERT_EQUAL(distance("uniform"), 0);
    CU_ASSERT_DOUBLE_EQUAL(distance("bias:1"), 51.0 / 52, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(distance("bias:0.1"), 5.1 / 52, 1e-12);
    CU_ASSERT(isnan(distance("stuck:3")));
    CU_ASSERT(isnan(distance("overhand")));
}

/*
 * After K riffles, K not small, rising sequences are fewer by about 53/12 times what their chance
 * falls by with each, ln((2^K + 25.5) / (2^K - 25.5)); for seven that is 1.82, or 0.87 of their
 * standard deviation.
 */
TEST(theory_needs_four_times_the_shuffles_for_each_further_riffle)
{
    CU_ASSERT_EQUAL(needed("riffle:4", 0.01), 1);
    CU_ASSERT_EQUAL(needed("riffle:7", 0.01), 21);
    CU_ASSERT_EQUAL(needed("riffle:7", 0.0005), 32);
    for (unsigned riffles = 8; riffles < 14; riffles++) {
        struct shuffle_method fewer = {SHUFFLE_RIFFLE, riffles},
                              more = {SHUFFLE_RIFFLE, riffles + 1};
        double times =
            (double)shuffles_theory(&more, 0.01, 0.9) / (double)shuffles_theory(&fewer, 0.01, 0.9);

        CU_ASSERT(times > 3.9 && times < 4.1);
    }
}

TEST(one_shuffle_is_enough_for_ten_shelves_and_few_riffles)
{
    CU_ASSERT_EQUAL(needed("riffle:1", 0.0005), 1);
    CU_ASSERT_EQUAL(needed("riffle:4", 0.0005), 1);
    CU_ASSERT(needed("riffle:5", 0.0005) > 1);
    CU_ASSERT_EQUAL(needed("shelf:10", 0.0005), 1);
    CU_ASSERT(needed("shelf:20", 0.0005) > 1);
    CU_ASSERT_EQUAL(needed("overhand", 0.0005), 1);
}

/*
 * By hand, with 0.005 for 2704 cells: of 16 orders five may stay, which come by chance with
 * 4368 / 52^5 or 1.1e-5, six with 4e-7; and six or more of 16 stay, at 0.51 each, nine times in
 * ten.
 */
TEST(a_card_that_stays_is_found_by_the_one_place_it_stays_at)
{
    double times = (double)needed("bias:0.001", 0.01) / (double)needed("bias:0.002", 0.01);

    CU_ASSERT_EQUAL(needed("bias:0.5", 0.01), 16);
    CU_ASSERT(needed("bias:0.1", 0.01) < 520);
    CU_ASSERT(needed("bias:0.01", 0.01) > 520);
    CU_ASSERT(times > 3.4 && times < 4);
}

TEST(an_order_that_comes_again_is_found_when_it_does)
{
    CU_ASSERT_EQUAL(needed("stuck:1", 0.01), 2);
    CU_ASSERT_EQUAL(needed("stuck:1000000", 0.01), 1000001);
}

TEST(what_has_no_flaw_or_hardly_one_is_never_found)
{
    CU_ASSERT_EQUAL(needed("uniform", 0.01), SHUFFLES_THEORY_NEVER);
    CU_ASSERT_EQUAL(needed("riffle:100", 0.01), SHUFFLES_THEORY_NEVER);
    CU_ASSERT_EQUAL(needed("bias:0.000001", 0.01), SHUFFLES_THEORY_NEVER);
    CU_ASSERT_EQUAL(needed("overhand:10000", 0.01), SHUFFLES_THEORY_NEVER);
}
