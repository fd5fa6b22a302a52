/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Journals read back, line by line, and judged as they come: a line is handed out only when its
 * number, the digest it carries and the digest the next line carries agree, and when it contradicts
 * no line before it (rigs/journal/judge.h). All that reads journals reads them here. The reader
 * owns everything it hands out, until its next line. A journal that a crash has cut is read up to
 * its last complete line. rigs/JOURNAL.md describes the lines.
 */
#ifndef RIGS_JOURNAL_READ_H
#define RIGS_JOURNAL_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/base/digest.h"
#include "hal/base/error.h"
#include "hal/base/json.h"
#include "rigs/journal/journal.h"
#include "rigs/journal/judge.h"

struct journal_reader;

/* "-" is standard input. ERROR_CONFIG: there is no such file, ERROR_RIG: it cannot be read. */
int journal_reader_open(const char *path, struct journal_reader **reader, struct error *error);

/* Reads an open file from where it stands; the reader closes it, also when it cannot be made. */
int journal_reader_new(int fd, struct journal_reader **reader, struct error *error);
void journal_reader_close(struct journal_reader *reader);

/* The journal ends after so many bytes, for one that is being written; before the first line. */
void journal_reader_limit(struct journal_reader *reader, uint64_t bytes);

/*
 * 1 with a line, 0 at the end. ERROR_CONFIG: this is not a journal, or one of a version not known
 * here. ERROR_RULE: the sentence names the first line that was altered, inserted or is missing.
 * ERROR_RIG: nobody can tell, since reading failed, memory is short, or a later version has written
 * a line that is not known here.
 */
int journal_reader_next(struct journal_reader *reader, struct journal_line *line,
                        struct error *error);

/* How a journal ends, known after the last line. */
struct journal_ending {
    uint64_t lines;
    bool ended;               /* its last line is an end line, with its seal */
    size_t torn;              /* bytes after the last complete line: what a crash leaves */
    char digest[DIGEST_SIZE]; /* of the last line; kept elsewhere, it proves the whole journal */
};

void journal_reader_ending(const struct journal_reader *reader, struct journal_ending *ending);

/* What the lines so far have come to. */
const struct judge *journal_reader_judge(const struct journal_reader *reader);

#endif
