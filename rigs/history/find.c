/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/history/find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SQL_SIZE 4096

/* A condition on `r`, the runs, and its values. */
struct condition {
    char text[SQL_SIZE / 2];
    struct store_value values[STORE_VALUES_MAX];
    size_t count;
    char pattern[512], since[24], until[24]; /* values that were made here */
};

/* Adds a condition whose %zu, or %1$zu wherever it is used, is the number of its value. */
#define AND(condition, value, form)                                                                \
    do {                                                                                           \
        size_t length_ = strlen((condition)->text);                                                \
        (condition)->values[(condition)->count++] = (value);                                       \
        snprintf((condition)->text + length_, sizeof(condition)->text - length_, " AND " form,     \
                 (condition)->count);                                                              \
    } while (0)

/* A run in virtual time is the same whenever it is played: what it says counts once. */
#define IS_REPEAT                                                                                  \
    "CASE WHEN r.clock = 'virtual' AND EXISTS (SELECT 1 FROM run o WHERE o.digest = r.digest AND " \
    "o.number < r.number AND o.clock = 'virtual' AND o.lines = r.lines AND "                       \
    "o.verified = r.verified) THEN 1 ELSE 0 END"

/* What a run without its end comes to: what failed has failed, and what passed says nothing. */
#define CUT_OFF "cut off"
#define VERDICT_OF_RUN                                                                             \
    "CASE WHEN r.complete = 1 OR r.verdict NOT IN ('pass', 'skipped') THEN r.verdict "             \
    "WHEN r.checks_failed > 0 THEN 'fail' ELSE '" CUT_OFF "' END"

/* Whether there is such a day and time: 30 February is none. */
static bool is_date(const char *date)
{
    struct tm tm = {.tm_year = 0}, same;

    if (sscanf(date, "%4d-%2d-%2dT%2d:%2d:%2dZ", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &tm.tm_hour,
               &tm.tm_min, &tm.tm_sec) != 6)
        return false;
    tm.tm_year -= 1900;
    tm.tm_mon--;
    same = tm;
    timegm(&same);
    return tm.tm_year == same.tm_year && tm.tm_mon == same.tm_mon && tm.tm_mday == same.tm_mday &&
           tm.tm_hour == same.tm_hour && tm.tm_min == same.tm_min && tm.tm_sec == same.tm_sec;
}

/* "2026-01-31" or "2026-01-31T18:00:00Z", as a whole date; `rest` completes a day. */
static int read_date(const char *text, const char *name, const char *rest, char date[24],
                     struct error *error)
{
    static const char form[] = "0000-00-00T00:00:00Z";
    size_t length = strlen(text);

    for (size_t i = 0; i < length && i < sizeof form - 1; i++)
        if (form[i] == '0' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
            length = 0;
    if (length != strlen("0000-00-00") && length != strlen(form))
        return error_set(error, ERROR_CONFIG,
                         "--%s is '%.40s'; it must be a date, 2026-01-31 or 2026-01-31T18:00:00Z",
                         name, text);
    snprintf(date, 24, "%s%s", text, length == strlen(form) ? "" : rest);
    return is_date(date) ? 0
                         : error_set(error, ERROR_CONFIG, "--%s is '%.40s'; there is no such date",
                                     name, text);
}

/* All but wildcards stand for themselves. */
static void make_pattern(const char *part, char pattern[512])
{
    size_t length = 0;

    pattern[length++] = '%';
    for (; *part && length < 512 - 4; part++) {
        if (strchr("%_!", *part))
            pattern[length++] = '!';
        pattern[length++] = *part;
    }
    pattern[length++] = '%';
    pattern[length] = '\0';
}

/* A journal that has this, or a run one of whose shards has, be it counted or not. */
#define HAS(table, condition)                                                                      \
    "r.number IN (SELECT x.run FROM " table " x WHERE " condition                                  \
    " UNION SELECT p.whole FROM " table " x JOIN run p ON p.number = x.run WHERE " condition ")"

static void add_device(const struct history_filter *filter, struct condition *condition)
{
    if (filter->serial && filter->firmware) {
        condition->values[condition->count++] = store_of_text(filter->serial);
        AND(condition, store_of_text(filter->firmware),
            HAS("device", "x.serial = $1 AND x.firmware = $%1$zu"));
    } else if (filter->serial) {
        AND(condition, store_of_text(filter->serial), HAS("device", "x.serial = $%1$zu"));
    } else if (filter->firmware) {
        AND(condition, store_of_text(filter->firmware), HAS("device", "x.firmware = $%1$zu"));
    }
}

static int make_condition(const struct history_filter *filter, struct condition *condition,
                          struct error *error)
{
    enum verdict verdict;
    int status;

