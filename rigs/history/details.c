/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/history/details.h"

#include <stdio.h>

/* The structs of a run that is read own their texts; here they are lent. */
static char *text_at(const struct store_rows *rows, unsigned column)
{
    return (char *)(uintptr_t)store_text(rows, column);
}

static struct history_bytes bytes_at(const struct store_rows *rows, unsigned column)
{
    size_t length;
    const void *data = store_blob(rows, column, &length);

    return (struct history_bytes){
        .data = (unsigned char *)(uintptr_t)data, .length = length, .size = length};
}

static enum verdict verdict_at(const struct store_rows *rows, unsigned column)
{
    enum verdict verdict = VERDICT_SKIPPED;
    const char *name = store_text(rows, column);

    if (name)
        verdict_parse(name, &verdict);
    return verdict;
}

static struct history_counts counts_at(const struct store_rows *rows, unsigned column)
{
    return (struct history_counts){.passed = store_integer(rows, column),
                                   .failed = store_integer(rows, column + 1),
                                   .skipped = store_integer(rows, column + 2)};
}

static struct history_counts rounds_at(const struct store_rows *rows, unsigned column)
{
    struct history_counts counts = counts_at(rows, column);

    counts.ended = store_integer(rows, column + 3);
    return counts;
}

/*
 * Rows `x` of a run: those of its journal, or of the shards that count, whose recordings come in
 * turn, as the run would have played them.
 */
#define OF_RUN(table)                                                                              \
    " FROM " table " x JOIN run p ON p.number = x.run WHERE (p.number = $1 OR (p.whole = $1 AND "  \
    "p.counted = 1))"
#define IN_TURN " ORDER BY CASE WHEN p.number = $1 THEN 0 ELSE x.recording END, p.part, x.place"
#define RECORDING                                                                                  \
    "CASE WHEN p.number = $1 OR x.recording = 0 THEN x.recording "                                 \
    "ELSE (x.recording - 1) * p.parts + p.part END"

/* Calls `hand` with each row, which calls whoever wants it. */
static int each_row(struct store *store, const char *sql, int64_t run,
                    int (*hand)(const struct store_rows *rows, void *asked), void *asked,
                    struct error *error)
{
    const struct store_value value = store_of_integer(run);
    struct store_rows *rows;
    int status = store_ask(store, sql, &value, 1, &rows, error);

    if (status)
        return status;
    while ((status = store_next(rows, error)) > 0) {
        status = hand(rows, asked);
        if (status)
            break;
    }
    store_rows_free(rows);
    return status;
}

struct asked {
    union {
        history_each_recording *recording;
        history_each_check *check;
        history_each_failure *failure;
        history_each_unpassed *unpassed;
        history_each_timing *timing;
    } each;
    void *context;
};

static int hand_recording(const struct store_rows *rows, void *context)
{
    const struct asked *asked = context;
    const struct history_recording recording = {.path = text_at(rows, 0),
                                                .sha256 = text_at(rows, 1),
                                                .expect_sha256 = text_at(rows, 2),
                                                .game = text_at(rows, 3),
                                                .verdict = verdict_at(rows, 4),
                                                .rounds = rounds_at(rows, 5),
                                                .settlements = bytes_at(rows, 9)};

    return asked->each.recording(asked->context, &recording, store_integer(rows, 10));
}

int history_recordings(struct store *store, int64_t run, history_each_recording *each,
                       void *context, struct error *error)
{
    struct asked asked = {.each.recording = each, .context = context};

    return each_row(
        store,
        "SELECT x.path, x.sha256, x.expect_sha256, x.game, x.verdict, "
        "x.rounds_passed, x.rounds_failed, x.rounds_skipped, x.rounds_ended, x.settlements, "
        "(SELECT COUNT(DISTINCT o.sha256) FROM recording o WHERE o.path = x.path AND "
        "o.sha256 <> x.sha256)" OF_RUN("recording") " ORDER BY x.place, p.part",
        run, hand_recording, &asked, error);
}

