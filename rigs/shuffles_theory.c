#include "rigs/shuffles_theory.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "rigs/shuffles_law.h"

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

/* What is counted in a uniform shuffle, as the flawed one has it. */
static struct law_moments flawed(const double *uniform, size_t size,
                                 double (*ratio)(double counted, double amount), double amount)
{
    double chance[LAW_SIZE];

    for (size_t i = 0; i < size; i++)
        chance[i] = uniform[i] > 0 ? uniform[i] * ratio((double)i, amount) : 0;
    return law_moments(chance, size);
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

uint64_t shuffles_theory(const struct shuffle_method *method, double alpha, double power)
{
    double uniform[LAW_SIZE], amount = method->amount, kept;
    struct law_moments flaw;

    switch (method->kind) {
    case SHUFFLE_RIFFLE:
        law_rising(DECK_SIZE, uniform);
        flaw = flawed(uniform, DECK_SIZE + 1, riffle_ratio, exp2(amount));
        return needed(law_moments(uniform, DECK_SIZE + 1), flaw, alpha, power);
    case SHUFFLE_SHELF:
        law_valleys(DECK_SIZE, uniform);
        flaw = flawed(uniform, (DECK_SIZE - 1) / 2 + 1, shelf_ratio, amount);
        return needed(law_moments(uniform, (DECK_SIZE - 1) / 2 + 1), flaw, alpha, power);
    case SHUFFLE_STUCK:
        return method->amount + UINT64_C(1);
    case SHUFFLE_BIAS:
        /* Fixed points: one more wherever the top card is kept. */
        kept = amount * MILLIONTH;
        law_fixed_points(DECK_SIZE, uniform);
        flaw = (struct law_moments){.mean = 1 + kept, .variance = 1 + kept * (1 - kept)};
        return needed(law_moments(uniform, DECK_SIZE + 1), flaw, alpha, power);
    case SHUFFLE_OVERHAND:
        /* Neighbours still together: those never parted, and others as often as by chance. */
        kept = pow(1 - CUT, amount);
        flaw.mean = (DECK_SIZE - 1) * (kept + (1 - kept) / DECK_SIZE);
        flaw.variance = flaw.mean * (1 - kept);
        law_successions(DECK_SIZE, uniform);
        return needed(law_moments(uniform, DECK_SIZE), flaw, alpha, power);
    case SHUFFLE_UNIFORM:
        break;
    }
    return SHUFFLES_THEORY_NEVER;
}
