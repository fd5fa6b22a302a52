/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/journal/journal.h"

#include <stdlib.h>
#include <unistd.h>

#include "rigs/journal/inside.h"

/*
 * A bench that could not be made anew for a recording has a clock that begins anew, and no line of
 * it: what is still told is told at the time of the last line.
 */
static nanos_t now_or_latest(const struct journal *journal)
{
    nanos_t now = clock_now(journal->clock);

    return now > journal->latest ? now : journal->latest;
}

void journal_begin_line(struct journal *journal, enum journal_kind kind)
{
    bool is_new = kind == JOURNAL_START || kind == JOURNAL_RECORDING;

    journal_file_begin(&journal->file, kind,
                       is_new ? clock_now(journal->clock) : now_or_latest(journal));
}

/* Where in the run the line belongs. */
void journal_put_place(struct journal *journal)
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
int journal_finish_line(struct journal *journal, struct error *error)
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

/* Unless the sentence begins with it. */
static void name_file(const char *path, struct error *error)
{
    if (error && strncmp(error->text, path, strlen(path)) != 0)
        error_prefix(error, "%s", path);
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
        status = journal_write_start(journal, start, error);
        if (!status && journal->sync)
            status = journal_file_sync_name(&journal->file, error);
        if (status < 0) {
            name_file(path, error);
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
int journal_say_unjoined(const struct journal *journal, struct error *error)
{
    return error_set(error, ERROR_RIG,
                     "%s: ends after line %ju, since the lines of a recording could not be added",
                     journal->file.path, (uintmax_t)journal->file.written);
}

int journal_join(struct journal *journal, struct journal *part, struct error *error)
{
    int status;

    if (journal->unjoined && journal->unjoined != part)
        return journal_say_unjoined(journal, error);
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
    journal_begin_line(journal, JOURNAL_DEVICE);
    STRING(journal, ",\"name\":", device->name);
    STRING(journal, ",\"driver\":", device->driver);
    STRING(journal, ",\"address\":", device->address);
    journal_put_identity(journal, device);
    return journal_finish_line(journal, error);
}

int journal_operator(struct journal *journal, const char *name, const char *from,
                     struct error *error)
{
    journal_begin_line(journal, JOURNAL_OPERATOR);
    STRING(journal, ",\"name\":", name);
    STRING(journal, ",\"from\":", from);
    return journal_finish_line(journal, error);
}

int journal_order(struct journal *journal, const char *what, const char *by, struct error *error)
{
    journal_begin_line(journal, JOURNAL_ORDER);
    STRING(journal, ",\"do\":", what);
    STRING(journal, ",\"by\":", by);
    STRING(journal, ",\"from\":", "page");
    return journal_finish_line(journal, error);
}

int journal_recording(struct journal *journal, const struct journal_recording *recording,
                      struct error *error)
{
    int status;

    journal_begin_line(journal, JOURNAL_RECORDING);
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
    status = journal_finish_line(journal, error);
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

    journal_begin_line(journal, JOURNAL_ROUND);
    find_place(journal, number);
    json_text_raw(&journal->file.text, journal->place, journal->place_length);
    PUT(journal, ",\"played\":");
    journal_file_json(&journal->file, played, length);
    status = journal_finish_line(journal, error);
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
    journal_put_place(journal);
    STRING(journal, ",\"device\":", device);
    STRING(journal, ",\"event\":", name);
    if (time != now)
        NUMBER(journal, ",\"at\":", time);
    if (details)
        JSON(journal, ",\"details\":", details);
    return journal_finish_line(journal, error);
}

int journal_retry(struct journal *journal, const char *device, const char *what, unsigned attempt,
                  const char *why, struct error *error)
{
    int status;

    journal_begin_line(journal, JOURNAL_RETRY);
    journal_put_place(journal);
    STRING(journal, ",\"device\":", device);
    STRING(journal, ",\"what\":", what);
    NUMBER(journal, ",\"attempt\":", attempt);
    STRING(journal, ",\"why\":", why);
    status = journal_finish_line(journal, error);
    if (!status)
        journal->retries++;
    return status;
}

int journal_reconnect(struct journal *journal, const struct journal_reconnect *reconnect,
                      struct error *error)
{
    const bool *same = reconnect->is_same;
    int status;

    journal_begin_line(journal, JOURNAL_RECONNECT);
    journal_put_place(journal);
    STRING(journal, ",\"device\":", reconnect->device);
    NUMBER(journal, ",\"times\":", reconnect->times);
    NUMBER(journal, ",\"tries\":", reconnect->tries);
    NUMBER(journal, ",\"away-ms\":", reconnect->away / NANOS_PER_MILLI);
    JSON(journal, ",\"same\":", !same ? "null" : *same ? "true" : "false");
    status = journal_finish_line(journal, error);
    if (!status)
        journal->reconnects += reconnect->times;
    return status;
}

int journal_wait(struct journal *journal, const struct journal_wait *wait, struct error *error)
{
    journal_begin_line(journal, JOURNAL_WAIT);
    journal_put_place(journal);
    STRING(journal, ",\"for\":", wait->what);
    STRING(journal, ",\"device\":", wait->device);
    if (wait->limit_ms)
        NUMBER(journal, ",\"limit-ms\":", wait->limit_ms);
    if (wait->try)
        NUMBER(journal, ",\"try\":", wait->try);
    return journal_finish_line(journal, error);
}

int journal_question(struct journal *journal, const struct desk_open *question, struct error *error)
{
    journal_begin_line(journal, JOURNAL_QUESTION);
    journal_put_place(journal);
    PUT(journal, ",");
    desk_write(question, &journal->file.text);
    return journal_finish_line(journal, error);
}

int journal_answer(struct journal *journal, const struct desk_open *question,
                   const struct answer *answer, struct error *error)
{
    journal_begin_line(journal, JOURNAL_ANSWER);
    journal_put_place(journal);
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
    return journal_finish_line(journal, error);
}

int journal_settlement(struct journal *journal, const char *settlement, size_t length,
                       struct error *error)
{
    journal_begin_line(journal, JOURNAL_SETTLED);
    journal_put_place(journal);
    PUT(journal, ",\"settlement\":");
    journal_file_json(&journal->file, settlement, length);
    return journal_finish_line(journal, error);
}
