/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/history/trend.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAILURES "failures"

static int no_memory(struct error *error)
{
    return error_set(error, ERROR_RIG, "no memory for what a machine did");
}

static const struct history_device *find_device(const struct history_found *run, const char *serial)
{
    for (size_t i = 0; i < run->device_count; i++)
        if (run->devices[i].serial && !strcmp(run->devices[i].serial, serial))
            return &run->devices[i];
    return NULL;
}

static bool is_new_host(const struct history_machine *machine, const char *host)
{
    for (size_t i = 0; i < machine->count; i++)
        if (!strcmp(machine->points[i].host, host))
            return false;
    return true;
}

static int add_run(void *context, const struct history_found *run)
{
    struct history_machine *machine = context;
    const struct history_device *device = find_device(run, machine->serial);
    struct history_point *points, *point;
    char host[64];

    if (!run->is_verified) {
        machine->unverified++;
        return 0;
    }
    if (run->is_repeat) {
        machine->repeated++;
        return 0;
    }
    points = reallocarray(machine->points, machine->count + 1, sizeof *points);
    if (!points)
        return ERROR_RIG;
    machine->points = points;
    snprintf(host, sizeof host, "%s", run->host);
    machine->hosts += is_new_host(machine, host);
    point = &points[machine->count++];
    *point = (struct history_point){
        .number = run->number, .rounds = run->rounds, .is_alone = run->device_count == 1};
    memcpy(point->host, host, sizeof host);
    snprintf(point->id, sizeof point->id, "%s", run->id);
    snprintf(point->date, sizeof point->date, "%s", run->date);
    if (!device)
        return 0;
    snprintf(point->firmware, sizeof point->firmware, "%s",
             device->firmware ? device->firmware : "");
    snprintf(machine->name, sizeof machine->name, "%s", device->name);
    snprintf(machine->model, sizeof machine->model, "%s", device->model ? device->model : "");
    return 0;
}

static struct history_series *find_series(struct history_machine *machine, const char *name)
{
    struct history_series *series;

    for (size_t i = 0; i < machine->series_count; i++)
        if (!strcmp(machine->series[i].name, name))
            return &machine->series[i];
    series = reallocarray(machine->series, machine->series_count + 1, sizeof *series);
    if (!series)
        return NULL;
    machine->series = series;
    series = &machine->series[machine->series_count++];
    *series = (struct history_series){.count = 0};
    snprintf(series->name, sizeof series->name, "%s", name);
    series->values = calloc(machine->count, sizeof *series->values);
    series->points = calloc(machine->count, sizeof *series->points);
    return series;
}

static bool add_value(struct history_machine *machine, const char *name, size_t point, double value)
{
    struct history_series *series = find_series(machine, name);

    if (!series || !series->values || !series->points)
        return false;
    series->points[series->count] = point;
    series->values[series->count++] = value;
    return true;
}

/*
 * Timings that are of one kind of device are told of no other; people take packets away. A reply is
 * the slowest of all devices of a bench, so that it is a machine's where there is no other.
 */
static bool is_of(const struct history_machine *machine, size_t point, const char *timing)
{
    static const char *const owners[][2] = {{"shuffle", "shuffler"}, {"packet", "shuffler"},
                                            {"card", "shoe"},        {"lights", "terminal"},
                                            {"jackpot", "terminal"}, {"take", ""}};

    for (size_t i = 0; i < sizeof owners / sizeof owners[0]; i++)
        if (!strcmp(timing, owners[i][0]))
            return !strcmp(machine->name, owners[i][1]);
    return machine->points[point].is_alone;
}

/* People are not the machine. */
static int add_timings(struct store *store, struct history_machine *machine, size_t point,
                       struct error *error)
{
    struct history_spreads spreads = {.count = 0};
    int status = history_spreads_of_run(store, machine->points[point].number, &spreads, error);

    for (size_t i = 0; i < spreads.count && !status; i++) {
        const struct history_spread *spread = &spreads.items[i];

        if (!spread->by_hand && spread->count && is_of(machine, point, spread->name) &&
            !add_value(machine, spread->name, point, (double)history_spread_median(spread)))
            status = no_memory(error);
    }
    history_spreads_free(&spreads);
    return status;
}

static int add_points(struct store *store, struct history_machine *machine, struct error *error)
{
    char later[HISTORY_ID_MAX + 1];
    int status = 0;

    for (size_t i = 0; i < machine->count && !status; i++) {
        const struct history_counts *rounds = &machine->points[i].rounds;
        int64_t judged = rounds->passed + rounds->failed;

        if (judged && !add_value(machine, FAILURES, i, (double)rounds->failed / (double)judged))
            return no_memory(error);
        status = history_dated_after(store, machine->points[i].number, later, error);
        machine->misdated += *later != 0;
        if (!status)
            status = add_timings(store, machine, i, error);
    }
    return status;
}

int history_trend(struct store *store, const char *serial, struct history_machine *machine,
                  struct error *error)
{
    int status;

    *machine = (struct history_machine){.count = 0};
    snprintf(machine->serial, sizeof machine->serial, "%s", serial);
    no_memory(error);
    status = history_find(store, &(struct history_filter){.serial = serial, .journals = true},
                          add_run, machine, error);
    if (!status && !machine->count && !machine->unverified)
        return error_set(error, ERROR_CONFIG, "%s: has no run with the serial number '%.80s'",
                         store_shown(store), serial);
    if (!status)
        status = add_points(store, machine, error);
    for (size_t i = 0; i < machine->series_count && !status; i++) {
        struct history_series *series = &machine->series[i];
        double alpha = HISTORY_TREND_ALPHA / (double)(machine->series_count + 1);

        series->is_enough = change_can_show(series->count, alpha);
        series->change_count =
            change_find(series->values, series->count, alpha, series->changes, HISTORY_CHANGES);
    }
    return status ? status : history_trend_jams(store, machine, error);
}

void history_machine_free(struct history_machine *machine)
{
    for (size_t i = 0; i < machine->series_count; i++) {
        free(machine->series[i].values);
        free(machine->series[i].points);
    }
    free(machine->series);
    free(machine->points);
    free(machine->jams);
    *machine = (struct history_machine){.count = 0};
}

int history_serials(struct store *store, history_each_serial *each, void *context,
                    struct error *error)
{
    struct store_rows *rows;
    int status = store_ask(store,
                           "SELECT DISTINCT serial FROM device WHERE serial IS NOT NULL "
                           "ORDER BY serial",
                           NULL, 0, &rows, error);

    if (status)
        return status;
    while ((status = store_next(rows, error)) > 0) {
        status = each(context, store_text(rows, 0));
        if (status)
            break;
    }
    store_rows_free(rows);
    return status;
}
