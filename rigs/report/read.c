/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/report/report.h"

#include <stdlib.h>
#include <string.h>

#include "rigs/report/coverage.h"
#include "rigs/report/figures.h"
#include "rigs/report/files.h"
#include "rigs/report/html/shuffles.h"
#include "rigs/report/kept.h"
#include "rigs/report/present.h"

struct reading {
    struct report *report;
    struct report_round round; /* the one that is being read, if any: the last of the report */
    bool is_open;
    size_t place;     /* of the round in its recording, from 1 */
    struct paid paid; /* before it */
    struct report_tally tally;
    struct report_gathered gathered;
    const struct report_watch *watch; /* NULL: nobody */
    struct error *error;
};

static int no_memory(const struct reading *reading)
{
    return error_set(reading->error, ERROR_RIG, "no memory for the report");
}

static int gather(struct reading *reading, const struct journal_line *line)
{
    return report_gather(&reading->gathered, &reading->round, line) ? 0 : no_memory(reading);
}

static int keep_lines(struct reading *reading)
{
    return report_keep(reading->report, &reading->round, reading->place, &reading->gathered)
               ? 0
               : no_memory(reading);
}

/* The round that was being read joins the others. */
static int close_round(struct reading *reading)
{
    if (!reading->is_open)
        return 0;
    reading->is_open = false;
    return report_store_add(reading->report->rounds, &reading->round, reading->error);
}

static int see_recording(struct reading *reading, const struct journal_line *line)
{
    struct report *report = reading->report;
    const struct report_file *file;

    if (report->recording_count) {
        int status = report_store_add(report->recordings, &report->last, reading->error);

        if (status)
            return status;
    }
    file = report_file_see(&report->files, line->fields);
    if (!file)
        return no_memory(reading);
    report->last = (struct report_recording){
        .fields = file->fields, .first = report->round_count, .repeat = file->repeats};
    report->recording_count++;
    if (!report_coverage_recording(report, json_member(file->fields, "header"),
                                   report_text(file->fields, "path")))
        return no_memory(reading);
    return 0;
}

static int see_round(struct reading *reading, const struct journal_line *line)
{
    struct report *report = reading->report;
    int status;

    if (!report->recording_count)
        return 0;
    status = close_round(reading);
    if (status < 0)
        return status;
    reading->is_open = true;
    reading->round = (struct report_round){.recording = report->recording_count - 1,
                                           .number = json_int(json_member(line->fields, "round")),
                                           .began = line->time,
                                           .ended = line->time};
    report->round_count++;
    reading->place = ++report->last.count;
    reading->paid = report->paid;
    reading->tally = (struct report_tally){0};
    report_gather_nothing(&reading->gathered);
    report_paid_begin(report, json_member(line->fields, "played"));
    report_coverage_round(report, json_member(line->fields, "played"));
    return gather(reading, line);
}

static int see_settlement(struct reading *reading, const struct journal_line *line)
{
    const struct json_value *settlement = json_member(line->fields, "settlement");

    report_paid_end(reading->report, settlement);
    if (!report_meters_see(reading->report, json_member(settlement, "meters")))
        return no_memory(reading);
    return 0;
}

static int see_verdict(struct reading *reading, const struct journal_line *line)
{
    struct report *report = reading->report;
    struct report_round *round = &reading->round;
    const struct json_value *checks = json_member(line->fields, "checks");
    int status;

    if (!reading->is_open || !verdict_parse(report_text(line->fields, "verdict"), &round->verdict))
        return 0;
    round->judged = true;
    round->passed = json_int(json_member(checks, "pass"));
    round->failed = json_int(json_member(checks, "fail"));
    round->skipped = json_int(json_member(checks, "skipped"));
    report->passed += round->passed;
    report->failed += round->failed;
    report->skipped += round->skipped;
    report->verdicts[round->verdict]++;
    if (round->recording + 1 == report->recording_count)
        report->last.verdicts[round->verdict]++;
    report->verdict = verdict_worse(report->verdict, round->verdict);
    report_unjudged_see(report, round);
    report_coverage_verdict(report, round->verdict);
    JSON_EACH (timing, json_member(line->fields, "timings"))
        report_timing_see(report, timing);
    status = keep_lines(reading);
    return status ? status : close_round(reading);
}

/* Cards that a device has not told itself, and whether somebody has but nodded. */
static void see_witness(struct report *report, const struct json_value *details)
{
    if (!json_is(details, JSON_KIND_OBJECT) || !*report_text(details, "witness"))
        return;
    if (json_is(json_member(details, "nodded"), JSON_KIND_TRUE))
        report->nodded++;
    else
        report->read++;
}

static struct report_device *find_device(struct report *report, const char *name)
{
    for (size_t i = 0; i < report->device_count; i++)
        if (!strcmp(report_text(report->devices[i].fields, "name"), name))
            return &report->devices[i];
    return NULL;
}

static int see_software(struct reading *reading, struct report_device *device,
                        const struct json_value *details)
{
    device->asked++;
    if (!json_is(details, JSON_KIND_OBJECT) || report_software_is_wrong(device->software))
        return 0;
    free(device->software);
    device->software = json_keep(details);
    return device->software ? 0 : no_memory(reading);
}

