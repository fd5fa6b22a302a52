/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a crew is to play, on what, and for whom; all of it stays the caller's. */
#ifndef TOOLS_RUN_ORDERS_H
#define TOOLS_RUN_ORDERS_H

#include "rigs/recording/list.h"
#include "rigs/rig/rig.h"
#include "tools/page.h"
#include "tools/run/resume.h"
#include "tools/run/show.h"

struct run_orders {
    const struct rig *rig;
    const char *rig_path; /* NULL: the rig that is built in */
    const struct recording_list *recordings;
    const struct recording_place *place; /* of them; NULL: the disk */
    const struct run_survey *surveys;    /* of each of them, or NULL */
    const char *const *command;          /* the command line, for the journal */
    const char *by;                      /* who performs it; NULL: nobody said so */
    const char *journal_path;            /* NULL: none */
    /* For the first line of the journal (rigs/journal/entry.h). */
    const char *shard, *played, *job;
    uint64_t attempt;
    uint64_t repeat;
    uint64_t seed;
    unsigned jobs;
    bool fail_fast;
    bool realtime; /* on a real clock alone */
    /* How a recording is played; NULL: by runner_play_surveyed(). */
    int (*play)(struct runner *runner, const char *path, void *context, struct error *error);
    void *context;
    bool until_stopped; /* the first signal is its normal end, not an interruption */
    struct run_show *show;
    struct run_reports *reports;     /* NULL: none */
    struct page *page;               /* NULL: none */
    struct desk *desk;               /* where people are asked; NULL: nobody is */
    const struct run_resume *resume; /* a run that was cut off and goes on; NULL: a new one */
};

#endif
