/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The folder that a run leaves its journal in, a report in every format, and what it was played
 * with (tools/run/folder.h). It is chosen before the first card, so that nothing of an earlier run
 * is written over, and filled from the journal when the run has ended, however it ended. The caller
 * keeps the struct and the names that it was given.
 */
#ifndef TOOLS_RUN_REPORTS_H
#define TOOLS_RUN_REPORTS_H

#include <limits.h>
#include <stdbool.h>

#include "hal/base/error.h"
#include "rigs/report/format.h"
#include "tools/run/folder.h"

struct run_reports {
    const char *journal; /* the one that was asked for, or in the folder; NULL: none */
    const char *folder;  /* NULL: no reports are wanted */
    bool written;        /* all of them */
    bool is_elsewhere;   /* the journal is not in the folder, and a copy will be */
    const char *capture; /* of the links, that the run has written; NULL: none */
    char own_journal[PATH_MAX];
    char chosen[PATH_MAX]; /* the folder that was named, or one beside it */
};

struct run_reports_asked {
    const char *folder;  /* NULL: no reports are wanted */
    const char *journal; /* NULL: in the folder */
    bool force;          /* that folder and no other: it has been emptied */
};

/*
 * Makes the folder, or another one beside it where an earlier run has used that, names the journal
 * and copies what the run uses. ERROR_CONFIG when a journal that was named is there already or the
 * folder cannot be made.
 */
int run_reports_prepare(struct run_reports *reports, const struct run_reports_asked *asked,
                        const struct run_used *used, struct error *error);

/* The same of a run that goes on: what is there is of that run. */
void run_reports_resume(struct run_reports *reports, const char *folder, const char *journal);

/* What was put into the folder, and the folder, go again where the run has no journal. */
void run_reports_leave(struct run_reports *reports);

/* The file of one format in the folder. */
void run_reports_path(const struct run_reports *reports, const struct report_format *format,
                      char path[PATH_MAX]);

/* Fills the folder, if there is one; ERROR_RIG says what could not be written. */
int run_reports_write(struct run_reports *reports, struct error *error);

#endif
