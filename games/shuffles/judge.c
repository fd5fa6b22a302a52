/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <gsl/gsl_errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "games/shuffles/count.h"
#include "games/shuffles/tail.h"
#include "games/shuffles/trials.h"

const char *const shuffles_verdict_names[] = {
    [SHUFFLES_NO_EVIDENCE] = "no evidence against",
    [SHUFFLES_EVIDENCE] = "evidence against",
    [SHUFFLES_TOO_FEW] = "too few shuffles to say",
    [SHUFFLES_UNKNOWN] = "not known",
};

const char *const shuffles_law_names[] = {
    [SHUFFLES_EXACT] = "exact",     [SHUFFLES_SUM] = "saddlepoint",
    [SHUFFLES_NORMAL] = "normal",   [SHUFFLES_CHI_SQUARE] = "chi-square",
    [SHUFFLES_POISSON] = "Poisson", [SHUFFLES_BINOMIAL] = "binomial",
};

static int by_weighed_p(const void *a, const void *b)
{
    const struct shuffles_result *first = *(const struct shuffles_result *const *)a;
    const struct shuffles_result *second = *(const struct shuffles_result *const *)b;
    double x = first->p / first->weight, y = second->p / second->weight;

    return (x > y) - (x < y);
}

/*
 * Holm, with weights: the smallest p for its weight is held against the weights of all of them, the
 * next against those that are left, and none is smaller than the one before.
 */
static void correct(struct trials *trials)
{
    struct shuffles_result *judged[SHUFFLES_RESULTS_MAX] = {NULL};
    double largest = 0, left;

    for (size_t i = 0; i < trials->count; i++)
        if (trials->trials[i].result.verdict == SHUFFLES_NO_EVIDENCE) {
            judged[trials->judged++] = &trials->trials[i].result;
            trials->weight += trials->trials[i].result.weight;
        }
    qsort(judged, trials->judged, sizeof judged[0], by_weighed_p);
    left = trials->weight;
    for (size_t i = 0; i < trials->judged; i++) {
        largest = fmax(largest, fmin(1, judged[i]->p / judged[i]->weight * left));
        judged[i]->holm = largest;
        left -= judged[i]->weight;
    }
}

/* With few orders the normal approximation may give a shift that is not possible. */
static void say_mean(struct trial *trial, double alpha)
{
    struct shuffles_result *result = &trial->result;

    if (result->law == SHUFFLES_NORMAL)
        trial_put(result->says, "mean %+.4g off what is due", result->mean);
    else
        trial_put(result->says, "mean %.6g, due %.6g", result->mean, result->expected);
    if (result->count < NORMAL_ORDERS_MIN)
        return;
    result->detectable = trial->error * detectable_shift(alpha / trial->parts);
    trial_put(result->shows, "a mean that is off by %.3g", result->detectable);
}

static void say_cell(struct trial *trial, double alpha)
{
    struct shuffles_result *result = &trial->result;

    trial_put(result->says, "X² %.1f, due %.0f", result->statistic, result->df);
    result->detectable = detectable_chance(alpha / 2, result->df, 1.0 / DECK_SIZE, trial->cell);
    trial_put(result->shows, "a chance of %.1f %% instead of %.1f %% %s", 100 * result->detectable,
              100.0 / DECK_SIZE, trial->of);
}

static void say_share(struct trial *trial, double alpha)
{
    struct shuffles_result *result = &trial->result;

    trial_put(result->says, "%.2f %% of the hands are paid, due %.2f %%", 100 * result->mean,
              100 * result->expected);
    result->detectable = trial->share * sqrt(detectable_noncentrality(alpha, result->df));
    trial_put(result->shows, "paid hands %.1f %% too many or too few", 100 * result->detectable);
}

/* The sentence about what was found says which cell it is. */
static void say_largest(struct trial *trial, double alpha)
{
    struct shuffles_result *result = &trial->result;

    result->detectable = cell_detectable(alpha, &trial->largest, trial->chance);
    trial_put(result->shows, "a chance of %.1f %% instead of %.2g %% %s", 100 * result->detectable,
              100 * trial->chance, trial->of);
}

static void say(struct trial *trial, double alpha)
{
    if (trial->chance > 0)
        say_largest(trial, alpha);
    else if (trial->error > 0)
        say_mean(trial, alpha);
    else if (trial->cell > 0)
        say_cell(trial, alpha);
    else if (trial->share > 0)
        say_share(trial, alpha);
}

/*
 * The first test asks the most general question, so that with less than it needs nothing is said
 * for a shuffler. Others that want still more orders say so themselves.
 */
static enum shuffles_verdict verdict_of(const struct trials *trials)
{
    for (size_t i = 0; i < trials->count; i++)
        if (trials->trials[i].result.verdict == SHUFFLES_EVIDENCE)
            return SHUFFLES_EVIDENCE;
    return trials->trials[0].result.verdict;
}

static void conclude(struct trials *trials, double alpha)
{
    correct(trials);
    for (size_t i = 0; i < trials->count; i++) {
        struct shuffles_result *result = &trials->trials[i].result;

        if (result->verdict == SHUFFLES_TOO_FEW)
            trial_put(result->says, "needs at least %" PRIu64, result->needed);
        if (result->verdict != SHUFFLES_NO_EVIDENCE)
            continue;
        if (result->holm <= alpha)
            result->verdict = SHUFFLES_EVIDENCE;
        say(&trials->trials[i], alpha * result->weight / trials->weight);
    }
}

/*
 * GSL ends the program when a tail is too small for a double, unless it is told, once and for the
 * whole program, that the number itself is enough.
 */
void shuffles_judge(const struct shuffles *shuffles, double alpha, struct shuffles_report *report)
{
    struct trials trials;

    gsl_set_error_handler_off();
    trials_run(shuffles, &trials);
    conclude(&trials, alpha);
    *report = (struct shuffles_report){.alpha = alpha,
                                       .count = shuffles_count(shuffles),
                                       .whole = shuffles_whole(shuffles),
                                       .before = shuffles->before,
                                       .previous = shuffles->previous,
                                       .judged = trials.judged,
                                       .weight = trials.weight,
                                       .verdict = verdict_of(&trials),
                                       .result_count = trials.count};
    for (size_t i = 0; i < trials.count; i++)
        report->results[i] = trials.trials[i].result;
}
