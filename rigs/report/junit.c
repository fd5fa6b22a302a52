/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JUnit XML as Jenkins and GitLab read it: a suite for each recording, a case for each round. What
 * a rule or an expectation breaks is a failure; what the bench, a device or a person broke is an
 * error.
 */
#include <string.h>

#include "rigs/page/markup.h"
#include "rigs/report/format.h"

static void write_attribute(FILE *out, const char *name, const char *value)
{
    fprintf(out, " %s=\"", name);
    markup_text(out, value);
    putc('"', out);
}

static void write_seconds(FILE *out, nanos_t duration)
{
    nanos_t micros = duration > 0 ? duration / NANOS_PER_MICRO : 0;

    fprintf(out, " time=\"%jd.%06jd\"", (intmax_t)(micros / 1000000), (intmax_t)(micros % 1000000));
}

static uint64_t error_count(const uint64_t verdicts[VERDICT_COUNT])
{
    return verdicts[VERDICT_TIMEOUT] + verdicts[VERDICT_DEVICE] + verdicts[VERDICT_RIG] +
           verdicts[VERDICT_ABORTED];
}

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
    write_attribute(out, "name", name);
    write_attribute(out, "value", value);
    fputs("/>\n", out);
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
    write_property(out, "dealproof", report_text(report->start, "version"));
    write_property(out, "seed", report_text(report->start, "seed"));
    write_property(out, "rig", report_text(json_member(report->start, "rig"), "path"));
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
    if (recording) {
        write_property(out, "game", report_text(recording->fields, "game"));
        write_property(out, "recording sha256", report_text(recording->fields, "sha256"));
    }
    fputs("  </properties>\n", out);
}

/* Jenkins takes what stands before the last dot for a package: folders become its parts. */
static void write_class(const struct report_recording *recording, FILE *out)
{
    const char *path = report_text(recording->fields, "path");
    size_t length = strlen(path);
    char class[512];

    if (length > 5 && !strcmp(path + length - 5, ".shoe"))
        length -= 5;
    while (length && (*path == '/' || *path == '.')) {
        path++;
        length--;
    }
    snprintf(class, sizeof class, "%.*s", (int)(length < sizeof class ? length : sizeof class - 1),
             path);
    for (char *at = class; *at; at++)
        *at = *at == '.' ? '_' : *at == '/' ? '.' : *at;
    fputs(" classname=\"", out);
    markup_text(out, *class ? class : "unnamed");
    if (recording->repeat > 1)
        fprintf(out, " %u", recording->repeat);
    putc('"', out);
}

static void write_failure_text(const struct json_value *failure, FILE *out)
{
    static const char *const keys[] = {"expected", "got"};
    static const char *const witnesses[] = {"recording", "engine", "device", "operator", "scanner"};
    const struct json_value *said = json_member(failure, "witnesses");

    markup_text(out, report_text(failure, "name"));
    if (json_member(failure, "seat"))
        fprintf(out, ", seat %jd", (intmax_t)json_int(json_member(failure, "seat")));
    if (json_member(failure, "wager")) {
        fputs(", ", out);
        markup_text(out, report_text(failure, "wager"));
    }
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        fprintf(out, "%s %s ", i ? "," : ":", keys[i]);
        markup_json(out, json_member(failure, keys[i]));
    }
    for (size_t i = 0; said && i < sizeof witnesses / sizeof witnesses[0]; i++) {
        if (i >= REPORT_WITNESSES && !json_member(said, witnesses[i]))
            continue;
        fprintf(out, "%s %s ", i ? "," : ";", witnesses[i]);
        markup_json(out, json_member(said, witnesses[i]));
    }
    if (*report_text(failure, "why")) {
        fputs("; ", out);
        markup_text(out, report_text(failure, "why"));
    }
}

/* The sentence of the verdict. */
static void write_message(const struct report *report, const struct report_round *round, FILE *out)
{
    const struct json_value *line;
    size_t at = 0;

    fputs(" message=\"", out);
    markup_text(out,
                round->judged ? report_round_verdict(round) : "the journal ends inside this round");
    while ((line = report_round_line(report, round, &at)))
        if (!strcmp(report_text(line, "kind"), journal_kind_name(JOURNAL_VERDICT)) &&
            *report_text(line, "why")) {
            fputs(": ", out);
            markup_text(out, report_text(line, "why"));
        }
    putc('"', out);
}

static void write_outcome(const struct report *report, const struct report_round *round, FILE *out)
{
    const char *element = round->judged && round->verdict == VERDICT_FAIL ? "failure" : "error";
    const struct json_value *failure;
    size_t at = 0;

    fprintf(out, "   <%s", element);
    write_message(report, round, out);
    write_attribute(out, "type", report_round_verdict(round));
    putc('>', out);
    while ((failure = report_round_failure(report, round, &at))) {
        write_failure_text(failure, out);
        putc('\n', out);
    }
    if (round->checks_left_out)
        fprintf(out, "%ju more checks are not shown; they are in the journal\n",
                (uintmax_t)round->checks_left_out);
    fprintf(out, "</%s>\n", element);
}

