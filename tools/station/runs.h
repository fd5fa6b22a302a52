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
#include <sys/types.h>

#include "hal/base/error.h"
#include "rigs/checks/verdict.h"

#define STATION_JOURNAL  "run.journal"
#define STATION_RECORDED "recorded.shoe"

/* How a recording came out in a run. */
struct station_result {
    char *path;
    enum verdict verdict; /* the worst of its rounds */
};

/* What the journal of a run says; all empty where there is none. */
struct station_run {
    unsigned number;
    bool is_read; /* what follows is what its journal says, or said when it was read */
    off_t size;   /* of the journal then */
    char command[16], started[32];
    bool is_ended; /* it has its last line, with `verdict` */
    enum verdict verdict;
    uint64_t rounds, failed;
    char *why; /* it ended, where that was said; NULL: it was not */
    struct station_result *results;
    size_t result_count;
};

struct station_runs {
    char folder[PATH_MAX];
    struct station_run *list; /* by number */
    size_t count;
};

/* Makes the folder unless it is there, and finds the runs in it: ERROR_RIG when it cannot. No
   journal is read: there may be years of them. */
int station_runs_open(struct station_runs *runs, const char *folder, struct error *error);
void station_runs_free(struct station_runs *runs);

/* Makes the folder of another run. NULL with ERROR_RIG when that fails. */
struct station_run *station_runs_add(struct station_runs *runs, struct error *error);
/* Takes the last one away again: it could not be begun. */
void station_runs_drop(struct station_runs *runs);
struct station_run *station_runs_find(const struct station_runs *runs, unsigned number);

/* The number that the name of a folder is; 0: none. */
unsigned station_runs_number(const char *name);

/* Its journal, a regular file and no link: a descriptor for reading, or -1. */
int station_runs_journal(const struct station_runs *runs, unsigned number);

/* "FOLDER/3/NAME"; without a name the folder itself. */
void station_runs_path(const struct station_runs *runs, unsigned number, const char *name,
                       char path[PATH_MAX]);

/* Journals that have no end and are not as long as when they were read are to be read again, but
   for that of the run that is being played. */
void station_runs_refresh(struct station_runs *runs, unsigned playing);

/* The newest run whose journal is still to be read for a list of them; 0: none. */
unsigned station_runs_unread(const struct station_runs *runs);

/* What the journal of that run says now; station_run_clear() it, or give it to the list. */
void station_run_read(const struct station_runs *runs, unsigned number, struct station_run *run);
void station_run_clear(struct station_run *run);
void station_runs_keep(struct station_runs *runs, const struct station_run *run);

/* How a recording came out when it was last played here: "pass"; NULL: it was not. */
const char *station_runs_last(const struct station_runs *runs, const char *path);

#endif
