/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/history/whole.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ID_DIGITS 12 /* of the digest of what all shards have in common */

void history_whole_id(const struct history_run *run, const char *given, char id[HISTORY_ID_MAX + 1])
{
    int room = HISTORY_WHOLE_MAX - ID_DIGITS - 1;

    id[0] = '\0';
    if (run->part < 1)
        return;
    if (given) {
        snprintf(id, HISTORY_ID_MAX + 1, "%s", given);
    } else if (run->job) {
        snprintf(id, HISTORY_ID_MAX + 1, "%.*s-%.*s", room, run->job, ID_DIGITS, run->sharded);
    }
    for (char *at = id; *at; at++)
        if (!strchr(HISTORY_ID_LETTERS, *at))
            *at = '_';
}

/* A journal of the run. */
struct part {
    int64_t number, part, parts, attempt;
    enum verdict verdict;
    bool is_complete, is_verified, has_failed, is_counted;
    char digest[DIGEST_SIZE], sharded[DIGEST_SIZE];
};

/* The whole, as it is put together. */
struct sum {
    struct part *parts;
    size_t count;
    char why[ERROR_TEXT_SIZE]; /* it is no complete run; "": it is */
    size_t left_out;
};

#define COLUMNS                                                                                    \
    "number, part, parts, attempt, verdict, complete, verified, checks_failed, digest, sharded"

static int read_parts(struct store *store, int64_t whole, struct sum *sum, struct error *error)
{
    const struct store_value value = store_of_integer(whole);
    struct store_rows *rows;
    int status = store_ask(
        store, "SELECT " COLUMNS " FROM run WHERE whole = $1 ORDER BY part, attempt, number",
        &value, 1, &rows, error);

    if (status)
        return status;
    while ((status = store_next(rows, error)) > 0) {
        struct part *parts = reallocarray(sum->parts, sum->count + 1, sizeof *parts), *part;

        if (!parts) {
            status = error_set(error, ERROR_RIG, "no memory for the shards of a run");
            break;
        }
        sum->parts = parts;
        part = &parts[sum->count++];
        *part = (struct part){.number = store_integer(rows, 0),
                              .part = store_integer(rows, 1),
                              .parts = store_integer(rows, 2),
                              .attempt = store_integer(rows, 3),
                              .verdict = VERDICT_SKIPPED,
                              .is_complete = store_integer(rows, 5),
                              .is_verified = store_integer(rows, 6),
                              .has_failed = store_integer(rows, 7) > 0};
        verdict_parse(store_text(rows, 4), &part->verdict);
        snprintf(part->digest, sizeof part->digest, "%s", store_text(rows, 8));
        snprintf(part->sharded, sizeof part->sharded, "%s", store_text(rows, 9));
    }
    store_rows_free(rows);
    return status;
}

/* The first reason is kept. */
#define SAY(sum, ...)                                                                              \
    do {                                                                                           \
        if (!*(sum)->why)                                                                          \
            snprintf((sum)->why, sizeof(sum)->why, __VA_ARGS__);                                   \
    } while (0)

/* Whether an attempt says nothing about the recordings: a failure stays one, whatever ended it. */
static bool proves_nothing(const struct part *part)
{
    return !part->has_failed && part->verdict != VERDICT_FAIL &&
           (part->verdict > VERDICT_FAIL || !part->is_complete);
}

/* Of the attempts at one shard the first that judged counts, or the last; each comes once. */
static void choose_attempt(struct sum *sum, struct part *first, size_t count)
{
    const struct part *counted = NULL;

    for (struct part *part = first; part < first + count; part++) {
        int64_t expected = part == first ? 1 : part[-1].attempt + 1;

        if (counted)
            SAY(sum,
                "attempt %" PRId64 " at shard %" PRId64 " of %" PRId64
                " %s, and was attempted again: what was judged cannot be replaced",
                counted->attempt, counted->part, counted->parts,
                counted->has_failed ? "failed" : "passed");
        if (part->attempt < expected)
            SAY(sum, "attempt %" PRId64 " at shard %" PRId64 " of %" PRId64 " has two journals",
                part->attempt, part->part, part->parts);
        if (part->attempt > expected)
            SAY(sum,
                "the journal of attempt %" PRId64 " at shard %" PRId64 " of %" PRId64
                " is not here",
                expected, part->part, part->parts);
        part->is_counted = !counted && (!proves_nothing(part) || part == first + count - 1);
        if (part->is_counted)
            counted = part;
        sum->left_out += !part->is_counted;
    }
}

