/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "rigs/history/trend.h"
#include "rigs/page/markup.h"
#include "rigs/report/report.h"
#include "tools/history/history.h"

struct options {
    struct history_options history;
    const char *serial;
};

struct showing {
    const struct options *options;
    struct store *store;
    struct json_print json;
    struct error *error;
    size_t machines, flaky;
};

/* What a store says may be anything, and is shown as words alone. */
static void print_words(const char *before, const char *words)
{
    fputs(before, stdout);
    plain_text(stdout, words);
}

/* A share of rounds, or a duration. */
static const char *say_value(const struct history_series *series, double value,
                             char text[DURATION_TEXT_SIZE])
{
    if (strcmp(series->name, "failures") != 0)
        return report_duration((nanos_t)value, text);
    snprintf(text, DURATION_TEXT_SIZE, "%.2f %%", 100 * value);
    return text;
}

static void print_series(const struct history_machine *machine, const struct history_series *series)
{
    char before[DURATION_TEXT_SIZE], after[DURATION_TEXT_SIZE];

    printf("  ");
    plain_text(stdout, series->name);
    printf(": %zu run%s, the last %s", series->count, series->count == 1 ? "" : "s",
           say_value(series, series->values[series->count - 1], after));
    if (!series->change_count)
        puts(!series->is_enough ? "; too few to show a change" : "; no change of level");
    else
        putchar('\n');
    for (size_t i = 0; i < series->change_count; i++) {
        const struct change *change = &series->changes[i];
        const struct history_point *point = &machine->points[series->points[change->at]];

        print_words("    CHANGE with ", point->date);
        print_words(", run ", point->id);
        printf(": %s -> %s, p %.2g\n", say_value(series, change->before, before),
               say_value(series, change->after, after), change->p);
    }
}

/* Firmware versions in the order in which they came. */
static void print_firmware(const struct history_machine *machine)
{
    for (size_t i = 0; i < machine->count; i++) {
        const struct history_point *point = &machine->points[i];

        if (i && !strcmp(point->firmware, machine->points[i - 1].firmware))
            continue;
        printf("  firmware ");
        plain_text(stdout, *point->firmware ? point->firmware : "-");
        print_words(" from ", point->date);
        puts(" on");
    }
}

static void print_notes(const struct history_machine *machine)
{
    if (machine->hosts > 1)
        printf("  runs of %zu benches, in the order of their own dates\n", machine->hosts);
    if (machine->misdated)
        printf("  %zu run%s dated before one of the same bench that was imported earlier\n",
               machine->misdated, machine->misdated == 1 ? " is" : "s are");
    if (machine->unverified)
        printf("  %zu run%s not verify left out\n", machine->unverified,
               machine->unverified == 1 ? " that does" : "s that do");
    if (machine->repeated)
        printf("  %zu run%s in virtual time with the lines of another left out\n",
               machine->repeated, machine->repeated == 1 ? "" : "s");
}

static void print_jams(const struct history_machine *machine)
{
    if (machine->failed)
        printf("  failed as a device in %zu recording%s, of which %zu %s enough rounds before "
               "that\n",
               machine->failed, machine->failed == 1 ? "" : "s", machine->judged,
               machine->judged == 1 ? "has" : "have");
    for (size_t i = 0; i < machine->jam_count; i++) {
        const struct history_jam *jam = &machine->jams[i];

        print_words("    SLOWED DOWN before it failed: run ", machine->points[jam->point].id);
        printf(", recording %zu, round %" PRId64
               ": %.0f %% of pairs slower in the last rounds, p %.2g\n",
               jam->recording, jam->round, 100 * jam->larger, jam->p);
    }
}

static void print_text(const struct history_machine *machine)
{
    plain_text(stdout, machine->serial);
    printf(": ");
    plain_text(stdout, *machine->name ? machine->name : "device");
    putchar(' ');
    plain_text(stdout, machine->model);
    printf(", %zu run%s", machine->count, machine->count == 1 ? "" : "s");
    if (machine->count) {
        print_words(" from ", machine->points[0].date);
        print_words(" to ", machine->points[machine->count - 1].date);
    }
    putchar('\n');
    print_firmware(machine);
    print_notes(machine);
    for (size_t i = 0; i < machine->series_count; i++)
        print_series(machine, &machine->series[i]);
    print_jams(machine);
}

