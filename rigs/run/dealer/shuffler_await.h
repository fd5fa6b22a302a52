/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RIGS_RUN_DEALER_SHUFFLER_AWAIT_H
#define RIGS_RUN_DEALER_SHUFFLER_AWAIT_H

#include "rigs/run/round.h"

/* What is waited for, and for how long, in milliseconds. */
struct run_shuffler_wait {
    enum shuffler_event_kind kind;
    const char *name; /* for the journal */
    const char *what;
    const char *limit; /* that says so */
    uint64_t patience;
    uint64_t looks_after; /* STATUS is asked then whether it has happened untold; 0: never */
};

/* Whether it can be asked for its state. */
bool run_shuffler_tells_status(const struct run *run);

/* What any event tells, whenever it comes. */
void run_shuffler_see(struct run *run, const struct shuffler_event *event);

/* Waits for one kind of event; faults on the way are cleared. */
int run_shuffler_await(struct run *run, const struct run_shuffler_wait *wait,
                       struct shuffler_event *event, struct error *error);

/* Takes one event for which nobody waits: 1, 0 when none comes until then, or an error. */
int run_shuffler_hear(struct run *run, nanos_t deadline, struct error *error);

#endif
