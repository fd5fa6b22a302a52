/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/history/spread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct history_spread *find(const struct history_spreads *spreads, const char *name,
                                   bool by_hand)
{
    for (size_t i = 0; i < spreads->count; i++)
        if (spreads->items[i].by_hand == by_hand && !strcmp(spreads->items[i].name, name))
            return &spreads->items[i];
    return NULL;
}

const struct history_spread *history_spread_find(const struct history_spreads *spreads,
                                                 const char *name, bool by_hand)
{
    return find(spreads, name, by_hand);
}

static struct history_spread *make(struct history_spreads *spreads, const char *name, bool by_hand)
{
    struct history_spread *items =
        reallocarray(spreads->items, spreads->count + 1, sizeof *spreads->items);
    struct history_spread *spread;

    if (!items)
        return NULL;
    spreads->items = items;
    spread = &items[spreads->count++];
    *spread = (struct history_spread){.by_hand = by_hand};
    snprintf(spread->name, sizeof spread->name, "%s", name);
    return spread;
}

static int add(void *context, const struct history_timing *timing)
{
    struct history_spreads *spreads = context;
    struct history_spread *spread = find(spreads, timing->name, timing->by_hand);
    size_t more = timing->took.length / HISTORY_TOOK;
    int64_t *took;

    if (!spread)
        spread = make(spreads, timing->name, timing->by_hand);
    if (!spread)
        return ERROR_RIG;
    took = reallocarray(spread->took, spread->count + more + 1, sizeof *took);
    if (!took)
        return ERROR_RIG;
    spread->took = took;
    for (size_t i = 0; i < more; i++)
        took[spread->count++] = history_bytes_number(timing->took.data + i * HISTORY_TOOK);
    spread->limit = timing->limit;
    return 0;
}

static int by_size(const void *a, const void *b)
{
    int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;

    return (first > second) - (first < second);
}

static int by_name(const void *a, const void *b)
{
    const struct history_spread *first = a, *second = b;
    int order = strcmp(first->name, second->name);

    return order ? order : first->by_hand - second->by_hand;
}

int history_spreads_of_run(struct store *store, int64_t run, struct history_spreads *spreads,
                           struct error *error)
{
    int status;

    error_set(error, ERROR_RIG, "no memory for timings");
    status = history_timings(store, run, add, spreads, error);
    for (size_t i = 0; i < spreads->count && !status; i++)
        if (spreads->items[i].count)
            qsort(spreads->items[i].took, spreads->items[i].count, sizeof(int64_t), by_size);
    if (spreads->count)
        qsort(spreads->items, spreads->count, sizeof *spreads->items, by_name);
    return status;
}

void history_spreads_free(struct history_spreads *spreads)
{
    for (size_t i = 0; i < spreads->count; i++)
        free(spreads->items[i].took);
    free(spreads->items);
    *spreads = (struct history_spreads){.items = NULL};
}

int64_t history_spread_median(const struct history_spread *spread)
{
    return spread->count ? spread->took[(spread->count - 1) / 2] : 0;
}

int64_t history_spread_slowest(const struct history_spread *spread)
{
    return spread->count ? spread->took[spread->count - 1] : 0;
}