/* A device that was in test mode at any time is shown as such. */
static int see_event(struct reading *reading, const struct journal_line *line)
{
    const char *event = report_text(line->fields, "event");
    const struct json_value *details = json_member(line->fields, "details");
    struct report_device *device =
        find_device(reading->report, report_text(line->fields, "device"));

    see_witness(reading->report, details);
    if (!device)
        return 0;
    if (!strcmp(event, "test-mode") && json_is(details, JSON_KIND_TRUE))
        device->test_mode = true;
    if (!strcmp(event, "authenticated") || !strcmp(event, "not-authenticated"))
        return see_software(reading, device, details);
    return 0;
}

/* What was checked in a round without a verdict was checked, and fails the run if it failed. */
static void count_open(struct reading *reading)
{
    struct report *report = reading->report;

    report->passed += reading->tally.passed;
    report->failed += reading->tally.failed;
    report->skipped += reading->tally.skipped;
    if (reading->tally.failed)
        report->verdict = verdict_worse(report->verdict, VERDICT_FAIL);
}

/* A journal ends in a round: it is told as cut off, before the next shard goes on. */
static int see_cut(struct reading *reading)
{
    int status;

    if (!reading->is_open)
        return 0;
    reading->report->unjudged++;
    report_unjudged_see(reading->report, &reading->round);
    count_open(reading);
    status = keep_lines(reading);
    return status ? status : close_round(reading);
}

/* What failed in a round that is played again, and in no other yet, has no round to be shown in. */
static void lose_firsts(struct report *report)
{
    for (size_t i = 0; i < report->check_count; i++) {
        struct report_check *check = &report->checks[i];

        if (!check->rounds || check->last != report->round_count - 1)
            continue;
        check->rounds--;
        check->was_lost = true;
        check->last = SIZE_MAX;
    }
}

/* From here on the clock of the bench is that of this date. */
static void see_date(struct report *report, const struct journal_line *line)
{
    report->since = line->time;
    snprintf(report->since_date, sizeof report->since_date, "%s",
             report_text(line->fields, "date"));
    free(report->stopped_by);
    report->stopped_by = NULL;
}

static int see_order(struct reading *reading, const struct journal_line *line)
{
    struct report *report = reading->report;

    if (strncmp(report_text(line->fields, "do"), "stop", 4) != 0)
        return 0;
    free(report->stopped_by);
    report->stopped_by = strdup(report_text(line->fields, "by"));
    return report->stopped_by ? 0 : no_memory(reading);
}

/*
 * The run was cut off and goes on. A round that had begun is played again, so that it is none; what
 * was checked in it was checked, and fails the run if it failed.
 */
static int see_resumed(struct reading *reading, const struct journal_line *line)
{
    struct report *report = reading->report;

    if (reading->is_open) {
        reading->is_open = false;
        lose_firsts(report);
        report->round_count--;
        report->last.count--;
        report->paid = reading->paid;
        count_open(reading);
    }
    see_date(report, line);
    if (report->resume_count++ >= REPORT_RESUMES)
        return 0;
    report->resumes[report->resume_count - 1] = json_keep(line->fields);
    return report->resumes[report->resume_count - 1] ? 0 : no_memory(reading);
}

/* The first and the last line of a journal. */
static int keep_fields(struct reading *reading, const struct journal_line *line,
                       struct json_value **kept)
{
    free(*kept);
    *kept = json_keep(line->fields);
    return *kept ? 0 : no_memory(reading);
}

/* Of several shards the worst end is the run's. */
static int see_end(struct reading *reading, const struct journal_line *line)
{
    struct report *report = reading->report;
    enum verdict before, verdict;

    if (report->end && verdict_parse(report_text(report->end, "verdict"), &before) &&
        verdict_parse(report_text(line->fields, "verdict"), &verdict) &&
        verdict_worse(before, verdict) == before)
        return 0;
    return keep_fields(reading, line, &report->end);
}

static int see_line(struct reading *reading, const struct journal_line *line)
{
    struct report *report = reading->report;

    if (line->kind == JOURNAL_RESUMED)
        return see_resumed(reading, line);
    if (reading->is_open && line->kind > JOURNAL_ROUND && line->kind < JOURNAL_END) {
        /* What was waited for shows in the timings. */
        int status = line->kind == JOURNAL_WAIT ? 0 : gather(reading, line);

        if (status < 0)
            return status;
        reading->round.ended = line->time;
    }
    if (!report_shuffles_see(report, line))
        return no_memory(reading);
    switch (line->kind) {
    case JOURNAL_START:
        see_date(report, line);
        return keep_fields(reading, line, &report->start);
    case JOURNAL_DEVICE:
        return report_device_see(report, line->fields) ? 0 : no_memory(reading);
    case JOURNAL_OPERATOR:
        return report_operator_see(report, report_text(line->fields, "name")) ? 0
                                                                              : no_memory(reading);
    case JOURNAL_ORDER:
        return see_order(reading, line);
    case JOURNAL_RECORDING:
        return see_recording(reading, line);
    case JOURNAL_ROUND:
        return see_round(reading, line);
    case JOURNAL_EVENT:
        return see_event(reading, line);
    case JOURNAL_SETTLED:
        return see_settlement(reading, line);
    case JOURNAL_CHECK:
        return report_check_see(report, line->fields, reading->is_open ? &reading->tally : NULL)
                   ? 0
                   : no_memory(reading);
    case JOURNAL_RETRY:
        report->retries++;
        return 0;
    case JOURNAL_RECONNECT:
        report->reconnects += (uint64_t)json_int(json_member(line->fields, "times"));
        return 0;
    case JOURNAL_VERDICT:
        return see_verdict(reading, line);
    case JOURNAL_END:
        return see_end(reading, line);
    default:
        return 0;
    }
}

