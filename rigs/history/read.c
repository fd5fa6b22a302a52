/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/history/orders.h"
#include "rigs/history/run.h"
#include "rigs/shuffles/journal.h"

struct reading {
    struct history_run *run;
    struct shuffles_journal orders;
    unsigned char settled[HISTORY_SETTLEMENT]; /* of the round that is read; zeros: not yet */
    bool has_failed;                           /* a check, since the last verdict */
    bool is_short;                             /* of memory */
};

/* One more element of a list, zeros; NULL when memory is short. */
static void *grow(struct reading *reading, struct history_list *list, size_t element)
{
    size_t size = list->size ? 2 * list->size : 8;

    if (list->count == list->size) {
        void *grown = reallocarray(list->items, size, element);

        if (!grown) {
            reading->is_short = true;
            return NULL;
        }
        list->items = grown;
        list->size = size;
    }
    return memset((char *)list->items + list->count++ * element, 0, element);
}

#define ADD(reading, list, type) ((type *)grow(reading, &(reading)->run->list, sizeof(type)))

static char *copy(struct reading *reading, const char *text)
{
    char *copied = text ? strdup(text) : NULL;

    reading->is_short |= text && !copied;
    return copied;
}

static char *copy_member(struct reading *reading, const struct json_value *object, const char *key)
{
    return copy(reading, json_chars(json_member(object, key)));
}

/* A value as it is written, cut where it is long: whole values are in the journal. */
static char *copy_value(struct reading *reading, const struct json_value *value)
{
    char buffer[512];
    struct json_text text;

    if (!value)
        return NULL;
    if (json_chars(value))
        return copy(reading, json_chars(value));
    json_text_begin(&text, buffer, sizeof buffer - 1);
    json_text_value(&text, value);
    *text.at = '\0';
    return copy(reading, buffer);
}

static struct history_recording *recording_of(struct history_run *run)
{
    struct history_recording *all = run->recordings.items;

    return run->recordings.count ? &all[run->recordings.count - 1] : NULL;
}

/*
 * What all shards of one run have in common, as reports compare it: the job, the recordings, seed
 * and clock, and into how many it is cut. Where no job is told the rig must be the same too.
 */
static void see_shard(struct reading *reading, const struct json_value *fields)
{
    static const char *const keys[] = {"job", "recordings", "seed", "clock", "rig", "files"};
    const char *shard = json_chars(json_member(fields, "shard"));
    struct history_run *run = reading->run;
    struct json_text text;
    struct digest sum;
    char buffer[LINES_LONGEST];
    int length = 0;

    run->attempt = json_member(fields, "attempt") ? json_int(json_member(fields, "attempt")) : 1;
    if (!shard)
        return;
    if (sscanf(shard, "%5" SCNd64 "/%5" SCNd64 "%n", &run->part, &run->parts, &length) != 2 ||
        shard[length] || run->part < 1 || run->part > run->parts)
        run->part = run->parts = -1;
    run->job = copy_member(reading, fields, "job");
    digest_begin(&sum);
    snprintf(buffer, sizeof buffer, "%" PRId64, run->parts);
    digest_add(&sum, buffer, strlen(buffer) + 1);
    for (size_t i = 0; i < (run->job ? 4 : sizeof keys / sizeof keys[0]); i++) {
        json_text_begin(&text, buffer, sizeof buffer);
        if (json_member(fields, keys[i]))
            json_text_value(&text, json_member(fields, keys[i]));
        digest_add(&sum, text.start, (size_t)(text.at - text.start));
        digest_add(&sum, "", 1);
    }
    digest_end(&sum, run->sharded);
}

