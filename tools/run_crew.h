/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plays the recordings of a run on one bench, or on several emulated ones side by side, each on a
 * thread of its own. Their results are printed and written in the order of the recordings, so that
 * output and journal do not depend on the number of benches. Benches and journal are opened and
 * closed here; rig and recordings stay the caller's.
 */
#ifndef TOOLS_RUN_CREW_H
#define TOOLS_RUN_CREW_H

#include "rigs/recording/list.h"
#include "rigs/rig/rig.h"
#include "tools/command.h"
#include "tools/page.h"
#include "tools/run_show.h"

#define RUN_JOBS_MAX 64

struct run_orders {
    const struct rig *rig;
    const char *rig_path; /* NULL: the rig that is built in */
    const struct recording_list *recordings;
    const struct run_survey *surveys; /* of each of them, or NULL */
    const char *const *command;       /* the command line, for the journal */
    const char *journal_path;         /* NULL: none */
    uint64_t repeat;
    uint64_t seed;
    unsigned jobs;
    bool fail_fast;
    /* How a recording is played; NULL: by runner_play_surveyed(). */
    int (*play)(struct runner *runner, const char *path, void *context, struct error *error);
    void *context;
    bool until_stopped; /* the first signal is its normal end, not an interruption */
    struct run_show *show;
    struct run_reports *reports; /* NULL: none */
    struct page *page;           /* NULL: none */
};

/* Returns the exit status. */
int run_crew(const struct command *command, const struct run_orders *orders);

#endif
