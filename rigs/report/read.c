/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/report/report.h"

#include <stdlib.h>
#include <string.h>

#include "rigs/report/coverage.h"
#include "rigs/report/figures.h"
#include "rigs/report/html/shuffles.h"
#include "rigs/report/present.h"

/* Details that are kept: every round that failed, within reason, and some of the others. */
#define FAILED_BYTES_MAX ((size_t)16 * 1024 * 1024)
#define PASSES_MAX       300
#define PASSES_FIRST     5
#define PASSES_EVERY     50

/*
 * Of one round: its beginning, settlement and verdict, and so many other lines; a sound device
 * sends a few dozen, and a run takes no more than 2,000 events of one round.
 */
#define ROUND_EVENTS_MAX 2000
#define ROUND_CHECKS_MAX 1000
#define ROUND_BYTES_MAX  ((size_t)4 * 1024 * 1024)

/* The lines of the round that is being read. */
struct gathered {
    char *text;
    size_t length, size;
    unsigned events, checks;
};

/* Lines of a round that are kept. */
struct report_kept {
    struct report_kept *next;
    char text[];
};

struct reading {
    struct report *report;
    struct report_round round; /* the one that is being read, if any: the last of the report */
    bool is_open;
    size_t place;                    /* of the round in its recording, from 1 */
    struct paid paid;                /* before it */
    int64_t passed, failed, skipped; /* checks of it that have been read */
    struct gathered gathered;
    struct error *error;
};

static int no_memory(const struct reading *reading)
{
    return error_set(reading->error, ERROR_RIG, "no memory for the report");
}

/* Whether there is room for this line; one that is left out is counted. */
static bool has_room(struct reading *reading, const struct journal_line *line)
{
    struct gathered *gathered = &reading->gathered;
    bool is_check = line->kind == JOURNAL_CHECK;
    unsigned *count = is_check ? &gathered->checks : &gathered->events;

    if (!is_check && line->kind != JOURNAL_EVENT && line->kind != JOURNAL_RETRY &&
        line->kind != JOURNAL_QUESTION && line->kind != JOURNAL_ANSWER)
        return true;
    if (*count < (is_check ? ROUND_CHECKS_MAX : ROUND_EVENTS_MAX) &&
        gathered->length + line->length < ROUND_BYTES_MAX) {
        ++*count;
        return true;
    }
    ++*(is_check ? &reading->round.checks_left_out : &reading->round.events_left_out);
    return false;
}

static int gather(struct reading *reading, const struct journal_line *line)
{
    struct gathered *gathered = &reading->gathered;

    if (!has_room(reading, line))
        return 0;
    while (gathered->size - gathered->length < line->length + 1) {
        size_t size = gathered->size ? 2 * gathered->size : 4096;
        char *text = realloc(gathered->text, size);

        if (!text)
            return no_memory(reading);
        gathered->text = text;
        gathered->size = size;
    }
    memcpy(gathered->text + gathered->length, line->text, line->length);
    gathered->length += line->length;
    gathered->text[gathered->length++] = '\n';
    return 0;
}

static bool is_worth_keeping(const struct reading *reading)
{
    const struct report *report = reading->report;

    if (report_round_failed(&reading->round))
        return report->kept_bytes < FAILED_BYTES_MAX ||
               report_round_is_first(report, report->round_count - 1);
    return report->kept_passes < PASSES_MAX &&
           (reading->place <= PASSES_FIRST || reading->place % PASSES_EVERY == 0);
}

static int keep_lines(struct reading *reading)
{
    const struct gathered *gathered = &reading->gathered;
    struct report_round *round = &reading->round;
    struct report *report = reading->report;
    struct report_kept *kept;

    if (!is_worth_keeping(reading))
        return 0;
    kept = malloc(sizeof *kept + gathered->length);
    if (!kept)
        return no_memory(reading);
    memcpy(kept->text, gathered->text, gathered->length);
    kept->next = report->kept;
    report->kept = kept;
    round->lines = kept->text;
    round->length = gathered->length;
    report->kept_bytes += report_round_failed(round) ? round->length : 0;
    report->kept_passes += !report_round_failed(round);
    return 0;
}

/* The round that was being read joins the others. */
static int close_round(struct reading *reading)
{
    if (!reading->is_open)
        return 0;
    reading->is_open = false;
    return report_store_add(reading->report->rounds, &reading->round, reading->error);
}

/* What was told last of the file of this path, or NULL. */
static struct report_file *find_file(const struct report *report, const char *path)
{
    for (size_t i = report->file_count; i-- > 0;)
        if (!strcmp(report_text(report->files[i].fields, "path"), path))
            return &report->files[i];
    return NULL;
}

static bool is_told_alike(const struct json_value *fields, const struct json_value *others)
{
    return json_same(json_member(fields, "game"), json_member(others, "game")) &&
           json_same(json_member(fields, "sha256"), json_member(others, "sha256"));
}

/* The file of a recording that begins; NULL when memory is short. */
static struct report_file *count_file(struct report *report, const struct json_value *fields)
{
    struct report_file *file = find_file(report, report_text(fields, "path"));
    unsigned repeats = file ? file->repeats : 0;

