/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/shuffles/power.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/shuffles/power.h"
#include "rigs/shuffles/theory.h"

#define CONFIDENCE  0.95
#define COUNT_MOST  1000000000
#define THEORY_MOST 100000 /* what a table has time for unless sizes are given */
#define FIRST_SIZE  256

static char *const usual[] = {"uniform",   "riffle:1", "riffle:2",    "riffle:3",    "riffle:4",
                              "riffle:5",  "riffle:6", "riffle:7",    "riffle:8",    "shelf:10",
                              "shelf:20",  "stuck:10", "stuck:100",   "bias:0.5",    "bias:0.1",
                              "bias:0.02", "overhand", "overhand:10", "overhand:20", "moves:50",
                              "slot:0.5",  "slot:0.1", "stick:0.2",   NULL};

/* One line of the table. */
struct row {
    const char *method;
    bool is_uniform;
    uint64_t needed; /* by theory */
    double distance;
    double alpha;
    const struct shuffles_power *cell;
};

static struct shuffles_interval interval_of(const struct row *row)
{
    return shuffles_interval(row->cell->found, row->cell->seeds, CONFIDENCE);
}

/* The interval lies wholly on the wrong side of what is due. */
static bool falls_short(const struct row *row)
{
    struct shuffles_interval interval = interval_of(row);

    if (row->is_uniform)
        return interval.low > row->alpha;
    return row->cell->count >= row->needed && interval.high < SHUFFLES_POWER_DUE;
}

static void put_due(const struct row *row, char due[16])
{
    if (row->is_uniform)
        snprintf(due, 16, "<= %.3f", row->alpha);
    else if (row->cell->count >= row->needed)
        snprintf(due, 16, ">= %.3f", SHUFFLES_POWER_DUE);
    else
        snprintf(due, 16, "-");
}

/* The tests that found it first, the most successful one in front. */
static void put_first(const struct shuffles_power *cell, char text[FIRST_SIZE])
{
    unsigned left[SHUFFLES_RESULTS_MAX];
    size_t used = 0;

    memcpy(left, cell->first, sizeof left);
    text[0] = '\0';
    for (;;) {
        size_t most = 0;

        for (size_t i = 1; i < cell->tests; i++)
            if (left[i] > left[most])
                most = i;
        if (!left[most] || used + 48 > FIRST_SIZE)
            return;
        used += (size_t)snprintf(text + used, FIRST_SIZE - used, "%s%s %u", used ? ", " : "",
                                 cell->name[most], left[most]);
        left[most] = 0;
    }
}

static void print_row(const struct row *row)
{
    const struct shuffles_power *cell = row->cell;
    struct shuffles_interval interval = interval_of(row);
    char due[16], distance[16] = "-", needed[24] = "-", first[FIRST_SIZE];

    put_due(row, due);
    put_first(cell, first);
    if (row->needed != SHUFFLES_THEORY_NEVER)
        snprintf(needed, sizeof needed, "%" PRIu64, row->needed);
    if (!isnan(row->distance))
        snprintf(distance, sizeof distance, "%.3f", row->distance);
    printf("%-13s %8s %9" PRIu64 " %9s %6u %8u  %.3f  %.3f to %.3f  %-8s %s%s\n", row->method,
           distance, cell->count, needed, cell->found, cell->too_few,
           (double)cell->found / (double)cell->seeds, interval.low, interval.high, due,
           *first ? first : "-", falls_short(row) ? "  FALLS SHORT" : "");
}

static void print_json(const struct row *row)
{
    const struct shuffles_power *cell = row->cell;
    struct shuffles_interval interval = interval_of(row);
    const char *comma = "";

    printf("{\"method\":\"%s\",\"shuffles\":%" PRIu64 ",\"seeds\":%u,\"found\":%u,"
           "\"too-few\":%u,\"share\":%.6f,\"low\":%.6f,\"high\":%.6f,\"falls-short\":%s",
           row->method, cell->count, cell->seeds, cell->found, cell->too_few,
           (double)cell->found / (double)cell->seeds, interval.low, interval.high,
           falls_short(row) ? "true" : "false");
    if (row->needed != SHUFFLES_THEORY_NEVER)
        printf(",\"theory\":%" PRIu64, row->needed);
    if (!isnan(row->distance))
        printf(",\"distance\":%.6f", row->distance);
    printf(",\"first\":{");
    for (size_t i = 0; i < cell->tests; i++)
        if (cell->first[i]) {
            printf("%s\"%s\":%u", comma, cell->name[i], cell->first[i]);
            comma = ",";
        }
    printf("}}\n");
}

