/*
 * The file under a journal: lines of JSON, each carrying its number, the digest of the line before
 * and a time, added one by one and whole or not at all. The line that is being put together is in
 * `text`; journal_file_finish() writes it with one write(2), after the lines that were held back,
 * if any. Only rigs/journal.c uses this.
 */
#ifndef RIGS_JOURNAL_FILE_H
#define RIGS_JOURNAL_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "games/error.h"
#include "rigs/digest.h"
#include "rigs/journal.h"
#include "rigs/json_text.h"
#include "rigs/lines.h"

#define JOURNAL_HELD_SIZE ((size_t)256 * 1024)

struct journal_file {
    int fd;
    bool regular;               /* a file that can be cut and synchronized */
    bool holding;               /* lines wait for journal_file_flush() */
    off_t size;                 /* of the file, always complete lines */
    uint64_t number;            /* of the last line, held or written */
    char previous[DIGEST_SIZE]; /* its digest */
    struct json_text text;
    bool broken; /* JSON that was handed in holds a line break */
    size_t held; /* bytes of complete lines in front of the one in `text` */
    char buffer[JOURNAL_HELD_SIZE + LINES_LONGEST + 1];
};

/* Makes the file; ERROR_CONFIG when there is one already, or it cannot be made. */
int journal_file_open(struct journal_file *file, const char *path, struct error *error);
void journal_file_close(struct journal_file *file);

/* The fields that every line begins with; the brace stays open. */
void journal_file_begin(struct journal_file *file, enum journal_kind kind, nanos_t now);

/* JSON of the caller's, without the newline it may end with. */
void journal_file_json(struct journal_file *file, const char *json, size_t length);

/* Closes the brace and writes or holds the line; after ERROR_RIG it has never been. */
int journal_file_finish(struct journal_file *file, struct error *error);

/* Writes the lines that are held; after ERROR_RIG they still are. */
int journal_file_flush(struct journal_file *file, struct error *error);

/* Waits until the disk has it. */
int journal_file_sync(const struct journal_file *file, struct error *error);

#endif
