/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/run/chance.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_gamma.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "games/shuffles/hands.h"

void run_chance_free(struct run_chance *chance)
{
    shuffles_free(chance->shuffles);
    *chance = (struct run_chance){.shuffles = NULL};
}

/* Whatever comes next follows from no order that is known. */
static void unlink_orders(struct run_chance *chance)
{
    for (unsigned i = 0; i < DECKS_MAX; i++)
        chance->is_linked[i] = false;
}

/* The cards that were dealt before anybody decided: what comes later depends on them. */
static bool add_order(struct run_chance *chance, const struct run *run, unsigned deck)
{
    const struct round *dealt = &run->round.dealt;
    const struct game_setup *setup = &run->recording.header->setup;
    struct shuffles_order order = {.cards = dealt->dealt,
                                   .count = hands_dealt(setup, dealt->seats),
                                   .deck = deck,
                                   .unrelated = !chance->is_linked[deck],
                                   .setup = setup,
                                   .seats = dealt->seats};

    return order.count && order.count <= dealt->dealt_count &&
           !shuffles_add(chance->shuffles, &order, NULL);
}

/* Cards of two decks are no order of either. */
static bool is_mixed(const struct run *run)
{
    uint8_t deck = 0;

    for (unsigned i = 0; i < run->round.dealt.dealt_count; i++) {
        uint8_t back = run->round.backs[i];

        if (deck && back && back != deck)
            return true;
        deck = back ? back : deck;
    }
    return false;
}

int run_chance_see(struct run_chance *chance, const struct run *run, int status,
                   struct error *error)
{
    const struct run_shuffle *shuffle = &run->round.shuffle;
    unsigned deck = run->round.dealt.deck_id > 1;
    bool is_judged = !status && !run->round.device_failed && !run->round.unknown && !is_mixed(run);

    if (!is_judged || run->round.has_passed_deck || (shuffle->is_told && shuffle->is_loaded))
        unlink_orders(chance);
    if (is_judged && shuffle->is_told && !shuffle->is_loaded) {
        if (!chance->shuffles)
            chance->shuffles = shuffles_new();
        if (!chance->shuffles)
            return error_set(error, ERROR_RIG, "no memory to judge the shuffles");
        chance->is_linked[deck] = add_order(chance, run, deck);
        if (run->recording.observation && run->round.is_settled)
            run_lines_see(&chance->lines, &run->recording.header->setup, &run->round.outcome);
    }
    return 0;
}

/* A seat's place among those that could have won. */
static unsigned place_of(seats_t seats, unsigned seat)
{
    return (unsigned)__builtin_popcount(seats & (seat_bit(seat) - 1u));
}

/*
 * Where a target that is drawn between the reset value and the ceiling can have been: above
 * `before` and not above `now`. Whether it is drawn above the reset value or above what the award
 * carried over is left open, so that the part is taken as the narrower of both.
 */
static void count_value(struct run_must_hit *counts, const struct meter *meter, micros_t before,
                        micros_t now)
{
    double from = (double)(before - counts->start) / (double)(meter->ceiling - counts->start);
    double to = (double)(now - meter->reseed) / (double)(meter->ceiling - meter->reseed);

    if (before <= counts->start)
        from = 0;
    counts->seen++;
    for (unsigned part = 0; part < RUN_PARTS; part++) {
        bool is_early = to <= (part + 1.0) / RUN_PARTS, is_late = from >= (double)part / RUN_PARTS;

        counts->early[part] += is_early;
        counts->late[part] += is_late;
        counts->within[part] += is_early && is_late;
    }
}