static void see_start(struct reading *reading, const struct journal_line *line)
{
    const struct json_value *rig = json_member(line->fields, "rig");
    const struct json_value *command = json_member(line->fields, "command");
    const char *date = json_chars(json_member(line->fields, "date"));
    const char *id = json_chars(json_member(line->fields, "run"));
    struct history_run *run = reading->run;
    char buffer[LINES_LONGEST + 1];
    struct json_text text;

    digest_bytes(line->text, line->length, run->first);
    snprintf(run->run_id, sizeof run->run_id, "%s", id ? id : "");
    snprintf(run->date, sizeof run->date, "%s", date ? date : "");
    run->is_virtual = !date;
    run->version = copy_member(reading, line->fields, "version");
    run->build = copy_member(reading, line->fields, "build");
    run->rig = copy_member(reading, rig, "path");
    run->rig_sha256 = copy_member(reading, rig, "sha256");
    run->seed = copy_member(reading, line->fields, "seed");
    json_text_begin(&text, buffer, sizeof buffer - 1);
    json_text_value(&text, command);
    *text.at = '\0';
    run->command = copy(reading, buffer);
    see_shard(reading, line->fields);
}

static void see_device(struct reading *reading, const struct json_value *fields)
{
    struct history_device *device = ADD(reading, devices, struct history_device);

    if (!device)
        return;
    device->name = copy_member(reading, fields, "name");
    device->driver = copy_member(reading, fields, "driver");
    device->address = copy_member(reading, fields, "address");
    device->model = copy_member(reading, fields, "model");
    device->serial = copy_member(reading, fields, "serial");
    device->firmware = copy_member(reading, fields, "firmware");
    device->digest = copy_member(reading, fields, "digest");
    device->test_mode = json_is(json_member(fields, "test-mode"), JSON_KIND_TRUE);
}

static void see_operator(struct reading *reading, const struct json_value *fields)
{
    const char *name = json_chars(json_member(fields, "name"));
    char **all = reading->run->operators.items, **added;

    for (size_t i = 0; i < reading->run->operators.count; i++)
        if (!strcmp(all[i], name))
            return;
    added = ADD(reading, operators, char *);
    if (added)
        *added = copy(reading, name);
    if (added && !*added)
        reading->run->operators.count--;
}

static void see_recording(struct reading *reading, const struct json_value *fields)
{
    struct history_recording *recording = ADD(reading, recordings, struct history_recording);

    if (!recording)
        return;
    recording->verdict = VERDICT_SKIPPED;
    recording->path = copy_member(reading, fields, "path");
    recording->sha256 = copy_member(reading, fields, "sha256");
    recording->expect_sha256 = copy_member(reading, fields, "expect-sha256");
    recording->game = copy_member(reading, fields, "game");
}

static void see_settled(struct reading *reading, const struct json_value *fields)
{
    unsigned char digest[SHA256_DIGEST_SIZE];
    char buffer[LINES_LONGEST];
    struct json_text text;
    struct sha256_ctx sum;

    json_text_begin(&text, buffer, sizeof buffer);
    json_text_value(&text, json_member(fields, "settlement"));
    sha256_init(&sum);
    sha256_update(&sum, (size_t)(text.at - text.start), (const uint8_t *)text.start);
    sha256_digest(&sum, sizeof digest, digest);
    memcpy(reading->settled, digest, sizeof reading->settled);
}

static struct history_check *find_check(struct reading *reading, const char *name)
{
    struct history_check *all = reading->run->checked.items, *check;

    for (size_t i = 0; i < reading->run->checked.count; i++)
        if (!strcmp(all[i].name, name))
            return &all[i];
    check = ADD(reading, checked, struct history_check);
    if (!check)
        return NULL;
    check->name = copy(reading, name);
    if (check->name)
        return check;
    reading->run->checked.count--;
    return NULL;
}

static void keep_failure(struct reading *reading, const struct json_value *fields)
{
    struct history_failure *failure;

    if (reading->run->failures.count == HISTORY_FAILURES_MAX)
        return;
    failure = ADD(reading, failures, struct history_failure);
    if (!failure)
        return;
    failure->recording = (size_t)json_int(json_member(fields, "recording"));
    failure->round = json_int(json_member(fields, "round"));
    failure->seat = json_int(json_member(fields, "seat"));
    failure->name = copy_member(reading, fields, "name");
    failure->wager = copy_member(reading, fields, "wager");
    failure->expected = copy_value(reading, json_member(fields, "expected"));
    failure->got = copy_value(reading, json_member(fields, "got"));
    failure->why = copy_member(reading, fields, "why");
}

