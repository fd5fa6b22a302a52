/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/history/import.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "hal/base/lines.h"
#include "hal/base/plural.h"
#include "hal/base/printable.h"
#include "hal/base/utf8.h"
#include "rigs/history/whole.h"

int history_check_id(const char *id, struct error *error)
{
    size_t length = strlen(id);

    if (length >= HISTORY_ID_MIN && length <= HISTORY_ID_MAX &&
        strspn(id, HISTORY_ID_LETTERS) == length)
        return 0;
    return error_set(error, ERROR_CONFIG,
                     "a run's id is %d to %d letters, digits and . _ : + - , not '%.80s'",
                     HISTORY_ID_MIN, HISTORY_ID_MAX, id);
}

static void write_date(time_t time, char date[HISTORY_DATE_SIZE])
{
    struct tm utc;

    if (!gmtime_r(&time, &utc) || utc.tm_year < 1000 - 1900 || utc.tm_year > 9999 - 1900)
        gmtime_r(&(time_t){0}, &utc);
    strftime(date, HISTORY_DATE_SIZE, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

/*
 * A run in virtual time is the same whenever it is played, so that its id is when the journal was
 * written, where, and what it comes to. Of a run on a real clock whose journal has no id the first
 * line is enough, which no other run shares, and which stays when it goes on.
 */
void history_id_of(const struct history_run *run, const char *date, const char *host,
                   char id[HISTORY_ID_MAX + 1])
{
    char when[HISTORY_DATE_SIZE] = "", where[32];
    size_t length = 0;

    if (*run->run_id) {
        snprintf(id, HISTORY_ID_MAX + 1, "%s", run->run_id);
        return;
    }
    for (; *date && length < sizeof when - 1; date++)
        if (*date != '-' && *date != ':')
            when[length++] = *date;
    snprintf(where, sizeof where, "%s", host);
    for (char *at = where; *at; at++)
        if (!strchr(HISTORY_ID_LETTERS, *at))
            *at = '_';
    snprintf(id, HISTORY_ID_MAX + 1, "%s-%s-%.8s", when, where,
             run->is_virtual ? run->ending.digest : run->first);
}

/* What the store has under this id. */
struct there {
    int64_t number; /* 0: nothing */
    int64_t lines;
    bool is_verified, is_whole, is_part;
    char digest[DIGEST_SIZE];
};

static int look_up(struct store *store, const char *id, struct there *there, struct error *error)
{
    const struct store_value value = store_of_text(id);
    struct store_rows *rows;
    int status = store_ask(store,
                           "SELECT number, lines, verified, digest, CASE WHEN parts > 0 AND "
                           "part = 0 THEN 1 ELSE 0 END, whole FROM run WHERE id = $1 AND "
                           "shard = ''",
                           &value, 1, &rows, error);

    *there = (struct there){.number = 0};
    if (status)
        return status;
    status = store_next(rows, error);
    if (status > 0) {
        there->number = store_integer(rows, 0);
        there->lines = store_integer(rows, 1);
        there->is_verified = store_integer(rows, 2);
        snprintf(there->digest, sizeof there->digest, "%s", store_text(rows, 3));
        there->is_whole = store_integer(rows, 4);
        there->is_part = store_integer(rows, 5) > 0;
    }
    store_rows_free(rows);
    return status < 0 ? status : 0;
}

/* The digest of one line of a journal; "" when it cannot be read again. */
static void digest_of_line(const char *path, int64_t number, char digest[DIGEST_SIZE])
{
    int fd = strcmp(path, "-") ? lines_open(path, NULL) : -1;
    struct lines *lines = fd >= 0 ? lines_new(fd, -1) : NULL;
    struct text_line line = {.number = 0};

    digest[0] = '\0';
    while (lines && (int64_t)line.number < number &&
           lines_next(lines, true, &line, NULL) == LINES_LINE)
        if ((int64_t)line.number == number)
            digest_bytes(line.text, line.length, digest);
    lines_free(lines);
    if (fd >= 0)
        close(fd);
}

/* Whether this journal may take the place of what there is; 1: that is the same. */
static int compare(const struct history_run *run, const char *path, const char *id,
                   const struct there *there, struct error *error)
{
    const char *advice = *run->run_id
                             ? "its first line has that id, which it keeps: take another store"
                             : "--run-id gives this one another id";
    char digest[DIGEST_SIZE];

    if (there->lines == (int64_t)run->ending.lines && !strcmp(there->digest, run->ending.digest) &&
        there->is_verified == !*run->problem)
        return 1;
    if (!there->is_verified || *run->problem)
        return error_set(error, ERROR_RULE,
                         "the store has a run %s already, and %s does not verify: neither takes "
                         "the place of the other; %s",
                         id, there->is_verified ? "this one" : "that one", advice);
    if (there->lines > (int64_t)run->ending.lines)
        return error_set(error, ERROR_RULE,
                         "the store has %jd line%s of run %s and this journal only %ju: it is "
                         "another run, or was cut off; %s",
                         (intmax_t)there->lines, plural((uintmax_t)there->lines), id,
                         (uintmax_t)run->ending.lines, advice);
    if (!strcmp(path, "-"))
        return error_set(error, ERROR_CONFIG,
                         "the store has a shorter journal of run %s: name the file of this one, "
                         "so that they can be compared",
                         id);
    digest_of_line(path, there->lines, digest);
    if (strcmp(digest, there->digest) != 0)
        return error_set(error, ERROR_RULE,
                         "the store has another run %s: its line %jd is not that of this journal; "
                         "%s",
                         id, (intmax_t)there->lines, advice);
    return 0;
}

static int next_number(struct store *store, int64_t *number, struct error *error)
{
    struct store_rows *rows;
    int status =
        store_ask(store, "SELECT COALESCE(MAX(number), 0) + 1 FROM run", NULL, 0, &rows, error);

    if (status)
        return status;
    status = store_next(rows, error);
    *number = status > 0 ? store_integer(rows, 0) : 1;
    store_rows_free(rows);
    return status < 0 ? status : 0;
}

/* The number of the run that a shard is of: there, or one that neither it nor another has. */
static int find_whole(struct store *store, const char *id, int64_t part, int64_t *whole,
                      struct error *error)
{
    struct there there;
    int status = look_up(store, id, &there, error);

    if (!status && there.number && !there.is_whole)
        return error_set(error, ERROR_RULE,
                         "the store has a run %s that was not played in shards; --run-id gives "
                         "this one another id",
                         id);
    *whole = there.number;
    if (!status && !*whole)
        status = next_number(store, whole, error);
    *whole += *whole == part;
    return status;
}

static int replace(struct store *store, const struct history_run *run,
                   const struct history_entry *entry, const char *whole, struct there *there,
                   struct error *error)
{
    struct store_value value = store_of_integer(there->number);
    struct history_entry part = *entry;
    int status = there->number ? 0 : next_number(store, &there->number, error);

    if (!status && *whole)
        status = find_whole(store, whole, there->number, &part.whole, error);
    if (!status && value.integer)
        status = store_do(store, "DELETE FROM run WHERE number = $1", &value, 1, error);
    if (!status)
        status = history_put(store, there->number, run, &part, error);
    if (!status && *whole)
        status = history_whole_sum(store, part.whole, whole, entry->imported, error);
    return status;
}

/* All of it in one transaction, which others wait for. */
static int put_away(struct store *store, const struct history_run *run, const char *path,
                    const struct history_entry *entry, struct history_imported *imported,
                    struct error *error)
{
    struct there there;
    int status = store_begin(store, error);

    if (status)
        return status;
    status = look_up(store, entry->id, &there, error);
    imported->outcome = there.number ? HISTORY_LONGER : HISTORY_NEW;
    if (!status && there.number)
        status = compare(run, path, entry->id, &there, error);
    if (status > 0) {
        imported->outcome = HISTORY_SAME;
        status = *imported->whole && !there.is_part ? 0 : status; /* it joins the others */
    }
    if (!status)
        status = replace(store, run, entry, imported->whole, &there, error);
    if (!status)
        status = store_commit(store, error);
    if (status)
        store_undo(store);
    return status < 0 ? status : 0;
}

/* No store takes a text that is not UTF-8. */
static void name_source(const char *path, char source[PATH_MAX])
{
    if (utf8_is_valid(path))
        snprintf(source, PATH_MAX, "%s", path);
    else
        printable_copy(source, PATH_MAX, path);
}

/* A shard in virtual time is the same whenever it is played: its place in the run is its id. */
static void name_part(const struct history_run *run, const char *whole, char id[HISTORY_ID_MAX + 1])
{
    size_t length;

    snprintf(id, HISTORY_ID_MAX + 1, "%.*s.%" PRId64, HISTORY_WHOLE_MAX, whole, run->part);
    length = strlen(id);
    if (run->attempt > 1)
        snprintf(id + length, HISTORY_ID_MAX + 1 - length, ".%" PRId64, run->attempt);
}

static int enter(struct store *store, const struct history_run *run, const char *path,
                 const char *written, const struct history_import *import,
                 struct history_imported *imported, struct error *error)
{
    char now[HISTORY_DATE_SIZE], here[HISTORY_HOST_SIZE] = "", source[PATH_MAX], whole[PATH_MAX];
    const char *date = *run->date ? run->date : written;
    const struct history_entry entry = {.id = imported->id,
                                        .source = source,
                                        .host = here,
                                        .date = date,
                                        .dated_by = *run->date ? "journal" : "file",
                                        .imported = now};

    write_date(time(NULL), now);
    if (import->host)
        printable_copy(here, sizeof here, import->host);
    else if (gethostname(here, sizeof here - 1))
        snprintf(here, sizeof here, "unknown");
    name_source(import->source          ? import->source
                : !strcmp(path, "-")    ? "standard input"
                : realpath(path, whole) ? whole
                                        : path,
                source);
    history_whole_id(run, import->id, imported->whole);
    if (*imported->whole && !*run->run_id)
        name_part(run, imported->whole, imported->id);
    else if (import->id && !*imported->whole)
        snprintf(imported->id, sizeof imported->id, "%s", import->id);
    else
        history_id_of(run, date, here, imported->id);
    return put_away(store, run, path, &entry, imported, error);
}

static int refuse_id(const struct history_run *run, const struct history_import *import,
                     struct error *error)
{
    if (run->part < 0)
        return error_set(error, ERROR_CONFIG,
                         "its first line calls it a shard that there cannot be; shards are I/N, "
                         "with I from 1 to N");
    if (run->part && import->id && strlen(import->id) > HISTORY_WHOLE_MAX)
        return error_set(error, ERROR_CONFIG, "--run-id of shards has %d letters at most",
                         HISTORY_WHOLE_MAX);
    if (!run->part && import->id && import->is_shared)
        return error_set(error, ERROR_CONFIG,
                         "--run-id is for one journal, or for the shards of one run; this is no "
                         "shard");
    if (run->part)
        return import->id ? history_check_id(import->id, error) : 0;
    if (import->id && *run->run_id && strcmp(import->id, run->run_id) != 0)
        return error_set(error, ERROR_CONFIG, "its first line has an id, %s, which it keeps",
                         run->run_id);
    return import->id ? history_check_id(import->id, error) : 0;
}

int history_import(struct store *store, const char *path, const struct history_import *import,
                   struct history_imported *imported, struct error *error)
{
    const char *name = strcmp(path, "-") ? path : "standard input";
    char written[HISTORY_DATE_SIZE];
    struct history_run *run;
    struct stat about;
    int fd = strcmp(path, "-") ? lines_open(path, error) : dup(STDIN_FILENO), status;

    *imported = (struct history_imported){.is_verified = true};
    if (fd < 0)
        return strcmp(path, "-") ? fd
                                 : error_set(error, ERROR_RIG, "standard input cannot be read: %s",
                                             strerror(errno));
    write_date(fstat(fd, &about) || !S_ISREG(about.st_mode) ? time(NULL) : about.st_mtime, written);
    status = history_run_read(fd, &run, error);
    if (status) {
        error_prefix(error, "%s", name);
        return status;
    }
    imported->is_verified = !*run->problem;
    snprintf(imported->problem, sizeof imported->problem, "%s", run->problem);
    if (*run->problem && !import->unverified)
        status = error_set(error, ERROR_RULE,
                           "%s; it is not imported: --unverified takes what stands before that, "
                           "and marks it for ever",
                           run->problem);
    if (!status)
        status = refuse_id(run, import, error);
    if (!status)
        status = enter(store, run, path, written, import, imported, error);
    if (status)
        error_prefix(error, "%s", name);
    history_run_free(run);
    return status;
}
