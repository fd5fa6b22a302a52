/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plays the recordings of a run on one bench, or on several emulated ones side by side, each on a
 * thread of its own. Their results are printed and written in the order of the recordings, so that
 * output and journal do not depend on the number of benches. Benches and journal are opened and
 * closed here; rig and recordings stay the caller's.
 */
#ifndef TOOLS_RUN_CREW_H
#define TOOLS_RUN_CREW_H

#include "tools/command.h"
#include "tools/run/orders.h"

#define RUN_JOBS_MAX 64

/* Returns the exit status. */
int run_crew(const struct command *command, const struct run_orders *orders);

#endif
