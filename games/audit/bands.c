/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/audit/bands.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fft_halfcomplex.h>
#include <gsl/gsl_fft_real.h>
#include <math.h>
#include <stdlib.h>

const unsigned band_levels[BAND_LEVELS] = {90, 95, 99};

/* Room for the law of a sum, at most; 32 MB. */
#define ROOM_MAX ((size_t)1 << 22)

/* How far from the mean, in deviations of the sum and widths of one round, nothing more lies. */
#define DEVIATIONS 24
#define SPANS      8

/* What may lie below a band of that level. */
static double tail_of(unsigned level)
{
    return (100 - level) / 200.0;
}

static double decimal(struct ratio ratio)
{
    return (double)ratio.numerator / (double)ratio.denominator;
}

/* One round's law in steps above its lowest result. */
struct steps {
    int64_t lowest, span;
    double mean, deviation;
};

static struct steps steps_of(const struct audit_law *law)
{
    double per = (double)law->per;
    struct steps steps = {.lowest = law->outcome[0].net};

    steps.span = law->outcome[law->count - 1].net - steps.lowest;
    steps.mean = decimal(law_mean(law)) * per - (double)steps.lowest;
    steps.deviation = decimal(ratio_root(law_variance(law))) * per;
    return steps;
}

/* A power of two; 0 where it would be too much. */
static size_t room_for(const struct steps *steps, uint64_t rounds)
{
    double span = (double)steps->span, all = span * (double)rounds + 1;
    double likely = DEVIATIONS * steps->deviation * sqrt((double)rounds) + SPANS * span;
    size_t room = 2;

    while (room <= ROOM_MAX && (double)room < fmin(all, likely))
        room *= 2;
    return room <= ROOM_MAX ? room : 0;
}

static void multiply(double a[2], const double b[2])
{
    double real = a[0] * b[0] - a[1] * b[1];

    a[1] = a[0] * b[1] + a[1] * b[0];
    a[0] = real;
}

static void raise(double value[2], uint64_t power)
{
    double base[2] = {value[0], value[1]};

    value[0] = 1;
    value[1] = 0;
    for (; power; power >>= 1) {
        if (power & 1)
            multiply(value, base);
        multiply(base, (double[2]){base[0], base[1]});
    }
}

/* The law of one round becomes that of their sum, where values `room` apart lie at one place. */
static void convolve(double *law, size_t room, uint64_t rounds)
{
    gsl_fft_real_radix2_transform(law, 1, room);
    for (size_t i = 0; i <= room / 2; i++) {
        bool is_real = !i || i == room / 2;
        double value[2] = {law[i], is_real ? 0 : law[room - i]};

        raise(value, rounds);
        law[i] = value[0];
        if (!is_real)
            law[room - i] = value[1];
    }
    gsl_fft_halfcomplex_radix2_inverse(law, 1, room);
}

/* The first place from one end behind which no more than the tail lies. */
static size_t quantile(const double *law, size_t room, size_t start, bool is_upper, double tail)
{
    double passed = 0;
    size_t at = 0;

    while (at + 1 < room) {
        passed += law[(start + (is_upper ? room - 1 - at : at)) % room];
        if (passed > tail)
            break;
        at++;
    }
    return is_upper ? room - 1 - at : at;
}

static void read_bands(struct bands *bands, const struct steps *steps, const double *law,
                       size_t room, uint64_t rounds)
{
    int64_t least = steps->lowest * (int64_t)rounds;
    int64_t start = llround(steps->mean * (double)rounds) - (int64_t)room / 2;
    bool is_whole = (double)steps->span * (double)rounds + 1 <= (double)room;

    if (is_whole || start < 0)
        start = 0;
    for (unsigned i = 0; i < BAND_LEVELS; i++) {
        double tail = tail_of(band_levels[i]);
        size_t from = (size_t)start % room;

        bands->low[i] = least + start + (int64_t)quantile(law, room, from, false, tail);
        bands->high[i] = least + start + (int64_t)quantile(law, room, from, true, tail);
    }
}

static void normal_bands(struct bands *bands, const struct steps *steps, uint64_t rounds)
{
    double deviation = steps->deviation * sqrt((double)rounds);

    for (unsigned i = 0; i < BAND_LEVELS; i++) {
        double half = gsl_cdf_ugaussian_Qinv(tail_of(band_levels[i])) * deviation;

        bands->low[i] = (int64_t)floor(bands->expected - half);
        bands->high[i] = (int64_t)ceil(bands->expected + half);
    }
}

int bands_of_net(struct bands *bands, const struct audit_law *law, uint64_t rounds,
                 struct error *error)
{
    double deals = (double)law_deals(law), *sum;
    struct steps steps;
    size_t room;

    *bands = (struct bands){.is_exact = true};
    if (!law->count)
        return 0;
    steps = steps_of(law);
    room = room_for(&steps, rounds);
    bands->expected = (steps.mean + (double)steps.lowest) * (double)rounds;
    bands->is_exact = room;
    if (!room) {
        normal_bands(bands, &steps, rounds);
        return 0;
    }
    sum = calloc(room, sizeof *sum);
    if (!sum)
        return error_set(error, ERROR_RIG, "no memory for the law of %ju rounds; take fewer",
                         (uintmax_t)rounds);
    for (unsigned i = 0; i < law->count; i++)
        sum[(size_t)(law->outcome[i].net - steps.lowest) % room] +=
            (double)law->outcome[i].deals / deals;
    convolve(sum, room, rounds);
    read_bands(bands, &steps, sum, room, rounds);
    free(sum);
    return 0;
}

/* The first number of hits that is not below the bound; above it lies no more than the tail. */
static int64_t hits_within(double chance, unsigned rounds, double tail, bool is_upper)
{
    unsigned low = 0, high = rounds;

    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        bool is_enough = is_upper ? gsl_cdf_binomial_Q(middle, chance, rounds) <= tail
                                  : gsl_cdf_binomial_P(middle, chance, rounds) > tail;

        if (is_enough)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

void bands_of_hits(struct bands *bands, struct ratio chance, uint64_t rounds)
{
    double p = decimal(chance);

    bands->expected = p * (double)rounds;
    bands->is_exact = true;
    for (unsigned i = 0; i < BAND_LEVELS; i++) {
        double tail = tail_of(band_levels[i]);

        bands->low[i] = hits_within(p, (unsigned)rounds, tail, false);
        bands->high[i] = hits_within(p, (unsigned)rounds, tail, true);
    }
}
