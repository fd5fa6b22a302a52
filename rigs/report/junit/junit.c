/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JUnit XML as Jenkins and GitLab read it: a suite for each recording, a case for each round. What
 * a rule or an expectation breaks is a failure; what the bench, a device or a person broke is an
 * error. A long run is told in bounded space: rounds that passed share a case, and so do failing
 * ones and recordings beyond the first so many.
 */
#include <string.h>

#include "rigs/page/markup.h"
#include "rigs/report/format.h"
#include "rigs/report/junit/junit.h"

/* A run with more rounds or recordings than these is long; and what is written of one. */
#define ROUNDS_MAX     20000
#define RECORDINGS_MAX 2000
#define FAILED_MAX     1000 /* rounds that did not pass, each with a case of its own */

/* Recordings from `first` on that have one suite: one, or all the rest of a long run. */
struct span {
    size_t first, count;
};

/* What a suite says of itself, or the whole report. */
struct tally {
    uint64_t cases, failures, errors, skipped;
    nanos_t took;
};

/* Something went wrong that is no round's: the run has a case of its own for it. */
static bool run_failed(const struct report *report)
{
    enum verdict worst = report->after_count ? VERDICT_FAIL : VERDICT_SKIPPED;

    for (unsigned i = 0; i < VERDICT_COUNT; i++)
        if (report->verdicts[i])
            worst = verdict_worse(worst, (enum verdict)i);
    return !report->end || report->problem[0] ||
           (report->verdict > worst && report->verdict > VERDICT_PASS);
}

static void write_property(FILE *out, const char *name, const char *value)
{
    fputs("   <property", out);
    junit_attribute(out, "name", name);
    junit_attribute(out, "value", value);
    fputs("/>\n", out);
}

/* Only where it is known. */
static void write_fact(FILE *out, const char *name, const char *value)
{
    if (*value)
        write_property(out, name, value);
}

static void write_device_property(FILE *out, const struct report_device *shown)
{
    const struct json_value *device = shown->fields;
    static const char *const keys[] = {"model",  "firmware", "serial",
                                       "digest", "driver",   "address"};
    const char *separator = "";

    fputs("   <property name=\"device ", out);
    markup_text(out, report_text(device, "name"));
    fputs("\" value=\"", out);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (*report_text(device, keys[i])) {
            fprintf(out, "%s%s ", separator, keys[i]);
            markup_text(out, report_text(device, keys[i]));
            separator = ", ";
        }
    fprintf(out, "%stest mode %s\"/>\n", separator, shown->test_mode ? "on" : "off");
}

static void write_software_property(FILE *out, const struct report_device *shown)
{
    char software[REPORT_SOFTWARE_SIZE];

    if (!*report_software(shown, software))
        return;
    fputs("   <property name=\"software of the ", out);
    markup_text(out, report_text(shown->fields, "name"));
    fputs("\" value=\"", out);
    markup_text(out, software);
    fputs("\"/>\n", out);
}

static void write_number_property(FILE *out, const char *name, uintmax_t number)
{
    char text[24];

    snprintf(text, sizeof text, "%ju", number);
    write_property(out, name, text);
}

static void write_run_properties(const struct report *report, FILE *out)
{
    char realtime[REPORT_REALTIME_SIZE], unproven[REPORT_UNPROVEN_SIZE],
        stopped[REPORT_STOPPED_SIZE];

    write_property(out, "dealproof", report_text(report->start, "version"));
    write_fact(out, "build", report_text(report->start, "build"));
    write_fact(out, "commit", report_text(report->start, "commit"));
    write_fact(out, "real-time priority", report_realtime(report, realtime));
    write_fact(out, "host", report_text(report->start, "host"));
    write_property(out, "seed", report_text(report->start, "seed"));
    write_number_property(out, "rounds", report->round_count);
    write_fact(out, "stopped", report_stopped(report, stopped));
    write_property(out, "rig", report_text(json_member(report->start, "rig"), "path"));
    if (*report_part(report))
        write_property(out, "only shard", report_part(report));
    for (size_t i = 0; i < report->left_out_count; i++)
        write_property(out, "attempt", report->left_out[i]);
    if (report->reconnects)
        fprintf(out, "   <property name=\"reconnects\" value=\"%ju\"/>\n",
                (uintmax_t)report->reconnects);
    if (report->operator_count) {
        fputs("   <property name=\"performed by\" value=\"", out);
        report_operators(report, out, markup_text);
        fputs("\"/>\n", out);
    }
    if (report->read + report->nodded)
        fprintf(out,
                "   <property name=\"cards-read\" value=\"%ju\"/>\n"
                "   <property name=\"cards-nodded\" value=\"%ju\"/>\n",
                (uintmax_t)report->read, (uintmax_t)report->nodded);
    for (size_t i = 0; i < report->device_count; i++) {
        write_device_property(out, &report->devices[i]);
        write_software_property(out, &report->devices[i]);
    }
    for (size_t i = 0; report_unproven(report, i, unproven); i++)
        write_property(out, "not proven", unproven);
    write_number_property(out, "cents paid from the tray", (uintmax_t)report->paid.tray);
    write_number_property(out, "cents paid from meters", (uintmax_t)report->paid.meters);
    write_number_property(out, "void rounds", report->paid.voided);
}

