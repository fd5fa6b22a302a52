/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The folder that a run leaves behind, beside its journal and reports: copies of the rig file, the
 * paytables, the recordings and what they are expected to come to, as they were used, of the
 * capture that was written, and what 'dealproof doctor' says of the machine. A folder that has any
 * of these is of an earlier run, and another one beside it is taken. Nothing is kept open.
 */
#ifndef TOOLS_RUN_FOLDER_H
#define TOOLS_RUN_FOLDER_H

#include <limits.h>
#include <stdbool.h>

#include "hal/base/error.h"
#include "rigs/recording/list.h"
#include "rigs/rig/rig.h"
#include "rigs/run/survey.h"

/* "FOLDER/NAME"; false when that is too long. */
bool run_folder_join(char path[PATH_MAX], const char *folder, const char *name);

/*
 * The folder itself, whose name is not empty, or "FOLDER.2" and so on, the first that no run has
 * used, nor takes at this moment, and that is no file; `is_fixed`: the folder itself. It is made,
 * and the copy of the rig file is put there, by which it is this run's. ERROR_CONFIG when the name
 * is too long or no folder's, ERROR_RIG when nothing can be written there.
 */
int run_folder_take(const char *folder, bool is_fixed, const struct rig *rig, char chosen[PATH_MAX],
                    struct error *error);

/* Makes it, and those above it that are missing; ERROR_RIG when that cannot be. */
int run_folder_make(const char *folder, struct error *error);

/*
 * Removes what an earlier run has left there, and nothing else: nothing at all where there is
 * neither a journal of a run nor the rig file and what 'doctor' has said before one.
 */
int run_folder_empty(const char *folder, struct error *error);

/* Whether a path is, also by a link, what run_folder_empty() removes, or in it. */
bool run_folder_holds(const char *folder, const char *path);

/* The same of what this run has put there, and the folder if nothing else is in it. */
void run_folder_drop(const char *folder);

/* What a run uses. */
struct run_used {
    const struct rig *rig;
    const struct recording_list *recordings; /* NULL: none */
    const struct run_survey *surveys;        /* of each of them */
    const struct recording_place *place;     /* where they are; NULL: on the disk */
};

/*
 * Copies all of it but the rig file, which is there. ERROR_CONFIG when a recording is another one
 * than was surveyed, ERROR_RIG when something cannot be written.
 */
int run_folder_keep(const char *folder, const struct run_used *used, struct error *error);

/*
 * The journal of the run, where it was written elsewhere: "FOLDER/run.journal". Nothing is done
 * where it is that very file.
 */
int run_folder_keep_journal(const char *folder, const char *journal, struct error *error);

/* The same of a capture, which only its owner may read. */
int run_folder_keep_capture(const char *folder, const char *capture, struct error *error);

#endif
