/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of a rig under a recording: its limits hold for every recording, its opening meters and
 * its Must Hit for one that does not speak of them. For the files of the runner only.
 */
#ifndef RIGS_RUN_TABLE_H
#define RIGS_RUN_TABLE_H

#include "rigs/recording/format.h"
#include "rigs/rig/rig.h"

/*
 * What the rig says of wagers, meters and Must Hit that the game does not have is for other games.
 * ERROR_CONFIG when a limit or an opening value cannot be.
 */
int run_table_lay(const struct rig *rig, struct recording_header *header, struct error *error);

/*
 * The same for a recording that is to be played. ERROR_CONFIG also when the device that deals like
 * this cannot be told to do so, be it to one seat.
 */
int run_table_apply(const struct rig *rig, struct recording_header *header, struct error *error);

#endif
