/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/report/shards.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct shard {
    const char *path;
    struct journal_reader *reader;
    unsigned number, of;      /* 0: the whole run */
    int64_t attempt;          /* from 1 */
    struct json_value *start; /* its first line, kept while they are compared */
    struct journal_line next; /* read and not yet handed out */
    bool is_read, is_over;
    enum verdict verdict; /* of one that is left out; VERDICT_COUNT: it was cut off */
    bool has_failed;      /* the same: a check in it did */
};

struct shards {
    size_t count;
    size_t turn;        /* whose lines are handed out */
    bool is_beginning;  /* up to the first recording of each */
    bool has_recording; /* the one whose turn it is has begun one */
    size_t left_out;    /* attempts that do not count: after the others */
    struct shard list[];
};

static const char *text_of(const struct shard *shard, const char *key)
{
    const struct json_value *value = json_member(shard->start, key);

    return json_is(value, JSON_KIND_STRING) ? value->text : "";
}

/*
 * Reads the line that comes next, unless it is there. What was altered in the only journal is told
 * without its name.
 */
static int look(struct shard *shard, struct error *error)
{
    int status;

    if (shard->is_read || shard->is_over)
        return 0;
    status = journal_reader_next(shard->reader, &shard->next, error);
    if (status < 0) {
        if (status != ERROR_RULE || shard->of)
            error_prefix(error, "%s", strcmp(shard->path, "-") ? shard->path : "standard input");
        return status;
    }
    shard->is_read = status > 0;
    shard->is_over = !status;
    return 0;
}

static int keep_start(struct shard *shard, struct error *error)
{
    int status = look(shard, error);
    int length = 0;

    if (status)
        return status;
    if (shard->is_over)
        return error_set(error, ERROR_CONFIG, "%s: an empty journal is no shard of a run",
                         shard->path);
    shard->start = json_keep(shard->next.fields);
    if (!shard->start)
        return error_set(error, ERROR_RIG, "no memory for the report");
    if (sscanf(text_of(shard, "shard"), "%4u/%5u%n", &shard->number, &shard->of, &length) != 2 ||
        text_of(shard, "shard")[length])
        return error_set(error, ERROR_CONFIG,
                         "%s is not the journal of a shard ('run --shard I/N'), and several "
                         "journals are reported together only where they are all shards of a run",
                         shard->path);
    shard->attempt =
        json_member(shard->start, "attempt") ? json_int(json_member(shard->start, "attempt")) : 1;
    return 0;
}

/* The last attempt at a shard comes first. */
static int by_number(const void *a, const void *b)
{
    const struct shard *one = a, *other = b;

    if (one->number != other->number)
        return one->number > other->number ? 1 : -1;
    return (one->attempt < other->attempt) - (one->attempt > other->attempt);
}

static const char *text_in(const struct journal_line *line, const char *key)
{
    const struct json_value *value = json_member(line->fields, key);

    return json_is(value, JSON_KIND_STRING) ? value->text : "";
}

static void see_attempt(struct shard *shard)
{
    const struct journal_line *line = &shard->next;

    if (line->kind == JOURNAL_END)
        verdict_parse(text_in(line, "verdict"), &shard->verdict);
    shard->has_failed |=
        (line->kind == JOURNAL_CHECK && !strcmp(text_in(line, "result"), "fail")) ||
        (line->kind == JOURNAL_VERDICT && !strcmp(text_in(line, "verdict"), "fail"));
}

/*
 * Reads an earlier attempt to its end. Only one that proved nothing may be left out: a failure
 * stays one, whatever ended the attempt after it.
 */
static int read_attempt(struct shard *shard, struct error *error)
{
    shard->verdict = VERDICT_COUNT;
    for (;;) {
        int status = look(shard, error);

        if (status)
            return status;
        if (shard->is_over)
            break;
        shard->is_read = false;
        see_attempt(shard);
    }
    if (shard->verdict > VERDICT_FAIL && !shard->has_failed)
        return 0;
    return error_set(error, ERROR_CONFIG,
                     "%s: attempt %jd at shard %u of %u %s and was attempted again: a run that was "
                     "judged cannot be replaced by another",
                     shard->path, (intmax_t)shard->attempt, shard->number, shard->of,
                     shard->has_failed ? "failed a check" : "passed");
}

