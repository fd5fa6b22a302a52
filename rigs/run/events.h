/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the devices say while a round is played, as lines of the journal: every event that a driver
 * gives, with the time it happened, under the name that rigs/JOURNAL.md lists. For the files of the
 * runner only. Without a journal nothing is done; a journal that cannot be written is the book's to
 * tell.
 */
#ifndef RIGS_RUN_EVENTS_H
#define RIGS_RUN_EVENTS_H

#include "rigs/run/round.h"

void run_tell_shuffler(struct run *run, const struct shuffler_event *event);
void run_tell_shoe(struct run *run, const struct shoe_event *event);
void run_tell_terminal(struct run *run, const struct terminal_event *event);

/* A key that the rig pressed, and what came of it: 0, or why it was refused. Codes stay secret. */
void run_tell_key(struct run *run, const struct terminal_press *key, int refusal);

/*
 * Wagers move at many seats at once: what is the same at the same time becomes one line. A struct
 * of zeros holds nothing; what it holds last is told with NULL.
 */
struct run_edges {
    enum bet_event_kind kind; /* BET_EVENT_NONE: nothing is held */
    nanos_t time;
    unsigned seats;
};
void run_tell_edge(struct run *run, struct run_edges *held, const struct bet_event *event);

#endif
