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

/*
 * Whether a round can be played at the table: it has its seats, and the device that deals can be
 * told what these seats may take, which is before anybody decides. ERROR_CONFIG names the round;
 * one that the rules refuse, or that is void before its first card, is dealt by none.
 */
int run_table_check_round(const struct rig *rig, const struct recording_header *header,
                          const struct recording_round *recorded, struct error *error);

/* Whether that is so of every round, whichever seats it is played at. */
bool run_table_takes_all(const struct rig *rig, const struct recording_header *header);

#endif
