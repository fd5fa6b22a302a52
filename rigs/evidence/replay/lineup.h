/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The devices of a journal against those of the rig file whose digest it has: the same, with the
 * driver and the address that the file gives them, held to its limits. For rigs/evidence only.
 */
#ifndef RIGS_EVIDENCE_REPLAY_LINEUP_H
#define RIGS_EVIDENCE_REPLAY_LINEUP_H

#include "rigs/journal/judge.h"
#include "rigs/rig/rig.h"

struct lineup {
    unsigned due; /* set of enum device_class: those that have no line yet */
};

void lineup_begin(struct lineup *lineup, const struct rig *rig);

/* ERROR_RULE: the rig has no such device, or another one. */
int lineup_take(struct lineup *lineup, const struct rig *rig, const struct journal_line *line,
                struct error *error);

/* Whether all have a line. */
bool lineup_is_whole(const struct lineup *lineup);

/* Whether the limits of a verdict's timings are the rig's. */
bool lineup_has_limits(const struct rig *rig, const struct json_value *verdict);

#endif
