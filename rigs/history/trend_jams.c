/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether a machine slows down before it fails: the timings of the last rounds before a round in
 * which a device failed or did not answer, beside those of the rounds before them in the same
 * recording.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/history/rank.h"
#include "rigs/history/trend.h"

#define LAST  10 /* rounds before a failure */
#define LEAST 20 /* rounds before these, to compare with */

/* What is asked of one run. */
struct asking {
    struct history_machine *machine;
    size_t point;
    size_t recording; /* where the device failed, and in which round */
    int64_t round;
    bool is_short;
};

static int by_size(const void *a, const void *b)
{
    int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;

    return (first > second) - (first < second);
}

static bool keep(struct asking *asking, const char *name, const struct rank_result *result)
{
    struct history_machine *machine = asking->machine;
    struct history_jam *jams = reallocarray(machine->jams, machine->jam_count + 1, sizeof *jams);

    if (!jams)
        return false;
    machine->jams = jams;
    jams[machine->jam_count] = (struct history_jam){.point = asking->point,
                                                    .recording = asking->recording,
                                                    .round = asking->round,
                                                    .larger = result->larger,
                                                    .p = result->p};
    snprintf(jams[machine->jam_count++].name, HISTORY_NAME_SIZE, "%s", name);
    return true;
}

/* The timing of the shuffle, a value a round, up to the round that failed. */
static int compare(void *context, const struct history_timing *timing)
{
    struct asking *asking = context;
    size_t all = timing->took.length / HISTORY_TOOK;
    size_t before = asking->round > 0 ? (size_t)asking->round - 1 : 0;
    struct rank_result result;
    int64_t *values;

    if (timing->recording != asking->recording || timing->by_hand ||
        strcmp(timing->name, "shuffle") != 0 || before > all || before < LAST + LEAST)
        return 0;
    values = calloc(before, sizeof *values);
    if (!values)
        return ERROR_RIG;
    for (size_t i = 0; i < before; i++)
        values[i] = history_bytes_number(timing->took.data + i * HISTORY_TOOK);
    qsort(values, before - LAST, sizeof *values, by_size);
    qsort(values + before - LAST, LAST, sizeof *values, by_size);
    asking->is_short = !rank_compare(values, before - LAST, values + before - LAST, LAST, &result);
    free(values);
    asking->machine->judged++;
    return asking->is_short || !keep(asking, timing->name, &result) ? ERROR_RIG : 0;
}

struct failed {
    size_t recording;
    int64_t round;
};

struct failures {
    struct failed *items;
    size_t count;
};

/* The first of each recording: what comes after it has another beginning. */
static int add_failure(void *context, const struct history_unpassed *round)
{
    struct failures *failures = context;
    struct failed *items;

    if (round->verdict != VERDICT_DEVICE && round->verdict != VERDICT_TIMEOUT)
        return 0;
    if (failures->count && failures->items[failures->count - 1].recording == round->recording)
        return 0;
    items = reallocarray(failures->items, failures->count + 1, sizeof *items);
    if (!items)
        return ERROR_RIG;
    failures->items = items;
    items[failures->count++] = (struct failed){round->recording, round->round};
    return 0;
}

static int look_at(struct store *store, struct history_machine *machine, size_t point,
                   struct error *error)
{
    int64_t run = machine->points[point].number;
    struct failures failures = {.count = 0};
    int status = history_rounds(store, run, add_failure, &failures, error);

    for (size_t i = 0; i < failures.count && !status; i++) {
        struct asking asking = {.machine = machine,
                                .point = point,
                                .recording = failures.items[i].recording,
                                .round = failures.items[i].round};

        machine->failed++;
        status = history_timings(store, run, compare, &asking, error);
    }
    free(failures.items);
    return status;
}

/* Those that are slower, corrected for all that were judged. */
static int choose(struct history_machine *machine, double alpha, struct error *error)
{
    double *p = calloc(machine->jam_count + 1, sizeof *p);
    size_t kept = 0;

    if (!p)
        return error_set(error, ERROR_RIG, "no memory for what a machine did");
    for (size_t i = 0; i < machine->jam_count; i++)
        p[i] = machine->jams[i].p;
    rank_holm(p, machine->jam_count);
    for (size_t i = 0; i < machine->jam_count; i++) {
        machine->jams[i].p = p[i];
        if (p[i] < alpha && machine->jams[i].larger > 0.5)
            machine->jams[kept++] = machine->jams[i];
    }
    machine->jam_count = kept;
    free(p);
    return 0;
}

int history_trend_jams(struct store *store, struct history_machine *machine, struct error *error)
{
    int status = 0;

    error_set(error, ERROR_RIG, "no memory for what a machine did");
    if (strcmp(machine->name, "shuffler") != 0)
        return 0;
    for (size_t i = 0; i < machine->count && !status; i++)
        if (machine->points[i].rounds.failed)
            status = look_at(store, machine, i, error);
    return status
               ? status
               : choose(machine, HISTORY_TREND_ALPHA / (double)(machine->series_count + 1), error);
}