static void add_size(struct shuffles_power *cells, size_t *count, uint64_t size)
{
    if (size && (!*count || size > cells[*count - 1].count))
        cells[(*count)++].count = size;
}

/* The sizes that were asked for, or those around what theory needs. */
static size_t choose_sizes(const struct power_orders *orders, uint64_t needed,
                           struct shuffles_power cells[POWER_SIZES_MAX])
{
    static const uint64_t round[] = {10, 100, 1000};
    size_t count = 0;

    for (size_t i = 0; i < orders->size_count; i++)
        add_size(cells, &count, orders->sizes[i]);
    if (count)
        return count;
    if (needed > THEORY_MOST) {
        for (size_t i = 0; i < sizeof round / sizeof round[0]; i++)
            add_size(cells, &count, round[i]);
        return count;
    }
    add_size(cells, &count, needed / 4);
    add_size(cells, &count, needed);
    add_size(cells, &count, needed * 4);
    return count;
}

/* Of a method that can be read: EXIT_PASS, EXIT_FAIL when it falls short, or another status. */
static int print_method(const struct command *command, const struct power_orders *orders,
                        const char *text)
{
    struct shuffles_power cells[POWER_SIZES_MAX];
    struct row row = {.method = text, .alpha = orders->alpha};
    struct shuffle_method method;
    struct error error;
    size_t count;
    int status = EXIT_PASS;

    shuffle_method_parse(text, strlen(text), &method, NULL);
    row.is_uniform = method.kind == SHUFFLE_UNIFORM;
    row.distance = shuffles_theory_distance(&method);
    if (shuffles_power_needed(&method, orders->alpha, &row.needed, &error))
        return command_error(command, &error);
    count = choose_sizes(orders, row.needed, cells);
    if (shuffles_power(&method, orders->seed, orders->seeds, orders->alpha, cells, count, &error))
        return command_error(command, &error);
    for (size_t i = 0; i < count; i++) {
        row.cell = &cells[i];
        (orders->json ? print_json : print_row)(&row);
        if (falls_short(&row))
            status = EXIT_FAIL;
    }
    fflush(stdout);
    return status;
}

int power_print(const struct command *command, const struct power_orders *orders)
{
    char *const *methods = *orders->methods ? orders->methods : usual;
    struct shuffle_method method;
    struct error error;
    int status = EXIT_PASS;

    for (size_t i = 0; methods[i]; i++)
        if (shuffle_method_parse(methods[i], strlen(methods[i]), &method, &error))
            return command_usage_error(command, "%s", error.text);
    if (!orders->json)
        printf("evidence at alpha %g in %u seeds from %" PRIu64
               "\n%-13s %8s %9s %9s %6s %8s  %-5s  "
               "%-14s  %-8s %s\n",
               orders->alpha, orders->seeds, orders->seed, "method", "distance", "shuffles",
               "theory", "found", "too few", "share", "95 % interval", "due", "found first by");
    for (; *methods; methods++) {
        int one = print_method(command, orders, *methods);

        if (one > EXIT_FAIL)
            return one;
        status = one ? one : status;
    }
    return command_finish(command, status);
}

int power_read_sizes(const char *text, struct power_orders *orders, struct error *error)
{
    const char *at = text;

    orders->size_count = 0;
    for (;;) {
        char *end;
        unsigned long long size;

        errno = 0;
        size = strtoull(at, &end, 10);
        if (*at < '0' || *at > '9' || (*end && *end != ',') || errno || !size ||
            size > COUNT_MOST || orders->size_count == POWER_SIZES_MAX ||
            (orders->size_count && size <= orders->sizes[orders->size_count - 1]))
            return error_set(error, ERROR_CONFIG,
                             "--count is '%s'; with --power it is up to %d numbers of shuffles "
                             "that ascend, as in 10,100,1000",
                             text, POWER_SIZES_MAX);
        orders->sizes[orders->size_count++] = size;
        if (!*end)
            return 0;
        at = end + 1;
    }
}
