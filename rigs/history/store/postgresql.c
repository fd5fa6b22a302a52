/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A store that several benches share: `postgresql://USER@HOST/DATABASE`, with all that libpq takes
 * in an address, in the environment and in ~/.pgpass. Writers wait for each other by one lock of
 * the database. A result is wholly here before its first row is looked at.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal/base/printable.h"
#include "rigs/history/store/libpq.h"
#include "rigs/history/store/store.h"

#define CONNECT_SECONDS "10"

/* Everybody who writes to a history in this database takes it; the number means nothing. */
#define LOCK "SELECT pg_advisory_xact_lock(7164226101947352113)"

struct rows {
    PGresult *result;
    int row, count;
    unsigned char *blob; /* of the column that was asked for last */
};

/* The part of a name; what an address leaves open is not in it. */
static const char *part_of(const PQconninfoOption *options, const char *keyword)
{
    for (; options->keyword; options++)
        if (!strcmp(options->keyword, keyword))
            return options->val && *options->val ? options->val : NULL;
    return NULL;
}

/* An address that libpq does not read is not shown: nobody knows where its password ends. */
static int name_of(const char *address, char name[STORE_ADDRESS_MAX], struct error *error)
{
    const char *user, *host, *port, *database;
    PQconninfoOption *options;
    char *why = NULL;
    int status = pq_load(error);

    if (status)
        return status;
    options = pq.conninfoParse(address, &why);
    pq.freemem(why);
    if (!options || strncmp(address, "postgresql://", strlen("postgresql://")) != 0) {
        pq.conninfoFree(options);
        return error_set(error, ERROR_CONFIG,
                         "this address of PostgreSQL cannot be read; write "
                         "postgresql://USER@HOST:PORT/DATABASE, with %%40 for an @ in a name");
    }
    user = part_of(options, "user");
    host = part_of(options, "host");
    port = part_of(options, "port");
    database = part_of(options, "dbname");
    snprintf(name, STORE_ADDRESS_MAX, "postgresql://%s%s%s%s%s/%s", user ? user : "",
             user ? "@" : "", host ? host : "", port ? ":" : "", port ? port : "",
             database ? database : "");
    pq.conninfoFree(options);
    return 0;
}

/* The server's sentence, on one line. */
static void copy_message(char text[256], const char *message)
{
    size_t length = 0;

    for (; *message && length < 255; message++) {
        if (!isspace((unsigned char)*message))
            text[length++] = *message;
        else if (length && text[length - 1] != ' ')
            text[length++] = ' ';
    }
    while (length && strchr(" ?", text[length - 1]))
        length--;
    text[length] = '\0';
    printable_make(text);
}

static int refuse_connection(PGconn *connection, struct error *error)
{
    bool is_password =
        pq.connectionNeedsPassword(connection) || pq.connectionUsedPassword(connection);
    char why[256];

    copy_message(why, pq.errorMessage(connection));
    return is_password
               ? error_set(error, ERROR_CONFIG,
                           "the server takes no such user and password: %s; put the password into "
                           "~/.pgpass or PGPASSWORD",
                           why)
               : error_set(error, ERROR_RIG, "the server cannot be reached: %s", why);
}

static void be_silent(void *context, const char *message)
{
    (void)context, (void)message;
}

static void postgresql_close(void *connection)
{
    pq.finish(connection);
}

static int ask_plainly(void *connection, const char *sql, struct error *error)
{
    PGresult *result = pq.execParams(connection, sql, 0, NULL, NULL, NULL, NULL, 0);
    ExecStatusType status = pq.resultStatus(result);
    char why[256];

    pq.clear(result);
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK)
        return 0;
    copy_message(why, pq.errorMessage(connection));
    return error_set(error, ERROR_RIG, "%s", why);
}

static int postgresql_open(const char *address, bool make, void **opened, struct error *error)
{
    static const char *const names[] = {"connect_timeout", "application_name", "dbname",
                                        "client_encoding", NULL};
    const char *const values[] = {CONNECT_SECONDS, "dealproof", address, "UTF8", NULL};
    PGconn *connection = pq.connectdbParams(names, values, 1);
    int status = 0;

    (void)make;
    if (!connection)
        return error_set(error, ERROR_RIG, "no memory for a connection");
    if (pq.status(connection) != CONNECTION_OK)
        status = refuse_connection(connection, error);
    if (!status) {
        pq.setNoticeProcessor(connection, be_silent, NULL);
        status = ask_plainly(connection, "SET lock_timeout = '30s'", error);
    }
    if (status)
        postgresql_close(connection);
    *opened = status ? NULL : connection;
    return status;
}

