/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What version 2 of the open protocol lets a run see of every device that speaks it; of one of
 * version 1 all of them do nothing. What is told goes to the journal, what is judged to the book.
 */
#ifndef RIGS_RUN_SECOND_H
#define RIGS_RUN_SECOND_H

#include "rigs/run/round.h"

/* From now on vendors and clocks are heard, and not any more. */
void run_second_begin(struct run *run);
void run_second_forget(struct run *run);

/* What a device has done since its counts were looked at. */
void run_second_check(struct run *run, const struct bench_device *device, const struct host *host,
                      const struct host_counts *seen);

/* Challenges and proofs of the terminal's codes, likewise. */
void run_second_check_codes(struct run *run);

/* Says BYE to all of them, after the last round. */
void run_second_end(struct run *run);

#endif
