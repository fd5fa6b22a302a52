/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bands, against laws that are added up term by term. */
#include "games/audit/bands.h"

#include <math.h>

#include "tests/support/suite.h"

#define SUM_MAX 4096

/* -1, 2 and 30 with chances of 12, 6 and 1 in 19. */
static void make_law(struct audit_law *law)
{
    law_init(law, 1);
    law_add(law, -1, 12);
    law_add(law, 2, 6);
    law_add(law, 30, 1);
}

/* The law of a sum of rounds, one round after the other. */
static void add_rounds(const struct audit_law *law, unsigned rounds, double chance[SUM_MAX])
{
    static double next[SUM_MAX];
    double deals = (double)law_deals(law);

    for (unsigned i = 0; i < SUM_MAX; i++)
        chance[i] = !i;
    for (unsigned n = 0; n < rounds; n++) {
        for (unsigned i = 0; i < SUM_MAX; i++)
            next[i] = 0;
        for (unsigned i = 0; i < SUM_MAX; i++)
            for (unsigned k = 0; chance[i] > 0 && k < law->count; k++)
                next[i + (unsigned)(law->outcome[k].net + 1)] +=
                    chance[i] * (double)law->outcome[k].deals / deals;
        for (unsigned i = 0; i < SUM_MAX; i++)
            chance[i] = next[i];
    }
}

static void is_band(const double *chance, int64_t low, int64_t high, double tail, int64_t shift)
{
    double below = 0, above = 0;

    for (int64_t i = 0; i < SUM_MAX; i++) {
        below += i + shift < low ? chance[i] : 0;
        above += i + shift > high ? chance[i] : 0;
    }
    CU_ASSERT(below <= tail && above <= tail);
    CU_ASSERT(below + chance[low - shift] > tail);
    CU_ASSERT(above + chance[high - shift] > tail);
}

TEST(bands_of_the_net_are_those_of_rounds_added_one_by_one)
{
    static const unsigned counts[] = {1, 2, 17, 100};
    static double chance[SUM_MAX];
    struct audit_law law;
    struct bands bands;

    make_law(&law);
    for (unsigned n = 0; n < sizeof counts / sizeof counts[0]; n++) {
        add_rounds(&law, counts[n], chance);
        CU_ASSERT_EQUAL_FATAL(bands_of_net(&bands, &law, counts[n], NULL), 0);
        CU_ASSERT(bands.is_exact);
        CU_ASSERT(fabs(bands.expected - counts[n] * 30 / 19.0) < 1e-9);
        for (unsigned i = 0; i < BAND_LEVELS; i++)
            is_band(chance, bands.low[i], bands.high[i], (100 - band_levels[i]) / 200.0,
                    -(int64_t)counts[n]);
    }
}

/* Where the sum takes less room than all that it could be. */
TEST(bands_of_many_rounds_are_near_those_of_the_normal_law)
{
    struct audit_law law;
    struct bands bands;
    double spread;

    make_law(&law);
    CU_ASSERT_EQUAL_FATAL(bands_of_net(&bands, &law, 1000000, NULL), 0);
    CU_ASSERT(bands.is_exact);
    spread = sqrt(1000000 * ((12 + 6 * 4 + 900) / 19.0 - 30 * 30 / 361.0));
    CU_ASSERT(fabs((double)bands.low[0] - bands.expected + 1.644854 * spread) < 0.01 * spread);
    CU_ASSERT(fabs((double)bands.high[2] - bands.expected - 2.575829 * spread) < 0.01 * spread);
}

TEST(rounds_that_take_too_much_room_have_bands_of_the_normal_law_and_say_so)
{
    struct audit_law law;
    struct bands bands;

    law_init(&law, 1);
    law_add(&law, -1, 3);
    law_add(&law, 1000000, 1);
    CU_ASSERT_EQUAL_FATAL(bands_of_net(&bands, &law, 1000000, NULL), 0);
    CU_ASSERT(!bands.is_exact);
    CU_ASSERT(bands.low[0] < bands.high[0]);
}

/* By adding the terms of the binomial law. */
TEST(bands_of_hits_are_those_of_the_binomial_law)
{
    static double chance[SUM_MAX];
    struct bands bands;

    for (unsigned k = 0; k <= 300; k++)
        chance[k] = exp(lgamma(301) - lgamma(k + 1) - lgamma(301 - k) + k * log(3 / 20.0) +
                        (300 - k) * log(17 / 20.0));
    bands_of_hits(&bands, ratio_make(3, 20), 300);
    CU_ASSERT(fabs(bands.expected - 45) < 1e-9);
    for (unsigned i = 0; i < BAND_LEVELS; i++)
        is_band(chance, bands.low[i], bands.high[i], (100 - band_levels[i]) / 200.0, 0);
}

TEST(what_never_comes_up_is_due_not_once)
{
    struct bands bands;

    bands_of_hits(&bands, ratio_make(0, 20), 300);
    CU_ASSERT_EQUAL(bands.low[2], 0);
    CU_ASSERT_EQUAL(bands.high[2], 0);
}
