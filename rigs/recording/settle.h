/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Settles a recording: lines of a .shoe in, lines of an .expect out, in one pass, in order and in
 * constant memory. Rounds are read and settled on several threads; the meters, which live from
 * one round to the next, pass from batch to batch in order, so that the output is the same to the
 * byte whatever the number of threads. A round that cannot be settled becomes an error line and a
 * complaint, leaves the meters alone, and the rest goes on.
 */
#ifndef RIGS_RECORDING_SETTLE_H
#define RIGS_RECORDING_SETTLE_H

#include <stddef.h>
#include <stdint.h>

#include "hal/base/error.h"
#include "rigs/recording/files.h"
#include "rigs/recording/paytables.h"

#define SETTLE_JOBS_MAX 64

/* What is said of the table beside the recording; `apply` completes a header that was read. */
struct settle_table {
    const void *context;
    unsigned seats;
    int (*apply)(const void *context, struct recording_header *header, struct error *error);
};

struct settle_job {
    struct recording_file *input; /* from its beginning */
    unsigned jobs;                /* threads, 1 … SETTLE_JOBS_MAX; with 1 none is started */
    const struct paytables *paytables;
    const struct settle_table *table; /* NULL: the recording says all */
    /*
     * Both are called by one thread at a time, in the order of the rounds, though not by the same
     * one. `write` gets whole lines; what it fails with ends the job. `complain` may be NULL.
     */
    void *context;
    int (*write)(void *context, const char *lines, size_t length, struct error *error);
    void (*complain)(void *context, const char *sentence);
};

struct settle_count {
    uint64_t rounds; /* settled or not */
    uint64_t errors; /* those that could not be settled */
};

/*
 * Returns 0 when every line has been dealt with, whatever `count` says of errors; ERROR_CONFIG
 * when the header cannot be used, or a round is played at a seat that the table has not; ERROR_RIG
 * when reading, writing or memory fails; ERROR_ABORTED after the stop of the input, everything that
 * was read having been written.
 */
int settle_run(const struct settle_job *job, struct settle_count *count, struct error *error);

#endif
