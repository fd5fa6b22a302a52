/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One run of a recording on a fresh emulated bench, with defects on purpose, and what came of it:
 * verdicts, failed checks, and whether every round that passed did so with the right data. The
 * last is found in the journal of the run, by comparing it with the files, not by asking the
 * runner. Everything belongs to the helper but what is in the struct.
 */
#ifndef TESTS_SUPPORT_LIES_CAMPAIGN_H
#define TESTS_SUPPORT_LIES_CAMPAIGN_H

#include "rigs/run/runner.h"

struct campaign_run {
    const char *path;     /* of the recording */
    unsigned rounds;      /* that are played of it at most; 0: all */
    const char *rig_path; /* NULL: the default rig */
    enum device_class slot;
    const char *defect; /* NULL: none */
    uint64_t seed;
};

struct campaign_result {
    int status; /* of the run */
    struct error error;
    struct runner_counts counts;
    enum verdict worst;
    char why[ERROR_TEXT_SIZE]; /* of the worst round */
    const char *first;         /* check that failed; NULL: none */
    unsigned rounds;           /* of the recording that was played */
    bool has_shown;            /* the defect has made a difference */
    unsigned wrong_pass;       /* rounds that passed although the journal holds other data */
    unsigned retries;          /* that the journal holds */
};

/* A failed assertion when it cannot be tried at all. */
void campaign_play(const struct campaign_run *run, struct campaign_result *result);

/* One line for a person: what was done and what came of it. */
void campaign_print(const struct campaign_run *run, const struct campaign_result *result);

#endif
