/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How devices are left after the last round, for the files of the runner only: out of the test mode
 * that they were put into, and otherwise as the round has left them. What fails is entered into the
 * book.
 */
#ifndef RIGS_RUN_LEAVE_H
#define RIGS_RUN_LEAVE_H

#include "rigs/run/loop.h"

/* What the terminal is by its status, and its meters, if the last round has passed. */
void run_leave_check_terminal(struct runner *runner, const char *when);

/*
 * Takes each device out of test mode, and looks whether it is. Of a run that was cut off, not
 * `is_whole`, devices may still be on their way, and nothing else is looked at.
 */
void run_leave_test_mode(struct runner *runner, bool is_whole);

#endif
