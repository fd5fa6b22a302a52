/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines out of a file descriptor, in constant memory. The reader owns its buffer, never the
 * descriptors. A line longer than LINES_LONGEST is skipped without being stored and reported as
 * such: a parsed line takes up to fifty times its length, so the limit is what keeps memory small
 * whatever the input; a round of seven seats is below 4 KiB.
 */
#ifndef HAL_BASE_LINES_H
#define HAL_BASE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/base/error.h"

#define LINES_LONGEST ((size_t)64 * 1024)

enum lines_status {
    LINES_END,
    LINES_LINE,
    LINES_LONG, /* too long; the text is how it begins */
    LINES_LATER /* nothing more without waiting */
};

/* Without its newline; valid until the next call. */
struct text_line {
    const char *text;
    size_t length;
    uint64_t number;
    bool complete; /* a newline ended it, not the end of the input */
};

struct lines;

/*
 * Reads `input`. When `stop` is not negative and becomes readable, reading ends with
 * ERROR_ABORTED. Returns NULL when memory is short.
 */
struct lines *lines_new(int input, int stop);
void lines_free(struct lines *lines);

/*
 * The next line: a status, ERROR_RIG when reading fails, or ERROR_ABORTED. Without `wait` only
 * what has been read already is looked at. The last line needs no newline.
 */
int lines_next(struct lines *lines, bool wait, struct text_line *line, struct error *error);

/* From here on `seen` is shown all bytes as they are read, whatever lines they make. */
void lines_watch(struct lines *lines, void (*seen)(void *context, const char *bytes, size_t length),
                 void *context);

/* The input ends after so many bytes, whatever follows them; before the first line is read. */
void lines_limit(struct lines *lines, uint64_t bytes);

/*
 * The input ends with the first line that is too long, which is handed out as complete: of one that
 * never ends no more is read. Before the first line is read.
 */
void lines_end_at_long(struct lines *lines);

/* The same if that is the first of all lines, such as a header, without which the rest is nothing.
 */
void lines_end_at_long_first(struct lines *lines);

/* Goes back to the beginning of the input; false when it cannot be read again. */
bool lines_rewind(struct lines *lines);

/*
 * Opens a file for reading, "-" being standard input; ERROR_CONFIG when there is none or it is a
 * folder, ERROR_RIG when it cannot be read. Never waits: a named pipe without a writer is waited
 * for by lines_next().
 */
int lines_open(const char *path, struct error *error);

/* The same of a file that another one names: a pipe or a device, which may never end, is none. */
int lines_open_named(const char *path, struct error *error);

#endif
