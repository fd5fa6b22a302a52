/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table without a recording, played for observe and record: whatever the devices of the rig deal
 * is settled and checked, and record also writes it down.
 */
#ifndef TOOLS_LIVE_TABLE_H
#define TOOLS_LIVE_TABLE_H

#include "tools/live/options.h"

/* The end of --help of both, a string literal. */
#define LIVE_TABLE_STATUS                                                                          \
    "Exit status: 0 all rounds passed, 1 some failed, 2 usage or configuration, 3 a device\n"      \
    "failed, 4 the bench failed, 5 a device did not answer in time, 130 interrupted before\n"      \
    "--rounds were played. An interrupt lets the round end first; a second one cuts it short.\n"

/* As the slot `again` of a command of the two. */
int live_table_again(const struct command *command, int argc, char **argv,
                     const struct command_again *again);

/* Runs a command of the two; with `records` it must be told what to write. */
int live_table_run(const struct command *command, int argc, char **argv, bool records);

#endif
