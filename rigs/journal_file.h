/*
 * The file under a journal: lines of JSON, each carrying its number, the digest of the line before
 * and a time, added one by one and whole or not at all. It holds one line while that is being put
 * together in `text`; journal_file_finish() writes it with one write(2). Only rigs/journal.c uses
 * this.
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

struct journal_file {
    int fd;
    bool regular;               /* a file that can be cut and synchronized */
    off_t size;                 /* of the complete lines */
    uint64_t number;            /* of the last one */
    char previous[DIGEST_SIZE]; /* its digest */
    struct json_text text;
    bool broken; /* JSON that was handed in holds a line break */
    char line[LINES_LONGEST + 1];
};

/* Makes the file; ERROR_CONFIG when there is one already, or it cannot be made. */
int journal_file_open(struct journal_file *file, const char *path, struct error *error);
void journal_file_close(struct journal_file *file);

/* The fields that every line begins with; the brace stays open. */
void journal_file_begin(struct journal_file *file, enum journal_kind kind, nanos_t now);

/* JSON of the caller's, without the newline it may end with. */
void journal_file_json(struct journal_file *file, const char *json, size_t length);

/* Closes the brace and writes the line; ERROR_RIG leaves the file as it was. */
int journal_file_finish(struct journal_file *file, struct error *error);

/* Waits until the disk has it. */
int journal_file_sync(const struct journal_file *file, struct error *error);

#endif
