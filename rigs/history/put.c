/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/history/put.h"

#include <stdio.h>
#include <string.h>

#include "rigs/shuffles/journal.h"

struct row {
    struct store_value values[STORE_VALUES_MAX];
    size_t count;
};

static void add_number(struct row *row, int64_t number)
{
    row->values[row->count++] = store_of_integer(number);
}

static void add_text(struct row *row, const char *text)
{
    row->values[row->count++] = store_of_text(text);
}

static void add_bytes(struct row *row, const struct history_bytes *bytes)
{
    row->values[row->count++] = store_of_blob(bytes->data, bytes->length);
}

static void add_counts(struct row *row, const struct history_counts *counts)
{
    add_number(row, counts->passed);
    add_number(row, counts->failed);
    add_number(row, counts->skipped);
}

/* All columns of a table, in their order. */
static int insert(struct store *store, const char *table, const struct row *row,
                  struct error *error)
{
    char sql[64 + 5 * STORE_VALUES_MAX];
    int length = snprintf(sql, sizeof sql, "INSERT INTO %s VALUES (", table);

    for (size_t i = 0; i < row->count; i++)
        length +=
            snprintf(sql + length, sizeof sql - (size_t)length, "%s$%zu", i ? "," : "", i + 1);
    snprintf(sql + length, sizeof sql - (size_t)length, ")");
    return store_do(store, sql, row->values, row->count, error);
}

static int64_t all_of(const struct history_counts *counts)
{
    return counts->passed + counts->failed + counts->skipped + counts->ended;
}

static void add_journal(struct row *row, const struct history_run *run,
                        const struct history_entry *entry)
{
    add_text(row, entry->id);
    add_text(row, "");
    add_text(row, entry->source);
    add_text(row, run->ending.digest);
    add_number(row, (int64_t)run->ending.lines);
    add_number(row, run->ending.ended);
    add_number(row, (int64_t)run->ending.torn);
    add_number(row, !*run->problem);
    add_text(row, *run->problem ? run->problem : NULL);
    add_text(row, run->is_virtual ? "virtual" : "real");
    add_text(row, entry->date);
    add_text(row, entry->dated_by);
    add_text(row, entry->imported);
    add_text(row, entry->host);
}

static void add_shard(struct row *row, const struct history_run *run,
                      const struct history_entry *entry)
{
    add_text(row, run->job);
    add_number(row, run->part);
    add_number(row, run->parts);
    add_number(row, run->attempt);
    add_text(row, *run->sharded ? run->sharded : NULL);
    row->values[row->count++] = entry->whole ? store_of_integer(entry->whole) : store_of_text(NULL);
    add_number(row, 1);
}

int history_put_line(struct store *store, int64_t number, const struct history_run *run,
                     size_t recordings, const struct history_entry *entry, struct error *error)
{
    struct row row = {.count = 0};

    add_number(&row, number);
    add_journal(&row, run, entry);
    add_text(&row, run->version);
    add_text(&row, run->build);
    add_text(&row, run->rig);
    add_text(&row, run->rig_sha256);
    add_text(&row, run->seed);
    add_text(&row, run->command);
    add_text(&row, verdict_name(run->verdict));
    add_text(&row, run->why);
    add_number(&row, (int64_t)recordings);
    add_number(&row, all_of(&run->rounds));
    add_counts(&row, &run->rounds);
    add_counts(&row, &run->checks);
    add_number(&row, run->retries);
    add_number(&row, run->reconnects);
    add_number(&row, run->resumed);
    add_number(&row, run->rounds.ended);
    add_shard(&row, run, entry);
    return insert(store, "run", &row, error);
}

static int put_people(struct store *store, int64_t number, const struct history_run *run,
                      struct error *error)
{
    int64_t place = 0;
    int status = 0;

    HISTORY_EACH(name, run->operators, char *)
    {
        struct row row = {.count = 0};

        add_number(&row, number);
        add_number(&row, ++place);
        add_text(&row, *name);
        if (!status)
            status = insert(store, "performer", &row, error);
    }
    return status;
}

static int put_devices(struct store *store, int64_t number, const struct history_run *run,
                       struct error *error)
{
    int64_t place = 0;
    int status = 0;

    HISTORY_EACH(device, run->devices, struct history_device)
    {
        struct row row = {.count = 0};

        add_number(&row, number);
        add_number(&row, ++place);
        add_text(&row, device->name);
        add_text(&row, device->driver);
        add_text(&row, device->address);
        add_text(&row, device->model);
        add_text(&row, device->serial);
        add_text(&row, device->firmware);
        add_text(&row, device->digest);
        add_number(&row, device->test_mode);
        if (!status)
            status = insert(store, "device", &row, error);
    }
    return status;
}

