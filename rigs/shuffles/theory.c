/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/shuffles/theory.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "games/shuffles/cells.h"
#include "games/shuffles/law.h"
#include "games/shuffles/places.h"

#define MOST      1e12 /* shuffles that anybody would deal */
#define CUT       0.2  /* chance that an overhand pass parts two neighbours */
#define MILLIONTH 1e-6

/* ln C(from, count) where `from` may be far too large for a factorial. */
static double ln_choose(double from, double count)
{
    double sum = 0;

    if (from < count)
        return -INFINITY;
    for (double i = 0; i < count; i++)
        sum += log(from - i) - log(count - i);
    return sum;
}

/* Bayer and Diaconis: how much likelier than in a uniform shuffle an order is. */
static double riffle_ratio(double rising, double hands)
{
    return exp(ln_choose(hands + DECK_SIZE - rising, DECK_SIZE) + lgamma(DECK_SIZE + 1) -
               DECK_SIZE * log(hands));
}

/* Diaconis, Fulman and Holmes, theorem 3.1, likewise. */
static double shelf_ratio(double valleys, double shelves)
{
    double sum = 0;

    for (double a = valleys; a < shelves && a <= DECK_SIZE - 1 - valleys; a++)
        sum += exp(ln_choose(DECK_SIZE + shelves - a - 1, DECK_SIZE) +
                   ln_choose(DECK_SIZE - 1 - 2 * valleys, a - valleys) + lgamma(DECK_SIZE + 1) -
                   DECK_SIZE * log(2 * shelves));
    return sum * pow(4, valleys + 1) / 2;
}

/* What a flaw shows in: its law in a uniform shuffle, and how the flaw changes that. */
struct shown {
    size_t size;
    double uniform[DECK_SIZE + 1];
    double flawed[DECK_SIZE + 1];
};

static void show(struct shown *shown, double (*ratio)(double counted, double amount), double amount)
{
    for (size_t i = 0; i < shown->size; i++)
        shown->flawed[i] = shown->uniform[i] > 0 ? shown->uniform[i] * ratio((double)i, amount) : 0;
}

static void show_riffles(struct shown *shown, double riffles)
{
    shown->size = DECK_SIZE + 1;
    law_rising(DECK_SIZE, shown->uniform);
    show(shown, riffle_ratio, exp2(riffles));
}

static void show_shelves(struct shown *shown, double shelves)
{
    shown->size = (DECK_SIZE - 1) / 2 + 1;
    law_valleys(DECK_SIZE, shown->uniform);
    show(shown, shelf_ratio, shelves);
}

/* Both means are normal, which is rough where few shuffles are enough. */
static uint64_t needed(struct law_moments uniform, struct law_moments flaw, double alpha,
                       double power)
{
    double apart = fabs(flaw.mean - uniform.mean);
    double wide = gsl_cdf_ugaussian_Qinv(alpha / 2) * sqrt(uniform.variance) +
                  gsl_cdf_ugaussian_Pinv(power) * sqrt(fmax(flaw.variance, 0));
    double count = ceil(wide * wide / (apart * apart));

    return !(count <= MOST) ? SHUFFLES_THEORY_NEVER : count < 1 ? 1 : (uint64_t)count;
}

static uint64_t needed_for(const struct shown *shown, double alpha, double power)
{
    return needed(law_moments(shown->uniform, shown->size), law_moments(shown->flawed, shown->size),
                  alpha, power);
}

/*
 * How often the top place kept its card, among all places. That square scatters more than the
 * others and lies further out: a chi-square that is taken for normal on its upper side.
 */
static uint64_t needed_for_place(double kept, double alpha, double power)
{
    double chance = 1.0 / DECK_SIZE, even = chance * (1 - chance);
    double stays = kept + (1 - kept) * chance, wide = stays * (1 - stays) / even;
    double out = gsl_cdf_chisq_Qinv(alpha / 2, DECK_SIZE) - (DECK_SIZE - 1) - wide;
    double z = gsl_cdf_ugaussian_Pinv(power), half = out + 2 * wide * z * z;
    double others = 2 * (DECK_SIZE - 1 + wide * wide);
    double noncentral = half + sqrt(half * half - out * out + z * z * others);
    double count = ceil(noncentral * even / ((stays - chance) * (stays - chance)));

    return !(count <= MOST) ? SHUFFLES_THEORY_NEVER : (uint64_t)fmax(count, PLACE_ORDERS_MIN);
}

