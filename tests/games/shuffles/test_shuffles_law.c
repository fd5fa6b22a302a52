/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "games/shuffles/law.h"
#include "games/shuffles/order.h"
#include "tests/support/suite.h"

#define SMALL 8

/* All orders of a few cards, one after the other; the first one is 0, 1, 2, … */
static bool next_order(uint8_t *order, unsigned cards)
{
    unsigned pivot = cards - 1, swap = cards - 1;

    while (pivot && order[pivot - 1] > order[pivot])
        pivot--;
    if (!pivot)
        return false;
    while (order[swap] < order[pivot - 1])
        swap--;
    order[pivot - 1] ^= order[swap];
    order[swap] ^= order[pivot - 1];
    order[pivot - 1] ^= order[swap];
    for (unsigned low = pivot, high = cards - 1; low < high; low++, high--) {
        uint8_t card = order[low];

        order[low] = order[high];
        order[high] = card;
    }
    return true;
}

static void first_order(uint8_t *order, unsigned cards)
{
    for (unsigned i = 0; i < cards; i++)
        order[i] = (uint8_t)i;
}

/* Counts a statistic over all orders; returns how many there are. */
static double count_out(unsigned cards, unsigned (*statistic)(const uint8_t *, unsigned),
                        double *counts, size_t size)
{
    uint8_t order[SMALL];
    double orders = 0;

    memset(counts, 0, size * sizeof *counts);
    first_order(order, cards);
    do {
        unsigned value = statistic(order, cards);

        CU_ASSERT_TRUE_FATAL(value < size);
        counts[value]++;
        orders++;
    } while (next_order(order, cards));
    return orders;
}

static void agrees(unsigned cards, unsigned (*statistic)(const uint8_t *, unsigned),
                   const double *chance, size_t size)
{
    double counts[SMALL * SMALL + 1];
    double orders = count_out(cards, statistic, counts, size);

    for (size_t i = 0; i < size; i++)
        CU_ASSERT_DOUBLE_EQUAL(chance[i], counts[i] / orders, 1e-15);
}

/* Neighbours of 0, 1, … before - 1 that still are, within the first `now` places. */
static unsigned kept_within(const uint8_t *order, unsigned before, unsigned now)
{
    unsigned kept = 0;

    for (unsigned i = 1; i < now; i++)
        kept += order[i] == order[i - 1] + 1 && order[i] < before;
    return kept;
}

TEST(neighbours_kept_among_some_cards_agree_with_all_orders_of_seven)
{
    for (unsigned before = 1; before <= 7; before++)
        for (unsigned now = 1; now <= 7; now++) {
            double chance[7], counts[7] = {0}, orders = 0;
            uint8_t order[7];

            first_order(order, 7);
            do {
                counts[kept_within(order, before, now)]++;
                orders++;
            } while (next_order(order, 7));
            law_successions_seen(7, before, now, chance);
            for (unsigned k = 0; k < 7; k++)
                CU_ASSERT_DOUBLE_EQUAL(chance[k], counts[k] / orders, 1e-15);
        }
}

TEST(neighbours_kept_of_whole_orders_have_one_law)
{
    double seen[DECK_SIZE], whole[DECK_SIZE];

    law_successions_seen(DECK_SIZE, DECK_SIZE, DECK_SIZE, seen);
    law_successions(DECK_SIZE, whole);
    for (unsigned k = 0; k < 20; k++)
        CU_ASSERT_DOUBLE_EQUAL(seen[k] / whole[k], 1, 1e-12);
}

