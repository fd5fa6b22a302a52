/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/history/pages/pages.h"
#include "rigs/page/markup.h"
#include "rigs/report/report.h"
#include "tools/history/history.h"

struct options {
    struct history_options history;
    bool firmware;
    const char *serial, *output;
};

static void print_difference(const struct history_difference *item)
{
    printf("%-10s ", history_kind_name(item->kind));
    plain_text(stdout, item->what);
    fputs(": ", stdout);
    plain_text(stdout, item->first);
    fputs(" | ", stdout);
    plain_text(stdout, item->second);
    if (item->is_tested)
        printf(": %s, p %.2g",
               history_difference_differs(item) ? "they DIFFER" : "no evidence that they differ",
               item->p);
    putchar('\n');
}

static void print_timed(const struct history_timed *timed)
{
    char first[DURATION_TEXT_SIZE], second[DURATION_TEXT_SIZE];

    printf("%-10s ", "timing");
    plain_text(stdout, timed->name);
    printf("%s: ", timed->by_hand ? " by hand" : "");
    if (!timed->is_tested) {
        printf("%zu | %zu\n", timed->first_count, timed->second_count);
        return;
    }
    printf("%zu with median %s | %zu with median %s: %s, %.0f %% of pairs slower in the second, p "
           "%.2g%s\n",
           timed->first_count, report_duration(timed->first_median, first), timed->second_count,
           report_duration(timed->second_median, second),
           history_timed_differs(timed) ? "they DIFFER" : "no evidence that they differ",
           100 * timed->larger, timed->p, timed->is_exact ? " (exact)" : "");
}

static void print_text(const struct history_side sides[2], const struct history_diff *diff)
{
    char said[HISTORY_SIDE_SIZE];

    for (int i = 0; i < 2; i++) {
        fputs(i ? "second: " : "first:  ", stdout);
        plain_text(stdout, sides[i].label);
        printf(", %s\n", history_side_say(&sides[i], said));
    }
    for (size_t i = 0; i < diff->count; i++)
        print_difference(&diff->items[i]);
    for (size_t i = 0; i < diff->timed_count; i++)
        print_timed(&diff->timed[i]);
    printf("%zu difference%s, %zu of %zu timings differ, %zu recording%s compared\n",
           diff->that_differ, diff->that_differ == 1 ? "" : "s", diff->timed_that_differ,
           diff->timed_count, diff->compared, diff->compared == 1 ? "" : "s");
}

static void print_json_timed(struct json_print *print, const struct history_timed *timed)
{
    json_print_open(print, NULL, "{}");
    json_print_text(print, "name", timed->name);
    json_print_bool(print, "by-hand", timed->by_hand);
    json_print_integer(print, "first-count", (int64_t)timed->first_count);
    json_print_integer(print, "second-count", (int64_t)timed->second_count);
    json_print_integer(print, "first-median", timed->first_median);
    json_print_integer(print, "second-median", timed->second_median);
    if (timed->is_tested) {
        json_print_real(print, "slower-in-second", timed->larger, 6);
        json_print_real(print, "p", timed->p, 6);
        json_print_bool(print, "exact", timed->is_exact);
        json_print_bool(print, "differs", history_timed_differs(timed));
    }
    json_print_close(print, "{}");
}

static void print_json_side(struct json_print *print, const char *key,
                            const struct history_side *side)
{
    json_print_open(print, key, "{}");
    json_print_integer(print, "count", (int64_t)side->count);
    json_print_integer(print, "not-verified", (int64_t)side->unverified);
    json_print_integer(print, "cut-off", (int64_t)side->cut_off);
    json_print_integer(print, "left-out-not-verified", (int64_t)side->left_unverified);
    json_print_integer(print, "left-out-same-lines", (int64_t)side->left_same);
    json_print_close(print, "{}");
}