/* They are sorted: of each shard the last attempt comes first, and none may be missing. */
static int check_attempts(const struct shards *shards, struct error *error)
{
    for (size_t i = 0; i < shards->count; i++) {
        const struct shard *shard = &shards->list[i];
        bool is_first = i + 1 == shards->count || shard[1].number != shard->number;

        if (is_first ? shard->attempt > 1 : shard->attempt > shard[1].attempt + 1)
            return error_set(error, ERROR_CONFIG,
                             "%s is attempt %jd at shard %u of %u, and the journal of attempt %jd "
                             "is missing",
                             shard->path, (intmax_t)shard->attempt, shard->number, shard->of,
                             (intmax_t)shard->attempt - 1);
    }
    return 0;
}

/* Earlier attempts go behind the shards that count. */
static int leave_out_attempts(struct shards *shards, struct error *error)
{
    int status = check_attempts(shards, error);

    for (size_t i = 1; !status && i < shards->count;) {
        struct shard moved = shards->list[i];

        if (moved.number != shards->list[i - 1].number ||
            moved.attempt == shards->list[i - 1].attempt) {
            i++;
            continue;
        }
        status = read_attempt(&moved, error);
        memmove(&shards->list[i], &shards->list[i + 1],
                (shards->count + shards->left_out - i - 1) * sizeof moved);
        shards->count--;
        shards->list[shards->count + shards->left_out++] = moved;
    }
    return status;
}

/*
 * Whether they are of one job and the same recordings, with the same seed and clock, and cut into
 * as many. Without a job they must be of the same rig; with it each may be of a bench of its own.
 */
static int compare_starts(const struct shard *first, const struct shard *other, struct error *error)
{
    static const char *const keys[] = {"job", "recordings", "seed", "clock", "rig", "files"};
    size_t count = json_member(first->start, "job") ? 4 : 6;

    for (size_t i = 0; i < count; i++) {
        const struct json_value *one = json_member(first->start, keys[i]);
        const struct json_value *two = json_member(other->start, keys[i]);

        if ((one || two) && !json_same(one, two))
            return error_set(error, ERROR_CONFIG,
                             "%s and %s are not shards of the same run: '%s' in their first lines "
                             "differs",
                             first->path, other->path, keys[i]);
    }
    if (first->of != other->of)
        return error_set(error, ERROR_CONFIG,
                         "%s is shard %u of %u and %s shard %u of %u: they are not of the same run",
                         first->path, first->number, first->of, other->path, other->number,
                         other->of);
    return 0;
}

/* They are sorted by their numbers. */
static int check_set(const struct shards *shards, struct error *error)
{
    for (size_t i = 0; i < shards->count; i++) {
        const struct shard *shard = &shards->list[i];
        int status = compare_starts(&shards->list[0], shard, error);

        if (status)
            return status;
        if (i && shard->number == shard[-1].number)
            return error_set(error, ERROR_CONFIG,
                             "%s and %s are both shard %u of %u: it would be counted twice",
                             shard[-1].path, shard->path, shard->number, shard->of);
        if (shard->number != i + 1)
            return error_set(error, ERROR_CONFIG, "the journal of shard %zu of %u is missing",
                             i + 1, shard->of);
    }
    if (shards->count != shards->list[0].of)
        return error_set(error, ERROR_CONFIG, "the journal of shard %zu of %u is missing",
                         shards->count + 1, shards->list[0].of);
    return 0;
}

static int open_all(struct shards *shards, char *const *paths, struct error *error)
{
    int status = 0;

    for (size_t i = 0; !status && i < shards->count; i++) {
        struct shard *shard = &shards->list[i];

        shard->path = paths[i];
        status = journal_reader_open(shard->path, &shard->reader, error);
        if (!status && shards->count > 1)
            status = keep_start(shard, error);
    }
    if (status || shards->count < 2)
        return status;
    qsort(shards->list, shards->count, sizeof shards->list[0], by_number);
    status = leave_out_attempts(shards, error);
    return status ? status : check_set(shards, error);
}

