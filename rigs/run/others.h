/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Devices of the open protocol that neither deal nor play in a recording. Nothing is asked of them
 * but how they are, so nothing may happen to them but a loss of power, and another deck in a shoe.
 * For the files of the runner only.
 */
#ifndef RIGS_RUN_OTHERS_H
#define RIGS_RUN_OTHERS_H

#include "rigs/run/round.h"

/* Before the first round of a recording: takes what they said by now, and how they are. */
int run_others_start(struct run *run, struct error *error);

/* After the last one, before any of them is told to leave test mode: they are as they were. */
void run_others_check(struct run *run);

#endif
