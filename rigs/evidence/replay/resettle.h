/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rounds of a journal judged once more, from the lines that stand in it: what was played must
 * be what the recording has, and a round that passes must have been dealt so, by what the devices
 * told and people answered, must come to its settlement by the rules, to its expectation, and to
 * the meters and jackpots that the terminal told. The devices must be the rig's. So that who forges
 * a verdict has to forge all of these. Needs the rig file and the recordings of the run; what is
 * not there, or is another by now, is left out and counted. Nothing is kept.
 */
#ifndef RIGS_EVIDENCE_REPLAY_RESETTLE_H
#define RIGS_EVIDENCE_REPLAY_RESETTLE_H

#include <stdbool.h>
#include <stdint.h>

#include "hal/base/error.h"
#include "rigs/checks/check.h"
#include "rigs/recording/files.h"
#include "rigs/rig/rig.h"

struct resettled {
    uint64_t recordings; /* that were played */
    bool has_rounds;     /* one of them announces some */
    bool passes;         /* the run did, as its end says */
    uint64_t rounds;     /* that come to what the journal says */
    uint64_t left;       /* that could not be settled again */
    char why[160];     /* of the first of those, or that there are no rounds; "": all are settled */
    uint64_t unjudged; /* set of enum check: passed, as the journal has it, and not judged again */
};

/* The checks that are judged again, so far as events, answers and the settlement show them. */
#define RESETTLE_JUDGES                                                                            \
    (UINT64_C(1) << CHECK_PACKET_SIZE | UINT64_C(1) << CHECK_PACKET_ORDER |                        \
     UINT64_C(1) << CHECK_DEALT_CARDS | UINT64_C(1) << CHECK_CARD_CONSERVATION |                   \
     UINT64_C(1) << CHECK_BURNED_CARDS | UINT64_C(1) << CHECK_DRAWS |                              \
     UINT64_C(1) << CHECK_WAGER_OUTCOME | UINT64_C(1) << CHECK_HAND_NAME |                         \
     UINT64_C(1) << CHECK_DEALER_QUALIFIES | UINT64_C(1) << CHECK_REFUSED_ROUND |                  \
     UINT64_C(1) << CHECK_EXPECTATION | UINT64_C(1) << CHECK_JACKPOTS |                            \
     UINT64_C(1) << CHECK_METER_VALUES)

/*
 * ERROR_RULE names the line that does not follow from those above it, or was altered otherwise;
 * ERROR_RIG: nobody can tell. `rig` is that of the run, `place` where its recordings are; NULL: on
 * the disk, where only regular files are opened and no link is followed.
 */
int resettle_journal(const char *path, const struct rig *rig, const struct recording_place *place,
                     struct resettled *resettled, struct error *error);

#endif