static void print_json(const struct history_side sides[2], const struct history_diff *diff)
{
    struct json_print print = {.out = stdout};

    json_print_open(&print, NULL, "{}");
    json_print_text(&print, "first", sides[0].label);
    json_print_text(&print, "second", sides[1].label);
    print_json_side(&print, "first-runs", &sides[0]);
    print_json_side(&print, "second-runs", &sides[1]);
    json_print_real(&print, "alpha", HISTORY_DIFF_ALPHA, 6);
    json_print_integer(&print, "recordings-compared", (int64_t)diff->compared);
    json_print_open(&print, "differences", "[]");
    for (size_t i = 0; i < diff->count; i++) {
        json_print_open(&print, NULL, "{}");
        json_print_text(&print, "kind", history_kind_name(diff->items[i].kind));
        json_print_text(&print, "what", diff->items[i].what);
        json_print_text(&print, "first", diff->items[i].first);
        json_print_text(&print, "second", diff->items[i].second);
        if (diff->items[i].is_tested)
            json_print_real(&print, "p", diff->items[i].p, 6);
        json_print_bool(&print, "differs", history_difference_differs(&diff->items[i]));
        json_print_close(&print, "{}");
    }
    json_print_close(&print, "[]");
    json_print_open(&print, "timings", "[]");
    for (size_t i = 0; i < diff->timed_count; i++)
        print_json_timed(&print, &diff->timed[i]);
    json_print_close(&print, "[]");
    json_print_close(&print, "{}");
    putchar('\n');
}

static void print_csv(const struct history_diff *diff)
{
    printf("kind,what,first,second,slower_in_second,p\n");
    for (size_t i = 0; i < diff->count; i++) {
        const struct history_difference *item = &diff->items[i];

        printf("%s,", history_kind_name(item->kind));
        history_print_field(stdout, item->what);
        putchar(',');
        history_print_field(stdout, item->first);
        putchar(',');
        history_print_field(stdout, item->second);
        if (item->is_tested)
            printf(",,%.6g\n", item->p);
        else
            printf(",,\n");
    }
    for (size_t i = 0; i < diff->timed_count; i++) {
        const struct history_timed *timed = &diff->timed[i];

        printf("timing,");
        history_print_field(stdout, timed->name);
        printf(",%" PRId64 ",%" PRId64 ",", timed->first_median, timed->second_median);
        if (timed->is_tested)
            printf("%.6f,%.6g", timed->larger, timed->p);
        else
            putchar(',');
        putchar('\n');
    }
}

static int add_run(void *context, const struct history_found *run)
{
    struct history_side *side = context;
    int64_t *runs = reallocarray(side->runs, side->count + 1, sizeof *runs);

    if (!runs)
        return ERROR_RIG;
    side->runs = runs;
    runs[side->count++] = run->number;
    side->unverified += !run->is_verified;
    side->cut_off += !run->is_complete;
    return 0;
}

/* What nobody can vouch for is no evidence against a firmware, and the same run counts once. */
static int add_evidence(void *context, const struct history_found *run)
{
    struct history_side *side = context;

    side->left_unverified += !run->is_verified;
    side->left_same += run->is_verified && run->is_repeat;
    return run->is_verified && !run->is_repeat ? add_run(side, run) : 0;
}

/* The one run that is meant, or all with that firmware. */
static int find_side(struct store *store, const struct options *options, const char *name,
                     struct history_side *side, struct error *error)
{
    char id[HISTORY_ID_MAX + 1];
    int64_t number;
    int status;

    error_set(error, ERROR_RIG, "no memory for the list of runs");
    if (!options->firmware) {
        status = history_find_id(store, name, id, &number, error);
        snprintf(side->label, sizeof side->label, "run %s", status ? name : id);
        return status ? status
                      : history_find(store, &(struct history_filter){.number = number}, add_run,
                                     side, error);
    }
    side->is_many = true;
    snprintf(side->label, sizeof side->label, "firmware %.40s%s%.60s", name,
             options->serial ? " of " : "", options->serial ? options->serial : "");
    status = history_find(
        store,
        &(struct history_filter){.firmware = name, .serial = options->serial, .journals = true},
        add_evidence, side, error);
    if (!status && !side->count)
        return error_set(error, ERROR_CONFIG, "%s: has no run with %s%s", store_shown(store),
                         side->label, side->left_unverified ? " that verifies" : "");
    return status;
}

