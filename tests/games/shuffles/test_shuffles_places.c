/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/shuffles/places.h"

#include <math.h>
#include <string.h>

#include "tests/support/deck.h"
#include "tests/support/seeded.h"
#include "tests/support/suite.h"

/* Uniform orders, of which so many cards were seen. */
static void add_orders(struct shuffles *shuffles, unsigned orders, size_t seen, uint64_t seed)
{
    card_t deck[DECK_SIZE];
    const struct shuffles_order order = {.cards = deck, .count = seen};

    deck_in_order(deck);
    for (unsigned i = 0; i < orders; i++) {
        deck_mix(deck, &seed);
        CU_ASSERT_EQUAL_FATAL(shuffles_add(shuffles, &order, NULL), 0);
    }
}

TEST(places_of_whole_orders_are_pearsons_statistic_times_51_over_52)
{
    struct shuffles *shuffles = shuffles_new();
    const shuffles_places *places;
    double sum = 0;
    struct fit fit;

    add_orders(shuffles, 400, DECK_SIZE, 9);
    places = shuffles_place_counts(shuffles);
    for (unsigned place = 0; place < DECK_SIZE; place++)
        for (unsigned card = 0; card < DECK_SIZE; card++)
            sum += pow((*places)[place][card] - 400.0 / 52, 2) / (400.0 / 52);
    fit = places_fit(places);
    CU_ASSERT_EQUAL(fit.df, 2601);
    CU_ASSERT_DOUBLE_EQUAL(fit.statistic, sum * 51 / 52, 1e-7);
    shuffles_free(shuffles);
}

/* For m places of n orders the inverse of the covariance is 52 / n (I + J / (52 - m)). */
TEST(places_of_dealt_cards_allow_for_what_was_not_seen)
{
    struct shuffles *shuffles = shuffles_new();
    const shuffles_places *places;
    double sum = 0;
    struct fit fit;

    add_orders(shuffles, 300, 20, 4);
    places = shuffles_place_counts(shuffles);
    for (unsigned card = 0; card < DECK_SIZE; card++) {
        double all = 0;

        for (unsigned place = 0; place < 20; place++) {
            double off = (*places)[place][card] - 300.0 / 52;

            sum += off * off;
            all += off;
        }
        sum += all * all / (52 - 20);
    }
    fit = places_fit(places);
    CU_ASSERT_EQUAL(fit.df, 20 * 51);
    CU_ASSERT_DOUBLE_EQUAL(fit.statistic, sum * 52 / 300 * 51 / 52, 1e-7);
    shuffles_free(shuffles);
}

#define LONGEST 14

/* v A^-1 v, by elimination; `rows` is A and then nothing that means anything. */
static double quadratic_form(size_t size, double rows[size][size], const double *v)
{
    double solved[DECK_SIZE], sum = 0;

    memcpy(solved, v, size * sizeof *v);
    for (size_t pivot = 0; pivot < size; pivot++)
        for (size_t i = 0; i < size; i++) {
            double factor = rows[i][pivot] / rows[pivot][pivot];

            if (i == pivot)
                continue;
            for (size_t j = 0; j < size; j++)
                rows[i][j] -= factor * rows[pivot][j];
            solved[i] -= factor * solved[pivot];
        }
    for (size_t i = 0; i < size; i++)
        sum += v[i] * solved[i] / rows[i][i];
    return sum;
}

TEST(places_reached_by_different_orders_are_weighed_by_them)
{
    struct shuffles *shuffles = shuffles_new();
    double totals[LONGEST], rows[LONGEST][LONGEST], sum = 0;
    const shuffles_places *places;

    add_orders(shuffles, 900, LONGEST / 2, 12);
    add_orders(shuffles, 300, LONGEST, 13);
    places = shuffles_place_counts(shuffles);
    for (unsigned card = 0; card < DECK_SIZE; card++) {
        double off[LONGEST];

        for (unsigned place = 0; place < LONGEST; place++) {
            totals[place] = place < LONGEST / 2 ? 1200 : 300;
            off[place] = (*places)[place][card] - totals[place] / 52;
        }
        for (int i = 0; i < LONGEST; i++)
            for (int j = 0; j < LONGEST; j++)
                rows[i][j] = fmin(totals[i], totals[j]) * ((i == j) / 52.0 - 1.0 / 52 / 52);
        sum += quadratic_form(LONGEST, rows, off);
    }
    CU_ASSERT_EQUAL(places_fit(places).df, LONGEST * 51);
    CU_ASSERT_DOUBLE_EQUAL(places_fit(places).statistic, sum * 51 / 52, 1e-7);
    shuffles_free(shuffles);
}

TEST(places_that_keep_their_cards_are_weighed_by_their_covariance)
{
    static double rows[DECK_SIZE][DECK_SIZE];
    double off[DECK_SIZE];
    uint32_t stayed[DECK_SIZE];
    uint64_t state = 5;
    struct fit fit;

    for (int i = 0; i < DECK_SIZE; i++) {
        stayed[i] = 10 + seeded_below(&state, 20);
        off[i] = stayed[i] - 1000.0 / 52;
        for (int j = 0; j < DECK_SIZE; j++)
            rows[i][j] = 1000 * ((i == j ? 1.0 / 52 : 1.0 / 52 / 51) - 1.0 / 52 / 52);
    }
    fit = places_fit_stayed(stayed, 1000);
    CU_ASSERT_EQUAL(fit.df, 52);
    CU_ASSERT_DOUBLE_EQUAL(fit.statistic, quadratic_form(DECK_SIZE, rows, off), 1e-8);
}

/* The upper 0.0005 of chi-square on 52 df begins at 91.7; for 520 orders p is twice what it is. */
TEST(places_kept_are_judged_as_squares_of_small_counts)
{
    double chi_square = tail_chi_square_both(95, 52);

    CU_ASSERT_DOUBLE_EQUAL(places_stayed_p(95, 4000000000) / chi_square, 1, 1e-4);
    CU_ASSERT(places_stayed_p(95, 520) > 2.5 * chi_square);
    CU_ASSERT(places_stayed_p(95, 520) < 6 * chi_square);
    CU_ASSERT(places_stayed_p(20, 520) < 0.01);
    CU_ASSERT_EQUAL(places_stayed_p(52, 520), 1);
}
