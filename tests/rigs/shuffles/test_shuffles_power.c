/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The judge of shuffles on machines whose law is known. Seeds are fixed: what is found in so many
 * of them is found in every run.
 */
#include <string.h>

#include "rigs/shuffles/power.h"
#include "rigs/shuffles/theory.h"
#include "tests/support/suite.h"

#define CONFIDENCE 0.99

static struct error said;

static void judge(const char *text, unsigned seeds, double alpha, struct shuffles_power *cells,
                  size_t sizes)
{
    struct shuffle_method method;

    CU_ASSERT_EQUAL_FATAL(shuffle_method_parse(text, strlen(text), &method, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(shuffles_power(&method, 1, seeds, alpha, cells, sizes, &said), 0);
}

static uint64_t needed(const char *text)
{
    struct shuffle_method method;
    uint64_t count = 0;

    CU_ASSERT_EQUAL_FATAL(shuffle_method_parse(text, strlen(text), &method, NULL), 0);
    CU_ASSERT_EQUAL(shuffles_power_needed(&method, SHUFFLES_ALPHA, &count, &said), 0);
    return count;
}

/* Whether the test of that name was first in most of the seeds. */
static bool found_mostly_by(const struct shuffles_power *cell, const char *name)
{
    for (size_t i = 0; i < cell->tests; i++)
        if (!strcmp(cell->name[i], name))
            return 2 * cell->first[i] > cell->seeds;
    return false;
}

/* The share of false alarms is what was declared, or less, as Holm's correction is on the safe
 * side; within what chance does to so many seeds. */
static void expect_declared_rate(uint64_t count, unsigned seeds, double alpha)
{
    struct shuffles_power cell = {.count = count};
    struct shuffles_interval interval;

    judge("uniform", seeds, alpha, &cell, 1);
    interval = shuffles_interval(cell.found, seeds, CONFIDENCE);
    CU_ASSERT_EQUAL(cell.seeds, seeds);
    CU_ASSERT(interval.low <= alpha);
    CU_ASSERT(interval.high >= alpha / 4);
}

TEST(a_uniform_shuffle_is_suspected_as_often_as_was_declared)
{
    expect_declared_rate(2, 500, 0.1);
    expect_declared_rate(40, 500, 0.1);
    expect_declared_rate(300, 200, 0.1);
    expect_declared_rate(40, 500, 0.01);
}

static void expect_caught(const char *method, uint64_t most, const char *test)
{
    struct shuffles_power cell = {.count = needed(method)};

    CU_ASSERT(cell.count <= most);
    judge(method, 40, SHUFFLES_ALPHA, &cell, 1);
    CU_ASSERT(shuffles_interval(cell.found, cell.seeds, CONFIDENCE).high >= SHUFFLES_POWER_DUE);
    CU_ASSERT(found_mostly_by(&cell, test));
}

TEST(riffles_are_caught_by_rising_sequences_with_what_theory_needs)
{
    expect_caught("riffle:1", 1, "rising sequences");
    expect_caught("riffle:2", 1, "rising sequences");
    expect_caught("riffle:3", 1, "rising sequences");
    expect_caught("riffle:4", 2, "rising sequences");
    expect_caught("riffle:5", 4, "rising sequences");
    expect_caught("riffle:6", 12, "rising sequences");
    expect_caught("riffle:7", 50, "rising sequences");
}

TEST(ten_shelves_are_caught_by_one_known_shuffle)
{
    struct shuffles_power cell = {.count = 1};

    judge("shelf:10", 100, SHUFFLES_ALPHA, &cell, 1);
    CU_ASSERT_EQUAL(cell.found, 100);
    CU_ASSERT(found_mostly_by(&cell, "valleys"));
    expect_caught("shelf:20", 10, "valleys");
}

TEST(a_card_that_stays_is_caught_by_the_one_place_it_stays_at)
{
    expect_caught("bias:1", 5, "one card at one place");
    expect_caught("bias:0.5", 25, "one place to another");
    expect_caught("bias:0.1", 260, "one place to another");
}

TEST(an_order_that_comes_again_is_caught_when_it_does_and_not_before)
{
    struct shuffles_power cells[] = {{.count = 10}, {.count = 11}};

    judge("stuck:10", 20, SHUFFLES_ALPHA, cells, 2);
    CU_ASSERT(cells[0].found <= 1);
    CU_ASSERT_EQUAL(cells[1].found, 20);
    CU_ASSERT(found_mostly_by(&cells[1], "repeated orders"));
}

TEST(an_overhand_shuffle_is_caught_by_the_pairs_it_keeps)
{
    expect_caught("overhand", 1, "adjacent pairs kept");
    expect_caught("overhand:10", 3, "adjacent pairs kept");
}

TEST(a_slot_cards_that_stick_and_a_few_permutations_are_caught_by_their_own_tests)
{
    expect_caught("slot:0.5", 25, "one place to another");
    expect_caught("stick:0.2", 100, "one card after another");
    expect_caught("moves:50", 20, "repeated moves");
}

TEST(sizes_judged_together_are_those_judged_alone)
{
    struct shuffles_power together[] = {{.count = 10}, {.count = 40}};
    struct shuffles_power alone[] = {{.count = 10}, {.count = 40}};

    judge("riffle:7", 20, SHUFFLES_ALPHA, together, 2);
    judge("riffle:7", 20, SHUFFLES_ALPHA, &alone[0], 1);
    judge("riffle:7", 20, SHUFFLES_ALPHA, &alone[1], 1);
    for (unsigned i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL(together[i].found, alone[i].found);
        CU_ASSERT_EQUAL(together[i].too_few, alone[i].too_few);
        CU_ASSERT(!memcmp(together[i].first, alone[i].first, sizeof alone[i].first));
    }
    CU_ASSERT(together[0].found < together[1].found);
}

TEST(every_seed_with_evidence_has_a_test_that_found_it)
{
    struct shuffles_power cell = {.count = 20};
    unsigned first = 0;

    judge("riffle:7", 40, SHUFFLES_ALPHA, &cell, 1);
    for (size_t i = 0; i < cell.tests; i++)
        first += cell.first[i];
    CU_ASSERT_EQUAL(first, cell.found);
    CU_ASSERT(cell.found > 0 && cell.found < cell.seeds);
}

/* Clopper and Pearson 1934: 5 of 10 at 95 %; none of 20 leaves 1 - 0.025^(1/20). */
TEST(an_interval_is_the_exact_one_of_the_binomial)
{
    struct shuffles_interval half = shuffles_interval(5, 10, 0.95);
    struct shuffles_interval none = shuffles_interval(0, 20, 0.95);
    struct shuffles_interval all = shuffles_interval(20, 20, 0.95);

    CU_ASSERT_DOUBLE_EQUAL(half.low, 0.187086, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(half.high, 0.812914, 1e-6);
    CU_ASSERT_EQUAL(none.low, 0);
    CU_ASSERT_DOUBLE_EQUAL(none.high, 0.168433, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(all.low, 1 - none.high, 1e-9);
    CU_ASSERT_EQUAL(all.high, 1);
    CU_ASSERT(shuffles_interval(10000, 1000000, 0.95).high < 0.0103);
}