void run_chance_see_must_hit(struct run_chance *chance, const struct run *run)
{
    struct run_must_hit *counts = &chance->must_hit;
    unsigned seat = run->round.dealt.must_hit_seat;
    const struct meter *before, *after;
    micros_t now;

    if (run->recording.meters.must_hit < 0 || !run->round.is_settled || !seat)
        return;
    before = &run->recording.meters.meter[run->recording.meters.must_hit];
    after = &run->round.after.meter[run->recording.meters.must_hit];
    if (run->round.paid & seat_bit(seat))
        counts->won[__builtin_popcount(run->round.paid)][place_of(run->round.paid, seat)]++;
    now = after->value - after->reseed + run->round.outcome.seat[seat].must_hit * MICROS_PER_CENT;
    if (now > before->ceiling)
        now = before->ceiling;
    if (counts->has_start && counts->start < before->ceiling)
        count_value(counts, before, before->value, now);
    counts->has_start = true;
    counts->start = after->value;
}

/* The verdict over everything: a result of one law, or of one test of shuffles. */
struct finding {
    unsigned tests; /* that could have been failed */
    double p;       /* of the most unlikely, times the tests */
    double least;   /* that so many awards can come to: above alpha they are too few to say */
    char says[96];
};

static void try_one(struct finding *finding, double p, unsigned count, unsigned of, double chance,
                    const char *says)
{
    finding->tests++;
    if (p >= finding->p)
        return;
    finding->p = p;
    snprintf(finding->says, sizeof finding->says, "%u of %u awards %s, where %.3g are due", count,
             of, says, chance * of);
}

/* How many awards there are does not depend on who wins them: the binomial law is exact. */
static void try_seat(struct finding *finding, unsigned count, unsigned of, double chance,
                     const char *says)
{
    double more = count ? gsl_cdf_binomial_Q(count - 1, chance, of) : 1;

    finding->least = fmin(finding->least, pow(chance, of));
    try_one(finding, more, count, of, chance, says);
    try_one(finding, gsl_cdf_binomial_P(count, chance, of), count, of, chance, says);
}

/*
 * One over the likelihood of `count` of `of` where any greater chance is as likely as any other,
 * against that of `chance`. By Ville's inequality it is below alpha at any time of a run with a
 * chance of alpha at most; a binomial law would be wrong, since early awards make more of them.
 */
static double anytime_p(unsigned count, unsigned of, double chance)
{
    double a = count + 1.0, b = of - count + 1.0;
    double likelihood = gsl_sf_lnbeta(a, b) + log(gsl_cdf_beta_Q(chance, a, b)) -
                        count * log(chance) - b * log1p(-chance);

    return exp(-likelihood);
}

static void try_value(struct finding *finding, unsigned count, unsigned of, double chance,
                      const char *says)
{
    finding->least = fmin(finding->least, anytime_p(of, of, chance));
    try_one(finding, anytime_p(count, of, chance), count, of, chance, says);
}

/* Bonferroni's correction within one question; Holm's between the two is the caller's. */
static struct finding corrected(struct finding finding)
{
    finding.p *= finding.tests;
    finding.least *= finding.tests;
    return finding;
}

static struct finding judge_seats(const struct run_must_hit *counts)
{
    struct finding finding = {.p = 1, .least = 1};
    char says[48];

    for (unsigned of = 2; of <= SEATS_MAX; of++) {
        unsigned awards = 0;

        for (unsigned place = 0; place < of; place++)
            awards += counts->won[of][place];
        for (unsigned place = 0; awards && place < of; place++) {
            snprintf(says, sizeof says, "to eligible seat %u of %u", place + 1, of);
            try_seat(&finding, counts->won[of][place], awards, 1.0 / of, says);
        }
    }
    return corrected(finding);
}

static struct finding judge_values(const struct run_must_hit *counts)
{
    struct finding finding = {.p = 1, .least = 1};
    char says[48];

