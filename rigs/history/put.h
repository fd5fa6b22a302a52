/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run put into a store, row by row, inside of a transaction of the caller's. Keeps nothing. */
#ifndef RIGS_HISTORY_PUT_H
#define RIGS_HISTORY_PUT_H

#include "rigs/history/run.h"
#include "rigs/history/store/store.h"

/* What the store has of a run beside what its journal tells. */
struct history_entry {
    const char *id, *source, *host;
    const char *date, *dated_by; /* "journal", or "file": when that was last written */
    const char *imported;        /* a date */
    int64_t whole;               /* of a shard: the number of its run; 0: it has none here */
};

/* Its line alone, with `recordings` as their number. */
int history_put_line(struct store *store, int64_t number, const struct history_run *run,
                     size_t recordings, const struct history_entry *entry, struct error *error);

/* As the run of that number, which there must not be. Errors as store_do(). */
int history_put(struct store *store, int64_t number, const struct history_run *run,
                const struct history_entry *entry, struct error *error);

#endif
