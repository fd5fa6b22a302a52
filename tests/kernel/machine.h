/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A shuffler without a data port on gpio-sim: lines button exit ready jam door, and a thread that
 * is the machine and who takes its packets: a press shuffles and deals. The caller keeps the struct
 * from machine_make() to machine_free().
 */
#ifndef TESTS_KERNEL_MACHINE_H
#define TESTS_KERNEL_MACHINE_H

#include <pthread.h>
#include <stdatomic.h>

#include "tests/kernel/sim.h"

#define MACHINE_LABEL "machine"

enum machine_line { MACHINE_BUTTON, MACHINE_EXIT, MACHINE_READY, MACHINE_JAM, MACHINE_DOOR };
#define MACHINE_LINES 5

struct machine {
    struct sim sim;
    pthread_t player;
    atomic_bool stop;
    unsigned packets;    /* that a press brings */
    unsigned jams_at;    /* before that packet, from 1, it jams for a while; 0: never */
    atomic_uint pressed; /* how often the button was */
};

void machine_make(struct machine *machine, unsigned packets, unsigned jams_at);
void machine_free(struct machine *machine);

#endif
