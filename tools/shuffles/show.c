/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/shuffles/show.h"

#include <inttypes.h>
#include <stdio.h>

#include "hal/base/plural.h"
#include "hal/base/save.h"
#include "rigs/shuffles/html.h"
#include "tools/json_print.h"

/* Of a figure, in JSON. */
#define DIGITS      12
#define PAIR_DIGITS 4

/* A p-value with as many digits as mean something; a small one in powers of ten, never as 0. */
static const char *format_p(double p, char text[16])
{
    if (p > 0 && p < 1e-4)
        snprintf(text, 16, "%.1e", p);
    else if (p > 0)
        snprintf(text, 16, "%.4f", p);
    else
        snprintf(text, 16, "< 1e-300");
    return text;
}

static void show_figures(const struct shuffles_result *result)
{
    char statistic[32], df[16] = "-", p[16], holm[16];

    snprintf(statistic, sizeof statistic, "%s %.4g", shuffles_law_names[result->law],
             result->statistic);
    if (result->df > 0)
        snprintf(df, sizeof df, "%.0f", result->df);
    printf("%-24s %8" PRIu64 " %6" PRIu64 "  %-20s %5s %9s %9s  %s\n", result->name, result->count,
           result->needed, statistic, df, format_p(result->p, p), format_p(result->holm, holm),
           shuffles_verdict_names[result->verdict]);
}

static void show_result(const struct shuffles_result *result)
{
    bool judged = shuffles_is_judged(result);

    if (judged)
        show_figures(result);
    else if (result->verdict == SHUFFLES_TOO_FEW)
        printf("%-24s %8" PRIu64 " %6" PRIu64 "  %-20s %5s %9s %9s  %s\n", result->name,
               result->count, result->needed, "-", "-", "-", "-",
               shuffles_verdict_names[result->verdict]);
    else
        printf("%-24s %8s %6s  %-20s %5s %9s %9s  %s\n", result->name, "-", "-", "-", "-", "-", "-",
               shuffles_verdict_names[result->verdict]);
    printf("    %s%s%s\n", result->uses, *result->says ? "; " : "", result->says);
    printf("    would catch %s\n", result->catches);
    if (*result->shows)
        printf("    this many would show %s\n", result->shows);
}

static void show_origin(const struct shuffles_report *report, const struct shuffles_origin *origin)
{
    printf("%" PRIu64 " shuffle%s", report->count, report->count == 1 ? "" : "s");
    if (*origin->device)
        printf(" of %s", origin->device);
    if (*origin->firmware)
        printf(", firmware %s", origin->firmware);
    printf("; the whole order is known of %" PRIu64 ", what went in of %" PRIu64 "\n",
           report->whole, report->before);
    if (*origin->recorded)
        printf("recorded %s\n", origin->recorded);
    if (*origin->digest)
        printf("SHA-256 %s%s\n", origin->digest,
               origin->recordings > 1 ? " of the list of their digests" : "");
    putchar('\n');
}

/* Which tests came to that verdict. */
static void show_names(const struct shuffles_report *report, enum shuffles_verdict verdict,
                       const char *title)
{
    const char *before = title, *between = ": ";

    for (size_t i = 0; i < report->result_count; i++)
        if (report->results[i].verdict == verdict) {
            printf("%s%s%s", before, between, report->results[i].name);
            before = "";
            between = ", ";
        }
    if (before != title)
        putchar('\n');
}

/* Which tests could not be made, each reason on a line. */
static void show_unmade(const struct shuffles_report *report)
{
    for (size_t i = 0; i < report->result_count; i++)
        if (shuffles_is_new_reason(report, i)) {
            printf("not made, %s: ", report->results[i].uses);
            shuffles_put_unmade(report, i, stdout);
            putchar('\n');
        }
}