static int show(const struct reading *reading, const struct journal_line *line)
{
    const struct report_watch *watch = reading->watch;

    return watch ? watch->see(watch->context, line, reading->error) : 0;
}

/* An altered journal is told up to the line before; what is no journal at all is an error. */
static int read_lines(struct reading *reading, struct shards *shards)
{
    struct report *report = reading->report;
    struct journal_line line;
    int status;

    while ((status = shards_next(shards, &line, reading->error)) > 0) {
        status = show(reading, &line);
        if (!status && line.kind == JOURNAL_RECORDING)
            status = see_cut(reading);
        if (!status)
            status = see_line(reading, &line);
        if (status < 0)
            return status;
    }
    if (status == ERROR_RULE) {
        snprintf(report->problem, sizeof report->problem, "%s", reading->error->text);
        status = 0;
    }
    return status;
}

/* How each journal ends, and all of them together. */
static int see_journals(struct reading *reading, const struct shards *shards)
{
    struct report *report = reading->report;
    struct shards_journal journal;

    for (size_t i = 0; shards_journal(shards, i, &journal); i++) {
        if (!report_journal_see(report, &journal))
            return no_memory(reading);
        journal.ending.lines += i ? report->ending.lines : 0;
        journal.ending.torn += i ? report->ending.torn : 0;
        journal.ending.ended &= i ? report->ending.ended : true;
        report->ending = journal.ending;
    }
    while (
        report->left_out_count < REPORT_LEFT_OUT &&
        shards_left_out(shards, report->left_out_count, report->left_out[report->left_out_count]))
        report->left_out_count++;
    return 0;
}

static int conclude(struct reading *reading)
{
    struct report *report = reading->report;
    enum verdict verdict;

    if (report->end && verdict_parse(report_text(report->end, "verdict"), &verdict))
        report->verdict = verdict_worse(report->verdict, verdict);
    /* A shard that was cut off is a run that was. */
    if (report->journal_count > 1 && !report->ending.ended) {
        free(report->end);
        report->end = NULL;
    }
    return see_cut(reading);
}

static int read_all(struct reading *reading, struct shards *shards)
{
    int status = read_lines(reading, shards);

    if (!status)
        status = see_journals(reading, shards);
    if (!status)
        status = conclude(reading);
    return status;
}

/* NULL when memory is short. */
static struct report *new_report(void)
{
    struct report *report = calloc(1, sizeof *report);

    if (!report)
        return NULL;
    report->rounds = report_store_new(sizeof(struct report_round));
    report->recordings = report_store_new(sizeof(struct report_recording));
    report->json = json_reader_new(JSON_LONGEST);
    if (report->rounds && report->recordings && report->json)
        return report;
    report_free(report);
    return NULL;
}

static int read_report(char *const *paths, bool is_partial, uint64_t bytes,
                       const struct report_watch *watch, struct report **made, struct error *error)
{
    struct report *report = new_report();
    struct error problem = {.text = ""};
    struct reading reading = {.report = report, .watch = watch, .error = error ? error : &problem};
    struct shards *shards = NULL;
    int status;

    if (!report)
        return no_memory(&reading);
    status = shards_open(paths, is_partial, &shards, reading.error);
    if (!status && bytes != UINT64_MAX)
        shards_limit(shards, bytes);
    if (!status)
        status = read_all(&reading, shards);
    shards_close(shards);
    free(reading.gathered.text);
    if (status < 0) {
        report_free(report);
        return status;
    }
    *made = report;
    return 0;
}

int report_read_shards(char *const *paths, struct report **report, struct error *error)
{
    return read_report(paths, false, UINT64_MAX, NULL, report, error);
}

int report_read_watched(const char *path, uint64_t bytes, const struct report_watch *watch,
                        struct report **report, struct error *error)
{
    return read_report((char *[]){(char *)path, NULL}, true, bytes, watch, report, error);
}

int report_read_part(const char *path, uint64_t bytes, struct report **report, struct error *error)
{
    return report_read_watched(path, bytes, NULL, report, error);
}

int report_read(const char *path, struct report **report, struct error *error)
{
    return report_read_part(path, UINT64_MAX, report, error);
}
