/*
 * The two files of a recording side by side, each opened once: what was dealt and played, and what
 * must come out of it. Lines belong to the files until the next one is read. ERROR_CONFIG when a
 * file is not there or has a line that cannot be used, ERROR_RIG when reading fails, ERROR_ABORTED
 * after a stop.
 */
#ifndef RIGS_RECORDING_FILES_H
#define RIGS_RECORDING_FILES_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "hal/base/digest.h"
#include "hal/base/error.h"
#include "hal/base/lines.h"
#include "rigs/recording/format.h"

struct recording_file {
    const char *path;
    int fd;
    struct lines *lines;
    struct digest sum; /* of what has been read */
    bool is_summed;    /* it has been read through before: it must be the same this time */
    uint64_t count;    /* of its lines, then */
    char digest[DIGEST_SIZE];
};

struct recording_files {
    char expect_path[PATH_MAX];
    struct recording_file recorded, expected;
};

/*
 * Opens NAME.shoe, whose path stays the caller's, and NAME.expect beside it. When `stop` is not
 * negative and becomes readable, reading ends. recording_files_close() is called if and only if
 * this succeeded.
 */
int recording_files_open(struct recording_files *files, const char *path, int stop,
                         struct error *error);
void recording_files_close(struct recording_files *files);

/*
 * Reads both through, counts their lines, takes their digests and goes back to the beginning. What
 * is read afterwards must be the same: ERROR_CONFIG at the end of a file that was changed since.
 * ERROR_CONFIG also for what can be read only once, such as a pipe.
 */
int recording_files_sum(struct recording_files *files, struct error *error);

/* The first line of the recording. */
int recording_files_header(struct recording_files *files, const struct paytables *paytables,
                           struct recording_header *header, struct error *error);

/* The next line of a file: 1, 0 at its end, or an error that names it. */
int recording_file_next(struct recording_file *file, struct text_line *line, struct error *error);

#endif
