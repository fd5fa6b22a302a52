/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The file under a journal: lines of JSON, each carrying its number, the digest of the line before
 * and a time, added one by one and whole or not at all. The line that is being put together is in
 * `text`; journal_file_finish() writes it with one write(2), after the lines that were held back,
 * if any. A part is lines that have no number and digest yet; they get them when the part joins a
 * file. Until then it keeps them in its buffer and, when that is full, in a nameless file beside
 * the journal. Only rigs/journal/journal.c uses this.
 */
#ifndef RIGS_JOURNAL_FILE_H
#define RIGS_JOURNAL_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "hal/base/digest.h"
#include "hal/base/error.h"
#include "hal/base/json_text.h"
#include "hal/base/lines.h"
#include "hal/clock.h"
#include "rigs/journal/kind.h"

#define JOURNAL_HELD_SIZE ((size_t)256 * 1024)

struct journal_file {
    int fd;       /* -1: a part that has all of its lines in the buffer */
    bool regular; /* a file that can be cut and synchronized */
    bool is_torn; /* a part of a line is at its end and cannot be cut off: no more is written */
    bool is_part;
    bool holding;               /* lines wait for journal_file_flush() */
    off_t size;                 /* of the file, always complete lines */
    off_t joined;               /* of a part: what has joined its journal */
    char path[PATH_MAX];        /* "" of a part */
    char spill[PATH_MAX];       /* where parts make files: a name for mkstemp(3) */
    uint64_t number;            /* of the last line, held or written */
    uint64_t written;           /* of the last line in the file */
    char previous[DIGEST_SIZE]; /* its digest */
    struct json_text text;
    nanos_t time; /* of that line */
    bool broken;  /* JSON that was handed in holds a line break */
    size_t held;  /* bytes of complete lines in front of the one in `text` */
    char buffer[JOURNAL_HELD_SIZE + LINES_LONGEST + 1];
};

/*
 * Makes the file; ERROR_CONFIG when there is one already or a link, ERROR_RIG when it cannot be
 * made.
 */
int journal_file_open(struct journal_file *file, const char *path, struct error *error);
void journal_file_close(struct journal_file *file);

/* Where a journal that was cut off ends. */
struct journal_place {
    const char *path;
    uint64_t lines;     /* complete ones, */
    off_t size;         /* their bytes */
    const char *digest; /* and that of the last of them */
    size_t torn;        /* bytes after them */
};

/*
 * Opens it to be written on, and cuts off what stands behind its last line. ERROR_CONFIG when
 * somebody else writes it or has since it was read, ERROR_RIG when it cannot be written; the file
 * is to be closed in any case.
 */
int journal_file_resume(struct journal_file *file, const struct journal_place *cut,
                        struct error *error);

/* A part of that file's journal. */
void journal_file_part(struct journal_file *part, const struct journal_file *file);

/* Makes a part forget its lines. */
int journal_file_empty(struct journal_file *part, struct error *error);

/*
 * Adds the lines of a part, which is empty afterwards. After ERROR_RIG it has those that are still
 * to be added.
 */
int journal_file_join(struct journal_file *file, struct journal_file *part, struct error *error);

/* The fields that every line begins with; the brace stays open. */
void journal_file_begin(struct journal_file *file, enum journal_kind kind, nanos_t now);

/* JSON of the caller's, without the newline it may end with. */
void journal_file_json(struct journal_file *file, const char *json, size_t length);

/* Whether the buffer of a part may have no room for the next line. */
static inline bool journal_file_is_full(const struct journal_file *file)
{
    return file->held + LINES_LONGEST >= JOURNAL_HELD_SIZE;
}

/* Closes the brace and writes or holds the line; after ERROR_RIG the line is dropped. */
int journal_file_finish(struct journal_file *file, struct error *error);

/* Writes the lines that are held; after ERROR_RIG they are still held. */
int journal_file_flush(struct journal_file *file, struct error *error);

/* Waits until the file is on the disk; and its name. */
int journal_file_sync(const struct journal_file *file, struct error *error);
int journal_file_sync_name(const struct journal_file *file, struct error *error);

#endif
