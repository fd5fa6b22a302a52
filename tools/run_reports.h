/*
 * The folder that a run leaves its reports in: journal, text, JUnit XML and page. It is looked at
 * before the first card, so that nothing that is there already is written over, and filled from the
 * journal when the run has ended, however it ended. The caller keeps the struct and its names.
 */
#ifndef TOOLS_RUN_REPORTS_H
#define TOOLS_RUN_REPORTS_H

#include <limits.h>
#include <stdbool.h>

#include "hal/base/error.h"

/* In the order they are named in: the one for people last, where it is seen. */
enum run_report { RUN_REPORT_TEXT, RUN_REPORT_JUNIT, RUN_REPORT_PAGE, RUN_REPORTS };

struct run_reports {
    const char *journal; /* the one that was asked for, or in the folder; NULL: none */
    bool wanted;         /* there is a folder */
    bool written;        /* all of them */
    char own_journal[PATH_MAX];
    char path[RUN_REPORTS][PATH_MAX];
};

/*
 * Makes the folder, unless `folder` is NULL, and names the files. `journal` may be NULL.
 * ERROR_CONFIG when a file is there already or the folder cannot be made.
 */
int run_reports_prepare(struct run_reports *reports, const char *folder, const char *journal,
                        struct error *error);

/* Fills the folder, if there is one; ERROR_RIG says what could not be written. */
int run_reports_write(struct run_reports *reports, struct error *error);

#endif
