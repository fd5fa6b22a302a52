/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which recordings a command line means: files as they are named, and every *.shoe below a
 * directory, sorted by path. What is in a directory and would be left out (rigs/recording/stray.h)
 * is refused. A folder where a station keeps its runs, with copies of what was played, is not
 * looked into, and neither is the folder of such copies that 'run --reports' leaves, but where it,
 * or the folder of that run, is named itself. The list owns its paths.
 */
#ifndef RIGS_RECORDING_LIST_H
#define RIGS_RECORDING_LIST_H

#include <stddef.h>

#include "hal/base/error.h"

#define RECORDING_LIST_RUNS    ".station.lock" /* what a station's folder has in it */
#define RECORDING_LIST_COPIES  "recordings"    /* what the folder of copies is called, */
#define RECORDING_LIST_JOURNAL "run.journal"   /* and what it stands beside */

struct recording_list {
    char **paths;
    size_t count;
    char *passed;        /* the first folder of copies that was passed over; NULL: none */
    size_t passed_count; /* how many were */
};

/* `names` ends with NULL. ERROR_CONFIG names what is not there, or holds no recording. */
int recording_list_find(char *const *names, struct recording_list *recordings, struct error *error);

/* The same for a list to choose from, which has in it what would be left out, */
int recording_list_show(char *const *names, struct recording_list *recordings, struct error *error);
/* and what is wrong with a path of it, without the path. */
int recording_list_judge(const char *path, struct error *error);

/* The same for journals, *.journal below a directory, also those of a station. */
int recording_list_journals(char *const *names, struct recording_list *journals,
                            struct error *error);

/* ERROR_CONFIG when two paths are the same file, which would be read twice. */
int recording_list_check_once(const struct recording_list *recordings, struct error *error);

void recording_list_free(struct recording_list *recordings);

#endif
