/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "rigs/page/markup.h"
#include "rigs/report/coverage.h"
#include "rigs/report/format.h"

/* What fits a screen of 24 lines with everything around it. */
#define FAILURES_SHOWN 3
#define ROUNDS_SHOWN   2
#define DEVICES_SHOWN  4
#define TIMINGS_SHOWN  2
#define DIGEST_SHOWN   12

static void write_line(FILE *out, const char *text)
{
    if (!*text)
        return;
    plain_text(out, text);
    putc('\n', out);
}

static void write_heading(const struct report *report, FILE *out)
{
    const char *host = report_text(report->start, "host");
    char build[REPORT_BUILD_SIZE], stopped[REPORT_STOPPED_SIZE], realtime[REPORT_REALTIME_SIZE];

    fputs(report->end ? verdict_name(report->verdict) : "cut off", out);
    fputs(": dealproof ", out);
    plain_text(out, report_text(report->start, "version"));
    fputs(*report_build(report, build) ? ", build " : "", out);
    plain_text(out, build);
    fputs(", ", out);
    plain_text(out, *report_text(report->start, "date") ? report_text(report->start, "date")
                                                        : "virtual time");
    fputs(", rig ", out);
    plain_text(out, *report_text(json_member(report->start, "rig"), "path")
                        ? report_text(json_member(report->start, "rig"), "path")
                        : "built in");
    fputs(*host ? ", host " : "", out);
    plain_text(out, host);
    fputs(*report_realtime(report, realtime) ? ", real-time priority " : "", out);
    plain_text(out, realtime);
    if (*report_part(report)) {
        fputs(", ONLY SHARD ", out);
        plain_text(out, report_part(report));
    }
    fputs(report->operator_count ? ", performed by " : "", out);
    report_operators(report, out, plain_text);
    putc('\n', out);
    if (report->problem[0]) {
        fputs("NOT TRUSTED: ", out);
        plain_text(out, report->problem);
        fputs("; nothing after that is shown\n", out);
    } else if (!report->end) {
        fprintf(out, "the journal ends after line %ju without an end line: the run was cut off\n",
                (uintmax_t)report->ending.lines);
    }
    write_line(out, report_stopped(report, stopped));
    write_line(out, report_text(report->end, "why"));
    for (size_t i = 0; i < report->left_out_count; i++)
        write_line(out, report->left_out[i]);
}

static void write_resumes(const struct report *report, FILE *out)
{
    char text[REPORT_RESUME_SIZE];

    for (size_t i = 0; report_resume(report, i, text); i++)
        write_line(out, text);
    if (report->resume_count > REPORT_RESUMES)
        fprintf(out, "and resumed %ju more time%s\n",
                (uintmax_t)(report->resume_count - REPORT_RESUMES),
                report->resume_count == REPORT_RESUMES + 1 ? "" : "s");
}

static void write_totals(const struct report *report, FILE *out)
{
    const char *separator = ": ";

    fprintf(out, "%zu round%s of %zu recording%s", report->round_count,
            report->round_count == 1 ? "" : "s", report->files.count,
            report->files.count == 1 ? "" : "s");
    if (report->recording_count > report->files.count)
        fprintf(out, ", %zu plays in all", report->recording_count);
    for (unsigned i = 0; i < VERDICT_COUNT; i++)
        if (report->verdicts[i]) {
            fprintf(out, "%s%ju %s", separator, (uintmax_t)report->verdicts[i],
                    verdict_name((enum verdict)i));
            separator = ", ";
        }
    if (report->unjudged)
        fprintf(out, "%s%ju cut off", separator, (uintmax_t)report->unjudged);
    fprintf(out, "\n%jd check%s passed, %jd failed, %jd skipped; %ju retr%s",
            (intmax_t)report->passed, report->passed == 1 ? "" : "s", (intmax_t)report->failed,
            (intmax_t)report->skipped, (uintmax_t)report->retries,
            report->retries == 1 ? "y" : "ies");
    if (report->reconnects)
        fprintf(out, ", %ju reconnect%s", (uintmax_t)report->reconnects,
                report->reconnects == 1 ? "" : "s");
    fputs("\n", out);
    if (report->read + report->nodded)
        fprintf(out,
                "cards read %ju time%s by people or a scanner, confirmed %ju time%s by a nod\n",
                (uintmax_t)report->read, report->read == 1 ? "" : "s", (uintmax_t)report->nodded,
                report->nodded == 1 ? "" : "s");
}