static int hand_check(const struct store_rows *rows, void *context)
{
    const struct asked *asked = context;
    const struct history_check check = {
        .name = text_at(rows, 0), .counts = counts_at(rows, 1), .why = text_at(rows, 4)};

    return asked->each.check(asked->context, &check);
}

int history_checks(struct store *store, int64_t run, history_each_check *each, void *context,
                   struct error *error)
{
    struct asked asked = {.each.check = each, .context = context};

    return each_row(store,
                    "SELECT x.name, CAST(SUM(x.passed) AS BIGINT), CAST(SUM(x.failed) AS BIGINT), "
                    "CAST(SUM(x.skipped) AS BIGINT), MAX(x.why)" OF_RUN(
                        "checked") " GROUP BY x.name ORDER BY x.name",
                    run, hand_check, &asked, error);
}

static int hand_failure(const struct store_rows *rows, void *context)
{
    const struct asked *asked = context;
    const struct history_failure failure = {.recording = (size_t)store_integer(rows, 0),
                                            .round = store_integer(rows, 1),
                                            .name = text_at(rows, 2),
                                            .seat = store_integer(rows, 3),
                                            .wager = text_at(rows, 4),
                                            .expected = text_at(rows, 5),
                                            .got = text_at(rows, 6),
                                            .why = text_at(rows, 7)};

    return asked->each.failure(asked->context, &failure);
}

int history_failures(struct store *store, int64_t run, history_each_failure *each, void *context,
                     struct error *error)
{
    struct asked asked = {.each.failure = each, .context = context};

    return each_row(store,
                    "SELECT " RECORDING ", x.round, x.name, x.seat, x.wager, x.expected, x.got, "
                    "x.why" OF_RUN("failure") IN_TURN,
                    run, hand_failure, &asked, error);
}

static int hand_round(const struct store_rows *rows, void *context)
{
    const struct asked *asked = context;
    const struct history_unpassed round = {.recording = (size_t)store_integer(rows, 0),
                                           .round = store_integer(rows, 1),
                                           .verdict = verdict_at(rows, 2),
                                           .why = text_at(rows, 3)};

    return asked->each.unpassed(asked->context, &round);
}

int history_rounds(struct store *store, int64_t run, history_each_unpassed *each, void *context,
                   struct error *error)
{
    struct asked asked = {.each.unpassed = each, .context = context};

    return each_row(store,
                    "SELECT " RECORDING ", x.round, x.verdict, x.why" OF_RUN("unpassed") IN_TURN,
                    run, hand_round, &asked, error);
}

static int hand_timing(const struct store_rows *rows, void *context)
{
    const struct asked *asked = context;
    const struct history_timing timing = {.recording = (size_t)store_integer(rows, 0),
                                          .name = text_at(rows, 1),
                                          .by_hand = store_integer(rows, 2),
                                          .limit = store_integer(rows, 3),
                                          .took = bytes_at(rows, 4)};

    return asked->each.timing(asked->context, &timing);
}

int history_timings(struct store *store, int64_t run, history_each_timing *each, void *context,
                    struct error *error)
{
    struct asked asked = {.each.timing = each, .context = context};

    return each_row(store,
                    "SELECT " RECORDING ", x.name, x.by_hand, x.at_most, x.took" OF_RUN(
                        "timing") " ORDER BY x.name, x.by_hand, x.recording, p.part",
                    run, hand_timing, &asked, error);
}

static int hand_id(const struct store_rows *rows, void *id)
{
    snprintf(id, HISTORY_ID_MAX + 1, "%s", store_text(rows, 0));
    return 0;
}

int history_dated_after(struct store *store, int64_t run, char id[HISTORY_ID_MAX + 1],
                        struct error *error)
{
    id[0] = '\0';
    return each_row(store,
                    "SELECT o.id FROM run r JOIN run o ON o.host = r.host AND o.number < r.number "
                    "AND o.date > r.date AND (o.parts = 0 OR o.part > 0) WHERE r.number = $1 AND "
                    "(r.parts = 0 OR r.part > 0) ORDER BY o.date DESC LIMIT 1",
                    run, hand_id, id, error);
}
