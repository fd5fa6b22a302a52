/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The recordings that a journal names, held against those that its command line stands for now. A
 * folder may have got others since, or lost some: what comes out of it then says nothing of the
 * journal.
 */
#ifndef TOOLS_RUN_NAMED_H
#define TOOLS_RUN_NAMED_H

#include <stdbool.h>
#include <stdint.h>

#include "rigs/recording/list.h"

struct run_named {
    struct recording_list recordings; /* in their order, as often as each was played */
    int64_t rounds;                   /* of these */
    int64_t announced;                /* by line 1; -1: it does not say */
    bool is_compared;
    struct error differs; /* what run_named_compare() has found; code 0: nothing */
};

/* Of a journal that verifies. ERROR_RIG: memory is short. run_named_free() in any case. */
int run_named_read(struct run_named *named, const char *journal, struct error *error);
void run_named_free(struct run_named *named);

/* What the command line stands for now. */
struct run_now {
    char *const *names; /* as they were given, up to NULL */
    const struct recording_list *recordings;
    uint64_t rounds; /* how many in all */
    bool is_chosen;  /* by a filter or a shard, from what else is there */
};

/*
 * Fills `differs`, with ERROR_RIG, where these are others than the journal names and nobody has to
 * have altered it for that: a sentence with the folder, and a recording that is new or missing.
 */
void run_named_compare(struct run_named *named, const struct run_now *now);

#endif
