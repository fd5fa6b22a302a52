/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/history/store/schema.h"

#include <stddef.h>

/*
 * SQLite and PostgreSQL read the same text: BYTEA is what PostgreSQL calls bytes, and SQLite keeps
 * them as they are whatever a column is called. Statements of a version are never changed: another
 * version is a further list, and what it costs to come from the one before.
 */
static const char *const version_1[] = {
    "CREATE TABLE run ("
    " number BIGINT PRIMARY KEY, id TEXT NOT NULL, shard TEXT NOT NULL, source TEXT NOT NULL,"
    " digest TEXT NOT NULL, lines BIGINT NOT NULL, complete BIGINT NOT NULL,"
    " torn BIGINT NOT NULL, verified BIGINT NOT NULL, problem TEXT,"
    " clock TEXT NOT NULL, date TEXT NOT NULL, dated_by TEXT NOT NULL,"
    " imported TEXT NOT NULL, host TEXT NOT NULL,"
    " version TEXT NOT NULL, build TEXT, rig TEXT, rig_sha256 TEXT, seed TEXT NOT NULL,"
    " command TEXT NOT NULL, verdict TEXT NOT NULL, why TEXT,"
    " recordings BIGINT NOT NULL, rounds BIGINT NOT NULL, rounds_passed BIGINT NOT NULL,"
    " rounds_failed BIGINT NOT NULL, rounds_skipped BIGINT NOT NULL,"
    " checks_passed BIGINT NOT NULL, checks_failed BIGINT NOT NULL,"
    " checks_skipped BIGINT NOT NULL, retries BIGINT NOT NULL, reconnects BIGINT NOT NULL,"
    " resumed BIGINT NOT NULL, UNIQUE (id, shard))",
    "CREATE INDEX run_date ON run (date)",

    "CREATE TABLE performer ("
    " run BIGINT NOT NULL REFERENCES run ON DELETE CASCADE, place BIGINT NOT NULL,"
    " name TEXT NOT NULL, PRIMARY KEY (run, place))",

    "CREATE TABLE device ("
    " run BIGINT NOT NULL REFERENCES run ON DELETE CASCADE, place BIGINT NOT NULL,"
    " name TEXT NOT NULL, driver TEXT, address TEXT, model TEXT, serial TEXT, firmware TEXT,"
    " digest TEXT, test_mode BIGINT NOT NULL, PRIMARY KEY (run, place))",
    "CREATE INDEX device_serial ON device (serial, run)",
    "CREATE INDEX device_firmware ON device (firmware, run)",

    "CREATE TABLE recording ("
    " run BIGINT NOT NULL REFERENCES run ON DELETE CASCADE, place BIGINT NOT NULL,"
    " path TEXT, sha256 TEXT, expect_sha256 TEXT, game TEXT NOT NULL, verdict TEXT NOT NULL,"
    " rounds BIGINT NOT NULL, rounds_passed BIGINT NOT NULL, rounds_failed BIGINT NOT NULL,"
    " rounds_skipped BIGINT NOT NULL, settlements BYTEA NOT NULL, PRIMARY KEY (run, place))",
    "CREATE INDEX recording_sha256 ON recording (sha256, run)",
    "CREATE INDEX recording_path ON recording (path, sha256)",

    "CREATE TABLE unpassed ("
    " run BIGINT NOT NULL REFERENCES run ON DELETE CASCADE, place BIGINT NOT NULL,"
    " recording BIGINT NOT NULL, round BIGINT NOT NULL, verdict TEXT NOT NULL, why TEXT,"
    " PRIMARY KEY (run, place))",

    "CREATE TABLE checked ("
    " run BIGINT NOT NULL REFERENCES run ON DELETE CASCADE, name TEXT NOT NULL,"
    " passed BIGINT NOT NULL, failed BIGINT NOT NULL, skipped BIGINT NOT NULL, why TEXT,"
    " PRIMARY KEY (run, name))",
    "CREATE INDEX checked_name ON checked (name, run)",

    "CREATE TABLE failure ("
    " run BIGINT NOT NULL REFERENCES run ON DELETE CASCADE, place BIGINT NOT NULL,"
    " recording BIGINT NOT NULL, round BIGINT NOT NULL, name TEXT NOT NULL, seat BIGINT,"
    " wager TEXT, expected TEXT, got TEXT, why TEXT, PRIMARY KEY (run, place))",

    "CREATE TABLE timing ("
    " run BIGINT NOT NULL REFERENCES run ON DELETE CASCADE, recording BIGINT NOT NULL,"
    " name TEXT NOT NULL, by_hand BIGINT NOT NULL, at_most BIGINT, took BYTEA NOT NULL,"
    " PRIMARY KEY (run, recording, name, by_hand))",

    "CREATE TABLE shuffled ("
    " run BIGINT NOT NULL REFERENCES run ON DELETE CASCADE, recording BIGINT NOT NULL,"
    " serial TEXT, game TEXT NOT NULL, orders BIGINT NOT NULL, unknown BIGINT NOT NULL,"
    " cards BYTEA NOT NULL, PRIMARY KEY (run, recording))",
    "CREATE INDEX shuffled_serial ON shuffled (serial, run)",
    NULL};

