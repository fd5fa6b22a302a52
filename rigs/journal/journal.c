/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/journal/journal.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "hal/base/veil.h"
#include "rigs/journal/inside.h"

static const char *const outcome_names[] = {
    [CHECK_PASS] = "pass", [CHECK_FAIL] = "fail", [CHECK_SKIPPED] = "skipped"};

/*
 * A bench that could not be made anew for a recording has a clock that begins anew, and no line of
 * it: what is still told is told at the time of the last line.
 */
static nanos_t now_or_latest(const struct journal *journal)
{
    nanos_t now = clock_now(journal->clock);

    return now > journal->latest ? now : journal->latest;
}

static void begin(struct journal *journal, enum journal_kind kind)
{
    bool is_new = kind == JOURNAL_START || kind == JOURNAL_RECORDING;

    journal_file_begin(&journal->file, kind,
                       is_new ? clock_now(journal->clock) : now_or_latest(journal));
}

/* Where in the run the line belongs. */
static void put_place(struct journal *journal)
{
    if (journal->in_round)
        json_text_raw(&journal->file.text, journal->place, journal->place_length);
}

static int say_refused(const struct journal *part, struct error *error)
{
    return part->refused.code ? error_set(error, part->refused.code, "%s", part->refused.text) : 0;
}

/*
 * A part that is full and cannot be joined still has the line, which counts therefore; it is the
 * next one that is refused.
 */
static int finish(struct journal *journal, struct error *error)
{
    int status = say_refused(journal, error);

    if (!status)
        status = journal_file_finish(&journal->file, error);
    if (!status)
        journal->latest = journal->file.time;
    if (!status && journal->part.full && journal_file_is_full(&journal->file))
        journal->part.full(journal->part.context, &journal->refused);
    return status;
}

static void put_libraries(struct journal *journal, const struct journal_start *start)
{
    PUT(journal, ",\"libraries\":{");
    for (size_t i = 0; i < start->library_count; i++) {
        if (i)
            PUT(journal, ",");
        json_text_string(&journal->file.text, start->libraries[i].name);
        STRING(journal, ":", start->libraries[i].version);
    }
    PUT(journal, "}");
}

