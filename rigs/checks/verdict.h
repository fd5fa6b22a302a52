/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Verdicts: what a round or a whole run ends with, from best to worst for a run. Names are those
 * of the journal and the reports. Nothing here allocates or fails.
 */
#ifndef RIGS_CHECKS_VERDICT_H
#define RIGS_CHECKS_VERDICT_H

#include <stdbool.h>

enum verdict {
    VERDICT_SKIPPED, /* not played: filtered out, or the bench lacks what it needs */
    VERDICT_PASS,
    VERDICT_FAIL,    /* a rule or an expectation is broken */
    VERDICT_TIMEOUT, /* a device did not answer in time */
    VERDICT_DEVICE,  /* a device failed */
    VERDICT_RIG,     /* the bench failed */
    VERDICT_ABORTED, /* stopped by a person */
    VERDICT_COUNT
};

const char *verdict_name(enum verdict verdict);

/* False when the name is none of them. */
bool verdict_parse(const char *name, enum verdict *verdict);

/* The verdict of a whole whose parts have these two. */
enum verdict verdict_worse(enum verdict one, enum verdict other);

/* What an error of a device, the bench or a person means; 0 is a pass. */
enum verdict verdict_of_status(int status);

#endif