/*
 * Rounds that the bench or a person ended are counted by themselves, no more as failed. The shards
 * of a run have a row each, `part` of `parts`, and their run has one too: `whole` is its number in
 * theirs, and it has none of the other rows. Of several attempts at a shard one is `counted`.
 */
#define ENDED " AND u.verdict IN ('rig', 'aborted'))"
static const char *const version_2[] = {
    "ALTER TABLE run ADD COLUMN rounds_ended BIGINT NOT NULL DEFAULT 0",
    "UPDATE run SET rounds_ended = (SELECT COUNT(*) FROM unpassed u WHERE u.run = run.number" ENDED,
    "UPDATE run SET rounds_failed = rounds_failed - rounds_ended",
    "ALTER TABLE recording ADD COLUMN rounds_ended BIGINT NOT NULL DEFAULT 0",
    "UPDATE recording SET rounds_ended = (SELECT COUNT(*) FROM unpassed u WHERE "
    "u.run = recording.run AND u.recording = recording.place" ENDED,
    "UPDATE recording SET rounds_failed = rounds_failed - rounds_ended",
    "ALTER TABLE run ADD COLUMN job TEXT",
    "ALTER TABLE run ADD COLUMN part BIGINT NOT NULL DEFAULT 0",
    "ALTER TABLE run ADD COLUMN parts BIGINT NOT NULL DEFAULT 0",
    "ALTER TABLE run ADD COLUMN attempt BIGINT NOT NULL DEFAULT 1",
    "ALTER TABLE run ADD COLUMN sharded TEXT",
    "ALTER TABLE run ADD COLUMN whole BIGINT",
    "ALTER TABLE run ADD COLUMN counted BIGINT NOT NULL DEFAULT 1",
    "CREATE INDEX run_whole ON run (whole)",
    "CREATE INDEX run_digest ON run (digest, number)",
    NULL};

static const char *const *const versions[HISTORY_SCHEMA_VERSION] = {version_1, version_2};

/* 0 of a store that has no tables yet. */
static int read_version(struct store *store, int64_t *version, struct error *error)
{
    struct store_rows *rows;
    int status =
        store_do(store, "CREATE TABLE IF NOT EXISTS history_schema (version BIGINT NOT NULL)", NULL,
                 0, error);

    if (!status)
        status = store_ask(store, "SELECT MAX(version) FROM history_schema", NULL, 0, &rows, error);
    if (status)
        return status;
    status = store_next(rows, error);
    *version = status > 0 ? store_integer(rows, 0) : 0;
    store_rows_free(rows);
    return status < 0 ? status : 0;
}

static int refuse_later(const struct store *store, int64_t version, struct error *error)
{
    return error_set(error, ERROR_CONFIG,
                     "%s: a history of version %jd; this program knows version %d: use a later "
                     "one, or another store",
                     store_shown(store), (intmax_t)version, HISTORY_SCHEMA_VERSION);
}

static int bring_to(struct store *store, int64_t version, struct error *error)
{
    const struct store_value value = store_of_integer(version);
    int status = 0;

    for (const char *const *sql = versions[version - 1]; *sql && !status; sql++)
        status = store_do(store, *sql, NULL, 0, error);
    if (!status)
        status =
            store_do(store, "INSERT INTO history_schema (version) VALUES ($1)", &value, 1, error);
    return status;
}

/* Somebody else may have done it since this was looked at: it is looked at again. */
static int migrate(struct store *store, struct error *error)
{
    int64_t version = 0;
    int status = store_begin(store, error);

    if (status)
        return status;
    status = read_version(store, &version, error);
    if (!status && version > HISTORY_SCHEMA_VERSION)
        status = refuse_later(store, version, error);
    while (!status && version < HISTORY_SCHEMA_VERSION)
        status = bring_to(store, ++version, error);
    if (!status)
        status = store_commit(store, error);
    if (status)
        store_undo(store);
    return status;
}

/* Its version; 0: it has no history. Nothing is written, so that who may only read it can. */
static int64_t look_at_version(struct store *store)
{
    struct store_rows *rows;
    int64_t version = 0;

    if (!store_ask(store, "SELECT MAX(version) FROM history_schema", NULL, 0, &rows, NULL) &&
        store_next(rows, NULL) > 0)
        version = store_integer(rows, 0);
    store_rows_free(rows);
    return version;
}

int history_open(const char *address, bool make, struct store **opened, struct error *error)
{
    struct store *store;
    int status = store_open(address, make, &store, error);
    int64_t version;

    if (status)
        return status;
    version = look_at_version(store);
    if (!version && !make)
        status = error_set(error, ERROR_CONFIG,
                           "%s: has no history; 'dealproof history import' makes one",
                           store_shown(store));
    else if (version != HISTORY_SCHEMA_VERSION)
        status = migrate(store, error);
    if (status)
        store_close(store);
    else
        *opened = store;
    return status;
}