    for (unsigned part = 0; counts->seen && part < RUN_PARTS; part++) {
        if (part + 1 < RUN_PARTS) {
            snprintf(says, sizeof says, "in the first %u/%d of the way", part + 1, RUN_PARTS);
            try_value(&finding, counts->early[part], counts->seen, (part + 1.0) / RUN_PARTS, says);
        }
        if (part) {
            snprintf(says, sizeof says, "in the last %u/%d of the way", RUN_PARTS - part,
                     RUN_PARTS);
            try_value(&finding, counts->late[part], counts->seen, 1 - (double)part / RUN_PARTS,
                      says);
        }
        snprintf(says, sizeof says, "in part %u of %d of the way", part + 1, RUN_PARTS);
        try_value(&finding, counts->within[part], counts->seen, 1.0 / RUN_PARTS, says);
    }
    return corrected(finding);
}

static void fail(struct check_book *book, enum check check, double p, unsigned tests,
                 const char *says)
{
    char got[48], why[240];

    snprintf(got, sizeof got, "%.3g", p);
    snprintf(why, sizeof why, "p of what chance alone would do, corrected for %u questions: %s",
             tests, says);
    check_fail(book, check,
               (struct check_result){
                   .expected = "\"above 0.0001\"", .got = got, .device = got, .why = why});
}

static void judge_must_hit(const struct run_must_hit *counts, struct check_book *book)
{
    const struct finding found[] = {judge_seats(counts), judge_values(counts)};
    const struct finding *worst = NULL;
    unsigned judged = 0;

    for (unsigned i = 0; i < 2; i++) {
        if (!found[i].tests || found[i].least > RUN_ALPHA / 2)
            continue;
        judged++;
        if (!worst || found[i].p < worst->p)
            worst = &found[i];
    }
    if (!judged)
        check_skip(book, CHECK_MUST_HIT_RANDOM, "too few awards of Must Hit to say");
    else if (worst->p * judged <= RUN_ALPHA)
        fail(book, CHECK_MUST_HIT_RANDOM, worst->p * judged, judged, worst->says);
    else
        check_pass(book, CHECK_MUST_HIT_RANDOM);
}

static void fail_shuffles(const struct shuffles_report *report, struct check_book *book)
{
    const struct shuffles_result *worst = NULL;
    char says[160];

    for (size_t i = 0; i < report->result_count; i++)
        if (report->results[i].verdict == SHUFFLES_EVIDENCE &&
            (!worst || report->results[i].p < worst->p))
            worst = &report->results[i];
    if (!worst)
        return;
    snprintf(says, sizeof says, "%s, %.100s", worst->name, worst->says);
    fail(book, CHECK_SHUFFLE, worst->holm, (unsigned)report->judged, says);
}

static void judge_shuffles(const struct shuffles *shuffles, struct check_book *book)
{
    struct shuffles_report report;
    char why[80];

    if (!shuffles) {
        check_skip(book, CHECK_SHUFFLE, "no round was dealt in an order of the device's own");
        return;
    }
    shuffles_judge(shuffles, RUN_ALPHA, &report);
    snprintf(why, sizeof why, "too few shuffles to say: %" PRIu64 ", at least %" PRIu64 " needed",
             report.count, report.results[0].needed);
    if (report.verdict == SHUFFLES_EVIDENCE)
        fail_shuffles(&report, book);
    else if (report.verdict == SHUFFLES_NO_EVIDENCE)
        check_pass(book, CHECK_SHUFFLE);
    else
        check_skip(book, CHECK_SHUFFLE, why);
}

static void judge_lines(const struct run_lines *lines, struct check_book *book)
{
    const char *unsaid = run_lines_unsaid(lines);
    struct run_lines_found found;

    if (unsaid) {
        check_skip(book, CHECK_DEALT_LINES, unsaid);
        return;
    }
    found = run_lines_judge(lines);
    if (found.p <= RUN_ALPHA)
        fail(book, CHECK_DEALT_LINES, found.p, found.tests, found.says);
    else
        check_pass(book, CHECK_DEALT_LINES);
}

void run_chance_judge(const struct run_chance *chance, struct check_book *book)
{
    judge_shuffles(chance->shuffles, book);
    judge_lines(&chance->lines, book);
    judge_must_hit(&chance->must_hit, book);
}
