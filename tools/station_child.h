/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A command of this program in a process of its own, so that whatever becomes of it the station
 * stays. It takes orders by --orders, and stops when the station is gone.
 */
#ifndef TOOLS_STATION_CHILD_H
#define TOOLS_STATION_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "hal/base/error.h"

#define STATION_ORDERS "3" /* the descriptor that orders come from */

struct station_child {
    pid_t pid;   /* 0: there is none */
    int ended;   /* readable when it has ended */
    int orders;  /* where they are written */
    int answers; /* its standard input; -1: it reads nothing */
    int said;    /* its standard output; -1: that goes to where its errors go */
};

/*
 * Starts it; what it says goes to `output`, but its standard output to `said` where it `asks`. The
 * operator, where there is one, is the first thing that it is told. ERROR_RIG when that fails.
 */
int station_child_start(struct station_child *child, char *const *arguments, int output, bool asks,
                        const char *by, struct error *error);

/* Writes an order. What is not read any more is left out. */
void station_child_order(const struct station_child *child, const char *order, const char *by);

/* Waits for its end and closes everything: its exit status, or 128 + signal. */
int station_child_end(struct station_child *child);

#endif
