/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The end of a run, for the files of the runner only: what devices still say after the last round,
 * what they are then, and that they have left the test mode that they were put into. What fails is
 * entered into the book; a device that is gone, or cannot be told to leave test mode, is left to
 * runner_finish(), which says why.
 */
#ifndef RIGS_RUN_ENDING_H
#define RIGS_RUN_ENDING_H

#include "rigs/run/loop.h"

/* After the last round: a quiet period, test mode off, STATUS, logs, the ledger and identities. */
void run_ending(struct runner *runner);

/* Before the next recording on the same devices: what they have said since the last round. */
void run_ending_recording(struct runner *runner);

#endif
