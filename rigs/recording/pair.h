/*
 * The two files of a recording side by side: what was dealt and played, and what must come out of
 * it. Lines belong to the pair until the next one is read. ERROR_CONFIG when a file is not there or
 * has a line that cannot be used, ERROR_RIG when reading fails.
 */
#ifndef RIGS_RECORDING_PAIR_H
#define RIGS_RECORDING_PAIR_H

#include <limits.h>
#include <stdint.h>

#include "hal/base/error.h"
#include "hal/base/lines.h"
#include "rigs/journal/journal.h"

struct run_pair {
    const char *path; /* of the recording; the caller's */
    char expect_path[PATH_MAX];
    int recording_file, expectation_file;
    struct lines *recording, *expectation;
};

/* run_pair_close() is called if and only if run_pair_open() succeeded. */
int run_pair_open(struct run_pair *pair, const char *path, struct error *error);
void run_pair_close(struct run_pair *pair);

/* The next line of either file: 1, 0 at its end, or an error that names the file. */
int run_pair_recorded(struct run_pair *pair, struct text_line *line, struct error *error);
int run_pair_expected(struct run_pair *pair, struct text_line *line, struct error *error);

/* Says in the journal which files are played, with their digests and the number of rounds. */
int run_pair_enter(const struct run_pair *pair, const char *game, struct journal *journal,
                   struct error *error);

#endif
