/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/kernel/machine.h"

#include <string.h>

/* Milliseconds. The outputs of gpio-sim can only be asked for. */
#define LOOK_EVERY 2
#define SHUFFLES   100
#define MOVES      100
#define LIES       100

static const char *const names[MACHINE_LINES] = {"button", "exit", "ready", "jam", "door"};

static void pulse(const struct machine *machine, enum machine_line line, unsigned millis)
{
    sim_pull(&machine->sim, line, true);
    guest_sleep(millis);
    sim_pull(&machine->sim, line, false);
}

static void deal(const struct machine *machine)
{
    guest_sleep(SHUFFLES);
    pulse(machine, MACHINE_READY, MOVES);
    for (unsigned i = 1; i <= machine->packets; i++) {
        if (i == machine->jams_at)
            pulse(machine, MACHINE_JAM, MOVES);
        guest_sleep(MOVES);
        pulse(machine, MACHINE_EXIT, LIES);
    }
}

static void *play(void *context)
{
    struct machine *machine = context;
    bool was = false;

    while (!atomic_load(&machine->stop)) {
        bool is = sim_value(&machine->sim, MACHINE_BUTTON);

        if (was && !is) {
            atomic_fetch_add(&machine->pressed, 1);
            deal(machine);
        }
        was = is;
        guest_sleep(LOOK_EVERY);
    }
    return NULL;
}

void machine_make(struct machine *machine, unsigned packets, unsigned jams_at)
{
    memset(machine, 0, sizeof *machine);
    machine->packets = packets;
    machine->jams_at = jams_at;
    sim_make(&machine->sim, MACHINE_LABEL, names, MACHINE_LINES);
    if (pthread_create(&machine->player, NULL, play, machine))
        guest_die("nobody is the machine: no thread");
}

void machine_free(struct machine *machine)
{
    atomic_store(&machine->stop, true);
    pthread_join(machine->player, NULL);
    sim_free(&machine->sim);
}