/* Nothing is shown before the end, so that whoever stops early does not know what it would be. */
static void show_declared(const struct shuffles_report *report,
                          const struct shuffles_origin *origin)
{
    if (!origin->declared)
        return;
    printf(
        "%" PRIu64 " of %" PRIu64 " shuffle%s that %s declared beforehand %s dealt%s\n",
        report->count, origin->declared, plural(origin->declared),
        origin->declared == 1 ? "was" : "were", report->count == 1 ? "was" : "were",
        report->count < origin->declared
            ? "; nothing was shown before, so that the significance stands, but so many show less"
            : "");
}

void shuffles_show(const struct shuffles_report *report, const struct shuffles_origin *origin)
{
    show_origin(report, origin);
    printf("%-24s %8s %6s  %-20s %5s %9s %9s  %s\n", "test", "used", "needed", "statistic", "df",
           "p", "Holm", "verdict");
    for (size_t i = 0; i < report->result_count; i++)
        show_result(&report->results[i]);
    printf("\n%s, at a significance of %g over %zu test%s\n",
           shuffles_verdict_names[report->verdict], report->alpha, report->judged,
           report->judged == 1 ? "" : "s");
    show_names(report, SHUFFLES_EVIDENCE, "evidence");
    show_names(report, SHUFFLES_TOO_FEW, "too few");
    show_unmade(report);
    show_declared(report, origin);
}

static void print_result(struct json_print *print, const struct shuffles_result *result)
{
    const struct {
        const char *name;
        double value;
    } figures[] = {{"statistic", result->statistic},
                   {"df", result->df},
                   {"p", result->p},
                   {"holm", result->holm},
                   {"mean", result->mean},
                   {"expected", result->expected},
                   {"detectable", result->detectable}};

    json_print_open(print, NULL, "{}");
    json_print_text(print, "test", result->name);
    json_print_text(print, "verdict", shuffles_verdict_names[result->verdict]);
    json_print_integer(print, "used", (int64_t)result->count);
    json_print_integer(print, "needed", (int64_t)result->needed);
    json_print_text(print, "uses", result->uses);
    json_print_text(print, "law",
                    shuffles_is_judged(result) ? shuffles_law_names[result->law] : NULL);
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        json_print_real(print, figures[i].name, figures[i].value, DIGITS);
    json_print_real(print, "weight", result->weight, DIGITS);
    json_print_text(print, "catches", result->catches);
    json_print_text(print, "says", result->says);
    json_print_text(print, "shows", result->shows);
    json_print_close(print, "{}");
}

static void print_bars(struct json_print *print, const struct shuffles_bars *bars)
{
    json_print_open(print, NULL, "{}");
    json_print_text(print, "name", bars->name);
    json_print_integer(print, "total", (int64_t)bars->total);
    json_print_open(print, "seen", "[]");
    for (size_t i = 0; i < bars->size; i++)
        json_print_integer(print, NULL, (int64_t)bars->seen[i]);
    json_print_close(print, "[]");
    json_print_open(print, "chance", "[]");
    for (size_t i = 0; i < bars->size; i++)
        json_print_real(print, NULL, bars->chance[i], DIGITS);
    json_print_close(print, "[]");
    json_print_close(print, "{}");
}

static void print_histograms(struct json_print *print, const struct shuffles *shuffles)
{
    json_print_open(print, "histograms", "[]");
    for (size_t i = 0; i < SHUFFLES_HISTOGRAMS; i++) {
        struct shuffles_bars bars = shuffles_bars(shuffles, (enum shuffles_histogram)i);

        print_bars(print, &bars);
    }
    json_print_close(print, "[]");
}

/* A row for each place, or card, and a column for each card, or place. */
static void print_table(struct json_print *print, const char *name, const shuffles_places *places)
{
    json_print_open(print, name, "[]");
    for (unsigned place = 0; place < DECK_SIZE; place++) {
        json_print_open(print, NULL, "[]");
        for (unsigned card = 0; card < DECK_SIZE; card++)
            json_print_integer(print, NULL, (int64_t)(*places)[place][card]);
        json_print_close(print, "[]");
    }
    json_print_close(print, "[]");
}