/* Every rank is equally likely at the first place: 2 … A weigh 51 times -6 … 6 there. */
TEST(the_trend_of_ranks_has_its_exact_variance)
{
    CU_ASSERT_DOUBLE_EQUAL(law_rank_trend(1).variance, 51.0 * 51 * 14, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(law_rank_trend(DECK_SIZE).variance, 728.0 * 46852 / 51, 1e-6);
    CU_ASSERT_EQUAL(law_rank_trend(20).mean, 0);
}

TEST(every_law_agrees_with_all_orders_of_up_to_eight_cards)
{
    double chance[LAW_SIZE];

    for (unsigned cards = 2; cards <= SMALL; cards++) {
        law_successions(cards, chance);
        agrees(cards, order_pairs_kept, chance, cards);
        law_rising(cards, chance);
        agrees(cards, order_rising, chance, cards + 1);
        law_valleys(cards, chance);
        agrees(cards, order_valleys, chance, (cards - 1) / 2 + 1);
        agrees(cards, order_peaks, chance, (cards - 1) / 2 + 1);
        law_fixed_points(cards, chance);
        agrees(cards, order_fixed_points, chance, cards + 1);
        law_cycles(cards, chance);
        agrees(cards, order_cycles, chance, cards + 1);
        agrees(cards, order_guessed_next, chance, cards + 1);
        agrees(cards, order_guessed_along, chance, cards + 1);
        law_displacement(cards, chance);
        agrees(cards, order_displacement, chance, cards * cards / 4 + 1);
    }
}

static void equals(const double *chance, const double *published, size_t size, double orders)
{
    for (size_t i = 0; i < size; i++)
        CU_ASSERT_DOUBLE_EQUAL(chance[i] * orders, published[i], 1e-9);
}

/* OEIS A008292, A132393, A008290, A008303, A062869 and A010027. */
TEST(laws_are_the_published_numbers)
{
    static const double eulerian[] = {0, 1, 247, 4293, 15619, 15619, 4293, 247, 1};
    static const double stirling[] = {0, 5040, 13068, 13132, 6769, 1960, 322, 28, 1};
    static const double rencontres[] = {14833, 14832, 7420, 2464, 630, 112, 28, 0, 1};
    static const double peaks[] = {128, 7680, 24576, 7936};
    static const double footrule[] = {1, 4, 12, 24, 35, 24, 20};
    static const double successions[] = {2119, 1854, 795, 220, 45, 6, 1};
    double chance[LAW_SIZE];

    law_rising(8, chance);
    equals(chance, eulerian, 9, 40320);
    law_cycles(8, chance);
    equals(chance, stirling, 9, 40320);
    law_fixed_points(8, chance);
    equals(chance, rencontres, 9, 40320);
    law_valleys(8, chance);
    equals(chance, peaks, 4, 40320);
    law_displacement(5, chance);
    equals(chance, footrule, 7, 120);
    law_successions(7, chance);
    equals(chance, successions, 7, 5040);
}

static void is_a_law(const double *chance, size_t size, double mean, double variance)
{
    struct law_moments moments = law_moments(chance, size);
    double sum = 0;

    for (size_t i = 0; i < size; i++)
        sum += chance[i];
    CU_ASSERT_DOUBLE_EQUAL(sum, 1, 1e-13);
    CU_ASSERT_DOUBLE_EQUAL(moments.mean, mean, 1e-10);
    CU_ASSERT_DOUBLE_EQUAL(moments.variance, variance, 1e-9);
}

static double harmonic(unsigned n, int power)
{
    double sum = 0;

    for (unsigned i = 1; i <= n; i++)
        sum += pow(i, -power);
    return sum;
}

TEST(means_and_variances_of_a_deck_are_the_published_ones)
{
    double chance[LAW_SIZE], n = DECK_SIZE;

    law_rising(DECK_SIZE, chance);
    is_a_law(chance, DECK_SIZE + 1, 26.5, 53.0 / 12);
    law_valleys(DECK_SIZE, chance);
    is_a_law(chance, 26, 50.0 / 3, 2 * (n + 1) / 45);
    law_fixed_points(DECK_SIZE, chance);
    is_a_law(chance, DECK_SIZE + 1, 1, 1);
    law_cycles(DECK_SIZE, chance);
    is_a_law(chance, DECK_SIZE + 1, harmonic(52, 1), harmonic(52, 1) - harmonic(52, 2));
    CU_ASSERT_DOUBLE_EQUAL(harmonic(52, 1), 4.538, 0.0005);
    law_displacement(DECK_SIZE, chance);
    is_a_law(chance, 677, (n * n - 1) / 6, (n + 1) * (2 * n * n + 7) / 45 / 4);
    law_overlap(DECK_SIZE, 26, chance);
    is_a_law(chance, 27, 13, 26 * 0.25 * 26 / 51);
    law_runs(SUIT_COUNT, RANK_COUNT, chance);
    is_a_law(chance, DECK_SIZE + 1, 40, law_runs_seen(SUIT_COUNT, RANK_COUNT, 52).variance);
    law_runs(RANK_COUNT, SUIT_COUNT, chance);
    is_a_law(chance, DECK_SIZE + 1, 49, law_runs_seen(RANK_COUNT, SUIT_COUNT, 52).variance);
}

/* P(k) of successions is e^-1 / k! but for terms of the order of 1 / 52. */
TEST(pairs_kept_are_nearly_poisson)
{
    double chance[LAW_SIZE], factorial = 1;

    law_successions(DECK_SIZE, chance);
    is_a_law(chance, DECK_SIZE, 51.0 / 52, law_moments(chance, DECK_SIZE).variance);
    for (unsigned k = 0; k < 6; k++) {
        CU_ASSERT_DOUBLE_EQUAL(chance[k], exp(-1) / factorial, 0.01);
        factorial *= k + 1;
    }
}

/* Two shuffles in which one order alone has the most extreme value: its chance is 1 / 52!. */
TEST(the_rarest_values_keep_their_digits)
{
    double chance[LAW_SIZE], orders = tgamma(53);

    law_rising(DECK_SIZE, chance);
    CU_ASSERT_DOUBLE_EQUAL(chance[1] * orders, 1, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(chance[52] * orders, 1, 1e-12);
    law_cycles(DECK_SIZE, chance);
    CU_ASSERT_DOUBLE_EQUAL(chance[52] * orders, 1, 1e-12);
    law_fixed_points(DECK_SIZE, chance);
    CU_ASSERT_DOUBLE_EQUAL(chance[52] * orders, 1, 1e-12);
    CU_ASSERT_EQUAL(chance[51], 0);
    law_displacement(DECK_SIZE, chance);
    CU_ASSERT_DOUBLE_EQUAL(chance[0] * orders, 1, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(chance[1] * orders, 51, 1e-11);
}

/* Runs of order / alike among the first cards, over all orders: mean and variance. */
static struct law_moments count_runs(unsigned cards, unsigned alike, unsigned seen, double *counts)
{
    double orders = 0, sum = 0, square = 0;
    uint8_t order[SMALL];

    first_order(order, cards);
    do {
        unsigned runs = seen ? 1 : 0;

        for (unsigned i = 1; i < seen; i++)
            runs += order[i] / alike != order[i - 1] / alike;
        counts[runs]++;
        orders++;
        sum += runs;
        square += runs * runs;
    } while (next_order(order, cards));
    sum /= orders;
    return (struct law_moments){sum, square / orders - sum * sum};
}

TEST(runs_agree_with_all_orders_of_small_decks)
{
    static const unsigned decks[][2] = {{2, 3}, {3, 2}, {2, 4}, {4, 2}, {8, 1}};

    for (size_t d = 0; d < sizeof decks / sizeof decks[0]; d++) {
        unsigned groups = decks[d][0], alike = decks[d][1], cards = groups * alike;
        double chance[LAW_SIZE], counts[SMALL + 1];

        law_runs(groups, alike, chance);
        for (unsigned seen = 1; seen <= cards; seen++) {
            struct law_moments law = law_runs_seen(groups, alike, seen), counted;

            memset(counts, 0, sizeof counts);
            counted = count_runs(cards, alike, seen, counts);
            CU_ASSERT_DOUBLE_EQUAL(law.mean, counted.mean, 1e-12);
            CU_ASSERT_DOUBLE_EQUAL(law.variance, counted.variance, 1e-11);
        }
        for (unsigned runs = 0; runs <= cards; runs++)
            CU_ASSERT_DOUBLE_EQUAL(chance[runs], counts[runs] / tgamma(cards + 1), 1e-14);
    }
}

TEST(products_agree_with_all_orders_of_seven_cards)
{
    static const double values[] = {-4, -4, -1, 0, 2, 2, 5};

    for (unsigned seen = 1; seen <= 7; seen++) {
        double orders = 0, sum = 0, square = 0, squares = 0, fourths = 0;
        struct law_moments law;
        uint8_t order[SMALL];

        for (unsigned i = 0; i < 7; i++) {
            squares += pow(values[i], 2);
            fourths += pow(values[i], 4);
        }
        law = law_products(7, squares, fourths, seen);
        first_order(order, 7);
        do {
            double product = 0;

            for (unsigned i = 1; i < seen; i++)
                product += values[order[i]] * values[order[i - 1]];
            sum += product;
            square += product * product;
            orders++;
        } while (next_order(order, 7));
        sum /= orders;
        CU_ASSERT_DOUBLE_EQUAL(law.mean, sum, 1e-11);
        CU_ASSERT_DOUBLE_EQUAL(law.variance, square / orders - sum * sum, 1e-9);
    }
}

static unsigned above_the_middle(const uint8_t *order, unsigned cards)
{
    unsigned above = 0;

    for (unsigned i = 0; i < cards / 2; i++)
        above += order[i] < cards / 2;
    return above;
}

TEST(overlap_agrees_with_all_orders_of_eight_cards)
{
    double chance[LAW_SIZE];
    struct law_moments whole, part;

    law_overlap(8, 4, chance);
    agrees(8, above_the_middle, chance, 5);
    whole = law_moments(chance, 5);
    part = law_overlap_seen(8, 4, 4);
    CU_ASSERT_DOUBLE_EQUAL(part.mean, whole.mean, 1e-13);
    CU_ASSERT_DOUBLE_EQUAL(part.variance, whole.variance, 1e-13);
}

/* Two rising sequences, 0 1 2 and 3 4, riffled once: valley and peak by looking. */
TEST(counts_of_one_riffle_can_be_read_off)
{
    static const uint8_t riffled[] = {0, 3, 1, 4, 2};

    CU_ASSERT_EQUAL(order_rising(riffled, 5), 2);
    CU_ASSERT_EQUAL(order_pairs_kept(riffled, 5), 0);
    CU_ASSERT_EQUAL(order_valleys(riffled, 5), 1);
    CU_ASSERT_EQUAL(order_peaks(riffled, 5), 2);
    CU_ASSERT_EQUAL(order_fixed_points(riffled, 5), 1);
    CU_ASSERT_EQUAL(order_cycles(riffled, 5), 2);
    CU_ASSERT_EQUAL(order_displacement(riffled, 5), 3);
}

TEST(a_guesser_is_right_where_the_rule_says)
{
    static const uint8_t untouched[] = {0, 1, 2, 3, 4}, reversed[] = {4, 3, 2, 1, 0};
    static const uint8_t shelf[] = {2, 4, 3, 1, 0};

    CU_ASSERT_EQUAL(order_guessed_next(untouched, 5), 5);
    CU_ASSERT_EQUAL(order_guessed_along(untouched, 5), 5);
    CU_ASSERT_EQUAL(order_guessed_next(reversed, 5), 1);
    /* 0 is guessed and 4 shown; nothing lies below it, so the guess turns to 3 and goes on. */
    CU_ASSERT_EQUAL(order_guessed_along(reversed, 5), 4);
    /* 0, not 2; then 3, not 4; turned to 3, on to 1 and 0. */
    CU_ASSERT_EQUAL(order_guessed_along(shelf, 5), 3);
}
