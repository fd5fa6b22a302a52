/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lines of rounds that a report keeps, for its reader only. Those of the round that is being
 * read are gathered, as many as a sound round has; when it is over they stay where it failed,
 * within reason, or is one of the few others that are shown. What returns false had no memory.
 */
#ifndef RIGS_REPORT_KEPT_H
#define RIGS_REPORT_KEPT_H

#include "rigs/report/report.h"

struct report_gathered {
    char *text; /* the caller's to free */
    size_t length, size;
    unsigned events, checks;
};

void report_gather_nothing(struct report_gathered *gathered);

/* One more line of the round; what there is no room for is counted in it. */
bool report_gather(struct report_gathered *gathered, struct report_round *round,
                   const struct journal_line *line);

/* The last round of the report is over: the `place`th of its recording, from 1. */
bool report_keep(struct report *report, struct report_round *round, size_t place,
                 const struct report_gathered *gathered);

void report_kept_free(struct report_kept *kept);

#endif
