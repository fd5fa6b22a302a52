/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a driver costs that is a script: the Flush Rush round of six seats of bench_devices.c in
 * processor time, with the driver of the program, with the script that does the same, and with a
 * script at both ends; and what opening one costs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/model.h"
#include "devices/shuffler/shuffler.h"
#include "tests/support/bench.h"

#define TURNS  20
#define ROUNDS 500
#define OPENS  20
#define SEATS  6

#define EXAMPLES "devices/scripts/examples/"

static void must(int ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "bench_scripts: %s\n", what);
        exit(EXIT_FAILURE);
    }
}

struct table {
    struct clock clock;
    struct hal hal;
    struct link *link;
    const char *script; /* NULL: the driver of the program */
    struct shuffler *shuffler;
};

static void open_shuffler(struct table *table)
{
    const struct device_connection connection = {.link = table->link,
                                                 .address = table->link->address,
                                                 .options = "",
                                                 .script = table->script,
                                                 .seed = 1};
    const struct device_driver *driver =
        device_driver_find(DEVICE_SHUFFLER, table->script ? "script" : "open", NULL);
    struct error error;

    if (device_open((struct device **)&table->shuffler, driver, &connection, &error))
        must(0, error.text);
}

static void open_table(struct table *table, const char *address, const char *script)
{
    clock_virtual(&table->clock, 0);
    must(hal_open(&table->hal, &table->clock, NULL) == 0, "no hal");
    table->hal.make_model = model_make;
    must(link_open(&table->link, &table->hal, address, NULL) == 0, "no link");
    table->script = script;
    open_shuffler(table);
}

static void close_table(struct table *table)
{
    shuffler_close(table->shuffler);
    link_close(table->link);
    hal_close(&table->hal);
}

static void play_round(struct table *table)
{
    struct shuffler_program program = {.count = SEATS + 1};
    struct shuffler_event event;
    unsigned taken = 0;

    memset(program.sizes, 4, program.count);
    must(shuffler_program(table->shuffler, &program, NULL) == 0, "no program");
    must(shuffler_shuffle(table->shuffler, NULL) == 0, "no shuffle");
    must(shuffler_next(table->shuffler, &event, clock_deadline(&table->clock, 60000), NULL) == 1 &&
             event.kind == SHUFFLER_EVENT_SHUFFLED,
         "not shuffled");
    must(shuffler_press(table->shuffler, NULL) == 0, "no button");
    while (taken < SEATS + 1) {
        must(shuffler_next(table->shuffler, &event, clock_deadline(&table->clock, 60000), NULL) ==
                 1,
             "no event");
        taken += event.kind == SHUFFLER_EVENT_TAKEN;
    }
    must(shuffler_return_deck(table->shuffler, NULL) == 0, "no deck");
}

static void play_rounds(void *context)
{
    for (unsigned i = 0; i < ROUNDS; i++)
        play_round(context);
}

/* Microseconds of processor time. */
static double time_round(const char *address, const char *script)
{
    struct table table;
    double micros;

    open_table(&table, address, script);
    play_round(&table);
    micros = bench_best_cpu(TURNS, play_rounds, &table) / ROUNDS * 1e6;
    close_table(&table);
    return micros;
}

static void open_often(void *context)
{
    struct table *table = context;

    for (unsigned i = 0; i < OPENS; i++) {
        shuffler_close(table->shuffler);
        open_shuffler(table);
    }
}

static double time_opening(const char *address, const char *script)
{
    struct table table;
    double micros;

    open_table(&table, address, script);
    micros = bench_best_cpu(TURNS, open_often, &table) / OPENS * 1e6;
    close_table(&table);
    return micros;
}

int main(void)
{
    double own = time_round("emu:shuffler", NULL);

    bench_title("a Flush Rush round of six seats, with its driver as a script");
    bench_figure("the driver of the program", own, "us", 0);
    bench_figure_for("the same protocol as a script",
                     time_round("emu:shuffler", EXAMPLES "open-shuffler.lua"), "us", own,
                     "below 100 us");
    bench_figure("scripts at both ends",
                 time_round("emu:script?file=" EXAMPLES "tally.lua", EXAMPLES "tally.lua"), "us",
                 own);
    bench_title("opening a device");
    own = time_opening("emu:shuffler", NULL);
    bench_figure("the driver of the program", own, "us", 0);
    bench_figure("the same protocol as a script",
                 time_opening("emu:shuffler", EXAMPLES "open-shuffler.lua"), "us", own);
    return EXIT_SUCCESS;
}