/* What is the same for all suites stands in the first: there may be thousands. */
static void write_properties(const struct report *report, const struct report_recording *recording,
                             bool is_first, FILE *out)
{
    fputs("  <properties>\n", out);
    if (!recording || is_first)
        write_run_properties(report, out);
    write_property(out, "clock", report_text(report->start, "clock"));
    if (recording) {
        write_property(out, "recording", report_text(recording->fields, "path"));
        write_property(out, "game", report_text(recording->fields, "game"));
        write_property(out, "recording sha256", report_text(recording->fields, "sha256"));
    }
    fputs("  </properties>\n", out);
}

/* The rounds that share a case with others of their verdict; those without one come last. */
#define CUT_OFF VERDICT_COUNT
struct shared {
    uint64_t rounds[VERDICT_COUNT + 1];
    nanos_t took[VERDICT_COUNT + 1];
};

static unsigned shared_kind(const struct report_round *round)
{
    return round->judged ? (unsigned)round->verdict : CUT_OFF;
}

static void count_case(struct tally *tally, unsigned kind)
{
    tally->cases++;
    tally->failures += kind == VERDICT_FAIL;
    tally->skipped += kind == VERDICT_SKIPPED;
    tally->errors += kind != VERDICT_FAIL && kind != VERDICT_SKIPPED && kind != VERDICT_PASS;
}

static void write_shared(const struct junit_sheet *sheet, const struct report_recording *recording,
                         const struct shared *shared, unsigned kind)
{
    const char *verdict = kind == CUT_OFF ? "cut off" : verdict_name((enum verdict)kind);
    const char *element = kind == VERDICT_FAIL      ? "failure"
                          : kind == VERDICT_SKIPPED ? "skipped"
                                                    : "error";
    bool is_one = shared->rounds[kind] == 1;
    FILE *out = sheet->out;

    fprintf(out, "  <testcase name=\"%ju round%s: %s\"", (uintmax_t)shared->rounds[kind],
            is_one ? "" : "s", verdict);
    junit_class(sheet, recording);
    junit_seconds(out, shared->took[kind]);
    if (kind == VERDICT_PASS)
        fputs("/>\n", out);
    else
        fprintf(
            out,
            ">\n   <%s message=\"%ju round%s not told apart, as the run is long; the journal has "
            "all\" type=\"%s\"/>\n  </testcase>\n",
            element, (uintmax_t)shared->rounds[kind], is_one ? " is" : "s are", verdict);
}

/* Whether a round has a case of its own. */
static bool stands_alone(struct junit_sheet *sheet, const struct span *span,
                         const struct report_round *round)
{
    if (!sheet->is_long)
        return true;
    return span->count == 1 && report_round_failed(round) && sheet->failed++ < FAILED_MAX;
}

/* Whose journal it is may have written any times: their sum stops where a time ends. */
static void add_time(nanos_t *sum, const struct report_round *round)
{
    if (__builtin_add_overflow(*sum, round->ended - round->began, sum))
        *sum = INT64_MAX;
}

static void walk_recording(struct junit_sheet *sheet, const struct span *span, size_t index,
                           struct shared *shared, struct tally *tally)
{
    const struct report_recording recording = report_recording_at(sheet->report, index);

    for (size_t i = 0; i < recording.count; i++) {
        const struct report_round round = report_round_at(sheet->report, recording.first + i);
        unsigned kind = shared_kind(&round);

        add_time(&tally->took, &round);
        if (!stands_alone(sheet, span, &round)) {
            shared->rounds[kind]++;
            add_time(&shared->took[kind], &round);
            continue;
        }
        count_case(tally, kind);
        if (sheet->out)
            junit_case(sheet, &recording, &round);
    }
}

/* Adds the cases of a suite to the tally, and writes them where there is something to write to. */
static void walk_span(struct junit_sheet *sheet, const struct span *span, struct tally *tally)
{
    const struct report_recording first = report_recording_at(sheet->report, span->first);
    struct shared shared = {0};

    for (size_t i = 0; i < span->count; i++)
        walk_recording(sheet, span, span->first + i, &shared, tally);
    for (unsigned kind = 0; kind <= CUT_OFF; kind++) {
        if (!shared.rounds[kind])
            continue;
        count_case(tally, kind);
        if (sheet->out)
            write_shared(sheet, &first, &shared, kind);
    }
}

/* The suites one after the other: false after the last. A zeroed span is before the first. */
static bool next_span(const struct report *report, struct span *span)
{
    size_t next = span->first + span->count;

    span->first = next;
    span->count = next + 1 < RECORDINGS_MAX ? 1 : report->recording_count - next;
    return next < report->recording_count;
}