/* The one cell of the places that cards come to from others: a special test with one question. */
static uint64_t needed_for_cell(double kept, double alpha, double power)
{
    double chance = 1.0 / DECK_SIZE;
    uint64_t count =
        cell_needed(alpha * SHUFFLES_THEORY_QUESTIONS * SHUFFLES_SPECIAL_WEIGHT,
                    DECK_SIZE * DECK_SIZE, chance, kept + (1 - kept) * chance, power, UINT32_MAX);

    return count ? count : SHUFFLES_THEORY_NEVER;
}

/*
 * Fixed points, one more wherever the top card is kept; the top place, where it can be judged; or
 * the one cell.
 */
static uint64_t needed_for_bias(double kept, double alpha, double power)
{
    uint64_t points = needed(
        (struct law_moments){.mean = 1, .variance = 1},
        (struct law_moments){.mean = 1 + kept, .variance = 1 + kept * (1 - kept)}, alpha, power);
    uint64_t place = needed_for_place(kept, alpha, power);
    uint64_t cell = needed_for_cell(kept, alpha, power);

    if (place < points)
        points = place;
    return cell < points ? cell : points;
}

/* Neighbours still together: those never parted, and others as often as by chance. */
static uint64_t needed_for_overhand(double passes, double alpha, double power)
{
    double kept = pow(1 - CUT, passes), pairs = DECK_SIZE - 1;
    double mean = pairs * (kept + (1 - kept) / DECK_SIZE);
    double uniform[DECK_SIZE];

    law_successions(DECK_SIZE, uniform);
    return needed(law_moments(uniform, DECK_SIZE),
                  (struct law_moments){.mean = mean, .variance = mean * (1 - kept)}, alpha, power);
}

/* Until one of them has come again, as birthdays do. */
static uint64_t needed_for_moves(double permutations, double power)
{
    double none = 1;
    uint64_t count = 0;

    while (1 - none < power)
        none *= 1 - (double)count++ / permutations;
    return count;
}

uint64_t shuffles_theory(const struct shuffle_method *method, double alpha, double power)
{
    struct shown shown;

    switch (method->kind) {
    case SHUFFLE_RIFFLE:
        show_riffles(&shown, method->amount);
        return needed_for(&shown, alpha, power);
    case SHUFFLE_SHELF:
        show_shelves(&shown, method->amount);
        return needed_for(&shown, alpha, power);
    case SHUFFLE_STUCK:
        return method->amount + UINT64_C(1);
    case SHUFFLE_BIAS:
        return needed_for_bias(method->amount * MILLIONTH, alpha, power);
    case SHUFFLE_OVERHAND:
        return needed_for_overhand(method->amount, alpha, power);
    case SHUFFLE_MOVES:
        return needed_for_moves(method->amount, power);
    case SHUFFLE_SLOT:
    case SHUFFLE_STICK:
        return needed_for_cell(method->amount * MILLIONTH, alpha, power);
    case SHUFFLE_UNIFORM:
    case SHUFFLE_WEAK:
        break;
    }
    return SHUFFLES_THEORY_NEVER;
}

/* Orders in which the same is counted are equally likely, so that nothing else adds to it. */
static double distance(const struct shown *shown)
{
    double sum = 0;

    for (size_t i = 0; i < shown->size; i++)
        sum += fabs(shown->flawed[i] - shown->uniform[i]) / 2;
    return sum;
}

double shuffles_theory_distance(const struct shuffle_method *method)
{
    struct shown shown;

    switch (method->kind) {
    case SHUFFLE_UNIFORM:
        return 0;
    case SHUFFLE_RIFFLE:
        show_riffles(&shown, method->amount);
        return distance(&shown);
    case SHUFFLE_SHELF:
        show_shelves(&shown, method->amount);
        return distance(&shown);
    case SHUFFLE_BIAS:
        return method->amount * MILLIONTH * (DECK_SIZE - 1) / DECK_SIZE;
    case SHUFFLE_SLOT:
        return method->amount * MILLIONTH * (DECK_SIZE - 1) / DECK_SIZE;
    case SHUFFLE_STUCK:
    case SHUFFLE_OVERHAND:
    case SHUFFLE_MOVES:
    case SHUFFLE_STICK:
    case SHUFFLE_WEAK:
        break;
    }
    return NAN;
}
