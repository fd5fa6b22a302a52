/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The runs of a station, each in a folder whose name is its number: its journal and its reports,
 * what the command has printed, and a recording where one was made. All of it stays when the
 * station has ended, and the next one lists it.
 */
#ifndef TOOLS_STATION_RUNS_H
#define TOOLS_STATION_RUNS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/base/error.h"
#include "rigs/checks/verdict.h"

#define STATION_JOURNAL "run.journal"

/* How a recording came out in a run. */
struct station_result {
    char *path;
    enum verdict verdict; /* the worst of its rounds */
};

/* What the journal of a run says; all empty where there is none. */
struct station_run {
    unsigned number;
    char command[16], started[32];
    bool is_ended; /* it has its last line, with `verdict` */
    enum verdict verdict;
    uint64_t rounds, failed;
    struct station_result *results;
    size_t result_count;
};

struct station_runs {
    char folder[PATH_MAX];
    struct station_run *list; /* by number */
    size_t count;
};

/* Makes the folder unless it is there, and reads what is in it: ERROR_CONFIG when it cannot. */
int station_runs_open(struct station_runs *runs, const char *folder, struct error *error);
void station_runs_free(struct station_runs *runs);

/* Makes the folder of another run. NULL with ERROR_RIG when that fails. */
struct station_run *station_runs_add(struct station_runs *runs, struct error *error);
struct station_run *station_runs_find(const struct station_runs *runs, unsigned number);

/* "FOLDER/3/NAME"; without a name the folder itself. */
void station_runs_path(const struct station_runs *runs, unsigned number, const char *name,
                       char path[PATH_MAX]);

/* What the journal of that run says now; station_run_clear() it, or give it to a list. */
void station_run_read(const struct station_runs *runs, unsigned number, struct station_run *run);
void station_run_clear(struct station_run *run);

/* How a recording came out when it was last played here: "pass"; NULL: it was not. */
const char *station_runs_last(const struct station_runs *runs, const char *path);

#endif
