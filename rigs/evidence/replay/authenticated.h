/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What devices told of their software, as a journal has it, held once more against the digests that
 * the rig file names as approved. That it does not contradict itself the reader of journals has
 * seen to. For rigs/evidence/replay/resettle.c only; nothing is kept.
 */
#ifndef RIGS_EVIDENCE_REPLAY_AUTHENTICATED_H
#define RIGS_EVIDENCE_REPLAY_AUTHENTICATED_H

#include "rigs/journal/read.h"
#include "rigs/rig/rig.h"

struct authenticated {
    unsigned due;     /* set of classes whose devices are asked */
    unsigned begun;   /* those that were before the first card, */
    unsigned ended;   /* and those that were after the last one */
    unsigned again;   /* those that were since this round began, not for the first time */
    unsigned unasked; /* those that came back and were not */
    bool has_dealt;   /* a card came */
    bool is_cut;      /* a line had no room for all components */
};

void authenticated_begin(struct authenticated *told, const struct rig *rig);

/*
 * The next line. ERROR_RULE when it is not what the approved digests make of it, ERROR_CONFIG or
 * ERROR_RIG when those cannot be read.
 */
int authenticated_see(struct authenticated *told, const struct rig *rig,
                      const struct journal_line *line, struct error *error);

#endif