/* A year that has not four digits is no date, and told as a clock that was never set. */
const char *journal_date(char date[DATE_SIZE])
{
    time_t now = time(NULL);
    struct tm utc;

    if (!gmtime_r(&now, &utc) || utc.tm_year < 1000 - 1900 || utc.tm_year > 9999 - 1900)
        gmtime_r(&(time_t){0}, &utc);
    strftime(date, DATE_SIZE, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return date;
}

/* By which a run is known wherever its journal goes. Without random numbers it has none. */
static void put_run_id(struct journal *journal)
{
    char id[JOURNAL_RUN_DIGITS + 1];
    uint64_t random[2];

    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return;
    snprintf(id, sizeof id, "%016jx%016jx", (uintmax_t)random[0], (uintmax_t)random[1]);
    STRING(journal, ",\"run\":", id);
}

/* The machine that the bench is at. One that has no name is not told. */
static void put_host(struct journal *journal)
{
    char host[HOST_NAME_MAX + 1] = "";

    if (!gethostname(host, sizeof host - 1) && *host)
        STRING(journal, ",\"host\":", host);
}

static void put_clock(struct journal *journal)
{
    char date[DATE_SIZE];

    if (journal->clock->is_virtual) {
        PUT(journal, ",\"clock\":\"virtual\"");
        return;
    }
    STRING(journal, ",\"clock\":\"real\",\"date\":", journal_date(date));
    put_run_id(journal);
    put_host(journal);
}

void journal_put_command(struct journal *journal, const char *const *command)
{
    PUT(journal, ",\"command\":[");
    for (size_t i = 0; command && command[i]; i++) {
        if (i)
            PUT(journal, ",");
        json_text_string(&journal->file.text, command[i]);
    }
    PUT(journal, "]");
}

static void put_files(struct journal *journal, const struct journal_start *start)
{
    for (size_t i = 0; i < start->file_count; i++) {
        if (i)
            PUT(journal, ",");
        else
            PUT(journal, ",\"files\":[");
        STRING(journal, "{\"path\":", start->files[i].path);
        STRING(journal, ",\"sha256\":", start->files[i].digest);
        PUT(journal, "}");
    }
    if (start->file_count)
        PUT(journal, "]");
}

static int write_start(struct journal *journal, const struct journal_start *start,
                       struct error *error)
{
    begin(journal, JOURNAL_START);
    NUMBER(journal, ",\"journal\":", JOURNAL_VERSION);
    STRING(journal, ",\"version\":", start->version);
    if (start->build && *start->build)
        STRING(journal, ",\"build\":", start->build);
    if (start->commit)
        STRING(journal, ",\"commit\":", start->commit);
    put_libraries(journal, start);
    PUT(journal, ",\"rig\":");
    if (start->rig_digest) {
        STRING(journal, "{\"path\":", start->rig_path);
        STRING(journal, ",\"sha256\":", start->rig_digest);
        PUT(journal, "}");
    } else {
        PUT(journal, "null");
    }
    put_files(journal, start);
    /* As text: a reader's numbers may have only 53 bits. */
    PUT(journal, ",\"seed\":\"");
    json_text_unsigned(&journal->file.text, start->seed);
    PUT(journal, "\"");
    put_clock(journal);
    journal_put_command(journal, start->command);
    if (start->rounds)
        NUMBER(journal, ",\"rounds\":", start->rounds);
    if (start->shard)
        STRING(journal, ",\"shard\":", start->shard);
    if (start->recordings)
        STRING(journal, ",\"recordings\":", start->recordings);
    if (start->job)
        STRING(journal, ",\"job\":", start->job);
    if (start->attempt)
        NUMBER(journal, ",\"attempt\":", start->attempt);
    if (start->realtime)
        NUMBER(journal, ",\"realtime\":", start->realtime);
    return finish(journal, error);
}

int journal_open(const char *path, const struct journal_options *options,
                 const struct journal_start *start, struct journal **opened, struct error *error)
{
    struct journal *journal = calloc(1, sizeof *journal);
    int status;

    if (!journal)
        return error_set(error, ERROR_RIG, "no memory for a journal");
    journal->clock = options->clock;
    journal->sync = options->sync;
    journal->latest = INT64_MIN;
    status = journal_file_open(&journal->file, path, error);
    if (!status) {
        status = write_start(journal, start, error);
        if (!status && journal->sync)
            status = journal_file_sync_name(&journal->file, error);
        if (status < 0) {
            error_prefix(error, "%s", path);
            if (journal->file.regular)
                unlink(path);
        }
    }
    if (status < 0) {
        journal_close(journal);
        return status;
    }
    *opened = journal;
    return 0;
}

void journal_close(struct journal *journal)
{
    if (journal)
        journal_file_close(&journal->file);
    free(journal);
}

struct journal *journal_part_new(const struct journal *journal, struct error *error)
{
    struct journal *part = calloc(1, sizeof *part);

    if (part)
        journal_file_part(&part->file, &journal->file);
    else
        error_set(error, ERROR_RIG, "no memory for a part of the journal");
    return part;
}

int journal_part_start(struct journal *part, const struct journal_part *options,
                       struct error *error)
{
    part->clock = options->clock;
    part->part = *options;
    part->refused.code = 0;
    part->latest = INT64_MIN;
    part->recordings = options->recording - 1;
    part->in_round = false;
    part->worst = VERDICT_SKIPPED;
    memset(part->rounds, 0, sizeof part->rounds);
    memset(part->checks, 0, sizeof part->checks);
    part->retries = part->reconnects = 0;
    part->pass_count = 0;
    return journal_file_empty(&part->file, error);
}

static void move_counts(uint64_t *to, uint64_t *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        to[i] += from[i];
        from[i] = 0;
    }
}