static void print_json_series(struct json_print *print, const struct history_machine *machine,
                              const struct history_series *series)
{
    json_print_open(print, NULL, "{}");
    json_print_text(print, "name", series->name);
    json_print_open(print, "values", "[]");
    for (size_t i = 0; i < series->count; i++) {
        json_print_open(print, NULL, "{}");
        json_print_text(print, "run", machine->points[series->points[i]].id);
        json_print_real(print, "value", series->values[i], 12);
        json_print_close(print, "{}");
    }
    json_print_close(print, "[]");
    json_print_bool(print, "enough", series->is_enough);
    json_print_open(print, "changes", "[]");
    for (size_t i = 0; i < series->change_count; i++) {
        const struct change *change = &series->changes[i];

        json_print_open(print, NULL, "{}");
        json_print_text(print, "run", machine->points[series->points[change->at]].id);
        json_print_real(print, "before", change->before, 12);
        json_print_real(print, "after", change->after, 12);
        json_print_real(print, "p", change->p, 6);
        json_print_close(print, "{}");
    }
    json_print_close(print, "[]");
    json_print_close(print, "{}");
}

static void print_json_points(struct json_print *print, const struct history_machine *machine)
{
    json_print_open(print, "runs", "[]");
    for (size_t i = 0; i < machine->count; i++) {
        const struct history_point *point = &machine->points[i];

        json_print_open(print, NULL, "{}");
        json_print_text(print, "id", point->id);
        json_print_text(print, "date", point->date);
        json_print_text(print, "host", point->host);
        json_print_text(print, "firmware", *point->firmware ? point->firmware : NULL);
        json_print_close(print, "{}");
    }
    json_print_close(print, "[]");
}

static void print_json(struct json_print *print, const struct history_machine *machine)
{
    json_print_open(print, NULL, "{}");
    json_print_text(print, "serial", machine->serial);
    json_print_text(print, "device", machine->name);
    json_print_text(print, "model", machine->model);
    json_print_integer(print, "unverified", (int64_t)machine->unverified);
    json_print_integer(print, "repeated", (int64_t)machine->repeated);
    json_print_integer(print, "misdated", (int64_t)machine->misdated);
    print_json_points(print, machine);
    json_print_open(print, "series", "[]");
    for (size_t i = 0; i < machine->series_count; i++)
        print_json_series(print, machine, &machine->series[i]);
    json_print_close(print, "[]");
    json_print_open(print, "slowed-down", "[]");
    for (size_t i = 0; i < machine->jam_count; i++) {
        const struct history_jam *jam = &machine->jams[i];

        json_print_open(print, NULL, "{}");
        json_print_text(print, "run", machine->points[jam->point].id);
        json_print_integer(print, "recording", (int64_t)jam->recording);
        json_print_integer(print, "round", jam->round);
        json_print_real(print, "slower", jam->larger, 6);
        json_print_real(print, "p", jam->p, 6);
        json_print_close(print, "{}");
    }
    json_print_close(print, "[]");
    json_print_close(print, "{}");
}

static void print_csv(const struct history_machine *machine)
{
    for (size_t i = 0; i < machine->series_count; i++)
        for (size_t j = 0; j < machine->series[i].count; j++) {
            const struct history_series *series = &machine->series[i];
            const struct history_point *point = &machine->points[series->points[j]];
            const char *const texts[] = {machine->serial, point->firmware, point->date, point->id,
                                         series->name};

            for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
                history_print_field(stdout, texts[k]);
                putchar(',');
            }
            printf("%.12g\n", series->values[j]);
        }
}

static int show_machine(void *context, const char *serial)
{
    struct showing *showing = context;
    struct history_machine machine;
    int status = history_trend(showing->store, serial, &machine, showing->error);

    if (!status && showing->options->history.json)
        print_json(&showing->json, &machine);
    else if (!status && showing->options->history.csv)
        print_csv(&machine);
    else if (!status)
        print_text(&machine);
    showing->machines++;
    history_machine_free(&machine);
    return status;
}