static void write_suite_name(const struct junit_sheet *sheet, const struct span *span,
                             const struct report_recording *recording)
{
    fputs(" <testsuite name=\"", sheet->out);
    if (span->count > 1)
        fprintf(sheet->out, "%zu more recordings, from ", span->count);
    markup_text(sheet->out, junit_name(sheet, recording));
    if (recording->repeat > 1)
        fprintf(sheet->out, " (%u)", recording->repeat);
}

static void write_suite(struct junit_sheet *sheet, const struct span *span)
{
    const struct report_recording recording = report_recording_at(sheet->report, span->first);
    const char *date = report_text(sheet->report->start, "date");
    struct junit_sheet count = *sheet;
    struct tally tally = {0};
    FILE *out = sheet->out;

    count.out = NULL;
    walk_span(&count, span, &tally);
    write_suite_name(sheet, span, &recording);
    fprintf(out, "\" id=\"%zu\" tests=\"%ju\" failures=\"%ju\" errors=\"%ju\" skipped=\"%ju\"",
            span->first, (uintmax_t)tally.cases, (uintmax_t)tally.failures, (uintmax_t)tally.errors,
            (uintmax_t)tally.skipped);
    junit_seconds(out, tally.took);
    if (strlen(date) == strlen("2026-01-01T00:00:00Z"))
        fprintf(out, " timestamp=\"%.19s\"", date);
    fputs(">\n", out);
    write_properties(sheet->report, &recording, span->first == 0, out);
    walk_span(sheet, span, &tally);
    fputs(" </testsuite>\n", out);
}

static void write_run(const struct report *report, FILE *out)
{
    char stopped[REPORT_STOPPED_SIZE];

    fprintf(out,
            " <testsuite name=\"run\" id=\"%zu\" tests=\"1\" failures=\"0\" errors=\"1\""
            " skipped=\"0\" time=\"0.000\">\n",
            report->recording_count + !!report->after_count);
    write_properties(report, NULL, false, out);
    fputs("  <testcase name=\"run\" classname=\"run\" time=\"0.000\">\n   <error", out);
    if (report->problem[0])
        junit_attribute(out, "message", report->problem);
    else if (!report->end)
        junit_attribute(out, "message", "the run was cut off: its journal has no end line");
    else if (report->verdict == VERDICT_ABORTED && *report_stopped(report, stopped))
        junit_attribute(out, "message", stopped);
    else
        junit_attribute(out, "message",
                        *report_text(report->end, "why") ? report_text(report->end, "why")
                                                         : verdict_name(report->verdict));
    junit_attribute(out, "type", report->end ? verdict_name(report->verdict) : "cut off");
    fputs("/>\n  </testcase>\n </testsuite>\n", out);
}

/* What the rounds show together is no round's: a suite of its own, a case for each check. */
static void write_after(const struct report *report, FILE *out)
{
    fprintf(out,
            " <testsuite name=\"after the last round\" id=\"%zu\" tests=\"%zu\" "
            "failures=\"%zu\" errors=\"0\" skipped=\"0\" time=\"0.000\">\n",
            report->recording_count, report->after_count, report->after_count);
    write_properties(report, NULL, false, out);
    for (size_t i = 0; i < report->after_count; i++) {
        fputs("  <testcase", out);
        junit_attribute(out, "name", report_text(report->after[i], "name"));
        fputs(" classname=\"run\" time=\"0.000\">\n   <failure", out);
        junit_attribute(out, "message", report_text(report->after[i], "why"));
        junit_attribute(out, "type", verdict_name(VERDICT_FAIL));
        putc('>', out);
        junit_failure(report->after[i], out);
        fputs("</failure>\n  </testcase>\n", out);
    }
    fputs(" </testsuite>\n", out);
}

static void write_junit(const struct report *report, FILE *out)
{
    struct junit_sheet sheet = {.report = report,
                                .strip = junit_strip(report),
                                .is_long = report->round_count > ROUNDS_MAX ||
                                           report->recording_count > RECORDINGS_MAX};
    struct junit_sheet count = sheet;
    struct tally tally = {0};
    bool failed = run_failed(report);

    for (struct span span = {0}; next_span(report, &span);)
        walk_span(&count, &span, &tally);
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites name=\"dealproof\" tests=\"%ju\" failures=\"%ju\" errors=\"%ju\"",
            (uintmax_t)(tally.cases + report->after_count + failed),
            (uintmax_t)(tally.failures + report->after_count), (uintmax_t)(tally.errors + failed));
    junit_seconds(out, tally.took);
    fputs(">\n", out);
    sheet.out = out;
    for (struct span span = {0}; next_span(report, &span);)
        write_suite(&sheet, &span);
    if (report->after_count)
        write_after(report, out);
    if (failed)
        write_run(report, out);
    fputs("</testsuites>\n", out);
}

static const struct report_format junit = {
    .name = "junit",
    .file = "junit.xml",
    .summary = "JUnit XML, as Jenkins and GitLab read it: a suite for each recording, a case for "
               "each round",
    .rank = -1,
    .write = write_junit};
REGISTER(report_formats, junit);