/* Its totals are those of more lines than it has, so that no line can tell them. */
static int say_unjoined(const struct journal *journal, struct error *error)
{
    return error_set(error, ERROR_RIG,
                     "%s: ends after line %ju, since the lines of a recording could not be added",
                     journal->file.path, (uintmax_t)journal->file.written);
}

int journal_join(struct journal *journal, struct journal *part, struct error *error)
{
    int status;

    if (journal->unjoined && journal->unjoined != part)
        return say_unjoined(journal, error);
    journal->recordings = part->recordings;
    if (part->latest != INT64_MIN)
        journal->latest = part->latest;
    journal->worst = verdict_worse(journal->worst, part->worst);
    move_counts(journal->rounds, part->rounds, VERDICT_COUNT);
    move_counts(journal->checks, part->checks, CHECK_SKIPPED + 1);
    move_counts(&journal->retries, &part->retries, 1);
    move_counts(&journal->reconnects, &part->reconnects, 1);
    status = journal_file_join(&journal->file, &part->file, error);
    journal->unjoined = status ? part : NULL;
    return status ? status : say_refused(part, error);
}

void journal_hold(struct journal *journal)
{
    journal->file.holding = true;
}

int journal_release(struct journal *journal, struct error *error)
{
    int status;

    journal->file.holding = false;
    status = journal_file_flush(&journal->file, error);
    return !status && journal->sync ? journal_file_sync(&journal->file, error) : status;
}

void journal_put_identity(struct journal *journal, const struct journal_device *device)
{
    STRING(journal, ",\"model\":", device->model);
    STRING(journal, ",\"firmware\":", device->firmware);
    STRING(journal, ",\"serial\":", device->serial);
    STRING(journal, ",\"digest\":", device->digest);
    JSON(journal, ",\"test-mode\":", device->test_mode ? "true" : "false");
}

int journal_device(struct journal *journal, const struct journal_device *device,
                   struct error *error)
{
    begin(journal, JOURNAL_DEVICE);
    STRING(journal, ",\"name\":", device->name);
    STRING(journal, ",\"driver\":", device->driver);
    STRING(journal, ",\"address\":", device->address);
    journal_put_identity(journal, device);
    return finish(journal, error);
}

int journal_operator(struct journal *journal, const char *name, const char *from,
                     struct error *error)
{
    begin(journal, JOURNAL_OPERATOR);
    STRING(journal, ",\"name\":", name);
    STRING(journal, ",\"from\":", from);
    return finish(journal, error);
}

int journal_order(struct journal *journal, const char *what, const char *by, struct error *error)
{
    begin(journal, JOURNAL_ORDER);
    STRING(journal, ",\"do\":", what);
    STRING(journal, ",\"by\":", by);
    STRING(journal, ",\"from\":", "page");
    return finish(journal, error);
}

int journal_recording(struct journal *journal, const struct journal_recording *recording,
                      struct error *error)
{
    int status;

    begin(journal, JOURNAL_RECORDING);
    NUMBER(journal, ",\"recording\":", journal->recordings + 1);
    STRING(journal, ",\"path\":", recording->path);
    STRING(journal, ",\"sha256\":", recording->digest);
    STRING(journal, ",\"expect\":", recording->expect_path);
    STRING(journal, ",\"expect-sha256\":", recording->expect_digest);
    STRING(journal, ",\"game\":", recording->game);
    NUMBER(journal, ",\"rounds\":", recording->rounds);
    if (recording->header) {
        PUT(journal, ",\"header\":");
        journal_file_json(&journal->file, recording->header, recording->header_length);
    }
    status = finish(journal, error);
    if (!status)
        journal->recordings++;
    return status;
}

static void find_place(struct journal *journal, uint64_t round)
{
    struct json_text place;

    json_text_begin(&place, journal->place, sizeof journal->place);
    JSON_TEXT_PUT(&place, ",\"recording\":");
    json_text_unsigned(&place, journal->recordings);
    JSON_TEXT_PUT(&place, ",\"round\":");
    json_text_number(&place, (int64_t)round);
    journal->place_length = (size_t)(place.at - place.start);
}