/* Of the device that shuffles. */
static const char *serial_of(const struct history_run *run)
{
    HISTORY_EACH(device, run->devices, struct history_device)
    {
        if (!strcmp(device->name, SHUFFLES_JOURNAL_DEVICE))
            return device->serial;
    }
    return NULL;
}

static int put_shuffled(struct store *store, int64_t number, int64_t place,
                        const struct history_run *run, const struct history_recording *recording,
                        struct error *error)
{
    struct row row = {.count = 0};

    if (!recording->order_count && !recording->unknown_orders)
        return 0;
    add_number(&row, number);
    add_number(&row, place);
    add_text(&row, serial_of(run));
    add_text(&row, recording->game);
    add_number(&row, recording->order_count);
    add_number(&row, recording->unknown_orders);
    add_bytes(&row, &recording->orders);
    return insert(store, "shuffled", &row, error);
}

static int put_recordings(struct store *store, int64_t number, const struct history_run *run,
                          struct error *error)
{
    int64_t place = 0;
    int status = 0;

    HISTORY_EACH(recording, run->recordings, struct history_recording)
    {
        struct row row = {.count = 0};

        add_number(&row, number);
        add_number(&row, ++place);
        add_text(&row, recording->path);
        add_text(&row, recording->sha256);
        add_text(&row, recording->expect_sha256);
        add_text(&row, recording->game);
        add_text(&row, verdict_name(recording->verdict));
        add_number(&row, all_of(&recording->rounds));
        add_counts(&row, &recording->rounds);
        add_bytes(&row, &recording->settlements);
        add_number(&row, recording->rounds.ended);
        if (!status)
            status = insert(store, "recording", &row, error);
        if (!status)
            status = put_shuffled(store, number, place, run, recording, error);
    }
    return status;
}

static int put_rounds(struct store *store, int64_t number, const struct history_run *run,
                      struct error *error)
{
    int64_t place = 0;
    int status = 0;

    HISTORY_EACH(round, run->unpassed, struct history_unpassed)
    {
        struct row row = {.count = 0};

        add_number(&row, number);
        add_number(&row, ++place);
        add_number(&row, (int64_t)round->recording);
        add_number(&row, round->round);
        add_text(&row, verdict_name(round->verdict));
        add_text(&row, round->why);
        if (!status)
            status = insert(store, "unpassed", &row, error);
    }
    return status;
}

static int put_checks(struct store *store, int64_t number, const struct history_run *run,
                      struct error *error)
{
    int status = 0;

    HISTORY_EACH(check, run->checked, struct history_check)
    {
        struct row row = {.count = 0};

        add_number(&row, number);
        add_text(&row, check->name);
        add_counts(&row, &check->counts);
        add_text(&row, check->why);
        if (!status)
            status = insert(store, "checked", &row, error);
    }
    return status;
}

static int put_failures(struct store *store, int64_t number, const struct history_run *run,
                        struct error *error)
{
    int64_t place = 0;
    int status = 0;

    HISTORY_EACH(failure, run->failures, struct history_failure)
    {
        struct row row = {.count = 0};

        add_number(&row, number);
        add_number(&row, ++place);
        add_number(&row, (int64_t)failure->recording);
        add_number(&row, failure->round);
        add_text(&row, failure->name);
        row.values[row.count++] =
            failure->seat ? store_of_integer(failure->seat) : store_of_text(NULL);
        add_text(&row, failure->wager);
        add_text(&row, failure->expected);
        add_text(&row, failure->got);
        add_text(&row, failure->why);
        if (!status)
            status = insert(store, "failure", &row, error);
    }
    return status;
}

static int put_timings(struct store *store, int64_t number, const struct history_run *run,
                       struct error *error)
{
    int status = 0;

    HISTORY_EACH(timing, run->timings, struct history_timing)
    {
        struct row row = {.count = 0};

        add_number(&row, number);
        add_number(&row, (int64_t)timing->recording);
        add_text(&row, timing->name);
        add_number(&row, timing->by_hand);
        row.values[row.count++] =
            timing->limit ? store_of_integer(timing->limit) : store_of_text(NULL);
        add_bytes(&row, &timing->took);
        if (!status)
            status = insert(store, "timing", &row, error);
    }
    return status;
}

int history_put(struct store *store, int64_t number, const struct history_run *run,
                const struct history_entry *entry, struct error *error)
{
    typedef int put(struct store *, int64_t, const struct history_run *, struct error *);
    static put *const parts[] = {put_people, put_devices,  put_recordings, put_rounds,
                                 put_checks, put_failures, put_timings};
    int status = history_put_line(store, number, run, run->recordings.count, entry, error);

    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && !status; i++)
        status = parts[i](store, number, run, error);
    return status;
}
