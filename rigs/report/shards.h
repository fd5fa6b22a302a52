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
 * shards of one run, each once.
 */
int shards_open(char *const *paths, struct shards **shards, struct error *error);
void shards_close(struct shards *shards);

/* Of the only journal, before the first line: it ends after so many bytes. */
void shards_limit(struct shards *shards, uint64_t bytes);

/*
 * The next line, as journal_reader_next() gives it; sentences name the journal. First lines of all
 * shards but the first are left out.
 */
int shards_next(struct shards *shards, struct journal_line *line, struct error *error);

/* After the last line, by number from 0: its path and how it ends; NULL after the last journal. */
const char *shards_ending(const struct shards *shards, size_t index, struct journal_ending *ending);

#endif