int journal_round(struct journal *journal, uint64_t number, const char *played, size_t length,
                  struct error *error)
{
    int status;

    begin(journal, JOURNAL_ROUND);
    find_place(journal, number);
    json_text_raw(&journal->file.text, journal->place, journal->place_length);
    PUT(journal, ",\"played\":");
    journal_file_json(&journal->file, played, length);
    status = finish(journal, error);
    if (status < 0)
        return status;
    journal->in_round = true;
    journal->pass_count = 0;
    memset(journal->round_checks, 0, sizeof journal->round_checks);
    return 0;
}

int journal_event(struct journal *journal, const char *device, const char *name,
                  const char *details, nanos_t time, struct error *error)
{
    nanos_t now = now_or_latest(journal);

    journal_file_begin(&journal->file, JOURNAL_EVENT, now);
    put_place(journal);
    STRING(journal, ",\"device\":", device);
    STRING(journal, ",\"event\":", name);
    if (time != now)
        NUMBER(journal, ",\"at\":", time);
    if (details)
        JSON(journal, ",\"details\":", details);
    return finish(journal, error);
}

int journal_retry(struct journal *journal, const char *device, const char *what, unsigned attempt,
                  const char *why, struct error *error)
{
    int status;

    begin(journal, JOURNAL_RETRY);
    put_place(journal);
    STRING(journal, ",\"device\":", device);
    STRING(journal, ",\"what\":", what);
    NUMBER(journal, ",\"attempt\":", attempt);
    STRING(journal, ",\"why\":", why);
    status = finish(journal, error);
    if (!status)
        journal->retries++;
    return status;
}

int journal_reconnect(struct journal *journal, const struct journal_reconnect *reconnect,
                      struct error *error)
{
    const bool *same = reconnect->is_same;
    int status;

    begin(journal, JOURNAL_RECONNECT);
    put_place(journal);
    STRING(journal, ",\"device\":", reconnect->device);
    NUMBER(journal, ",\"times\":", reconnect->times);
    NUMBER(journal, ",\"tries\":", reconnect->tries);
    NUMBER(journal, ",\"away-ms\":", reconnect->away / NANOS_PER_MILLI);
    JSON(journal, ",\"same\":", !same ? "null" : *same ? "true" : "false");
    status = finish(journal, error);
    if (!status)
        journal->reconnects += reconnect->times;
    return status;
}

int journal_wait(struct journal *journal, const struct journal_wait *wait, struct error *error)
{
    begin(journal, JOURNAL_WAIT);
    put_place(journal);
    STRING(journal, ",\"for\":", wait->what);
    STRING(journal, ",\"device\":", wait->device);
    if (wait->limit_ms)
        NUMBER(journal, ",\"limit-ms\":", wait->limit_ms);
    if (wait->try)
        NUMBER(journal, ",\"try\":", wait->try);
    return finish(journal, error);
}

int journal_question(struct journal *journal, const struct desk_open *question, struct error *error)
{
    begin(journal, JOURNAL_QUESTION);
    put_place(journal);
    PUT(journal, ",");
    desk_write(question, &journal->file.text);
    return finish(journal, error);
}

int journal_answer(struct journal *journal, const struct desk_open *question,
                   const struct answer *answer, struct error *error)
{
    begin(journal, JOURNAL_ANSWER);
    put_place(journal);
    NUMBER(journal, ",\"id\":", question->id);
    STRING(journal, ",\"answer\":", *answer->text || answer->side ? answer->text : NULL);
    if (*answer->by)
        STRING(journal, ",\"by\":", answer->by);
    STRING(journal, ",\"from\":", desk_side_name(answer->side));
    NUMBER(journal, ",\"took-ms\":", (answer->answered - answer->asked) / NANOS_PER_MILLI);
    if (answer->refused) {
        NUMBER(journal, ",\"refused\":", answer->refused);
        STRING(journal, ",\"last-refused\":", answer->last_refused);
    }
    return finish(journal, error);
}