static void see_check(struct reading *reading, const struct json_value *fields)
{
    const char *result = json_chars(json_member(fields, "result"));
    struct history_counts *all = &reading->run->checks;
    struct history_check *check;

    JSON_EACH (count, json_member(fields, "names")) {
        check = find_check(reading, count->key);
        if (check)
            check->counts.passed += json_int(count);
        all->passed += json_int(count);
    }
    if (!strcmp(result, "pass"))
        return;
    check = find_check(reading, json_chars(json_member(fields, "name")));
    if (!check)
        return;
    if (!strcmp(result, "fail")) {
        check->counts.failed++;
        all->failed++;
        reading->has_failed = true;
        keep_failure(reading, fields);
        return;
    }
    check->counts.skipped++;
    all->skipped++;
    free(check->why);
    check->why = copy_member(reading, fields, "why");
}

static struct history_timing *find_timing(struct reading *reading, const char *name, bool by_hand)
{
    struct history_timing *all = reading->run->timings.items, *timing;
    size_t recording = reading->run->recordings.count;

    for (size_t i = reading->run->timings.count; i-- > 0 && all[i].recording == recording;)
        if (all[i].by_hand == by_hand && !strcmp(all[i].name, name))
            return &all[i];
    timing = ADD(reading, timings, struct history_timing);
    if (!timing)
        return NULL;
    timing->recording = recording;
    timing->by_hand = by_hand;
    timing->name = copy(reading, name);
    if (timing->name)
        return timing;
    reading->run->timings.count--;
    return NULL;
}

static void see_timings(struct reading *reading, const struct json_value *timings)
{
    JSON_EACH (fields, timings) {
        const char *name = json_chars(json_member(fields, "name"));
        struct history_timing *timing =
            name ? find_timing(reading, name, json_member(fields, "by") != NULL) : NULL;

        if (!timing)
            continue;
        timing->limit = json_int(json_member(fields, "limit"));
        reading->is_short |=
            !history_bytes_add_number(&timing->took, json_int(json_member(fields, "took")));
    }
}

static void count_round(struct history_counts *counts, enum verdict verdict)
{
    counts->passed += verdict == VERDICT_PASS;
    counts->skipped += verdict == VERDICT_SKIPPED;
    counts->failed +=
        verdict == VERDICT_FAIL || verdict == VERDICT_TIMEOUT || verdict == VERDICT_DEVICE;
    counts->ended += verdict == VERDICT_RIG || verdict == VERDICT_ABORTED;
}

static void keep_unpassed(struct reading *reading, const struct json_value *fields,
                          enum verdict verdict)
{
    struct history_unpassed *round;

    if (reading->run->unpassed.count == HISTORY_UNPASSED_MAX)
        return;
    round = ADD(reading, unpassed, struct history_unpassed);
    if (!round)
        return;
    round->recording = reading->run->recordings.count;
    round->round = json_int(json_member(fields, "round"));
    round->verdict = verdict;
    round->why = copy_member(reading, fields, "why");
}

static void see_verdict(struct reading *reading, const struct json_value *fields)
{
    struct history_recording *recording = recording_of(reading->run);
    enum verdict verdict = VERDICT_SKIPPED;

    verdict_parse(json_chars(json_member(fields, "verdict")), &verdict);
    reading->has_failed = false;
    if (!recording)
        return;
    recording->verdict = verdict_worse(recording->verdict, verdict);
    count_round(&recording->rounds, verdict);
    count_round(&reading->run->rounds, verdict);
    if (verdict != VERDICT_PASS)
        keep_unpassed(reading, fields, verdict);
    reading->is_short |=
        !history_bytes_add(&recording->settlements, reading->settled, sizeof reading->settled);
    memset(reading->settled, 0, sizeof reading->settled);
    see_timings(reading, json_member(fields, "timings"));
}

