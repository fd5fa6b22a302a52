/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/shuffles/power.h"

#include <gsl/gsl_cdf.h>
#include <string.h>

#include "rigs/shuffles/theory.h"

static void note(struct shuffles_power *cell, const struct shuffles_report *report)
{
    size_t first = report->result_count;

    cell->seeds++;
    cell->tests = report->result_count;
    cell->too_few += report->verdict == SHUFFLES_TOO_FEW;
    for (size_t i = 0; i < report->result_count; i++) {
        const struct shuffles_result *result = &report->results[i];

        cell->name[i] = result->name;
        if (result->verdict == SHUFFLES_EVIDENCE &&
            (first == report->result_count || result->p < report->results[first].p))
            first = i;
    }
    if (report->verdict != SHUFFLES_EVIDENCE)
        return;
    cell->found++;
    if (first < report->result_count)
        cell->first[first]++;
}

static int add(struct shuffles *shuffles, struct shuffle *shuffle, card_t deck[DECK_SIZE],
               struct error *error)
{
    card_t before[DECK_SIZE];
    const struct shuffles_order order = {.cards = deck, .count = DECK_SIZE, .before = before};

    memcpy(before, deck, DECK_SIZE);
    shuffle_cards(shuffle, deck, DECK_SIZE);
    return shuffles_add(shuffles, &order, error);
}

static int judge_seed(struct shuffles *shuffles, const struct shuffle_method *method, uint64_t seed,
                      double alpha, struct shuffles_power *cells, size_t sizes, struct error *error)
{
    struct shuffles_report report;
    struct shuffle shuffle;
    card_t deck[DECK_SIZE];
    int status = 0;

    shuffles_clear(shuffles);
    shuffle_start(&shuffle, *method, seed);
    for (unsigned i = 0; i < DECK_SIZE; i++)
        deck[i] = card_from_index(i);
    for (size_t i = 0; i < sizes && !status; i++) {
        while (shuffles_count(shuffles) < cells[i].count && !status)
            status = add(shuffles, &shuffle, deck, error);
        if (status)
            break;
        shuffles_judge(shuffles, alpha, &report);
        note(&cells[i], &report);
    }
    return status;
}

int shuffles_power(const struct shuffle_method *method, uint64_t seed, unsigned seeds, double alpha,
                   struct shuffles_power *cells, size_t sizes, struct error *error)
{
    struct shuffles *shuffles = shuffles_new();
    int status = shuffles ? 0 : error_set(error, ERROR_RIG, "no memory to count shuffles");

    for (size_t i = 0; i < sizes; i++)
        cells[i] = (struct shuffles_power){.count = cells[i].count};
    for (unsigned i = 0; i < seeds && !status; i++)
        status = judge_seed(shuffles, method, seed + i, alpha, cells, sizes, error);
    shuffles_free(shuffles);
    return status;
}

int shuffles_power_needed(const struct shuffle_method *method, double alpha, uint64_t *needed,
                          struct error *error)
{
    struct shuffles *shuffles = shuffles_new();
    struct shuffles_report report;
    double weight = 0;

    if (!shuffles)
        return error_set(error, ERROR_RIG, "no memory to count shuffles");
    shuffles_judge(shuffles, alpha, &report);
    shuffles_free(shuffles);
    for (size_t i = 0; i < report.result_count; i++)
        weight += report.results[i].weight;
    *needed = shuffles_theory(method, alpha / (SHUFFLES_THEORY_QUESTIONS * weight),
                              SHUFFLES_POWER_THEORY);
    return 0;
}

/* The share of which more than `found` come with that chance; GSL's own inverse may give up. */
static double share_of_more(unsigned found, unsigned of, double chance)
{
    double low = 0, high = 1;

    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;

        if (gsl_cdf_binomial_Q(found, middle, of) < chance)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Clopper and Pearson: no share outside would give so many, or so few, as often as that. */
struct shuffles_interval shuffles_interval(unsigned found, unsigned of, double confidence)
{
    double tail = (1 - confidence) / 2;

    return (struct shuffles_interval){
        .low = found ? share_of_more(found - 1, of, tail) : 0,
        .high = found < of ? share_of_more(found, of, 1 - tail) : 1,
    };
}