int journal_settlement(struct journal *journal, const char *settlement, size_t length,
                       struct error *error)
{
    begin(journal, JOURNAL_SETTLED);
    put_place(journal);
    PUT(journal, ",\"settlement\":");
    journal_file_json(&journal->file, settlement, length);
    return finish(journal, error);
}

static void put_witnesses(struct journal *journal, const struct check_result *result)
{
    if (!result->recording && !result->engine && !result->device)
        return;
    PUT(journal, ",\"witnesses\":{");
    JSON(journal, "\"recording\":", result->recording ? result->recording : "null");
    JSON(journal, ",\"engine\":", result->engine ? result->engine : "null");
    JSON(journal, ",\"device\":", result->device && !result->witness ? result->device : "null");
    if (result->device && result->witness) {
        STRING(journal, ",", result->witness);
        JSON(journal, ":", result->device);
    }
    PUT(journal, "}");
}

/* What is in the file counts, and nothing else. */
static void count_checks(struct journal *journal, enum check_outcome outcome, uint64_t count)
{
    journal->round_checks[outcome] += count;
    journal->checks[outcome] += count;
}

static int write_passes(struct journal *journal, struct error *error)
{
    int status;

    if (!journal->pass_count)
        return 0;
    begin(journal, JOURNAL_CHECK);
    put_place(journal);
    PUT(journal, ",\"result\":\"pass\",\"names\":{");
    for (size_t i = 0; i < journal->pass_count; i++) {
        if (i)
            PUT(journal, ",");
        json_text_string(&journal->file.text, journal->passes[i].name);
        NUMBER(journal, ":", journal->passes[i].count);
    }
    PUT(journal, "}");
    status = finish(journal, error);
    if (status)
        return status;
    for (size_t i = 0; i < journal->pass_count; i++)
        count_checks(journal, CHECK_PASS, journal->passes[i].count);
    journal->pass_count = 0;
    return 0;
}

int journal_passes(struct journal *journal, struct error *error)
{
    return write_passes(journal, error);
}

/* Mostly the same check comes again, so that is looked for first. */
static size_t find_pass(const struct journal *journal, const char *name)
{
    size_t at = journal->latest_pass;

    if (at < journal->pass_count && journal->passes[at].name == name)
        return at;
    for (at = 0; at < journal->pass_count && journal->passes[at].name != name;)
        at++;
    return at;
}

static int add_pass(struct journal *journal, const char *name, struct error *error)
{
    size_t at = find_pass(journal, name);

    if (at == JOURNAL_PASSES) {
        int status = write_passes(journal, error);

        if (status < 0)
            return status;
        at = 0;
    }
    if (at == journal->pass_count)
        journal->passes[journal->pass_count++] = (struct journal_passes){.name = name};
    journal->passes[at].count++;
    journal->latest_pass = at;
    return 0;
}

static int write_check(struct journal *journal, const struct check_result *result,
                       struct error *error)
{
    begin(journal, JOURNAL_CHECK);
    put_place(journal);
    STRING(journal, ",\"result\":", outcome_names[result->outcome]);
    STRING(journal, ",\"name\":", result->name);
    if (result->seat)
        NUMBER(journal, ",\"seat\":", result->seat);
    if (result->wager)
        STRING(journal, ",\"wager\":", result->wager);
    if (result->expected)
        JSON(journal, ",\"expected\":", result->expected);
    if (result->got)
        JSON(journal, ",\"got\":", result->got);
    put_witnesses(journal, result);
    if (result->why)
        STRING(journal, ",\"why\":", result->why);
    return finish(journal, error);
}

int journal_pass(struct journal *journal, const char *name, struct error *error)
{
    return add_pass(journal, name, error);
}

int journal_check(struct journal *journal, const struct check_result *result, struct error *error)
{
    int status;

    if (result->outcome == CHECK_PASS)
        return journal_pass(journal, result->name, error);
    status = write_check(journal, result, error);
    if (!status)
        count_checks(journal, result->outcome, 1);
    return status;
}

