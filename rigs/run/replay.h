/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One round of a recording on its way through the bench. For the files of the runner only. */
#ifndef RIGS_RUN_REPLAY_H
#define RIGS_RUN_REPLAY_H

#include "hal/base/lines.h"
#include "rigs/run/loop.h"

/* A line that has been read, and what is expected of it. */
struct run_replay_lines {
    const struct recording_round *recorded; /* its `keys` are the reader's */
    int status;                             /* of reading it: 0, ERROR_RULE or ERROR_RIG */
    const struct error *why;                /* it cannot be read */
    bool is_numbered;                       /* the number of the turn stands in the line */
    const struct text_line *expected;       /* NULL: the expectation has ended */
};

/* The `play` of a turn whose context is a struct run_replay_lines. */
int run_replay(struct runner *runner, const void *context, struct error *error);

#endif
