/*
 * Who plays the recordings of a run: one bench, or several emulated ones side by side, each on a
 * thread of its own, heard in the order of the recordings. What is said and written does not depend
 * on how many there are. The crew opens its benches and its journal and closes them; rig and
 * recordings stay the caller's.
 */
#ifndef TOOLS_RUN_CREW_H
#define TOOLS_RUN_CREW_H

#include "rigs/recording/recordings.h"
#include "rigs/rig/rig.h"
#include "tools/command.h"
#include "tools/run_show.h"

#define RUN_JOBS_MAX 64

struct run_orders {
    const struct rig *rig;
    const char *rig_path; /* NULL: the rig that is built in */
    const struct recordings *recordings;
    const char *const *command; /* the command line, for the journal */
    const char *journal_path;   /* NULL: none */
    uint64_t repeat;
    uint64_t seed;
    unsigned jobs;
    bool fail_fast;
    /* How a recording is played; NULL: by runner_play(). */
    int (*play)(struct runner *runner, const char *path, void *context, struct error *error);
    void *context;
    bool until_stopped; /* the first signal is its end, and nothing is cut short by it */
    struct run_show *show;
    struct run_reports *reports; /* NULL: none */
};

/* Returns the exit status. */
int run_crew(const struct command *command, const struct run_orders *orders);

#endif
