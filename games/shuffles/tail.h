/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From what was counted to how unlikely it is: tails of exact laws, of sums of many values of such
 * a law, and of chi-square. Distribution functions are GSL's. Pure; nothing fails, and a tail that
 * is too small for a double is 0.
 */
#ifndef GAMES_SHUFFLES_TAIL_H
#define GAMES_SHUFFLES_TAIL_H

#include <stddef.h>
#include <stdint.h>

/*
 * No bar of a histogram is expected less often. With the customary five the far tails that Holm
 * asks for are reached half as often again as they should be, with ten they are not.
 */
#define FIT_EXPECTED_MIN 10

/* Two-sided p: twice the smaller tail. */
double tail_both(double below, double above);

double tail_normal(double z);

/* P(X >= x) of chi-square; of either side where a fit too good is evidence as well. */
double tail_chi_square(double x, double df);
double tail_chi_square_both(double x, double df);

/* P(X >= count) of Poisson. */
double tail_poisson(uint64_t count, double mean);

/*
 * P(sum <= x) and P(sum >= x) of `count` independent values of a law over 0 … size - 1. Of one
 * value exactly; of more by the saddlepoint of Lugannani and Rice with Daniels's correction for
 * whole numbers: right to seven per cent of the tail at the very ends, to one elsewhere.
 */
struct tails {
    double below;
    double above;
};

struct tails tails_of_sum(const double *chance, size_t size, uint64_t count, uint64_t sum);

/*
 * Pearson's statistic of a histogram against its law. Neighbouring bars are put together until
 * each is expected FIT_EXPECTED_MIN times; df is 0 when that leaves fewer than three.
 */
struct fit {
    double statistic;
    double df;
};

struct fit fit_of(const uint64_t *seen, const double *chance, size_t size, uint64_t total);

/*
 * What a test at `alpha` finds nine times in ten: the shift of a normal mean in standard errors,
 * either way; the noncentrality of a chi-square, up to seven per cent too small for few degrees of
 * freedom; and the chance of one of its cells, whose count also scatters more when it is larger.
 * `unit` is the excess over `chance` that makes a noncentrality of 1; 1 when nothing smaller is.
 */
double detectable_shift(double alpha);
double detectable_noncentrality(double alpha, double df);
double detectable_chance(double alpha, double df, double chance, double unit);

#endif
