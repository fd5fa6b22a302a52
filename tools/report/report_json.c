/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/report/report_json.h"

#include <string.h>

#include "tools/json_print.h"

/* null where there is nothing to tell. */
static void put_told(struct json_print *print, const char *key, const char *text)
{
    json_print_text(print, key, *text ? text : NULL);
}

static void put_heading(struct json_print *print, const struct report *report)
{
    static const char *const started[] = {"version", "build", "commit", "host",
                                          "seed",    "clock", "date"};
    const char *path = report_text(json_member(report->start, "rig"), "path");
    char stopped[REPORT_STOPPED_SIZE];

    json_print_text(print, "verdict", report->end ? verdict_name(report->verdict) : "cut off");
    put_told(print, "why", report_text(report->end, "why"));
    put_told(print, "stopped", report_stopped(report, stopped));
    json_print_bool(print, "trusted", !report->problem[0]);
    put_told(print, "problem", report->problem);
    put_told(print, "shard", report_part(report));
    for (size_t i = 0; i < sizeof started / sizeof started[0]; i++)
        put_told(print, started[i], report_text(report->start, started[i]));
    put_told(print, "rig", path);
    json_print_open(print, "operators", "[]");
    for (size_t i = 0; i < report->operator_count && i < REPORT_OPERATORS; i++)
        json_print_text(print, NULL, report->operators[i]);
    json_print_close(print, "[]");
}

static void put_verdicts(struct json_print *print, const uint64_t verdicts[VERDICT_COUNT],
                         uint64_t unjudged)
{
    json_print_open(print, "verdicts", "{}");
    for (unsigned i = 0; i < VERDICT_COUNT; i++)
        if (verdicts[i])
            json_print_integer(print, verdict_name((enum verdict)i), (int64_t)verdicts[i]);
    if (unjudged)
        json_print_integer(print, "cut off", (int64_t)unjudged);
    json_print_close(print, "{}");
}

static void put_totals(struct json_print *print, const struct report *report)
{
    json_print_integer(print, "rounds", (int64_t)report->round_count);
    put_verdicts(print, report->verdicts, report->unjudged);
    json_print_integer(print, "paid-from-tray", report->paid.tray);
    json_print_integer(print, "paid-from-meters", report->paid.meters);
    json_print_integer(print, "void", (int64_t)report->paid.voided);
    json_print_integer(print, "retries", (int64_t)report->retries);
    json_print_integer(print, "reconnects", (int64_t)report->reconnects);
    json_print_integer(print, "resumed", (int64_t)report->resume_count);
}

static void put_checks(struct json_print *print, const struct report *report)
{
    json_print_open(print, "checks", "[]");
    for (size_t i = 0; i < report->check_count; i++) {
        const struct report_check *check = &report->checks[i];

        json_print_open(print, NULL, "{}");
        json_print_text(print, "name", check->name);
        json_print_integer(print, "passed", (int64_t)check->passed);
        json_print_integer(print, "failed", (int64_t)check->failed);
        json_print_integer(print, "skipped", (int64_t)check->skipped);
        put_told(print, "why-skipped", check->why);
        json_print_close(print, "{}");
    }
    json_print_close(print, "[]");
}

static void put_devices(struct json_print *print, const struct report *report)
{
    static const char *const keys[] = {"driver", "model", "serial", "firmware", "address"};

    json_print_open(print, "devices", "[]");
    for (size_t i = 0; i < report->device_count; i++) {
        const struct report_device *device = &report->devices[i];
        char software[REPORT_SOFTWARE_SIZE];

        json_print_open(print, NULL, "{}");
        put_told(print, "name", report_text(device->fields, "name"));
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
            put_told(print, keys[k], report_text(device->fields, keys[k]));
        json_print_bool(print, "test-mode", device->test_mode);
        put_told(print, "software", report_software(device, software));
        json_print_close(print, "{}");
    }
    json_print_close(print, "[]");
}