static int postgresql_begin(void *connection, struct error *error)
{
    int status = ask_plainly(connection, "BEGIN", error);

    if (!status)
        status = ask_plainly(connection, LOCK, error);
    if (status)
        ask_plainly(connection, "ROLLBACK", NULL);
    return status;
}

/* Numbers and texts go as text, blobs as they are. */
struct parameters {
    const char *values[STORE_VALUES_MAX];
    int lengths[STORE_VALUES_MAX], formats[STORE_VALUES_MAX];
    char numbers[STORE_VALUES_MAX][24];
};

static void fill(struct parameters *parameters, const struct store_value *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        parameters->lengths[i] = (int)values[i].length;
        parameters->formats[i] = values[i].kind == STORE_BLOB;
        parameters->values[i] = values[i].kind == STORE_NULL ? NULL : values[i].bytes;
        if (values[i].kind == STORE_INTEGER) {
            snprintf(parameters->numbers[i], sizeof parameters->numbers[i], "%jd",
                     (intmax_t)values[i].integer);
            parameters->values[i] = parameters->numbers[i];
        }
    }
}

static int say_failure(PGconn *connection, PGresult *result, struct error *error)
{
    const char *state = pq.resultErrorField(result, PG_DIAG_SQLSTATE);
    char why[256];

    copy_message(why, pq.errorMessage(connection));
    if (state && !strcmp(state, "53100"))
        return error_set(error, ERROR_RIG, "%s; make room on the server's disk", why);
    if (state && !strcmp(state, "42501"))
        return error_set(error, ERROR_CONFIG, "%s; this user may not use the store", why);
    return error_set(error, ERROR_RIG, "%s", why);
}

static int postgresql_ask(void *connection, const char *sql, const struct store_value *values,
                          size_t count, void **asked, struct error *error)
{
    struct rows *rows = calloc(1, sizeof *rows);
    struct parameters parameters;
    ExecStatusType status;

    if (!rows || count > STORE_VALUES_MAX) {
        free(rows);
        return error_set(error, ERROR_RIG, "no memory to ask PostgreSQL");
    }
    fill(&parameters, values, count);
    rows->result = pq.execParams(connection, sql, (int)count, NULL, parameters.values,
                                 parameters.lengths, parameters.formats, 0);
    status = pq.resultStatus(rows->result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
        int failure = say_failure(connection, rows->result, error);

        pq.clear(rows->result);
        free(rows);
        return failure;
    }
    rows->row = -1;
    rows->count = pq.ntuples(rows->result);
    *asked = rows;
    return 0;
}

static int postgresql_next(void *context, struct error *error)
{
    struct rows *rows = context;

    (void)error;
    return ++rows->row < rows->count;
}

/* A blob comes as `\x` and hexadecimal digits. */
static struct store_value read_blob(struct rows *rows, const char *text, size_t length)
{
    static const char digits[] = "0123456789abcdef";
    size_t count = length >= 2 ? (length - 2) / 2 : 0;

    free(rows->blob);
    rows->blob = malloc(count + 1);
    for (size_t i = 0; rows->blob && i < count; i++) {
        const char *high = strchr(digits, text[2 + 2 * i]);
        const char *low = strchr(digits, text[3 + 2 * i]);

        rows->blob[i] = (unsigned char)((high ? high - digits : 0) << 4 | (low ? low - digits : 0));
    }
    return (struct store_value){
        .kind = STORE_BLOB, .bytes = rows->blob, .length = rows->blob ? count : 0};
}

static struct store_value postgresql_column(void *context, unsigned column, enum store_kind kind)
{
    struct rows *rows = context;
    const char *text = pq.getvalue(rows->result, rows->row, (int)column);
    size_t length = (size_t)pq.getlength(rows->result, rows->row, (int)column);

    if (pq.getisnull(rows->result, rows->row, (int)column))
        return (struct store_value){.kind = STORE_NULL};
    if (kind == STORE_INTEGER)
        return store_of_integer(strtoll(text, NULL, 10));
    if (kind == STORE_BLOB)
        return read_blob(rows, text, length);
    return (struct store_value){.kind = STORE_TEXT, .bytes = text, .length = length};
}

static void postgresql_end(void *context)
{
    struct rows *rows = context;

    pq.clear(rows->result);
    free(rows->blob);
    free(rows);
}

static const struct store_backend postgresql = {
    .name = "postgresql",
    .name_of = name_of,
    .open = postgresql_open,
    .close = postgresql_close,
    .begin = postgresql_begin,
    .ask = postgresql_ask,
    .next = postgresql_next,
    .column = postgresql_column,
    .end = postgresql_end,
};
REGISTER(store_backends, postgresql);