static int show_flaky(void *context, const struct history_flaky *flaky)
{
    struct showing *showing = context;
    struct json_print *print = &showing->json;

    showing->flaky++;
    if (showing->options->history.json) {
        json_print_open(print, NULL, "{}");
        json_print_text(print, "path", flaky->path);
        json_print_text(print, "sha256", flaky->sha256);
        json_print_text(print, "serial", flaky->serial);
        json_print_text(print, "firmware", flaky->firmware);
        json_print_integer(print, "pass", flaky->passed);
        json_print_integer(print, "fail", flaky->failed);
        json_print_close(print, "{}");
        return 0;
    }
    printf("FLAKY: ");
    plain_text(stdout, flaky->path ? flaky->path : "");
    printf(" (%.12s) with ", flaky->sha256);
    plain_text(stdout, flaky->serial);
    printf(", firmware ");
    plain_text(stdout, flaky->firmware ? flaky->firmware : "-");
    printf(": passed %" PRId64 " time%s, did not %" PRId64 "\n", flaky->passed,
           flaky->passed == 1 ? "" : "s", flaky->failed);
    return 0;
}

static int show_all(struct showing *showing)
{
    const struct options *options = showing->options;
    bool is_json = options->history.json;
    int status;

    if (is_json) {
        json_print_open(&showing->json, NULL, "{}");
        json_print_open(&showing->json, "machines", "[]");
    }
    if (options->history.csv)
        printf("serial,firmware,date,run,name,value\n");
    status = options->serial
                 ? show_machine(showing, options->serial)
                 : history_serials(showing->store, show_machine, showing, showing->error);
    if (is_json) {
        json_print_close(&showing->json, "[]");
        json_print_open(&showing->json, "flaky", "[]");
    }
    if (!status && !options->history.csv)
        status =
            history_flaky(showing->store, options->serial, show_flaky, showing, showing->error);
    if (is_json) {
        json_print_close(&showing->json, "[]");
        json_print_close(&showing->json, "{}");
        putchar('\n');
    } else if (!options->history.csv && !status && !showing->flaky) {
        puts("no recording came out both ways with the same devices and firmware");
    }
    return status;
}

static int run_trend(const struct command *command, int argc, char **argv)
{
    struct options options = {.serial = NULL};
    struct error error;
    struct showing showing = {.options = &options, .json = {.out = stdout}, .error = &error};
    int status;
    char **names = options_read(command, argc, argv, &options, &status);

    if (!names)
        return status;
    if (*names)
        return command_usage_error(command,
                                   "'%s': nothing but options is expected; --serial names "
                                   "one machine",
                                   *names);
    status = history_store(command, &options.history, false, &showing.store);
    if (status)
        return status;
    if (show_all(&showing))
        status = command_error(command, &error);
    store_close(showing.store);
    return command_finish(command, status);
}

static const struct option_row rows[] = {
    {"serial", 0, "SERIAL", "of this machine alone", OPTION_INTO(struct options, serial)},
    {.expand = history_rows},
    OPTIONS_END};

static const struct command trend_command = {
    .name = "history trend",
    .synopsis = "[--serial SERIAL] [OPTION]...",
    .summary = "Show how machines change over time, and which recordings are flaky",
    .about =
        "For each machine, run by run: the share of rounds that did not pass and the median of\n"
        "each timing, with the runs where their level changes (Pettitt's test, one significance\n"
        "of 0.01 for all that is said of a machine), and whether its shuffle slowed down in the\n"
        "last ten rounds before it failed. A recording is flaky that passed and did not with the\n"
        "same devices and firmware. Runs that do not verify are left out.\n",
    .options = rows,
    .help = "Examples:\n"
            "  dealproof history trend --serial S-1042\n"
            "  dealproof history trend --json | jq '.flaky'\n\n"
            "Exit status: 0 whatever was found, 2 usage, or no such machine, 4 the store failed.\n",
    .run = run_trend,
};
REGISTER(history_commands, trend_command);