/* They are sorted by shard and attempt. */
static void choose(struct sum *sum)
{
    int64_t missing = 1;
    size_t shards = 0, first = 0;

    for (size_t i = 0; i < sum->count; i++) {
        const struct part *part = &sum->parts[i];

        if (strcmp(part->sharded, sum->parts[0].sharded) != 0)
            SAY(sum, "its journals are not of one run: what they play, or with what, differs");
        if (i + 1 < sum->count && part[1].part == part->part)
            continue;
        choose_attempt(sum, &sum->parts[first], i + 1 - first);
        missing += part->part == missing;
        first = i + 1;
        shards++;
    }
    if ((int64_t)shards < sum->parts[0].parts)
        SAY(sum, "%zu of %" PRId64 " shards are here; shard %" PRId64 " is missing", shards,
            sum->parts[0].parts, missing);
}

static int mark(struct store *store, const struct sum *sum, struct error *error)
{
    int status = 0;

    for (size_t i = 0; i < sum->count && !status; i++) {
        const struct store_value values[] = {store_of_integer(sum->parts[i].number),
                                             store_of_integer(sum->parts[i].is_counted)};

        status = store_do(store, "UPDATE run SET counted = $2 WHERE number = $1 AND counted <> $2",
                          values, 2, error);
    }
    return status;
}

/* As a journal of the whole would end: with the worst, if all is there. */
static void judge(const struct sum *sum, struct history_run *run)
{
    struct digest digest;

    digest_begin(&digest);
    run->ending.ended = !*sum->why;
    run->verdict = VERDICT_SKIPPED;
    for (size_t i = 0; i < sum->count; i++) {
        const struct part *part = &sum->parts[i];

        if (!part->is_verified)
            snprintf(run->problem, sizeof run->problem,
                     "the journal of shard %" PRId64 " of %" PRId64 " does not verify", part->part,
                     part->parts);
        if (part->is_counted || !proves_nothing(part))
            run->verdict = verdict_worse(run->verdict, part->verdict);
        if (part->has_failed)
            run->verdict = verdict_worse(run->verdict, VERDICT_FAIL);
        if (!part->is_counted)
            continue;
        run->ending.ended &= part->is_complete;
        digest_add(&digest, part->digest, sizeof part->digest);
    }
    digest_end(&digest, run->ending.digest);
    run->part = 0;
    run->parts = sum->parts[0].parts;
    run->attempt = 1;
    snprintf(run->sharded, sizeof run->sharded, "%s", sum->parts[0].sharded);
}

/* What is one for all, or how many there are: "2 benches". */
static void name_all(const struct store_rows *rows, unsigned column, const char *several,
                     char name[256])
{
    if (store_integer(rows, column) > 1)
        snprintf(name, 256, "%" PRId64 " %s", store_integer(rows, column), several);
    else
        snprintf(name, 256, "%s", store_text(rows, column + 1) ? store_text(rows, column + 1) : "");
}

#define TOTAL(column) "CAST(SUM(" column ") AS BIGINT), "
#define TOTALS                                                                                     \
    TOTAL("recordings")                                                                            \
    TOTAL("rounds_passed")                                                                         \
    TOTAL("rounds_failed")                                                                         \
    TOTAL("rounds_skipped")                                                                        \
    TOTAL("rounds_ended")                                                                          \
    TOTAL("checks_passed")                                                                         \
    TOTAL("checks_failed")                                                                         \
    TOTAL("checks_skipped") TOTAL("retries") TOTAL("reconnects") TOTAL("resumed") TOTAL("lines")
