/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a round at an emulated dealer terminal costs in virtual time, driver and model together: a
 * round without a winner, and one with a jackpot approved by the regular keys, each step of which
 * looks at the screen. All events are taken.
 */
#include <stdio.h>
#include <stdlib.h>

#include "devices/terminal/open/model.h"
#include "devices/terminal/terminal.h"
#include "tests/support/bench.h"

#define ROUNDS 2000

struct table {
    struct terminal *terminal;
    bool jackpot;
};

static void must(int ok, const struct error *error)
{
    if (!ok) {
        fprintf(stderr, "bench_terminal: %s\n", error->text);
        exit(EXIT_FAILURE);
    }
}

static struct model *make_model(void *context, const char *name, const char *options,
                                struct error *error)
{
    (void)context;
    (void)name;
    return terminal_model_new(options, error);
}

static void press(struct terminal *terminal, enum terminal_key key)
{
    struct terminal_press pressed = {.key = key};
    struct error error;

    must(terminal_key(terminal, &pressed, &error) == 0, &error);
}

static void play(void *context)
{
    const struct table *table = context;
    struct terminal_approval approval;
    struct terminal_event event;
    struct error error;

    for (unsigned i = 0; i < ROUNDS; i++) {
        int more;

        press(table->terminal, TERMINAL_START_ROUND);
        if (table->jackpot)
            must(terminal_approve(table->terminal, 3, 3, "4711", &approval, &error) == 0, &error);
        press(table->terminal, TERMINAL_END_ROUND);
        while ((more = terminal_next(table->terminal, &event, 0, &error)) > 0)
            ;
        must(more == 0, &error);
    }
}

int main(void)
{
    struct clock clock;
    struct hal hal;
    struct link *link;
    struct error error;
    struct table table = {.jackpot = false};
    double plain, jackpot;

    clock_virtual(&clock, 0);
    must(hal_open(&hal, &clock, &error) == 0, &error);
    hal.make_model = make_model;
    must(link_open(&link, &hal, "emu:terminal", &error) == 0, &error);
    must(terminal_open(&table.terminal, "open", link, &error) == 0, &error);
    must(terminal_sensors(table.terminal, 0x7e, &error) == 0, &error);
    plain = bench_best(5, play, &table);
    table.jackpot = true;
    jackpot = bench_best(5, play, &table);
    bench_title("a round of six wagers at an emulated terminal, virtual time");
    bench_figure("without a winner", plain / ROUNDS * 1e6, "us", 0);
    bench_figure("with a jackpot", jackpot / ROUNDS * 1e6, "us", plain / ROUNDS * 1e6);
    terminal_close(table.terminal);
    link_close(link);
    hal_close(&hal);
    return EXIT_SUCCESS;
}
