/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The end of a run: how it went, on a screen, with the names of its reports. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/page/markup.h"
#include "tools/json_print.h"
#include "tools/run/lines.h"

/* With everything around them these fit a screen of 24 lines. */
#define CHECKS_SHOWN     8
#define RECORDINGS_SHOWN 5

static void put_reports(struct json_text *text, const struct run_reports *reports)
{
    const struct report_format *format;
    char path[PATH_MAX];

    run_line_string(text, "journal", reports ? reports->journal : NULL);
    for (size_t i = 0; reports && reports->written && (format = report_format_at(i)); i++) {
        run_reports_path(reports, format, path);
        run_line_string(text, format->name, path);
    }
}

/* The checks that nobody could prove, each time. */
static void put_unproven(struct json_text *text, const struct check_counts *checks)
{
    const char *before = ",\"not-proven\":[";

    for (unsigned i = 0; i < CHECK_COUNT; i++) {
        if (!checks->skipped[i] || checks->passed[i] || checks->failed[i])
            continue;
        json_text_raw(text, before, strlen(before));
        json_text_string(text, check_kinds[i].name);
        before = ",";
    }
    if (*before == ',' && !before[1])
        JSON_TEXT_PUT(text, "]");
}

static void summary_json(const struct run_show *show, const struct runner_counts *counts,
                         enum verdict verdict)
{
    char line[LINES_LONGEST];
    struct json_text text;

    json_text_begin(&text, line, sizeof line);
    JSON_TEXT_PUT(&text, "{\"run\":");
    json_text_string(&text, verdict_name(verdict));
    run_line_number(&text, "rounds", (int64_t)counts->rounds);
    for (int i = 0; i < VERDICT_COUNT; i++)
        if (counts->verdicts[i])
            run_line_number(&text, verdict_name((enum verdict)i), (int64_t)counts->verdicts[i]);
    run_line_number(&text, "paid-from-tray", counts->paid.tray);
    run_line_number(&text, "paid-from-meters", counts->paid.meters);
    if (counts->paid.voided)
        run_line_number(&text, "void", (int64_t)counts->paid.voided);
    if (show->unplayed)
        run_line_number(&text, "not-played", (int64_t)show->unplayed);
    put_unproven(&text, &counts->checks);
    put_reports(&text, show->reports);
    run_line_print(stdout, &text);
}

static const char *colour_of(enum verdict verdict)
{
    return verdict == VERDICT_PASS                                    ? GREEN
           : verdict == VERDICT_SKIPPED || verdict == VERDICT_ABORTED ? YELLOW
                                                                      : RED;
}

static void print_totals(const struct run_show *show, const struct runner_counts *counts,
                         size_t played, size_t recordings, enum verdict verdict)
{
    uint64_t checks = 0;

    for (int i = 0; i < CHECK_COUNT; i++)
        checks += counts->checks.passed[i] + counts->checks.failed[i];
    printf("%s%s%s: ", show->colour ? colour_of(verdict) : "", verdict_name(verdict),
           show->colour ? PLAIN : "");
    if (recordings && played < recordings)
        printf("%zu of ", played);
    if (recordings)
        printf("%zu recording%s, ", recordings, recordings == 1 ? "" : "s");
    printf("%" PRIu64 " round%s, %" PRIu64 " check%s in %.3f s", counts->rounds,
           counts->rounds == 1 ? "" : "s", checks, checks == 1 ? "" : "s",
           (double)show->took_ms / 1000);
    for (int i = 0; i < VERDICT_COUNT; i++)
        if (counts->verdicts[i])
            printf(", %" PRIu64 " %s", counts->verdicts[i], verdict_name((enum verdict)i));
    putchar('\n');
}

static void print_unplayed(const struct run_show *show)
{
    if (show->unplayed)
        printf("stopped at the first round that did not pass (--fail-fast); %" PRIu64 " of %" PRIu64
               " rounds %s not played\n",
               show->unplayed, show->total, show->unplayed == 1 ? "was" : "were");
}

static void print_paid(const struct paid *paid)
{
    char tray[PAID_TEXT_SIZE], meters[PAID_TEXT_SIZE];

    printf("paid %s from the tray, %s from meters", paid_text(paid->tray, tray),
           paid_text(paid->meters, meters));
    if (paid->voided)
        printf("; %" PRIu64 " round%s void", paid->voided, paid->voided == 1 ? "" : "s");
    putchar('\n');
}

/* The one that failed most often and was not shown yet, or -1. */
static int next_check(const struct check_counts *checks, const bool *shown)
{
    int next = -1;

    for (int i = 0; i < CHECK_COUNT; i++)
        if (!shown[i] && checks->failed[i] &&
            (next < 0 || checks->failed[i] > checks->failed[next]))
            next = i;
    return next;
}