static void write_case(const struct report *report, const struct report_recording *recording,
                       const struct report_round *round, FILE *out)
{
    fprintf(out, "  <testcase name=\"round %jd\"", (intmax_t)round->number);
    write_class(recording, out);
    write_seconds(out, round->ended - round->began);
    if (!report_round_failed(round) && round->verdict == VERDICT_PASS) {
        fputs("/>\n", out);
        return;
    }
    fputs(">\n", out);
    if (!report_round_failed(round)) {
        fputs("   <skipped", out);
        write_message(report, round, out);
        fputs("/>\n", out);
    } else {
        write_outcome(report, round, out);
    }
    fputs("  </testcase>\n", out);
}

static void write_suite(const struct report *report, size_t index, FILE *out)
{
    const struct report_recording recording = report_recording_at(report, index);
    uint64_t judged = 0;
    nanos_t took = 0;

    for (size_t i = 0; i < recording.count; i++) {
        const struct report_round round = report_round_at(report, recording.first + i);

        judged += round.judged;
        took += round.ended - round.began;
    }
    fputs(" <testsuite name=\"", out);
    markup_text(out, report_text(recording.fields, "path"));
    if (recording.repeat > 1)
        fprintf(out, " (%u)", recording.repeat);
    fprintf(out, "\" id=\"%zu\" tests=\"%zu\" failures=\"%ju\" errors=\"%ju\" skipped=\"%ju\"",
            index, recording.count, (uintmax_t)recording.verdicts[VERDICT_FAIL],
            (uintmax_t)(error_count(recording.verdicts) + recording.count - judged),
            (uintmax_t)recording.verdicts[VERDICT_SKIPPED]);
    write_seconds(out, took);
    if (strlen(report_text(report->start, "date")) == strlen("2026-01-01T00:00:00Z"))
        fprintf(out, " timestamp=\"%.19s\"", report_text(report->start, "date"));
    fputs(">\n", out);
    write_properties(report, &recording, index == 0, out);
    for (size_t i = 0; i < recording.count; i++) {
        const struct report_round round = report_round_at(report, recording.first + i);

        write_case(report, &recording, &round, out);
    }
    fputs(" </testsuite>\n", out);
}

static void write_run(const struct report *report, FILE *out)
{
    fprintf(out,
            " <testsuite name=\"run\" id=\"%zu\" tests=\"1\" failures=\"0\" errors=\"1\""
            " skipped=\"0\" time=\"0.000000\">\n",
            report->recording_count + !!report->after_count);
    write_properties(report, NULL, false, out);
    fputs("  <testcase name=\"run\" classname=\"run\" time=\"0.000000\">\n   <error", out);
    if (report->problem[0])
        write_attribute(out, "message", report->problem);
    else if (!report->end)
        write_attribute(out, "message", "the run was cut off: its journal has no end line");
    else
        write_attribute(out, "message",
                        *report_text(report->end, "why") ? report_text(report->end, "why")
                                                         : verdict_name(report->verdict));
    write_attribute(out, "type", report->end ? verdict_name(report->verdict) : "cut off");
    fputs("/>\n  </testcase>\n </testsuite>\n", out);
}

/* What the rounds show together is no round's: a suite of its own, a case for each check. */
static void write_after(const struct report *report, FILE *out)
{
    fprintf(out,
            " <testsuite name=\"after the last round\" id=\"%zu\" tests=\"%zu\" "
            "failures=\"%zu\" errors=\"0\" skipped=\"0\" time=\"0.000000\">\n",
            report->recording_count, report->after_count, report->after_count);
    write_properties(report, NULL, false, out);
    for (size_t i = 0; i < report->after_count; i++) {
        fputs("  <testcase", out);
        write_attribute(out, "name", report_text(report->after[i], "name"));
        fputs(" classname=\"run\" time=\"0.000000\">\n   <failure", out);
        write_attribute(out, "message", report_text(report->after[i], "why"));
        write_attribute(out, "type", verdict_name(VERDICT_FAIL));
        putc('>', out);
        write_failure_text(report->after[i], out);
        fputs("</failure>\n  </testcase>\n", out);
    }
    fputs(" </testsuite>\n", out);
}

static void write_junit(const struct report *report, FILE *out)
{
    bool failed = run_failed(report);
    nanos_t took = 0;

    for (size_t i = 0; i < report->round_count; i++) {
        const struct report_round round = report_round_at(report, i);

        took += round.ended - round.began;
    }
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites name=\"dealproof\" tests=\"%zu\" failures=\"%ju\" errors=\"%ju\"",
            report->round_count + report->after_count + failed,
            (uintmax_t)(report->verdicts[VERDICT_FAIL] + report->after_count),
            (uintmax_t)(error_count(report->verdicts) + report->unjudged + failed));
    write_seconds(out, took);
    fputs(">\n", out);
    for (size_t i = 0; i < report->recording_count; i++)
        write_suite(report, i, out);
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