/* Whether the only journal is of a run that has others. */
static int check_alone(struct shard *shard, struct error *error)
{
    const struct json_value *told;
    int status = look(shard, error);

    if (status == ERROR_RULE || shard->is_over)
        return 0; /* that is told when it is read */
    if (!status && json_member(shard->next.fields, "attempt"))
        return error_set(error, ERROR_CONFIG,
                         "%s is attempt %jd, and the journal of attempt 1 is missing; --partial "
                         "reports what there is",
                         shard->path,
                         (intmax_t)json_int(json_member(shard->next.fields, "attempt")));
    told = status ? NULL : json_member(shard->next.fields, "shard");
    if (status || !told || (json_is(told, JSON_KIND_STRING) && !strcmp(told->text, "1/1")))
        return status;
    return error_set(error, ERROR_CONFIG,
                     "%s is shard %s of a run, and the journals of the others are missing; "
                     "--partial reports what there is, marked as a part",
                     shard->path, json_is(told, JSON_KIND_STRING) ? told->text : "?");
}

int shards_open(char *const *paths, bool is_partial, struct shards **opened, struct error *error)
{
    struct shards *shards;
    size_t count = 0;
    int status;

    while (paths[count])
        count++;
    shards = calloc(1, sizeof *shards + count * sizeof shards->list[0]);
    if (!shards)
        return error_set(error, ERROR_RIG, "no memory for the report");
    shards->count = count;
    shards->is_beginning = true;
    status = open_all(shards, paths, error);
    if (!status && !is_partial && count == 1)
        status = check_alone(&shards->list[0], error);
    if (status) {
        shards_close(shards);
        return status;
    }
    *opened = shards;
    return 0;
}

void shards_close(struct shards *shards)
{
    if (!shards)
        return;
    for (size_t i = 0; i < shards->count + shards->left_out; i++) {
        journal_reader_close(shards->list[i].reader);
        free(shards->list[i].start);
    }
    free(shards);
}

void shards_limit(struct shards *shards, uint64_t bytes)
{
    journal_reader_limit(shards->list[0].reader, bytes);
}

/* Whether the turn of this one ends before the line that comes next. */
static bool is_done(const struct shards *shards, const struct shard *shard)
{
    if (shard->is_over)
        return true;
    if (shards->count == 1 || shard->next.kind != JOURNAL_RECORDING)
        return false;
    return shards->is_beginning || shards->has_recording;
}

/* False when no shard has a line left. */
static bool pass_turn(struct shards *shards)
{
    bool is_left = false;

    shards->has_recording = false;
    if (++shards->turn == shards->count) {
        shards->turn = 0;
        shards->is_beginning = false;
    }
    for (size_t i = 0; i < shards->count; i++)
        is_left |= !shards->list[i].is_over;
    return is_left;
}

int shards_next(struct shards *shards, struct journal_line *line, struct error *error)
{
    for (;;) {
        struct shard *shard = &shards->list[shards->turn];
        int status = look(shard, error);

        if (status)
            return status;
        if (is_done(shards, shard)) {
            if (!pass_turn(shards))
                return 0;
            continue;
        }
        shard->is_read = false;
        if (shard->next.kind == JOURNAL_START && shards->turn)
            continue;
        shards->has_recording |= shard->next.kind == JOURNAL_RECORDING;
        *line = shard->next;
        return 1;
    }
}

bool shards_journal(const struct shards *shards, size_t index, struct shards_journal *journal)
{
    const struct shard *shard = &shards->list[index];

    if (index >= shards->count)
        return false;
    journal->path = shard->path;
    journal->start = shard->start;
    journal_reader_ending(shard->reader, &journal->ending);
    return true;
}

bool shards_left_out(const struct shards *shards, size_t index, char text[ERROR_TEXT_SIZE])
{
    const struct shard *shard = &shards->list[shards->count + index];

    if (index >= shards->left_out)
        return false;
    snprintf(
        text, ERROR_TEXT_SIZE,
        "%s is not counted: attempt %jd at shard %u of %u, which came to '%s' and was attempted "
        "again",
        shard->path, (intmax_t)shard->attempt, shard->number, shard->of,
        shard->verdict == VERDICT_COUNT ? "cut off" : verdict_name(shard->verdict));
    return true;
}
