/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A store in one file: `sqlite:FILE`. Who writes keeps a log beside it (WAL), so that readers wait
 * for nobody; writers wait for each other. The file is its owner's alone when it is made here.
 */
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/history/store/store.h"

#define SCHEME  "sqlite:"
#define WAIT_MS 30000
#define TRY_MS  10

static int name_of(const char *address, char name[STORE_ADDRESS_MAX], struct error *error)
{
    const char *path = address + strlen(SCHEME);
    char here[STORE_ADDRESS_MAX] = "";
    int length;

    if (!*path)
        return error_set(error, ERROR_CONFIG, "sqlite: needs a file, as sqlite:history.db");
    if (*path != '/' && !getcwd(here, sizeof here))
        return error_set(error, ERROR_RIG, "cannot tell the folder that this is");
    length = snprintf(name, STORE_ADDRESS_MAX, SCHEME "%s%s%s", here, *here ? "/" : "", path);
    return length < STORE_ADDRESS_MAX
               ? 0
               : error_set(error, ERROR_CONFIG, "the path of the store is too long");
}

/* What is no database, and what this user may not use, is for somebody to put right. */
static int fail(sqlite3 *database, const char *what, struct error *error)
{
    int code = database ? sqlite3_errcode(database) & 0xff : SQLITE_NOMEM;
    const char *why = database ? sqlite3_errmsg(database) : "no memory";

    if (code == SQLITE_CANTOPEN || code == SQLITE_READONLY || code == SQLITE_PERM)
        return error_set(error, ERROR_CONFIG,
                         "%s: %s; this user must be allowed to read it, and to write it and its "
                         "folder",
                         what, why);
    if (code == SQLITE_NOTADB)
        return error_set(error, ERROR_CONFIG, "%s: %s", what, why);
    if (code == SQLITE_FULL)
        return error_set(error, ERROR_RIG, "%s: %s; make room on its disk", what, why);
    if (code == SQLITE_BUSY)
        return error_set(error, ERROR_RIG, "%s: somebody else has been writing for %d seconds",
                         what, WAIT_MS / 1000);
    return error_set(error, ERROR_RIG, "%s: %s", what, why);
}

static void sqlite_close(void *connection)
{
    sqlite3_close_v2(connection);
}

/* SQLite would make it for all to read. */
static void make_private(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);

    if (fd >= 0)
        close(fd);
}

