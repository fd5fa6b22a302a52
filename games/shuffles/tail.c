/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/shuffles/tail.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <math.h>

#define POWER 0.9

double tail_both(double below, double above)
{
    return fmin(1, 2 * fmin(below, above));
}

double tail_normal(double z)
{
    return tail_both(gsl_cdf_ugaussian_P(z), gsl_cdf_ugaussian_Q(z));
}

double tail_chi_square(double x, double df)
{
    return gsl_cdf_chisq_Q(x, df);
}

double tail_chi_square_both(double x, double df)
{
    return tail_both(gsl_cdf_chisq_P(x, df), gsl_cdf_chisq_Q(x, df));
}

/* One minus the lower tail would lose all its digits where the mean is next to nothing. */
double tail_poisson(uint64_t count, double mean)
{
    return count ? gsl_cdf_gamma_P(mean, (double)count, 1) : 1;
}

/* The cumulant generating function of a law, and its first two derivatives. */
struct cumulants {
    double value;
    double mean;
    double variance;
};

static struct cumulants cumulants_at(const double *chance, size_t size, double s)
{
    double largest = s > 0 ? s * (double)(size - 1) : 0, sum = 0, first = 0, second = 0;

    for (size_t k = 0; k < size; k++) {
        double weight = chance[k] * exp(s * (double)k - largest);

        sum += weight;
        first += weight * (double)k;
        second += weight * (double)k * (double)k;
    }
    first /= sum;
    return (struct cumulants){log(fmax(sum, DBL_MIN)) + largest, first,
                              second / sum - first * first};
}

/* Where the tilted law has that mean: Newton's steps, halved into a bracket that only shrinks. */
static double saddlepoint(const double *chance, size_t size, double mean)
{
    double low = -60, high = 60, s = 0;

    for (int i = 0; i < 200 && high - low > 1e-13; i++) {
        struct cumulants now = cumulants_at(chance, size, s);
        double step = (mean - now.mean) / now.variance;

        if (fabs(mean - now.mean) <= 1e-13 * (1 + fabs(mean)))
            break;
        if (now.mean < mean)
            low = s;
        else
            high = s;
        s = isfinite(step) && s + step > low && s + step < high ? s + step : (low + high) / 2;
    }
    return s;
}

/* Both tails at x, which lies half a step away from the sums that there can be. */
static struct tails tails_at(const double *chance, size_t size, double count, double x)
{
    double s = saddlepoint(chance, size, x / count), w, u, correction = 0;
    struct cumulants at = cumulants_at(chance, size, s);

    w = copysign(sqrt(fmax(0, 2 * (s * x - count * at.value))), s);
    u = 2 * sinh(s / 2) * sqrt(count * at.variance);
    if (fabs(w) > 0.01)
        correction = exp(-w * w / 2) / sqrt(2 * M_PI) * (1 / u - 1 / w);
    return (struct tails){
        .below = fmin(1, fmax(0, gsl_cdf_ugaussian_P(w) - correction)),
        .above = fmin(1, fmax(0, gsl_cdf_ugaussian_Q(w) + correction)),
    };
}

static struct tails tails_of_one(const double *chance, size_t size, uint64_t value)
{
    struct tails tails = {0};

    for (size_t k = 0; k < size; k++) {
        tails.below += k <= value ? chance[k] : 0;
        tails.above += k >= value ? chance[k] : 0;
    }
    return tails;
}

struct tails tails_of_sum(const double *chance, size_t size, uint64_t count, uint64_t sum)
{
    double n = (double)count, x = (double)sum;
    size_t first = 0, last = size - 1;

    if (count == 1)
        return tails_of_one(chance, size, sum);
    while (chance[first] <= 0)
        first++;
    while (chance[last] <= 0)
        last--;
    return (struct tails){
        .below = x >= n * (double)last ? 1 : tails_at(chance, size, n, x + 0.5).below,
        .above = x <= n * (double)first ? 1 : tails_at(chance, size, n, x - 0.5).above,
    };
}

struct fit fit_of(const uint64_t *seen, const double *chance, size_t size, uint64_t total)
{
    double n = (double)total, left = 1, expected = 0, statistic = 0;
    uint64_t count = 0;
    unsigned bars = 0;

    for (size_t k = 0; k < size; k++) {
        expected += n * chance[k];
        left -= chance[k];
        count += seen[k];
        if (k + 1 < size && (expected < FIT_EXPECTED_MIN || n * left < FIT_EXPECTED_MIN))
            continue;
        statistic += ((double)count - expected) * ((double)count - expected) / expected;
        bars++;
        expected = 0;
        count = 0;
    }
    return (struct fit){statistic, bars < 3 ? 0 : bars - 1};
}

double detectable_shift(double alpha)
{
    return gsl_cdf_ugaussian_Qinv(alpha / 2) + gsl_cdf_ugaussian_Pinv(POWER);
}

/* Patnaik's approximation: a central chi-square of the same mean and variance, scaled. */
static double power_of(double critical, double mean, double variance)
{
    double half = variance / 2;

    return gsl_cdf_chisq_Q(critical * mean / half, mean * mean / half);
}

static double power_at_noncentrality(double critical, double df, double noncentrality)
{
    return power_of(critical, df + noncentrality, 2 * (df + 2 * noncentrality));
}

double detectable_noncentrality(double alpha, double df)
{
    double critical = gsl_cdf_chisq_Qinv(alpha, df), low = 0, high = 1;

    while (power_at_noncentrality(critical, df, high) < POWER)
        high *= 2;
    for (int i = 0; i < 50; i++) {
        double middle = (low + high) / 2;

        if (power_at_noncentrality(critical, df, middle) < POWER)
            low = middle;
        else
            high = middle;
    }
    return high;
}

double detectable_chance(double alpha, double df, double chance, double unit)
{
    double critical = gsl_cdf_chisq_Qinv(alpha, df), low = chance, high = 1;

    for (int i = 0; i < 50; i++) {
        double middle = (low + high) / 2, noncentrality = pow((middle - chance) / unit, 2);
        double scatter = middle * (1 - middle) / (chance * (1 - chance));
        double mean = df - 1 + scatter + noncentrality;
        double variance = 2 * (df - 1 + scatter * scatter) + 4 * scatter * noncentrality;

        if (power_of(critical, mean, variance) < POWER)
            low = middle;
        else
            high = middle;
    }
    return high;
}
