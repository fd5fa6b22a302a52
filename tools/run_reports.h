/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The folder that a run leaves its journal in, and a report in every format. It is looked at before
 * the first card, so that nothing that is there already is written over, and filled from the
 * journal when the run has ended, however it ended. The caller keeps the struct and the names that
 * it was given.
 */
#ifndef TOOLS_RUN_REPORTS_H
#define TOOLS_RUN_REPORTS_H

#include <limits.h>
#include <stdbool.h>

#include "hal/base/error.h"
#include "rigs/report/format.h"

struct run_reports {
    const char *journal; /* the one that was asked for, or in the folder; NULL: none */
    const char *folder;  /* NULL: no reports are wanted */
    bool written;        /* all of them */
    char own_journal[PATH_MAX];
};

/*
 * Makes the folder, unless `folder` is NULL, and names the journal. `journal` may be NULL.
 * ERROR_CONFIG when a file is there already or the folder cannot be made.
 */
int run_reports_prepare(struct run_reports *reports, const char *folder, const char *journal,
                        struct error *error);

/* The file of one format in the folder. */
void run_reports_path(const struct run_reports *reports, const struct report_format *format,
                      char path[PATH_MAX]);

/* Fills the folder, if there is one; ERROR_RIG says what could not be written. */
int run_reports_write(struct run_reports *reports, struct error *error);

#endif