static int compare(const struct command *command, struct store *store,
                   const struct options *options, char **names)
{
    struct history_side sides[2] = {{.count = 0}, {.count = 0}};
    struct history_diff diff = {.count = 0};
    struct error error;
    int status = find_side(store, options, names[0], &sides[0], &error);

    if (!status)
        status = find_side(store, options, names[1], &sides[1], &error);
    if (!status)
        status = history_diff(store, sides, &diff, &error);
    if (status)
        status = command_error(command, &error);
    else {
        if (options->history.json)
            print_json(sides, &diff);
        else if (options->history.csv)
            print_csv(&diff);
        else
            print_text(sides, &diff);
        status = diff.that_differ || diff.timed_that_differ ? EXIT_FAIL : EXIT_PASS;
        if (options->output && history_page_diff(options->output, sides, &diff, &error))
            status = command_error(command, &error);
    }
    history_diff_free(&diff);
    free(sides[0].runs);
    free(sides[1].runs);
    return status;
}

static int run_diff(const struct command *command, int argc, char **argv)
{
    struct options options = {.firmware = false};
    struct store *store;
    int status;
    char **names = options_read(command, argc, argv, &options, &status);

    if (!names)
        return status;
    if (!names[0] || !names[1] || names[2])
        return command_usage_error(command, options.firmware
                                                ? "two versions of firmware are compared"
                                                : "two runs are compared");
    if (options.serial && !options.firmware)
        return command_usage_error(command, "--serial is for --firmware");
    status = history_store(command, &options.history, false, &store);
    if (status)
        return status;
    status = compare(command, store, &options, names);
    store_close(store);
    return command_finish(command, status);
}

static const struct option_row rows[] = {
    {"firmware", 0, NULL, "the two names are versions of firmware: compare all runs with them",
     OPTION_INTO(struct options, firmware)},
    {"serial", 0, "SERIAL", "with --firmware: of this machine alone",
     OPTION_INTO(struct options, serial)},
    {"output", 'o', "FILE", "a page of it as well, written whole or not at all",
     OPTION_INTO(struct options, output), .use = OPTION_WRITES},
    {.expand = history_rows},
    OPTIONS_END};

static const struct command diff_command = {
    .name = "history diff",
    .synopsis = "[OPTION]... RUN RUN\n       dealproof history diff --firmware [--serial SERIAL] "
                "VERSION VERSION",
    .summary = "Show what differs between two runs, or two versions of firmware",
    .about =
        "Compares what the devices say of themselves, the checks that failed, what came of the\n"
        "same recordings and how each round was settled, and how long things took. Recordings are\n"
        "the same when their digests are, whatever they are called.\n\n"
        "Timings are compared by ranks (Mann and Whitney), name by name, corrected for all names\n"
        "by Holm: they differ when p is below 0.01. That takes what was measured for independent\n"
        "of each other; a machine that warms up is not.\n\n"
        "With --firmware rates are tested in the same way: the share of a check that failed in\n"
        "each run by ranks, how often a recording passed, and was settled in the usual way, by\n"
        "Fisher's exact test, corrected for all of these.\n",
    .options = rows,
    .help = "Examples:\n"
            "  dealproof history diff 9f2c11d0 4be0a7c1\n"
            "  dealproof history diff --firmware --serial S-1042 2.0 2.1\n\n"
            "Exit status: 0 nothing differs, 1 something does, 2 usage, or no such run, 4 the\n"
            "store failed.\n",
    .run = run_diff,
};
REGISTER(history_commands, diff_command);