/* What nobody could judge any more after a run was cut off, and had been judged before. */
static void write_unjudged(const struct report *report, FILE *out)
{
    char resumed[REPORT_RESUME_SIZE];

    for (size_t i = 0; report_resume(report, 0, resumed) && i < report->check_count; i++) {
        const struct report_check *check = &report->checks[i];

        if (!*check->why || !check->passed)
            continue;
        fputs("skipped: ", out);
        plain_text(out, check->name);
        fputs(", ", out);
        plain_text(out, check->why);
        putc('\n', out);
    }
}

static void write_unproven(const struct report *report, FILE *out)
{
    char text[REPORT_UNPROVEN_SIZE];

    for (size_t i = 0; report_unproven(report, i, text); i++) {
        fputs("not proven: ", out);
        write_line(out, text);
    }
}

static void write_paid(const struct report *report, FILE *out)
{
    char tray[PAID_TEXT_SIZE], meters[PAID_TEXT_SIZE];

    fprintf(out, "paid %s from the tray, %s from meters", paid_text(report->paid.tray, tray),
            paid_text(report->paid.meters, meters));
    if (report->paid.voided)
        fprintf(out, "; %ju round%s void", (uintmax_t)report->paid.voided,
                report->paid.voided == 1 ? "" : "s");
    putc('\n', out);
}

static void write_place(const struct report *report, const struct report_round *round, FILE *out)
{
    plain_text(out, report_text(report_recording_at(report, round->recording).fields, "path"));
    fprintf(out, " round %jd", (intmax_t)round->number);
}

/* Of no round: NULL. */
static void write_failure(const struct report *report, const struct report_round *round,
                          const struct json_value *failure, FILE *out)
{
    static const char *const witnesses[] = {"recording", "engine", "device", "operator", "scanner"};
    const struct json_value *said = json_member(failure, "witnesses");

    fputs("  ", out);
    if (round)
        write_place(report, round, out);
    else
        fputs("after the last round", out);
    if (json_member(failure, "seat"))
        fprintf(out, ", seat %jd", (intmax_t)json_int(json_member(failure, "seat")));
    if (json_member(failure, "wager")) {
        fputs(", ", out);
        plain_text(out, report_text(failure, "wager"));
    }
    fputs(": ", out);
    plain_text(out, report_text(failure, "name"));
    fputs("\n    expected ", out);
    report_compared(out, failure, json_member(failure, "expected"), plain_text);
    fputs(", got ", out);
    report_compared(out, failure, json_member(failure, "got"), plain_text);
    for (size_t i = 0; said && i < sizeof witnesses / sizeof witnesses[0]; i++) {
        if (i >= REPORT_WITNESSES && !json_member(said, witnesses[i]))
            continue;
        fprintf(out, "%s %s ", i ? "," : ";", witnesses[i]);
        report_witness(out, failure, json_member(said, witnesses[i]), plain_text);
    }
    if (*report_text(failure, "why")) {
        fputs("; ", out);
        plain_text(out, report_text(failure, "why"));
    }
    putc('\n', out);
}

/* How often each check has failed: all of them, whatever is shown below. */
static void write_counts(const struct report *report, FILE *out)
{
    const char *before = "Failed checks: ";

    for (size_t i = 0; i < report->check_count; i++) {
        if (!report->checks[i].failed)
            continue;
        fprintf(out, "%s%ju ", before, (uintmax_t)report->checks[i].failed);
        plain_text(out, report->checks[i].name);
        before = ", ";
    }
    putc('\n', out);
}

static void write_failures(const struct report *report, FILE *out)
{
    int64_t shown = 0;

    if (report->failed)
        write_counts(report, out);
    for (size_t i = 0; i < report->round_count && shown < FAILURES_SHOWN; i++) {
        const struct report_round round = report_round_at(report, i);
        const struct json_value *failure;
        size_t at = 0;

        while (round.failed && shown < FAILURES_SHOWN &&
               (failure = report_round_failure(report, &round, &at))) {
            write_failure(report, &round, failure, out);
            shown++;
        }
    }
    for (size_t i = 0; i < report->after_count && shown < FAILURES_SHOWN; i++, shown++)
        write_failure(report, NULL, report->after[i], out);
    if (report->failed > shown)
        fprintf(out, "  and %jd more\n", (intmax_t)(report->failed - shown));
}

