/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What came of one check at one place: a plain value, whose texts are the caller's. The journal
 * writes it, the book counts it.
 */
#ifndef RIGS_CHECKS_RESULT_H
#define RIGS_CHECKS_RESULT_H

enum check_outcome { CHECK_PASS, CHECK_FAIL, CHECK_SKIPPED };

/* Values are JSON, copied as they stand; what does not apply is NULL or 0. */
struct check_result {
    const char *name; /* of the check: "wager-outcome" */
    enum check_outcome outcome;
    unsigned seat;
    const char *wager;
    const char *expected;
    const char *got;
    const char *recording, *engine, *device; /* what each witness says */
    const char *why;                         /* a sentence */
    const char *witness; /* who has read what `device` says, "operator"; NULL: the device itself */
};

#endif
