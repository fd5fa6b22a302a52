/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/shuffles/places.h"

#include <gsl/gsl_linalg.h>
#include <math.h>

/* What the others leave is at the last place: it would make the covariance singular. */
#define FREE (DECK_SIZE - 1)

uint64_t places_total(const shuffles_places *places, unsigned place)
{
    uint64_t total = 0;

    for (unsigned card = 0; card < DECK_SIZE; card++)
        total += (*places)[place][card];
    return total;
}

static double off_mean(const shuffles_places *places, unsigned place, unsigned card, double total)
{
    return (double)(*places)[place][card] - total / DECK_SIZE;
}

/* Of one card between two places: those orders count that reach the lower one. */
static void fill_covariance(gsl_matrix *covariance, const double *totals)
{
    for (size_t i = 0; i < covariance->size1; i++)
        for (size_t j = 0; j < covariance->size2; j++)
            gsl_matrix_set(covariance, i, j,
                           totals[i > j ? i : j] * ((i == j) - 1.0 / DECK_SIZE) / DECK_SIZE);
}

struct fit places_fit(const shuffles_places *places)
{
    double totals[FREE], squares[FREE * FREE], solved[FREE], sum = 0;
    unsigned count = 0;
    gsl_matrix_view covariance;

    for (; count < FREE; count++) {
        uint64_t total = places_total(places, count);

        if (total < PLACES_ORDERS_MIN)
            break;
        totals[count] = (double)total;
    }
    if (!count)
        return (struct fit){0, 0};
    covariance = gsl_matrix_view_array(squares, count, count);
    fill_covariance(&covariance.matrix, totals);
    gsl_linalg_cholesky_decomp1(&covariance.matrix);
    for (unsigned card = 0; card < DECK_SIZE; card++) {
        gsl_vector_view vector = gsl_vector_view_array(solved, count);

        for (unsigned i = 0; i < count; i++)
            solved[i] = off_mean(places, i, card, totals[i]);
        gsl_linalg_cholesky_svx(&covariance.matrix, &vector.vector);
        for (unsigned i = 0; i < count; i++)
            sum += off_mean(places, i, card, totals[i]) * solved[i];
    }
    return (struct fit){sum * (DECK_SIZE - 1) / DECK_SIZE, (double)count * (DECK_SIZE - 1)};
}

struct fit places_fit_one(const shuffles_places *places, unsigned place)
{
    double total = (double)places_total(places, place), sum = 0;

    for (unsigned card = 0; card < DECK_SIZE; card++) {
        double off = off_mean(places, place, card, total);

        sum += off * off;
    }
    return (struct fit){sum * DECK_SIZE / total, DECK_SIZE - 1};
}

/*
 * Of one order two places keep their cards with chance 1 / (52 * 51), so that the covariance is a
 * multiple of the unit matrix and a little of every other: its inverse has the same shape.
 */
struct fit places_fit_stayed(const uint32_t stayed[DECK_SIZE], uint64_t total)
{
    const double n = DECK_SIZE, both = 1 / (n * n * (n - 1)), own = (1 / n) * (1 - 1 / n) - both;
    double sum = 0, squares = 0;

    for (unsigned place = 0; place < DECK_SIZE; place++) {
        double off = stayed[place] - (double)total / n;

        sum += off;
        squares += off * off;
    }
    return (struct fit){(squares - both / (own + n * both) * sum * sum) / (own * (double)total), n};
}

/* Of the square of a standardized binomial: variance and third moment about its mean, which is 1.
 */
static void moments_of_square(double n, double p, double *variance, double *third)
{
    double q = 1 - p, own = n * p * q;
    double fourth = 3 + (1 - 6 * p * q) / own;
    double sixth =
        15 + 5 * (5 - 26 * p * q) / own + (1 - 30 * p * q + 120 * p * q * p * q) / (own * own);

    *variance = fourth - 1;
    *third = sixth - 3 * fourth + 2;
}

double places_stayed_p(double statistic, uint64_t total)
{
    const double n = DECK_SIZE;
    double variance, third, df, scale;

    moments_of_square((double)total, 1 / n, &variance, &third);
    df = 8 * n * pow(variance, 3) / (third * third);
    scale = sqrt(n * variance / (2 * df));
    return fmin(1, tail_chi_square_both(fmax(0, (statistic - n) / scale + df), df) *
                       (1 + (double)PLACE_ORDERS_MIN / (double)total));
}