#define ONE_OF(column) "COUNT(DISTINCT " column "), MIN(" column "), "
#define TEXTS                                                                                      \
    ONE_OF("host")                                                                                 \
    ONE_OF("rig")                                                                                  \
    ONE_OF("rig_sha256")                                                                           \
    ONE_OF("version")                                                                              \
    "MIN(build), MIN(seed), MIN(command), MIN(job), MIN(clock), MIN(date), MIN(dated_by)"

/* Puts the line of the whole where the sums of its parts have been read. */
static int put(struct store *store, int64_t whole, const char *id, const char *imported,
               const struct sum *sum, const struct store_rows *rows, struct error *error)
{
    struct history_run run = {.resumed = 0};
    int64_t lines = 0, recordings = 0;
    int64_t *const totals[] = {&recordings,         &run.rounds.passed,  &run.rounds.failed,
                               &run.rounds.skipped, &run.rounds.ended,   &run.checks.passed,
                               &run.checks.failed,  &run.checks.skipped, &run.retries,
                               &run.reconnects,     &run.resumed,        &lines};
    char host[256], rig[256], rig_sha256[256], version[256], source[64], why[ERROR_TEXT_SIZE];
    const struct history_entry entry = {.id = id,
                                        .source = source,
                                        .host = host,
                                        .date = store_text(rows, 25),
                                        .dated_by = store_text(rows, 26),
                                        .imported = imported};
    unsigned column = 0;

    judge(sum, &run);
    for (; column < sizeof totals / sizeof totals[0]; column++)
        *totals[column] = store_integer(rows, column);
    run.ending.lines = (uint64_t)lines;
    name_all(rows, column, "benches", host);
    name_all(rows, column + 2, "rig files", rig);
    name_all(rows, column + 4, "rig files", rig_sha256);
    name_all(rows, column + 6, "versions", version);
    snprintf(source, sizeof source, "%zu journals", sum->count);
    snprintf(why, sizeof why, "%zu attempt%s that proved nothing %s not counted", sum->left_out,
             sum->left_out == 1 ? "" : "s", sum->left_out == 1 ? "is" : "are");
    run.rig = *rig ? rig : NULL;
    run.rig_sha256 = store_integer(rows, column + 4) == 1 ? rig_sha256 : NULL;
    run.version = version;
    run.build = (char *)(uintptr_t)store_text(rows, 20);
    run.seed = (char *)(uintptr_t)store_text(rows, 21);
    run.command = (char *)(uintptr_t)store_text(rows, 22);
    run.job = (char *)(uintptr_t)store_text(rows, 23);
    run.is_virtual = !strcmp(store_text(rows, 24), "virtual");
    run.why = *sum->why ? (char *)(uintptr_t)sum->why : sum->left_out ? why : NULL;
    return history_put_line(store, whole, &run, (size_t)recordings, &entry, error);
}

static int put_sums(struct store *store, int64_t whole, const char *id, const char *imported,
                    const struct sum *sum, struct error *error)
{
    const struct store_value value = store_of_integer(whole);
    struct store_rows *rows;
    int status = store_do(store, "DELETE FROM run WHERE number = $1", &value, 1, error);

    if (status)
        return status;
    status = store_ask(store, "SELECT " TOTALS TEXTS " FROM run WHERE whole = $1 AND counted = 1",
                       &value, 1, &rows, error);
    if (status)
        return status;
    status = store_next(rows, error);
    if (status > 0)
        status = put(store, whole, id, imported, sum, rows, error);
    store_rows_free(rows);
    return status;
}

int history_whole_sum(struct store *store, int64_t whole, const char *id, const char *imported,
                      struct error *error)
{
    struct sum sum = {.parts = NULL};
    int status = read_parts(store, whole, &sum, error);

    if (!status && sum.count) {
        choose(&sum);
        status = mark(store, &sum, error);
        if (!status)
            status = put_sums(store, whole, id, imported, &sum, error);
    }
    free(sum.parts);
    return status;
}
