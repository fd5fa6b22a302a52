/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lines of a table on gpio-sim, and the table's side of them: bet1 light1 chip1 lamp1 up to the
 * seventh seat. Somebody at the table puts a chip where an actuator tells him to, and the
 * photodiodes see the lamps. The caller keeps the struct from felt_make() to felt_free().
 */
#ifndef TESTS_KERNEL_FELT_H
#define TESTS_KERNEL_FELT_H

#include <pthread.h>
#include <stdatomic.h>

#include "tests/kernel/sim.h"

#define FELT_LABEL "felt"
#define FELT_SEATS 7

enum felt_line { FELT_BET, FELT_LIGHT, FELT_CHIP, FELT_LAMP };
#define FELT_LINES (FELT_SEATS * 4)

struct felt {
    struct sim sim;
    bool is_played;
    pthread_t player;
    atomic_bool stop;
    atomic_uint lit[FELT_SEATS + 1];    /* how often the lamp of a seat went on */
    atomic_uint placed[FELT_SEATS + 1]; /* how often a chip was placed there */
};

void felt_make(struct felt *felt);
void felt_free(struct felt *felt);

/* From now on somebody plays the chips, until felt_rest(). */
void felt_play(struct felt *felt);
void felt_rest(struct felt *felt);

/* By hand: an input is pulled, an output is looked at. Seats count from 1. */
void felt_pull(struct felt *felt, unsigned seat, enum felt_line line, bool up);
bool felt_value(const struct felt *felt, unsigned seat, enum felt_line line);

#endif
