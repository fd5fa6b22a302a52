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
#include "tools/station/hold.h"

#define STATION_ORDERS "3" /* the descriptor that orders come from */
#define STATION_HOLD   4   /* that which the bench is held by */

struct station_child {
    pid_t pid;  /* 0: there is none */
    int ended;  /* readable when it has ended */
    int orders; /* where they are written */
    int said;   /* its standard output; -1: that goes to where its errors go */
};

/* What is to be started. */
struct station_work {
    char *const *arguments;
    const struct station_hold *hold; /* of the bench, which it holds while it lives */
    int output;                      /* what it says goes there, */
    bool asks;                       /* but its standard output to `said` then */
    bool is_played;                  /* it takes orders; the first ones are who is at the bench */
    const char *operator_name, *by;  /* and who has ordered it. NULL or "": nobody said so */
};

/* ERROR_RIG when it cannot be started, or the bench is used. */
int station_child_start(struct station_child *child, const struct station_work *work,
                        struct error *error);

/*
 * Writes a line of up to PIPE_BUF bytes, or an order, as a whole or not at all. False: what was
 * written before has not been read, and nobody waits for that. What is gone takes everything.
 */
bool station_child_tell(const struct station_child *child, const char *line, size_t length);
bool station_child_order(const struct station_child *child, const char *order, const char *by);

/* Waits for its end and closes everything: its exit status, or 128 + signal. */
int station_child_end(struct station_child *child);

#endif
