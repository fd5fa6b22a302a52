/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What devices say while nothing is played, for the files of the runner only. Nothing of it ends a
 * run: what they fail with is entered into the book.
 */
#ifndef RIGS_RUN_QUIET_H
#define RIGS_RUN_QUIET_H

#include "rigs/run/round.h"

#define RUN_QUIET_SLICE 50 /* milliseconds that all of them are left alone */

/*
 * Of a device that is gone there is nothing to say but that, in the end; neither when somebody has
 * stopped the run, nor of an answer that a damaged line may have swallowed.
 */
bool run_quiet_is_told(const struct bench_device *device, int status);
/* Fails the check with what a request has ended with, if that is to be told. */
void run_quiet_tell(struct run *run, enum check check, const struct bench_device *device,
                    int status, const struct error *error);

/* Takes what all of them have said by now. */
void run_quiet_hear(struct run *run);
/* The same for so long; false when somebody has stopped the run. */
bool run_quiet_pass(struct run *run, uint32_t millis);

#endif
