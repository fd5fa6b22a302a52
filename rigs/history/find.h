/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs of a history, looked for by what they have. What is handed out is the store's until the
 * function that it is given to returns.
 */
#ifndef RIGS_HISTORY_FIND_H
#define RIGS_HISTORY_FIND_H

#include "rigs/history/run.h"
#include "rigs/history/store/store.h"

/* What is NULL is not asked for; all others must hold. */
struct history_filter {
    const char *id;            /* the whole of it */
    const char *serial;        /* of a device */
    const char *firmware;      /* of a device: of that with the serial, if that is asked for too */
    const char *rig;           /* a part of the path of the rig file, in capitals or not */
    const char *check;         /* that failed */
    const char *verdict;       /* of the run, or "cut off" */
    const char *since, *until; /* dates, each with the day or the second itself */
    const char *operator;      /* who performed it */
    int64_t number;            /* 0: any */
    int64_t whole;             /* the shards of this run, by number; 0: any */
    bool journals;             /* each by itself: shards, not the runs that they are of */
};

/* Of one run, that are handed out. */
#define HISTORY_PERFORMERS 64

/* A run without its end has not passed: its verdict is "cut off", unless something had failed. */
struct history_found {
    int64_t number;
    const char *id, *source, *digest, *problem, *clock, *date, *dated_by, *imported, *host;
    const char *version, *build, *rig, *rig_sha256, *seed, *command, *verdict, *why;
    const char *job; /* of a shard, or of a run that was played in shards; NULL: not told */
    int64_t part, parts, attempt; /* of a shard; `part` is 0 of the run, and both of a usual one */
    bool is_counted;              /* of a shard: among the attempts at it */
    int64_t lines, torn, recordings, retries, reconnects, resumed;
    bool is_complete, is_verified;
    bool is_repeat; /* in virtual time, and another that was imported before has the same lines */
    struct history_counts rounds, checks;
    const struct history_device *devices;
    size_t device_count;
    const char *const *performers;
    size_t performer_count;
};

/* Called for each run, in the order of their dates; not 0 ends it, and is returned. */
typedef int history_each(void *context, const struct history_found *found);

/* Errors as store_ask(); ERROR_CONFIG for a filter that nothing can be, such as no date. */
int history_find(struct store *store, const struct history_filter *filter, history_each *each,
                 void *context, struct error *error);

/*
 * The id of the one run whose id begins so: ERROR_CONFIG where there is none, or several, which are
 * named. Four letters at least.
 */
int history_find_id(struct store *store, const char *beginning, char id[HISTORY_ID_MAX + 1],
                    int64_t *number, struct error *error);

#endif