/* SQLite waits for nobody where two turn the log on at once, whatever its timeout: tried again. */
static int turn_log_on(sqlite3 *database)
{
    int code;

    for (int waited = 0;; waited += TRY_MS) {
        code = sqlite3_exec(database, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
        if (code != SQLITE_BUSY || waited >= WAIT_MS)
            return code;
        sqlite3_sleep(TRY_MS);
    }
}

/* Where it can be written, with a log beside it. */
static int open_to_write(const char *path, sqlite3 **database, struct error *error)
{
    if (sqlite3_open_v2(path, database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW, NULL))
        return fail(*database, "cannot be opened", error);
    if (turn_log_on(*database) ||
        sqlite3_exec(*database, "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON", NULL, NULL,
                     NULL))
        return fail(*database, "cannot be used as a store", error);
    sqlite3_busy_timeout(*database, WAIT_MS);
    return 0;
}

/*
 * On a medium or in a folder that cannot be written: as it is. Where there is a log beside it that
 * somebody else writes, it is read with that; otherwise nothing beside it is needed.
 */
static int open_to_read(const char *path, sqlite3 **database, struct error *error)
{
    char log[STORE_ADDRESS_MAX + 8], uri[3 * STORE_ADDRESS_MAX + 32] = "file:";
    size_t length = strlen(uri);

    for (const char *at = path; *at && length < sizeof uri - 32; at++)
        length += (size_t)snprintf(uri + length, sizeof uri - length,
                                   strchr("%?# ", *at) ? "%%%02X" : "%c", *at);
    snprintf(log, sizeof log, "%s-wal", path);
    if (access(log, F_OK))
        snprintf(uri + length, sizeof uri - length, "?immutable=1");
    if (sqlite3_open_v2(uri, database,
                        SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOFOLLOW, NULL))
        return fail(*database, "cannot be opened", error);
    sqlite3_busy_timeout(*database, WAIT_MS);
    return sqlite3_exec(*database, "SELECT COUNT(*) FROM sqlite_master", NULL, NULL, NULL)
               ? fail(*database, "cannot be read", error)
               : 0;
}

static int sqlite_open(const char *address, bool make, void **connection, struct error *error)
{
    const char *path = address + strlen(SCHEME);
    sqlite3 *database = NULL;
    int status = 0;

    if (make)
        make_private(path);
    else if (access(path, F_OK))
        return errno == ENOENT
                   ? error_set(error, ERROR_CONFIG,
                               "there is no such file; 'dealproof history import' makes one")
                   : error_set(error, ERROR_RIG, "cannot be read: %s", strerror(errno));
    status = open_to_write(path, &database, error);
    if (status == ERROR_CONFIG && !make) {
        sqlite_close(database);
        status = open_to_read(path, &database, error);
    }
    if (status)
        sqlite_close(database);
    *connection = status ? NULL : database;
    return status;
}

static int sqlite_begin(void *connection, struct error *error)
{
    sqlite3 *database = connection;

    return sqlite3_exec(database, "BEGIN IMMEDIATE", NULL, NULL, NULL)
               ? fail(database, "cannot be written", error)
               : 0;
}

/* SQLite takes `$1` as a name. */
static int bind(sqlite3_stmt *statement, size_t number, const struct store_value *value)
{
    char name[24];
    int place;

    snprintf(name, sizeof name, "$%zu", number);
    place = sqlite3_bind_parameter_index(statement, name);
    if (!place)
        return SQLITE_OK;
    if (value->kind == STORE_INTEGER)
        return sqlite3_bind_int64(statement, place, value->integer);
    if (value->kind == STORE_TEXT)
        return sqlite3_bind_text64(statement, place, value->bytes, value->length, SQLITE_STATIC,
                                   SQLITE_UTF8);
    if (value->kind == STORE_BLOB)
        return sqlite3_bind_blob64(statement, place, value->bytes, value->length, SQLITE_STATIC);
    return sqlite3_bind_null(statement, place);
}

static int sqlite_ask(void *connection, const char *sql, const struct store_value *values,
                      size_t count, void **rows, struct error *error)
{
    sqlite3 *database = connection;
    sqlite3_stmt *statement;

    if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL))
        return fail(database, "cannot be asked", error);
    for (size_t i = 0; i < count; i++)
        if (bind(statement, i + 1, &values[i])) {
            sqlite3_finalize(statement);
            return fail(database, "cannot be asked", error);
        }
    *rows = statement;
    return 0;
}

static int sqlite_next(void *rows, struct error *error)
{
    int status = sqlite3_step(rows);

    if (status == SQLITE_ROW)
        return 1;
    return status == SQLITE_DONE
               ? 0
               : fail(sqlite3_db_handle(rows), "cannot be read or written", error);
}

static struct store_value sqlite_column(void *rows, unsigned column, enum store_kind kind)
{
    int place = (int)column;
    struct store_value value = {.kind = kind};

    if (sqlite3_column_type(rows, place) == SQLITE_NULL)
        return (struct store_value){.kind = STORE_NULL};
    if (kind == STORE_INTEGER)
        value.integer = sqlite3_column_int64(rows, place);
    else if (kind == STORE_TEXT)
        value.bytes = sqlite3_column_text(rows, place);
    else
        value.bytes = sqlite3_column_blob(rows, place);
    if (kind != STORE_INTEGER)
        value.length = (size_t)sqlite3_column_bytes(rows, place);
    return value;
}

static void sqlite_end(void *rows)
{
    sqlite3_finalize(rows);
}

static const struct store_backend sqlite = {
    .name = "sqlite",
    .name_of = name_of,
    .open = sqlite_open,
    .close = sqlite_close,
    .begin = sqlite_begin,
    .ask = sqlite_ask,
    .next = sqlite_next,
    .column = sqlite_column,
    .end = sqlite_end,
};
REGISTER(store_backends, sqlite);
