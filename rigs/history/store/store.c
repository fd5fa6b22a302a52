/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/history/store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

REGISTRY(store_backends);

struct store {
    const struct store_backend *backend;
    void *connection;
    char name[STORE_ADDRESS_MAX];
};

struct store_rows {
    const struct store_backend *backend;
    void *rows;
};

struct store_value store_of_integer(int64_t integer)
{
    return (struct store_value){.kind = STORE_INTEGER, .integer = integer};
}

struct store_value store_of_text(const char *text)
{
    return (struct store_value){
        .kind = text ? STORE_TEXT : STORE_NULL, .bytes = text, .length = text ? strlen(text) : 0};
}

struct store_value store_of_blob(const void *bytes, size_t length)
{
    return (struct store_value){.kind = STORE_BLOB, .bytes = length ? bytes : "", .length = length};
}

/* What is before the colon may be shown; what is after it may hold a password. */
static const struct store_backend *find(const char *address, struct error *error)
{
    const struct store_backend *backend = registry_find_scheme(&store_backends, address);
    struct name_list names;

    if (backend)
        return backend;
    registry_names(&store_backends, &names);
    error_set(error, ERROR_CONFIG,
              "a store begins with its kind and a colon, as sqlite:FILE or "
              "postgresql://HOST/DATABASE does; kinds are %s",
              name_list_text(&names));
    return NULL;
}

int store_name(const char *address, char name[STORE_ADDRESS_MAX], struct error *error)
{
    const struct store_backend *backend = find(address, error);

    if (!backend)
        return ERROR_CONFIG;
    if (strlen(address) >= STORE_ADDRESS_MAX)
        return error_set(error, ERROR_CONFIG, "the address of a store is longer than %d bytes",
                         STORE_ADDRESS_MAX - 1);
    return backend->name_of(address, name, error);
}

int store_open(const char *address, bool make, struct store **opened, struct error *error)
{
    const struct store_backend *backend = find(address, error);
    struct store *store;
    int status;

    if (!backend)
        return ERROR_CONFIG;
    store = calloc(1, sizeof *store);
    if (!store)
        return error_set(error, ERROR_RIG, "no memory for a store");
    store->backend = backend;
    status = store_name(address, store->name, error);
    if (!status)
        status = backend->open(address, make, &store->connection, error);
    if (status) {
        if (*store->name)
            error_prefix(error, "%s", store->name);
        free(store);
        return status;
    }
    *opened = store;
    return 0;
}

void store_close(struct store *store)
{
    if (store)
        store->backend->close(store->connection);
    free(store);
}

const char *store_shown(const struct store *store)
{
    return store->name;
}

int store_begin(struct store *store, struct error *error)
{
    int status = store->backend->begin(store->connection, error);

    if (status)
        error_prefix(error, "%s", store->name);
    return status;
}

int store_commit(struct store *store, struct error *error)
{
    return store_do(store, "COMMIT", NULL, 0, error);
}

void store_undo(struct store *store)
{
    store_do(store, "ROLLBACK", NULL, 0, NULL);
}

int store_ask(struct store *store, const char *sql, const struct store_value *values, size_t count,
              struct store_rows **asked, struct error *error)
{
    struct store_rows *rows = malloc(sizeof *rows);
    int status;

    *asked = NULL;
    if (!rows)
        return error_set(error, ERROR_RIG, "no memory for what a store says");
    rows->backend = store->backend;
    status = store->backend->ask(store->connection, sql, values, count, &rows->rows, error);
    if (status) {
        error_prefix(error, "%s", store->name);
        free(rows);
        return status;
    }
    *asked = rows;
    return 0;
}

void store_rows_free(struct store_rows *rows)
{
    if (rows)
        rows->backend->end(rows->rows);
    free(rows);
}

int store_do(struct store *store, const char *sql, const struct store_value *values, size_t count,
             struct error *error)
{
    struct store_rows *rows;
    int status = store_ask(store, sql, values, count, &rows, error);

    if (status)
        return status;
    while ((status = store_next(rows, error)) > 0)
        continue;
    if (status < 0)
        error_prefix(error, "%s", store->name);
    store_rows_free(rows);
    return status;
}

int store_next(struct store_rows *rows, struct error *error)
{
    return rows->backend->next(rows->rows, error);
}

int64_t store_integer(const struct store_rows *rows, unsigned column)
{
    return rows->backend->column(rows->rows, column, STORE_INTEGER).integer;
}

const char *store_text(const struct store_rows *rows, unsigned column)
{
    return rows->backend->column(rows->rows, column, STORE_TEXT).bytes;
}

const void *store_blob(const struct store_rows *rows, unsigned column, size_t *length)
{
    struct store_value value = rows->backend->column(rows->rows, column, STORE_BLOB);

    *length = value.length;
    return value.bytes;
}
