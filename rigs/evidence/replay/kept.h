/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a bundle has kept of its run, by the names that the journal has for it: the rig file, the
 * paytables, the recordings and what they are expected to come to. All of it is read out of the
 * archive into nameless files: no path of the journal or of the rig file is opened. The bundle must
 * outlive it.
 */
#ifndef RIGS_EVIDENCE_REPLAY_KEPT_H
#define RIGS_EVIDENCE_REPLAY_KEPT_H

#include "rigs/evidence/sealed.h"
#include "rigs/recording/files.h"
#include "rigs/recording/list.h"
#include "rigs/rig/rig.h"

struct kept_recording {
    const struct manifest_entry *shoe, *expect; /* NULL: there was no copy of it */
};

#define KEPT_PATH_SIZE 32

struct kept {
    const struct sealed *sealed;
    int journal, paytables;            /* nameless files; -1: none */
    int approved[DEVICE_CLASSES];      /* likewise, of each device */
    char journal_path[KEPT_PATH_SIZE]; /* that the journal can be opened by */
    bool has_recordings;               /* the journal names some */
    struct recording_list names;       /* of the recordings, as the journal has them */
    struct kept_recording *recordings; /* of each of them */
    struct recording_place place;      /* where those names are opened */
};

/*
 * Of a bundle that sealed_judge() has found right. ERROR_RIG: nobody can tell. kept_close() is
 * called if and only if this succeeded.
 */
int kept_open(struct kept *kept, const struct sealed *sealed, struct error *error);
void kept_close(struct kept *kept);

/* ERROR_RIG names the first copy of a recording that was withheld or never made. */
int kept_check_recordings(const struct kept *kept, struct error *error);

/*
 * The rig of a run, from the start line of its journal; rig_free() it. `is_own` says that this very
 * build has written the journal: a rig that is built in must be its own then. ERROR_RULE: it is
 * not. ERROR_RIG: the rig or its paytables were withheld, or it needs files that no bundle has.
 */
int kept_rig(struct kept *kept, const struct json_value *start, bool is_own, struct rig **rig,
             struct error *error);

#endif