/* Each place by itself. */
static void print_positions(struct json_print *print, const struct shuffles *shuffles)
{
    json_print_open(print, "positions", "[]");
    for (unsigned place = 0; place < DECK_SIZE; place++) {
        struct shuffles_position position = shuffles_position(shuffles, place);

        json_print_open(print, NULL, "{}");
        json_print_integer(print, "place", place + 1);
        json_print_integer(print, "used", (int64_t)position.count);
        json_print_real(print, "statistic", position.statistic, DIGITS);
        json_print_real(print, "p", position.p, DIGITS);
        json_print_close(print, "{}");
    }
    json_print_close(print, "[]");
}

/* A row for each place but the first: it and each place above it, in standard deviations. */
static void print_pairs(struct json_print *print, const struct shuffles *shuffles)
{
    json_print_open(print, "pairs", "[]");
    for (unsigned lower = 1; lower < DECK_SIZE; lower++) {
        json_print_open(print, NULL, "[]");
        for (unsigned upper = 0; upper < lower; upper++)
            json_print_real(print, NULL, shuffles_pair(shuffles, upper, lower), PAIR_DIGITS);
        json_print_close(print, "[]");
    }
    json_print_close(print, "[]");
}

static void print_origin(struct json_print *print, const struct shuffles_report *report,
                         const struct shuffles_origin *origin)
{
    json_print_real(print, "weight", report->weight, DIGITS);
    json_print_integer(print, "before", (int64_t)report->before);
    json_print_integer(print, "previous", (int64_t)report->previous);
    json_print_integer(print, "recordings", (int64_t)origin->recordings);
    json_print_text(print, "recorded", origin->recorded);
    json_print_text(print, "digest", origin->digest);
    json_print_integer(print, "declared", (int64_t)origin->declared);
}

void shuffles_show_json(const struct shuffles *shuffles, const struct shuffles_report *report,
                        const struct shuffles_origin *origin)
{
    struct json_print print = {.out = stdout};

    json_print_open(&print, NULL, "{}");
    json_print_integer(&print, "shuffles", (int64_t)report->count);
    json_print_integer(&print, "whole", (int64_t)report->whole);
    json_print_text(&print, "device", origin->device);
    json_print_text(&print, "firmware", origin->firmware);
    json_print_real(&print, "alpha", report->alpha, DIGITS);
    json_print_integer(&print, "judged", (int64_t)report->judged);
    json_print_text(&print, "verdict", shuffles_verdict_names[report->verdict]);
    json_print_open(&print, "tests", "[]");
    for (size_t i = 0; i < report->result_count; i++)
        print_result(&print, &report->results[i]);
    json_print_close(&print, "[]");
    print_histograms(&print, shuffles);
    print_table(&print, "places", shuffles_place_counts(shuffles));
    print_origin(&print, report, origin);
    print_positions(&print, shuffles);
    print_table(&print, "moves", shuffles_move_counts(shuffles));
    print_table(&print, "neighbours", shuffles_neighbour_counts(shuffles));
    print_pairs(&print, shuffles);
    json_print_close(&print, "{}");
    putchar('\n');
}

static void write_page(const void *page, FILE *out)
{
    shuffles_html_page(page, out);
}

int shuffles_show_page(const struct shuffles *shuffles, const struct shuffles_report *report,
                       const struct shuffles_origin *origin, const char *path, struct error *error)
{
    const struct shuffles_page page = {
        .shuffles = shuffles,
        .report = report,
        .device = origin->device,
        .firmware = origin->firmware,
        .from = origin->from,
        .recordings = origin->recordings,
        .recorded = origin->recorded,
        .digest = origin->digest,
        .stage = report->count < origin->declared ? SHUFFLES_CUT_SHORT : SHUFFLES_ALL,
        .declared = origin->declared,
        .dealt = report->count};

    return save_whole(path, write_page, &page, error);
}
