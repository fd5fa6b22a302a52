/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The journals of one run, read as if it had written a single one: one journal as it is, or those
 * of all its shards, whose recordings come in turn, as the run would have played them. The caller
 * closes what it has opened. For rigs/report/read.c only.
 */
#ifndef RIGS_REPORT_SHARDS_H
#define RIGS_REPORT_SHARDS_H

#include "rigs/journal/read.h"

struct shards;

/*
 * `paths` ends with NULL and may come in any order. ERROR_CONFIG also when they are not all the
 * shards of one run, each once; a single one may be a shard only where a part is asked for. Of a
 * shard that was attempted again because its bench had failed, or the run was cut off, the last
 * attempt counts; one in which a check failed, or all passed, is never left out.
 */
int shards_open(char *const *paths, bool is_partial, struct shards **shards, struct error *error);
void shards_close(struct shards *shards);

/* Of the only journal, before the first line: it ends after so many bytes. */
void shards_limit(struct shards *shards, uint64_t bytes);

/*
 * The next line, as journal_reader_next() gives it; sentences name the journal. First lines of all
 * shards but the first are left out.
 */
int shards_next(struct shards *shards, struct journal_line *line, struct error *error);

/* After the last line, by number from 0; false after the last journal. */
struct shards_journal {
    const char *path;
    const struct json_value *start; /* NULL: it is the only one */
    struct journal_ending ending;
};
bool shards_journal(const struct shards *shards, size_t index, struct shards_journal *journal);

/* An attempt that does not count, in a sentence; false after the last. */
bool shards_left_out(const struct shards *shards, size_t index, char text[ERROR_TEXT_SIZE]);

#endif
