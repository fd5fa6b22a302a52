/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A journal that was cut off, by a crash, a power cut or a kill, and is written on in the same
 * chain. journal_cut_read() says how far it goes; who wants to go on compares that with the rig,
 * the recordings and the devices that there are now, and calls journal_resume(). journal_cut_free()
 * gives back what was read.
 */
#ifndef RIGS_JOURNAL_RESUME_H
#define RIGS_JOURNAL_RESUME_H

#include <limits.h>
#include <sys/types.h>
#include <time.h>

#include "rigs/journal/read.h"

/* So much of a torn line is kept. */
#define JOURNAL_TORN_KEPT 1024

struct journal_cut {
    char path[PATH_MAX];
    struct json_value *start; /* its first line */
    struct json_value *devices[JUDGE_DEVICES];
    unsigned device_count;
    struct judge_totals totals;
    struct judge_recording recording; /* the last one that was begun */
    bool is_lost;                     /* a round was open */
    int64_t lost_round;
    uint64_t lost_lines;
    uint64_t lines; /* complete ones, their bytes and the digest of the last */
    off_t size;
    char digest[DIGEST_SIZE];
    size_t torn; /* bytes after them, and how they begin */
    char torn_text[JOURNAL_TORN_KEPT + 1];
    time_t written; /* when the file was last written to */
};

/* Called for each recording line, in their order; not 0 ends the reading. May be NULL. */
typedef int journal_cut_recording(void *context, const struct journal_line *line,
                                  struct error *error);

/*
 * Reads and judges all of it. ERROR_CONFIG: there is nothing to go on with, since it has its end,
 * is in virtual time or is no journal. ERROR_RULE: it was altered. journal_cut_free() in any case.
 */
int journal_cut_read(const char *path, journal_cut_recording *recording, void *context,
                     struct journal_cut *cut, struct error *error);
void journal_cut_free(struct journal_cut *cut);

/* Who goes on, and with what. */
struct journal_resume {
    const char *version; /* of this program */
    const char *by;
    const struct journal_device *devices; /* what they say of themselves now; names are enough */
    size_t device_count;
    const char *const *command; /* the command line, NULL at the end */
};

/*
 * Writes the journal on, beginning with a line that says so, which is on the disk then. A torn line
 * is cut off. Errors as journal_open() and journal_file_resume().
 */
int journal_resume(const struct journal_cut *cut, const struct journal_options *options,
                   const struct journal_resume *resume, struct journal **journal,
                   struct error *error);

#endif