    if (!file || !is_told_alike(fields, file->fields)) {
        if (!report_grow((void **)&report->files, report->file_count, &report->file_size,
                         sizeof *report->files))
            return NULL;
        file = &report->files[report->file_count];
        file->fields = json_keep(fields);
        if (!file->fields)
            return NULL;
        report->file_count++;
    }
    file->repeats = repeats + 1;
    return file;
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
    file = count_file(report, line->fields);
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
    reading->passed = reading->failed = reading->skipped = 0;
    reading->gathered.length = reading->gathered.events = reading->gathered.checks = 0;
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

static void see_passes(struct reading *reading, const struct json_value *names)
{
    struct report *report = reading->report;

    JSON_EACH (count, names) {
        struct report_check *check = report_check_find(report, count->key);

        if (check && json_int(count) > 0) {
            check->passed += (uint64_t)json_int(count);
            *(reading->is_open ? &reading->passed : &report->passed) += json_int(count);
        }
    }
}

/* A check of no round; false when memory is short. */
static bool see_after(struct report *report, struct report_check *check,
                      const struct json_value *fields)
{
    check->failed++;
    report->failed++;
    report->verdict = verdict_worse(report->verdict, VERDICT_FAIL);
    if (report->after_count == REPORT_AFTER)
        return true;
    report->after[report->after_count] = json_keep(fields);
    return report->after[report->after_count++];
}

static void see_failure(const struct report *report, struct report_check *check)
{
    size_t round = report->round_count ? report->round_count - 1 : 0;

    if (!check->rounds)
        check->first = round;
    check->rounds += !check->rounds || check->last != round;
    check->last = round;
    check->failed++;
}

/* Those of a round are added up by its verdict, those outside of rounds here. */
static int see_check(struct reading *reading, const struct journal_line *line)
{
    struct report *report = reading->report;
    const char *result = report_text(line->fields, "result");
    struct report_check *check;

    if (!strcmp(result, "pass")) {
        see_passes(reading, json_member(line->fields, "names"));
        return 0;
    }
    check = report_check_find(report, report_text(line->fields, "name"));
    if (!check)
        return 0;
    if (!strcmp(result, "fail")) {
        if (!reading->is_open)
            return see_after(report, check, line->fields) ? 0 : no_memory(reading);
        see_failure(report, check);
        reading->failed++;
    } else {
        check->skipped++;
        ++*(reading->is_open ? &reading->skipped : &report->skipped);
        snprintf(check->why, sizeof check->why, "%s", report_text(line->fields, "why"));
    }
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

    report->passed += reading->passed;
    report->failed += reading->failed;
    report->skipped += reading->skipped;
    if (reading->failed)
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
        return see_check(reading, line);
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

/* An altered journal is told up to the line before; what is no journal at all is an error. */
static int read_lines(struct reading *reading, struct shards *shards)
{
    struct report *report = reading->report;
    struct journal_line line;
    int status;

    while ((status = shards_next(shards, &line, reading->error)) > 0) {
        status = line.kind == JOURNAL_RECORDING ? see_cut(reading) : 0;
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

static int read_report(char *const *paths, bool is_partial, uint64_t bytes, struct report **made,
                       struct error *error)
{
    struct report *report = new_report();
    struct error problem = {.text = ""};
    struct reading reading = {.report = report, .error = error ? error : &problem};
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
    return read_report(paths, false, UINT64_MAX, report, error);
}

int report_read_part(const char *path, uint64_t bytes, struct report **report, struct error *error)
{
    return read_report((char *[]){(char *)path, NULL}, true, bytes, report, error);
}

int report_read(const char *path, struct report **report, struct error *error)
{
    return report_read_part(path, UINT64_MAX, report, error);
}

void report_free(struct report *report)
{
    if (!report)
        return;
    for (size_t i = 0; i < report->file_count; i++)
        free(report->files[i].fields);
    for (size_t i = 0; i < REPORT_CURVES; i++)
        free(report->meters[i]);
    for (size_t i = 0; i < report->device_count; i++) {
        free(report->devices[i].fields);
        free(report->devices[i].software);
    }
    for (size_t i = 0; i < report->operator_count && i < REPORT_OPERATORS; i++)
        free(report->operators[i]);
    while (report->kept) {
        struct report_kept *next = report->kept->next;

        free(report->kept);
        report->kept = next;
    }
    for (size_t i = 0; i < report->after_count; i++)
        free(report->after[i]);
    for (size_t i = 0; i < REPORT_RESUMES; i++)
        free(report->resumes[i]);
    report_coverage_free(report->coverage);
    free(report->files);
    free(report->stopped_by);
    free(report->devices);
    report_store_free(report->recordings);
    report_store_free(report->rounds);
    json_reader_free(report->json);
    report_shuffles_free(report->shuffled);
    free(report->start);
    free(report->end);
    for (size_t i = 0; i < report->journal_count; i++)
        report_journal_free(&report->journals[i]);
    free(report->journals);
    free(report);
}