static void put_checks(struct journal *journal, const uint64_t *checks)
{
    NUMBER(journal, ",\"checks\":{\"pass\":", checks[CHECK_PASS]);
    NUMBER(journal, ",\"fail\":", checks[CHECK_FAIL]);
    NUMBER(journal, ",\"skipped\":", checks[CHECK_SKIPPED]);
    PUT(journal, "}");
}

static void put_timings(struct journal *journal, const struct journal_verdict *verdict)
{
    if (!verdict->timing_count)
        return;
    PUT(journal, ",\"timings\":[");
    for (size_t i = 0; i < verdict->timing_count; i++) {
        if (i)
            PUT(journal, ",");
        STRING(journal, "{\"name\":", verdict->timings[i].name);
        NUMBER(journal, ",\"took\":", verdict->timings[i].took);
        if (verdict->timings[i].limit)
            NUMBER(journal, ",\"limit\":", verdict->timings[i].limit);
        if (verdict->timings[i].by_hand)
            PUT(journal, ",\"by\":\"hand\"");
        PUT(journal, "}");
    }
    PUT(journal, "]");
}

/*
 * Ends the round. A verdict that is to be on the disk before anybody is told of it is veiled until
 * then from those who follow the file.
 */
static int finish_durably(struct journal *journal, struct error *error)
{
    bool is_durable = journal->sync && !journal->file.holding && journal->file.regular;
    int status;

    if (is_durable)
        veil_draw(journal->file.fd, journal->file.size);
    status = finish(journal, error);
    journal->in_round = status < 0;
    if (!status && is_durable)
        status = journal_file_sync(&journal->file, error);
    if (is_durable)
        veil_lift(journal->file.fd, journal->file.size);
    return status;
}

int journal_verdict(struct journal *journal, const struct journal_verdict *verdict,
                    struct error *error)
{
    int status = write_passes(journal, error);

    if (status < 0)
        return status;
    begin(journal, JOURNAL_VERDICT);
    put_place(journal);
    STRING(journal, ",\"verdict\":", verdict_name(verdict->verdict));
    if (verdict->why)
        STRING(journal, ",\"why\":", verdict->why);
    put_checks(journal, journal->round_checks);
    put_timings(journal, verdict);
    status = finish_durably(journal, error);
    if (journal->in_round)
        return status;
    journal->rounds[verdict->verdict]++;
    journal->worst = verdict_worse(journal->worst, verdict->verdict);
    return status;
}

/*
 * The end line has no line after it that would vouch for it, so it carries a seal: the digest of
 * all that stands before the seal.
 */
static void put_seal(struct journal *journal)
{
    const struct json_text *text = &journal->file.text;
    char seal[DIGEST_SIZE];

    digest_bytes(text->start, (size_t)(text->at - text->start), seal);
    STRING(journal, ",\"seal\":", seal);
}

int journal_end(struct journal *journal, enum verdict verdict, const char *why, struct error *error)
{
    int status = journal->unjoined ? say_unjoined(journal, error) : write_passes(journal, error);

    if (status < 0)
        return status;
    journal->file.holding = false;
    begin(journal, JOURNAL_END);
    STRING(journal, ",\"verdict\":", verdict_name(verdict_worse(verdict, journal->worst)));
    if (why)
        STRING(journal, ",\"why\":", why);
    NUMBER(journal, ",\"recordings\":", journal->recordings);
    PUT(journal, ",\"rounds\":{");
    for (unsigned i = 0; i < VERDICT_COUNT; i++) {
        if (i)
            PUT(journal, ",");
        json_text_string(&journal->file.text, verdict_name((enum verdict)i));
        NUMBER(journal, ":", journal->rounds[i]);
    }
    PUT(journal, "}");
    put_checks(journal, journal->checks);
    NUMBER(journal, ",\"retries\":", journal->retries);
    NUMBER(journal, ",\"reconnects\":", journal->reconnects);
    put_seal(journal);
    status = finish(journal, error);
    return status < 0 ? status : journal_file_sync(&journal->file, error);
}
