/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recordings that came out both ways with the same devices: all that took part have the same serial
 * numbers and firmware, and the recording and its expectation the same digests.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/history/trend.h"

/* A bench that failed, and a person who stopped the run, say nothing about the machine. */
#define PLAYED                                                                                     \
    "SELECT c.run, c.place, c.path, c.sha256, c.expect_sha256, c.verdict, d.name, d.serial, "      \
    "d.firmware FROM recording c JOIN run r ON r.number = c.run JOIN device d ON d.run = c.run "   \
    "WHERE r.verified = 1 AND c.verdict IN ('pass', 'fail', 'device', 'timeout') "                 \
    "AND (r.complete = 1 OR c.verdict <> 'pass') AND c.sha256 IN (SELECT o.sha256 FROM "           \
    "recording o GROUP BY o.sha256 HAVING MIN(o.verdict) <> MAX(o.verdict)) "                      \
    "ORDER BY c.sha256, c.run, c.place, d.place"

struct machine {
    char *serial, *firmware;
};

/* One recording with one set of devices; of one that is read it is what came of it once. */
struct group {
    char *key; /* what is the same: both digests, and each device */
    size_t length;
    char *path, *sha256;
    struct machine machines[JUDGE_DEVICES];
    size_t machine_count;
    int64_t passed, failed;
};

struct groups {
    struct group *items;
    size_t count, size;
    size_t first; /* of the recording that is read */
    struct group next;
    int64_t run, place; /* that is read */
    bool is_short;
};

static void free_group(struct group *group)
{
    free(group->key);
    free(group->path);
    free(group->sha256);
    for (size_t i = 0; i < group->machine_count; i++) {
        free(group->machines[i].serial);
        free(group->machines[i].firmware);
    }
    *group = (struct group){.key = NULL};
}

static char *copy(struct groups *groups, const char *text)
{
    char *copied = text ? strdup(text) : NULL;

    groups->is_short |= text && !copied;
    return copied;
}

/* With the NUL at its end, so that no two texts run together; what is null is not what is empty. */
static void add_key(struct groups *groups, const char *text)
{
    struct group *group = &groups->next;
    size_t length = text ? strlen(text) + 1 : 0;
    char *key = realloc(group->key, group->length + length + 1);

    if (!key) {
        groups->is_short = true;
        return;
    }
    group->key = key;
    key[group->length++] = text ? '+' : '-';
    if (text)
        memcpy(key + group->length, text, length);
    group->length += length;
}

static bool is_same(const struct group *one, const struct group *other)
{
    return one->length == other->length && !memcmp(one->key, other->key, one->length);
}

/* All devices of what is read are known: it joins those that are the same. */
static void join(struct groups *groups)
{
    struct group *next = &groups->next;

    if (!next->key || groups->is_short)
        return;
    if (groups->first < groups->count &&
        strcmp(groups->items[groups->first].sha256, next->sha256) != 0)
        groups->first = groups->count;
    for (size_t i = groups->first; i < groups->count; i++)
        if (is_same(&groups->items[i], next)) {
            groups->items[i].passed += next->passed;
            groups->items[i].failed += next->failed;
            free_group(next);
            return;
        }
    if (groups->count == groups->size) {
        size_t size = groups->size ? 2 * groups->size : 16;
        struct group *items = reallocarray(groups->items, size, sizeof *items);

        groups->is_short |= !items;
        if (!items)
            return;
        groups->items = items;
        groups->size = size;
    }
    groups->items[groups->count++] = *next;
    *next = (struct group){.key = NULL};
}

static void begin(struct groups *groups, const struct store_rows *rows)
{
    bool is_pass = !strcmp(store_text(rows, 5), "pass");

    groups->run = store_integer(rows, 0);
    groups->place = store_integer(rows, 1);
    groups->next = (struct group){.path = copy(groups, store_text(rows, 2)),
                                  .sha256 = copy(groups, store_text(rows, 3)),
                                  .passed = is_pass,
                                  .failed = !is_pass};
    add_key(groups, store_text(rows, 3));
    add_key(groups, store_text(rows, 4));
}

static void add_row(struct groups *groups, const struct store_rows *rows)
{
    struct group *next = &groups->next;

    if (store_integer(rows, 0) != groups->run || store_integer(rows, 1) != groups->place) {
        join(groups);
        if (!groups->is_short)
            begin(groups, rows);
    }
    for (unsigned column = 6; column <= 8 && !groups->is_short; column++)
        add_key(groups, store_text(rows, column));
    if (groups->is_short || !store_text(rows, 7) || next->machine_count == JUDGE_DEVICES)
        return;
    next->machines[next->machine_count++] =
        (struct machine){copy(groups, store_text(rows, 7)), copy(groups, store_text(rows, 8))};
}

static int by_machine(const void *a, const void *b)
{
    const struct history_flaky *first = a, *second = b;
    const char *const pairs[][2] = {{first->serial, second->serial},
                                    {first->path, second->path},
                                    {first->sha256, second->sha256},
                                    {first->firmware, second->firmware}};
    int order = 0;

    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0] && !order; i++)
        order = strcmp(pairs[i][0] ? pairs[i][0] : "", pairs[i][1] ? pairs[i][1] : "");
    return order;
}

/* Each is told of every machine that took part, or of the one that is asked for. */
static size_t list_flaky(const struct groups *groups, const char *serial,
                         struct history_flaky *list)
{
    size_t count = 0;

    for (size_t i = 0; i < groups->count; i++) {
        const struct group *group = &groups->items[i];

        for (size_t j = 0; group->passed && group->failed && j < group->machine_count; j++)
            if (!serial || !strcmp(serial, group->machines[j].serial))
                list[count++] = (struct history_flaky){.path = group->path,
                                                       .sha256 = group->sha256,
                                                       .serial = group->machines[j].serial,
                                                       .firmware = group->machines[j].firmware,
                                                       .passed = group->passed,
                                                       .failed = group->failed};
    }
    return count;
}

static int hand_out(const struct groups *groups, const char *serial, history_each_flaky *each,
                    void *context, struct error *error)
{
    struct history_flaky *list = calloc(groups->count + 1, JUDGE_DEVICES * sizeof *list);
    size_t count;
    int status = 0;

    if (!list)
        return error_set(error, ERROR_RIG, "no memory for flaky recordings");
    count = list_flaky(groups, serial, list);
    qsort(list, count, sizeof *list, by_machine);
    for (size_t i = 0; i < count && !status; i++)
        status = each(context, &list[i]);
    free(list);
    return status;
}

int history_flaky(struct store *store, const char *serial, history_each_flaky *each, void *context,
                  struct error *error)
{
    struct groups groups = {.run = -1};
    struct store_rows *rows;
    int status = store_ask(store, PLAYED, NULL, 0, &rows, error);

    if (status)
        return status;
    while ((status = store_next(rows, error)) > 0 && !groups.is_short)
        add_row(&groups, rows);
    join(&groups);
    store_rows_free(rows);
    if (groups.is_short)
        status = error_set(error, ERROR_RIG, "no memory for flaky recordings");
    if (!status)
        status = hand_out(&groups, serial, each, context, error);
    free_group(&groups.next);
    for (size_t i = 0; i < groups.count; i++)
        free_group(&groups.items[i]);
    free(groups.items);
    return status;
}