static void put_recordings(struct json_print *print, const struct report *report)
{
    json_print_open(print, "recordings", "[]");
    for (size_t i = 0; i < report->recording_count; i++) {
        struct report_recording recording = report_recording_at(report, i);

        json_print_open(print, NULL, "{}");
        json_print_text(print, "path", report_text(recording.fields, "path"));
        put_told(print, "game", report_text(recording.fields, "game"));
        json_print_integer(print, "repeat", recording.repeat);
        json_print_integer(print, "rounds", (int64_t)recording.count);
        put_verdicts(print, recording.verdicts, 0);
        json_print_close(print, "{}");
    }
    json_print_close(print, "[]");
}

/* A failed check as the journal has it, without what only the chain needs. */
static void put_failure(struct json_print *print, const struct json_value *failure)
{
    static const char *const keys[] = {"name", "seat",      "wager", "expected",
                                       "got",  "witnesses", "why"};

    json_print_open(print, NULL, "{}");
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (json_member(failure, keys[i]))
            json_print_value(print, keys[i], json_member(failure, keys[i]));
    json_print_close(print, "{}");
}

static const char *why_of(const struct report *report, const struct report_round *round)
{
    const struct json_value *line;
    size_t at = 0;

    while ((line = report_round_line(report, round, &at)))
        if (!strcmp(report_text(line, "kind"), "verdict"))
            return report_text(line, "why");
    return "";
}

static void put_round(struct json_print *print, const struct report *report,
                      const struct report_round *round)
{
    const struct json_value *failure;
    size_t at = 0;

    json_print_open(print, NULL, "{}");
    json_print_text(print, "recording",
                    report_text(report_recording_at(report, round->recording).fields, "path"));
    json_print_integer(print, "round", round->number);
    json_print_text(print, "verdict", report_round_verdict(round));
    put_told(print, "why", why_of(report, round));
    json_print_integer(print, "passed", round->passed);
    json_print_integer(print, "failed", round->failed);
    json_print_integer(print, "skipped", round->skipped);
    json_print_open(print, "failures", "[]");
    while ((failure = report_round_failure(report, round, &at)))
        put_failure(print, failure);
    json_print_close(print, "[]");
    json_print_integer(print, "failures-left-out", (int64_t)round->checks_left_out);
    json_print_close(print, "{}");
}

static void put_rounds(struct json_print *print, const struct report *report)
{
    json_print_open(print, "not-passed", "[]");
    for (size_t i = 0; i < report->round_count; i++) {
        struct report_round round = report_round_at(report, i);

        if (report_round_failed(&round))
            put_round(print, report, &round);
    }
    json_print_close(print, "[]");
    json_print_open(print, "after-the-last-round", "[]");
    for (size_t i = 0; i < report->after_count; i++)
        put_failure(print, report->after[i]);
    json_print_close(print, "[]");
}

static void write_json(const struct report *report, FILE *out)
{
    struct json_print print = {.out = out, .indent = 2};

    json_print_open(&print, NULL, "{}");
    put_heading(&print, report);
    put_totals(&print, report);
    put_checks(&print, report);
    put_devices(&print, report);
    put_recordings(&print, report);
    put_rounds(&print, report);
    json_print_open(&print, "journals", "[]");
    for (size_t i = 0; i < report->journal_count; i++) {
        json_print_open(&print, NULL, "{}");
        json_print_text(&print, "path", report->journals[i].path);
        json_print_integer(&print, "lines", (int64_t)report->journals[i].ending.lines);
        json_print_text(&print, "digest", report->journals[i].ending.digest);
        json_print_close(&print, "{}");
    }
    json_print_close(&print, "[]");
    json_print_close(&print, "{}");
    json_print_end(&print);
}

const struct report_format report_json = {
    .name = "json", .summary = "one JSON object, for programs", .write = write_json};