static void print_checks(const struct run_show *show, const struct check_counts *checks)
{
    bool shown[CHECK_COUNT] = {false};
    unsigned more = 0;
    int check;

    for (unsigned i = 0; i < CHECKS_SHOWN && (check = next_check(checks, shown)) >= 0; i++) {
        shown[check] = true;
        printf("  %s%-20s%s %" PRIu64 " failed of %" PRIu64 "\n", show->colour ? RED : "",
               check_kinds[check].name, show->colour ? PLAIN : "", checks->failed[check],
               checks->failed[check] + checks->passed[check]);
    }
    for (int i = 0; i < CHECK_COUNT; i++)
        more += checks->failed[i] && !shown[i];
    if (more)
        printf("  and %u more check%s\n", more, more == 1 ? "" : "s");
}

static int by_failures(const void *one, const void *other)
{
    const struct run_show_failing *a = one, *b = other;

    return a->failed != b->failed ? (a->failed < b->failed ? 1 : -1) : strcmp(a->path, b->path);
}

static void print_recordings(struct run_show *show)
{
    if (show->failing_count < 2)
        return;
    qsort(show->failing, show->failing_count, sizeof *show->failing, by_failures);
    puts("rounds that did not pass");
    for (size_t i = 0; i < show->failing_count && i < RECORDINGS_SHOWN; i++) {
        printf("  %" PRIu64 " of %" PRIu64 " in ", show->failing[i].failed,
               show->failing[i].rounds);
        plain_text(stdout, show->failing[i].path);
        putchar('\n');
    }
    if (show->failing_count > RECORDINGS_SHOWN)
        printf("  and in %zu more recording%s\n", show->failing_count - RECORDINGS_SHOWN,
               show->failing_count == RECORDINGS_SHOWN + 1 ? "" : "s");
}

static void print_path(const char *what, const char *path)
{
    fputs(what, stdout);
    plain_text(stdout, path);
    putchar('\n');
}

static void print_reports(const struct run_reports *reports, enum verdict verdict)
{
    const struct report_format *format;
    char path[PATH_MAX];

    if (reports && reports->capture)
        print_path("capture: ", reports->capture);
    if (!reports || !reports->journal) {
        if (verdict > VERDICT_PASS)
            puts("no reports; --reports DIR leaves a page, JUnit XML and the journal there");
        return;
    }
    print_path("journal: ", reports->journal);
    for (size_t i = 0; reports->written && (format = report_format_at(i)); i++) {
        run_reports_path(reports, format, path);
        print_path("report:  ", path);
    }
}

static void print_repeats(const struct run_show *show)
{
    bool is_first = true;

    for (size_t i = 0; i < show->repeat_count; i++) {
        const struct run_show_repeat *repeat = &show->repeats[i];

        if (repeat->times <= TIMES_PRINTED)
            continue;
        if (is_first)
            puts("not printed again; --verbose prints all");
        is_first = false;
        printf("  %" PRIu64 " more: ", repeat->times - TIMES_PRINTED);
        plain_text(stdout, repeat->key);
        putchar('\n');
    }
}

void run_show_summary(struct run_show *show, const struct runner_counts *counts, size_t played,
                      size_t recordings, enum verdict verdict)
{
    if (show->json && !show->quiet)
        summary_json(show, counts, verdict);
    if (show->json || show->quiet)
        return;
    run_show_clear(show);
    print_repeats(show);
    print_totals(show, counts, played, recordings, verdict);
    print_unplayed(show);
    print_paid(&counts->paid);
    print_checks(show, &counts->checks);
    print_recordings(show);
    print_reports(show->reports, verdict);
}

static void checks_json(void)
{
    struct json_print print = {.out = stdout, .indent = 2};

    json_print_open(&print, NULL, "{}");
    json_print_open(&print, "checks", "[]");
    for (int i = 0; i < CHECK_COUNT; i++) {
        json_print_open(&print, NULL, "{}");
        json_print_text(&print, "name", check_kinds[i].name);
        json_print_text(&print, "rule", check_kinds[i].rule);
        json_print_text(&print, "source", check_kinds[i].source);
        json_print_close(&print, "{}");
    }
    json_print_close(&print, "[]");
    json_print_close(&print, "{}");
    json_print_end(&print);
}

void run_show_checks(bool json)
{
    if (json) {
        checks_json();
        return;
    }
    for (int i = 0; i < CHECK_COUNT; i++)
        printf("%-20s %s\n%-20s   %s\n", check_kinds[i].name, check_kinds[i].rule, "",
               check_kinds[i].source);
}