static void see_line(struct reading *reading, const struct journal_line *line)
{
    struct history_run *run = reading->run;

    shuffles_journal_see(&reading->orders, line);
    switch (line->kind) {
    case JOURNAL_START:
        see_start(reading, line);
        break;
    case JOURNAL_DEVICE:
        see_device(reading, line->fields);
        break;
    case JOURNAL_OPERATOR:
        see_operator(reading, line->fields);
        break;
    case JOURNAL_RECORDING:
        see_recording(reading, line->fields);
        break;
    case JOURNAL_SETTLED:
        see_settled(reading, line->fields);
        break;
    case JOURNAL_CHECK:
        see_check(reading, line->fields);
        break;
    case JOURNAL_VERDICT:
        see_verdict(reading, line->fields);
        break;
    case JOURNAL_RESUMED:
        run->resumed++;
        memset(reading->settled, 0, sizeof reading->settled);
        reading->has_failed = false;
        break;
    case JOURNAL_END:
        verdict_parse(json_chars(json_member(line->fields, "verdict")), &run->verdict);
        run->why = copy_member(reading, line->fields, "why");
        break;
    default:
        break;
    }
    if (recording_of(run))
        recording_of(run)->unknown_orders = (int64_t)reading->orders.left;
}

static bool take_order(void *context, const struct shuffles_order *order)
{
    struct reading *reading = context;
    struct history_recording *recording = recording_of(reading->run);

    recording->order_count++;
    if (!history_orders_add(&recording->orders, order))
        reading->is_short = true;
    return true;
}

/* A round that was cut off has no verdict; a check that failed in it has failed all the same. */
static void see_cut(struct reading *reading)
{
    struct history_run *run = reading->run;

    if (!reading->has_failed)
        return;
    run->verdict = verdict_worse(run->verdict, VERDICT_FAIL);
    if (recording_of(run))
        recording_of(run)->verdict = verdict_worse(recording_of(run)->verdict, VERDICT_FAIL);
}

/* What stands before a line that was altered is taken as it is told. */
static int read_lines(struct reading *reading, struct journal_reader *reader, struct error *error)
{
    struct history_run *run = reading->run;
    struct error problem;
    struct journal_line line;
    int status;

    while ((status = journal_reader_next(reader, &line, &problem)) > 0 && !reading->is_short)
        see_line(reading, &line);
    if (reading->is_short)
        return error_set(error, ERROR_RIG, "no memory for what a journal tells");
    journal_reader_ending(reader, &run->ending);
    run->retries = journal_reader_judge(reader)->totals.retries;
    run->reconnects = journal_reader_judge(reader)->totals.reconnects;
    if (!run->ending.ended) {
        run->verdict = journal_reader_judge(reader)->totals.worst;
        see_cut(reading);
    }
    if (status == ERROR_RULE && run->version) {
        snprintf(run->problem, sizeof run->problem, "%s", problem.text);
        return 0;
    }
    return status < 0 ? error_set(error, (enum error_code)status, "%s", problem.text) : 0;
}

/* The rounds that no order is known of are counted up to each recording, not in it. */
static void split_unknown(struct history_run *run)
{
    struct history_recording *all = run->recordings.items;

    for (size_t i = run->recordings.count; i-- > 1;)
        all[i].unknown_orders -= all[i - 1].unknown_orders;
}

int history_run_read(int fd, struct history_run **made, struct error *error)
{
    struct reading reading = {.run = calloc(1, sizeof *reading.run),
                              .orders = {.take = take_order, .context = &reading}};
    struct journal_reader *reader;
    int status = journal_reader_new(fd, &reader, error);

    if (status || !reading.run) {
        if (!status)
            journal_reader_close(reader);
        free(reading.run);
        return status ? status : error_set(error, ERROR_RIG, "no memory to read a journal");
    }
    reading.run->verdict = VERDICT_SKIPPED;
    status = read_lines(&reading, reader, error);
    journal_reader_close(reader);
    if (status) {
        history_run_free(reading.run);
        return status;
    }
    split_unknown(reading.run);
    *made = reading.run;
    return 0;
}
