/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Going on with a run that was cut off, from its journal: what it was to play, whether rig,
 * recordings and devices are still those, and where it stopped. The caller keeps the struct, which
 * run_resume_free() empties.
 */
#ifndef TOOLS_RUN_RESUME_H
#define TOOLS_RUN_RESUME_H

#include "rigs/bench/bench.h"
#include "rigs/journal/resume.h"
#include "rigs/recording/list.h"
#include "rigs/run/options.h"
#include "rigs/run/survey.h"

struct run_resume {
    struct journal_cut cut;
    int argc;
    char **argv;  /* of the run, from its journal; NULL at the end */
    size_t first; /* recording that is played next, counted over repetitions from 0 */
    bool goes_on; /* with that one, which had been begun */
};

/* Reads the journal: ERROR_CONFIG when nobody could go on with it, ERROR_RULE: it was altered. */
int run_resume_read(struct run_resume *resume, const char *path, struct error *error);
void run_resume_free(struct run_resume *resume);

/* ERROR_CONFIG: the rig, or a recording that was begun, is not what it was. */
int run_resume_check(struct run_resume *resume, const struct rig *rig,
                     const struct recording_list *recordings, const struct run_survey *surveys,
                     uint64_t repeat, struct error *error);

/*
 * What its rounds have come to, once the journal says that it goes on: a round that was lost is
 * none, what was checked in it was checked.
 */
int run_resume_count(const struct run_resume *resume, struct runner_counts *counts,
                     struct error *error);

/* Says on standard error where the run goes on, and what of it was lost. */
void run_resume_tell(const struct run_resume *resume, const struct recording_list *recordings);

/*
 * Enters as skipped, with the reason, what nobody can judge any more, and says so on standard error
 * unless `is_quiet`: what is judged after the last round of a recording, where the run was cut off
 * there, and what only all rounds together show.
 */
int run_resume_skip(const struct run_resume *resume, const struct rig *rig, struct journal *journal,
                    struct runner_counts *counts, bool is_quiet, struct error *error);

/* ERROR_DEVICE: a device is not the one that it was. The line in which a journal tells of one. */
int run_resume_compare(const struct run_resume *resume, const struct journal_device *devices,
                       size_t count, struct error *error);

/* Who the program runs as. */
#define RUN_RESUME_NAME_SIZE 64
const char *run_resume_name(char name[RUN_RESUME_NAME_SIZE]);

#endif