    condition->count = 0;
    /* Nearly every run has no whole: an index on that, which the sign keeps out, finds nothing. */
    strcpy(condition->text, filter->id || filter->number || filter->whole ? "1 = 1"
                            : filter->journals ? "(r.parts = 0 OR r.part > 0)"
                                               : "+r.whole IS NULL");
    add_device(filter, condition);
    if (filter->id)
        AND(condition, store_of_text(filter->id), "r.id = $%zu");
    if (filter->number)
        AND(condition, store_of_integer(filter->number), "r.number = $%zu");
    if (filter->whole)
        AND(condition, store_of_integer(filter->whole), "r.whole = $%zu");
    if (filter->rig) {
        make_pattern(filter->rig, condition->pattern);
        AND(condition, store_of_text(condition->pattern),
            "LOWER(r.rig) LIKE LOWER($%zu) ESCAPE '!'");
    }
    if (filter->check)
        AND(condition, store_of_text(filter->check),
            HAS("checked", "x.name = $%1$zu AND x.failed > 0"));
    if (filter->operator)
        AND(condition, store_of_text(filter->operator), HAS("performer", "x.name = $%1$zu"));
    if (filter->verdict && strcmp(filter->verdict, CUT_OFF) != 0 &&
        !verdict_parse(filter->verdict, &verdict))
        return error_set(error, ERROR_CONFIG,
                         "--verdict is '%.40s'; it must be pass, fail, device, rig, timeout, "
                         "aborted, skipped or 'cut off'",
                         filter->verdict);
    if (filter->verdict)
        AND(condition, store_of_text(filter->verdict), VERDICT_OF_RUN " = $%zu");
    if (filter->since) {
        status = read_date(filter->since, "since", "T00:00:00Z", condition->since, error);
        if (status)
            return status;
        AND(condition, store_of_text(condition->since), "r.date >= $%zu");
    }
    if (filter->until) {
        status = read_date(filter->until, "until", "T23:59:59Z", condition->until, error);
        if (status)
            return status;
        AND(condition, store_of_text(condition->until), "r.date <= $%zu");
    }
    return 0;
}

#define RUN_COLUMNS                                                                                \
    "r.number, r.id, r.source, r.digest, r.problem, r.clock, r.date, r.dated_by, r.imported, "     \
    "r.host, r.version, r.build, r.rig, r.rig_sha256, r.seed, r.command, " VERDICT_OF_RUN          \
    ", r.why, "                                                                                    \
    "r.lines, r.torn, r.recordings, r.retries, r.reconnects, r.resumed, r.complete, r.verified, "  \
    "r.rounds_passed, r.rounds_failed, r.rounds_skipped, r.checks_passed, r.checks_failed, "       \
    "r.checks_skipped, r.rounds_ended, r.part, r.parts, r.attempt, r.counted, r.job, " IS_REPEAT

static void read_run(const struct store_rows *rows, struct history_found *found)
{
    const char **const texts[] = {
        &found->id,      &found->source,   &found->digest,     &found->problem, &found->clock,
        &found->date,    &found->dated_by, &found->imported,   &found->host,    &found->version,
        &found->build,   &found->rig,      &found->rig_sha256, &found->seed,    &found->command,
        &found->verdict, &found->why};
    int64_t *const numbers[] = {&found->lines,   &found->torn,       &found->recordings,
                                &found->retries, &found->reconnects, &found->resumed};
    int64_t *const counts[] = {&found->rounds.passed, &found->rounds.failed, &found->rounds.skipped,
                               &found->checks.passed, &found->checks.failed, &found->checks.skipped,
                               &found->rounds.ended,  &found->part,          &found->parts,
                               &found->attempt};
    unsigned column = 0;

    found->number = store_integer(rows, column++);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        *texts[i] = store_text(rows, column++);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        *numbers[i] = store_integer(rows, column++);
    found->is_complete = store_integer(rows, column++);
    found->is_verified = store_integer(rows, column++);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        *counts[i] = store_integer(rows, column++);
    found->is_counted = store_integer(rows, column++);
    found->job = store_text(rows, column++);
    found->is_repeat = store_integer(rows, column++);
}

/* What all these runs have several of, in the same order, taken as their run comes. */
struct side {
    struct store_rows *rows; /* the number of the run, its date, then what they are asked for */
    int status;              /* of the row that is next: 1 when there is one */
};

struct sides {
    struct side devices, performers;
    struct history_device *found; /* the same ones of several shards once */
    size_t count;
    char *names[HISTORY_PERFORMERS];
    size_t name_count;
};

static void free_device(struct history_device *device)
{
    free(device->name);
    free(device->driver);
    free(device->address);
    free(device->model);
    free(device->serial);
    free(device->firmware);
    free(device->digest);
}

static void forget(struct sides *sides)
{
    for (size_t i = 0; i < sides->name_count; i++)
        free(sides->names[i]);
    for (size_t i = 0; i < sides->count; i++)
        free_device(&sides->found[i]);
    sides->count = sides->name_count = 0;
}

/* Whether the next row is of a run that comes before this one: somebody has put it in meanwhile. */
static bool is_before(const struct side *side, const struct history_found *run)
{
    int order = strcmp(store_text(side->rows, 1), run->date);

    return order < 0 || (!order && store_integer(side->rows, 0) < run->number);
}

static char *copy(const struct store_rows *rows, unsigned column, bool *is_short)
{
    const char *text = store_text(rows, column);
    char *copied = text ? strdup(text) : NULL;

    *is_short |= text && !copied;
    return copied;
}

static bool is_same(const char *one, const char *other)
{
    return one && other ? !strcmp(one, other) : one == other;
}

static bool is_there(const struct sides *sides, const struct history_device *device)
{
    for (size_t i = 0; i < sides->count; i++) {
        const struct history_device *other = &sides->found[i];

        if (is_same(other->name, device->name) && is_same(other->serial, device->serial) &&
            is_same(other->firmware, device->firmware) && is_same(other->model, device->model) &&
            is_same(other->driver, device->driver) && is_same(other->address, device->address) &&
            is_same(other->digest, device->digest) && other->test_mode == device->test_mode)
            return true;
    }
    return false;
}

/* All shards of a run on one bench tell the same devices. */
static bool copy_device(struct sides *sides)
{
    struct history_device device = {.test_mode = store_integer(sides->devices.rows, 9)};
    char **const texts[] = {&device.name,   &device.driver,   &device.address, &device.model,
                            &device.serial, &device.firmware, &device.digest};
    struct history_device *found;
    bool is_short = false;

    for (unsigned i = 0; i < sizeof texts / sizeof texts[0]; i++)
        *texts[i] = copy(sides->devices.rows, 2 + i, &is_short);
    if (!is_short && !is_there(sides, &device)) {
        found = reallocarray(sides->found, sides->count + 1, sizeof *found);
        is_short = !found;
        if (found) {
            sides->found = found;
            found[sides->count++] = device;
            return true;
        }
    }
    free_device(&device);
    return !is_short;
}

static bool copy_performer(struct sides *sides)
{
    bool is_short = false;
    char *name = copy(sides->performers.rows, 2, &is_short);

    for (size_t i = 0; name && i < sides->name_count; i++)
        if (!strcmp(sides->names[i], name)) {
            free(name);
            return true;
        }
    if (name && sides->name_count < HISTORY_PERFORMERS)
        sides->names[sides->name_count++] = name;
    else
        free(name);
    return !is_short;
}

/* The rows of one run. */
static int take(struct sides *sides, struct side *side, const struct history_found *run,
                bool (*copy_row)(struct sides *), struct error *error)
{
    while (side->status > 0 && is_before(side, run))
        side->status = store_next(side->rows, error);
    while (side->status > 0 && store_integer(side->rows, 0) == run->number) {
        if (!copy_row(sides))
            return error_set(error, ERROR_RIG, "no memory for what a store says");
        side->status = store_next(side->rows, error);
    }
    return side->status < 0 ? side->status : 0;
}

static int take_sides(struct sides *sides, struct history_found *run, struct error *error)
{
    int status;

    forget(sides);
    status = take(sides, &sides->devices, run, copy_device, error);
    if (!status)
        status = take(sides, &sides->performers, run, copy_performer, error);
    run->devices = sides->found;
    run->device_count = sides->count;
    run->performers = (const char *const *)sides->names;
    run->performer_count = sides->name_count;
    return status;
}

static int ask(struct store *store, const char *what, const struct condition *condition,
               const char *order, struct store_rows **rows, struct error *error)
{
    char sql[SQL_SIZE];

    snprintf(sql, sizeof sql, "SELECT %s WHERE %s ORDER BY r.date, r.number%s", what,
             condition->text, order);
    return store_ask(store, sql, condition->values, condition->count, rows, error);
}

static int hand_out(struct store_rows *rows, struct sides *sides, history_each *each, void *context,
                    struct error *error)
{
    struct history_found found;
    int status;

