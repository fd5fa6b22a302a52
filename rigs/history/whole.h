/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run that was played in shards. Each journal is a row of the store as it was written; the whole
 * is one more, with the sums of the attempts that count: of each shard the last, where those before
 * it proved nothing. Nothing that failed is left out: where journals contradict each other, or are
 * missing, the whole has not passed, and its `why` says so.
 */
#ifndef RIGS_HISTORY_WHOLE_H
#define RIGS_HISTORY_WHOLE_H

#include "rigs/history/put.h"

/* Of the id of a run in shards: the rest is for their numbers. */
#define HISTORY_WHOLE_MAX 44

/*
 * What the run is called that a shard is of: `given`, or what follows from its job and all that its
 * shards have in common; "" where nothing tells which shards belong together.
 */
void history_whole_id(const struct history_run *run, const char *given,
                      char id[HISTORY_ID_MAX + 1]);

/*
 * Makes the line of the whole anew from those of its parts, inside of a transaction of the
 * caller's. Errors as store_do().
 */
int history_whole_sum(struct store *store, int64_t whole, const char *id, const char *imported,
                      struct error *error);

#endif
