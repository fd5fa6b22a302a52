/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the history is kept: a database behind one small interface, with a backend for SQLite
 * (`sqlite:FILE`) and one for PostgreSQL (`postgresql://…`). Both take the same SQL, with values as
 * `$1 $2 …`. The caller owns a store and its rows; what rows hand out is theirs until the next row.
 * No sentence has a password in it. ERROR_CONFIG: an address that cannot be used, a password that
 * is wrong, a schema that is not known here. ERROR_RIG: the store is away, full or broken.
 */
#ifndef RIGS_HISTORY_STORE_STORE_H
#define RIGS_HISTORY_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/base/error.h"
#include "hal/base/registry.h"

struct store;
struct store_rows;

enum store_kind { STORE_NULL, STORE_INTEGER, STORE_TEXT, STORE_BLOB };

/* A value of a statement; the bytes are the caller's. */
struct store_value {
    enum store_kind kind;
    int64_t integer;
    const void *bytes;
    size_t length;
};

struct store_value store_of_integer(int64_t integer);
struct store_value store_of_text(const char *text); /* NULL is null */
struct store_value store_of_blob(const void *bytes, size_t length);

#define STORE_VALUES_MAX  48
#define STORE_ADDRESS_MAX 1024

/* As it may be shown and kept: without password, and the file of SQLite with its whole path. */
int store_name(const char *address, char name[STORE_ADDRESS_MAX], struct error *error);

/*
 * Opens it as it is; rigs/history/store/schema.h makes it a history. With `make` a file that is not
 * there is made, for its owner alone.
 */
int store_open(const char *address, bool make, struct store **store, struct error *error);

/* What is not committed is undone. NULL is allowed. */
void store_close(struct store *store);

/* Its store_name(). */
const char *store_shown(const struct store *store);

/*
 * A transaction that writes: one at a time over all who use the store, who wait for each other. To
 * be ended by one of the two others; also by store_undo() when store_commit() fails.
 */
int store_begin(struct store *store, struct error *error);
int store_commit(struct store *store, struct error *error);
void store_undo(struct store *store);

/* One statement that gives nothing back. */
int store_do(struct store *store, const char *sql, const struct store_value *values, size_t count,
             struct error *error);

/* One that gives rows; store_rows_free() takes NULL. */
int store_ask(struct store *store, const char *sql, const struct store_value *values, size_t count,
              struct store_rows **rows, struct error *error);
void store_rows_free(struct store_rows *rows);

/* 1 with a row, 0 after the last. */
int store_next(struct store_rows *rows, struct error *error);

/* Of the row, by column from 0. What is null is 0, NULL, and an empty blob. */
int64_t store_integer(const struct store_rows *rows, unsigned column);
const char *store_text(const struct store_rows *rows, unsigned column);
const void *store_blob(const struct store_rows *rows, unsigned column, size_t *length);

/*
 * For the files of backends: REGISTER(store_backends, x). `at` is the address after its scheme and
 * colon. A column is asked for as what it is to be; a text ends with a NUL.
 */
struct store_backend {
    const char *name; /* the scheme */
    int (*name_of)(const char *address, char name[STORE_ADDRESS_MAX], struct error *error);
    int (*open)(const char *address, bool make, void **connection, struct error *error);
    void (*close)(void *connection);
    int (*begin)(void *connection, struct error *error);
    int (*ask)(void *connection, const char *sql, const struct store_value *values, size_t count,
               void **rows, struct error *error);
    int (*next)(void *rows, struct error *error);
    struct store_value (*column)(void *rows, unsigned column, enum store_kind kind);
    void (*end)(void *rows);
};

#endif
