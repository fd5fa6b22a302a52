#include "tools/shuffles_show.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "hal/base/save.h"
#include "rigs/shuffles/html.h"

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
    printf("; the whole order is known of %" PRIu64 "\n\n", report->whole);
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
}

/* null in place of NaN, which JSON does not have. */
static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *json_result(const struct shuffles_result *result)
{
    bool judged = shuffles_is_judged(result);

    return json_pack("{ss ss sI sI ss so so so so so so so so ss ss ss}", "test", result->name,
                     "verdict", shuffles_verdict_names[result->verdict], "used",
                     (json_int_t)result->count, "needed", (json_int_t)result->needed, "uses",
                     result->uses, "law",
                     judged ? json_string(shuffles_law_names[result->law]) : json_null(),
                     "statistic", number(result->statistic), "df", number(result->df), "p",
                     number(result->p), "holm", number(result->holm), "mean", number(result->mean),
                     "expected", number(result->expected), "detectable", number(result->detectable),
                     "catches", result->catches, "says", result->says, "shows", result->shows);
}

static json_t *json_results(const struct shuffles_report *report)
{
    json_t *results = json_array();

    for (size_t i = 0; i < report->result_count; i++)
        if (json_array_append_new(results, json_result(&report->results[i])))
            break;
    return results;
}

static json_t *json_bars(const struct shuffles_bars *bars)
{
    json_t *seen = json_array(), *chance = json_array();

    for (size_t i = 0; i < bars->size; i++) {
        json_array_append_new(seen, json_integer((json_int_t)bars->seen[i]));
        json_array_append_new(chance, json_real(bars->chance[i]));
    }
    return json_pack("{ss sI so so}", "name", bars->name, "total", (json_int_t)bars->total, "seen",
                     seen, "chance", chance);
}

static json_t *json_histograms(const struct shuffles *shuffles)
{
    json_t *histograms = json_array();

    for (size_t i = 0; i < SHUFFLES_HISTOGRAMS; i++) {
        struct shuffles_bars bars = shuffles_bars(shuffles, (enum shuffles_histogram)i);

        json_array_append_new(histograms, json_bars(&bars));
    }
    return histograms;
}

/* One row for each place, one column for each card. */
static json_t *json_places(const struct shuffles *shuffles)
{
    const shuffles_places *places = shuffles_place_counts(shuffles);
    json_t *rows = json_array();

    for (unsigned place = 0; place < DECK_SIZE; place++) {
        json_t *row = json_array();

        for (unsigned card = 0; card < DECK_SIZE; card++)
            json_array_append_new(row, json_integer((*places)[place][card]));
        json_array_append_new(rows, row);
    }
    return rows;
}

int shuffles_show_json(const struct shuffles *shuffles, const struct shuffles_report *report,
                       const struct shuffles_origin *origin, struct error *error)
{
    json_t *root =
        json_pack("{sI sI ss ss sf sI ss so so so}", "shuffles", (json_int_t)report->count, "whole",
                  (json_int_t)report->whole, "device", origin->device, "firmware", origin->firmware,
                  "alpha", report->alpha, "judged", (json_int_t)report->judged, "verdict",
                  shuffles_verdict_names[report->verdict], "tests", json_results(report),
                  "histograms", json_histograms(shuffles), "places", json_places(shuffles));

    if (!root)
        return error_set(error, ERROR_RIG, "no memory to print the results");
    json_dumpf(root, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(12));
    putchar('\n');
    json_decref(root);
    return 0;
}

static void write_page(const void *page, FILE *out)
{
    shuffles_html_page(page, out);
}

int shuffles_show_page(const struct shuffles *shuffles, const struct shuffles_report *report,
                       const struct shuffles_origin *origin, const char *path, struct error *error)
{
    const struct shuffles_page page = {shuffles,         report,       origin->device,
                                       origin->firmware, origin->from, origin->recordings};

    return save_whole(path, write_page, &page, error);
}
