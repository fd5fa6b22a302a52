/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Is a journal what was written? All that its reader judges (rigs/journal/judge.h), and the files
 * it names against the digests it carries. Nothing is kept; files are opened as the journal names
 * them, from the current directory, and only regular ones (hal/base/regular.h).
 */
#ifndef RIGS_JOURNAL_VERIFY_H
#define RIGS_JOURNAL_VERIFY_H

#include "rigs/journal/read.h"

enum journal_file_state {
    JOURNAL_FILE_SAME,
    JOURNAL_FILE_DIFFERS,
    JOURNAL_FILE_MISSING,
    JOURNAL_FILE_OTHER,      /* no regular file, or a link */
    JOURNAL_FILE_UNREADABLE, /* nobody can tell */
    JOURNAL_FILE_STATES
};

struct journal_verify {
    const char *digest; /* what the last line's must be, or NULL */
    void *context;
    /* Called for every file that the journal names. May be NULL. */
    void (*file)(void *context, const char *path, enum journal_file_state state);
};

struct journal_verified {
    struct journal_ending ending;
    uint64_t rounds;                     /* but for those that were lost and played again */
    uint64_t resumed;                    /* times that the run was cut off and went on */
    uint64_t files[JOURNAL_FILE_STATES]; /* how many of those that it names are so */
};

/*
 * 0 when the journal is intact, whatever became of the files; else as journal_reader_next(). What
 * was seen up to there is in `verified`.
 */
int journal_verify(const char *path, const struct journal_verify *verify,
                   struct journal_verified *verified, struct error *error);

#endif