    sides->devices.status = store_next(sides->devices.rows, error);
    sides->performers.status = store_next(sides->performers.rows, error);
    while ((status = store_next(rows, error)) > 0) {
        read_run(rows, &found);
        status = take_sides(sides, &found, error);
        if (!status)
            status = each(context, &found);
        if (status)
            break;
    }
    return status;
}

/* A run is its own journal, or those of its shards are. */
#define JOURNALS " FROM run r JOIN run p ON p.number = r.number OR p.whole = r.number JOIN "

int history_find(struct store *store, const struct history_filter *filter, history_each *each,
                 void *context, struct error *error)
{
    struct condition condition;
    struct sides sides = {.count = 0};
    struct store_rows *rows = NULL;
    int status = make_condition(filter, &condition, error);

    if (!status)
        status = ask(store, RUN_COLUMNS " FROM run r", &condition, "", &rows, error);
    if (!status)
        status = ask(store,
                     "r.number, r.date, e.name, e.driver, e.address, e.model, e.serial, "
                     "e.firmware, e.digest, e.test_mode" JOURNALS "device e ON e.run = p.number",
                     &condition, ", p.part, p.number, e.place", &sides.devices.rows, error);
    if (!status)
        status = ask(store, "r.number, r.date, e.name" JOURNALS "performer e ON e.run = p.number",
                     &condition, ", p.part, p.number, e.place", &sides.performers.rows, error);
    if (!status)
        status = hand_out(rows, &sides, each, context, error);
    forget(&sides);
    free(sides.found);
    store_rows_free(sides.devices.rows);
    store_rows_free(sides.performers.rows);
    store_rows_free(rows);
    return status;
}
