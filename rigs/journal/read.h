/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Journals read back, line by line, with their chain checked as they come: a line is handed out
 * only when its number, the digest it carries and the digest the next line carries agree. The
 * reader owns everything it hands out, until its next line. A journal that a crash has cut is read
 * up to its last complete line. rigs/JOURNAL.md describes the lines.
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

struct journal_line {
    uint64_t number;
    enum journal_kind kind;
    nanos_t time;
    const struct json_value *fields;
    const char *text; /* without its newline */
    size_t length;
};

struct journal_reader;

/* "-" is standard input. ERROR_CONFIG when there is no such file. */
int journal_reader_open(const char *path, struct journal_reader **reader, struct error *error);
void journal_reader_close(struct journal_reader *reader);

/*
 * 1 with a line, 0 at the end. ERROR_CONFIG: this is not a journal, or one of a version not known
 * here. ERROR_RULE: the sentence names the first line that was altered, inserted or is missing.
 * ERROR_RIG: reading failed.
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

#endif