/* Rounds that did not come as far as a failed check: the first of each verdict, and how many. */
static void write_broken_rounds(const struct report *report, FILE *out)
{
    const char *heading = "Rounds that could not be judged\n";

    for (unsigned kind = 0; kind <= REPORT_CUT_OFF; kind++) {
        const struct report_unjudged *broken = &report->broken[kind];

        for (size_t i = 0; i < broken->count && i < ROUNDS_SHOWN; i++) {
            const struct report_round round = report_round_at(report, broken->rounds[i]);
            const char *why;

            fprintf(out, "%s  ", heading);
            heading = "";
            write_place(report, &round, out);
            fprintf(out, ": %s", report_round_verdict(&round));
            why = report_round_why(report, &round);
            fputs(*why ? ", " : "", out);
            plain_text(out, why);
            putc('\n', out);
        }
        if (broken->count > ROUNDS_SHOWN)
            fprintf(out, "  and %ju more: %s\n", (uintmax_t)(broken->count - ROUNDS_SHOWN),
                    kind == REPORT_CUT_OFF ? "cut off" : verdict_name((enum verdict)kind));
    }
}

static void write_device(const struct report_device *shown, FILE *out)
{
    const struct json_value *device = shown->fields;
    static const struct {
        const char *key, *before;
    } parts[] = {{"model", " "},
                 {"firmware", ", firmware "},
                 {"serial", ", serial "},
                 {"driver", ", driver "},
                 {"address", ", at "}};
    char digest[DIGEST_SHOWN + 1], software[REPORT_SOFTWARE_SIZE];

    fputs("  ", out);
    plain_text(out, report_text(device, "name"));
    fputs(*report_text(device, "model") ? "" : " (gives no identity)", out);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (*report_text(device, parts[i].key)) {
            fputs(parts[i].before, out);
            plain_text(out, report_text(device, parts[i].key));
        }
    snprintf(digest, sizeof digest, "%s", report_text(device, "digest"));
    if (*digest) {
        fputs(", digest ", out);
        plain_text(out, digest);
        fputs("...", out);
    }
    fputs(shown->test_mode ? ", in TEST MODE\n" : "\n", out);
    if (*report_software(shown, software)) {
        fputs("    software: ", out);
        plain_text(out, software);
        putc('\n', out);
    }
}

static void write_devices(const struct report *report, FILE *out)
{
    size_t count = report->device_count;

    if (count)
        fputs("Devices\n", out);
    for (size_t i = 0; i < count && i < DEVICES_SHOWN; i++)
        write_device(&report->devices[i], out);
    if (count > DEVICES_SHOWN)
        fprintf(out, "  and %zu more\n", count - DEVICES_SHOWN);
}

static void write_timing(const struct report *report, const struct report_timing *timing, FILE *out)
{
    const struct report_round slowest = report_round_at(report, timing->slowest_round);
    char text[DURATION_TEXT_SIZE];

    fputs("  ", out);
    plain_text(out, timing->name);
    fprintf(out, " %s", report_duration(timing->slowest, text));
    if (timing->limit)
        fprintf(out, " of %s allowed", report_duration(timing->limit, text));
    fputs(", ", out);
    write_place(report, &slowest, out);
    fprintf(out, "; half of %ju within %s\n", (uintmax_t)timing->count,
            report_duration(report_timing_median(timing), text));
}

/* How much of what is allowed the slowest has used; where there is no limit, nothing. */
static double strain(const struct report_timing *timing)
{
    return timing->limit ? (double)timing->slowest / (double)timing->limit : 0;
}

/* The one under most strain that has not been shown. */
static const struct report_timing *next_timing(const struct report *report, bool *shown)
{
    const struct report_timing *worst = NULL;

    for (size_t i = 0; i < report->timing_count; i++)
        if (!shown[i] && (!worst || strain(&report->timings[i]) > strain(worst)))
            worst = &report->timings[i];
    if (worst)
        shown[worst - report->timings] = true;
    return worst;
}

static void write_timings(const struct report *report, FILE *out)
{
    bool shown[REPORT_TIMINGS] = {false};
    const struct report_timing *timing;

    if (report->timing_count)
        fputs("Slowest\n", out);
    for (size_t i = 0; i < TIMINGS_SHOWN && (timing = next_timing(report, shown)); i++)
        write_timing(report, timing, out);
}

static void write_text(const struct report *report, FILE *out)
{
    write_heading(report, out);
    write_resumes(report, out);
    write_totals(report, out);
    write_unjudged(report, out);
    write_unproven(report, out);
    write_paid(report, out);
    report_coverage_line(report, out);
    write_failures(report, out);
    write_broken_rounds(report, out);
    write_devices(report, out);
    write_timings(report, out);
}

static const struct report_format text = {.name = "text",
                                          .file = "report.txt",
                                          .summary = "a summary that fits a screen (the default)",
                                          .rank = -2,
                                          .write = write_text};
REGISTER(report_formats, text);
