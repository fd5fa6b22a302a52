/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one reader of recordings: a .shoe or .expect file line by line, and the two of them side by
 * side. Lines belong to the file until the next one is read. ERROR_CONFIG when a file is not there
 * or has a line that cannot be used, ERROR_RIG when reading fails or memory is short, ERROR_ABORTED
 * after a stop; every sentence names the file.
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
    const char *name; /* its path, or "standard input" */
    int fd;
    bool is_own; /* the descriptor is closed with it */
    struct lines *lines;
    struct digest sum; /* of what has been read, while that is watched */
    bool is_summed;    /* it has been read through before: it must be the same this time */
    uint64_t count;    /* of its lines, then, */
    uint64_t empty;    /* and the number of the first one with nothing on it, or 0 */
    char digest[DIGEST_SIZE];
};

/*
 * Opens a file, whose path stays the caller's; "-" is standard input. When `stop` is not negative
 * and becomes readable, reading ends; so it does with a first line that is too long, which may
 * never end. recording_file_close() is called if and only if this succeeded.
 */
int recording_file_open(struct recording_file *file, const char *path, int stop,
                        struct error *error);

/* The same from a descriptor that stays the caller's; `name` is for the sentences. */
int recording_file_use(struct recording_file *file, int fd, const char *name, int stop,
                       struct error *error);
void recording_file_close(struct recording_file *file);

/* The first line of a recording. */
int recording_file_header(struct recording_file *file, const struct paytables *paytables,
                          struct recording_header *header, struct error *error);

/* The next line: 1, 0 at the end, or an error; ERROR_CONFIG also for a line that is too long. */
int recording_file_next(struct recording_file *file, struct text_line *line, struct error *error);

/* The same as an enum lines_status: without `wait` LINES_LATER, and LINES_LONG is no error. */
int recording_file_take(struct recording_file *file, bool wait, struct text_line *line,
                        struct error *error);

/* Where files are that are named, if not on the disk: in an archive, say. */
struct recording_place {
    /* A descriptor of a regular file, which the caller closes; or an error. */
    int (*open)(const void *context, const char *path, struct error *error);
    const void *context;
};

/* On the disk, where somebody else has named them: regular files alone, and no link is followed. */
extern const struct recording_place recording_regular_files;

struct recording_files {
    char expect_path[PATH_MAX];
    struct recording_file recorded, expected;
};

/*
 * Opens NAME.shoe and NAME.expect beside it, as recording_file_open() does.
 * recording_files_close() is called if and only if this succeeded.
 */
int recording_files_open(struct recording_files *files, const char *path, int stop,
                         struct error *error);

/* The same in a place; NULL: on the disk. */
int recording_files_open_in(struct recording_files *files, const struct recording_place *place,
                            const char *path, int stop, struct error *error);
void recording_files_close(struct recording_files *files);

/*
 * Reads both through, counts their lines, takes their digests and goes back to the beginning. What
 * is read afterwards must be the same: ERROR_CONFIG at the end of a file that was changed since.
 * ERROR_CONFIG also for what can be read only once, such as a pipe.
 */
int recording_files_sum(struct recording_files *files, struct error *error);

/*
 * They have been read through before, maybe by another handle, and had these digests: what is read
 * must be the same. To be said before anything is read.
 */
void recording_files_expect(struct recording_files *files, const char *digest,
                            const char *expect_digest);

/* Reads what is left of files that have been summed, so that a change is told. */
int recording_files_finish(struct recording_files *files, struct error *error);

#endif
