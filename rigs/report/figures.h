/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of a report that grow with its journal: meters, timings, checks. For its reader only. */
#ifndef RIGS_REPORT_FIGURES_H
#define RIGS_REPORT_FIGURES_H

#include "rigs/report/report.h"

/* The meters of a settlement, for the curves of its recording; false without memory. */
bool report_meters_see(struct report *report, const struct json_value *values);

/* One of the timings of a verdict. What people have taken is kept apart from what machines have. */
void report_timing_see(struct report *report, const struct json_value *fields);

/* What became of a check so far; NULL when there are too many. */
struct report_check *report_check_find(struct report *report, const char *name);

/* Checks of the round that is being read, so far. */
struct report_tally {
    int64_t passed, failed, skipped;
};

/*
 * A line of checks. Those of a round are added up by its verdict; those of none, where `round` is
 * NULL, here. False without memory.
 */
bool report_check_see(struct report *report, const struct json_value *fields,
                      struct report_tally *round);

#endif
