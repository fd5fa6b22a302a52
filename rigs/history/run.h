/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a history keeps of a run, read from its journal: who and what took part, what came of each
 * recording and check, how long things took and what a device shuffled by itself. It is all in
 * memory, some 100 bytes a round. The run owns everything that it has.
 */
#ifndef RIGS_HISTORY_RUN_H
#define RIGS_HISTORY_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rigs/history/store/bytes.h"
#include "rigs/journal/read.h"

/* Rounds that did not pass and failed checks that are kept one by one; all of them are counted. */
#define HISTORY_UNPASSED_MAX 10000
#define HISTORY_FAILURES_MAX 1000

/* Of an id, and the least of it that names a run. */
#define HISTORY_ID_LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:+-"
#define HISTORY_ID_MIN     4
#define HISTORY_ID_MAX     64

struct history_device {
    char *name, *driver, *address, *model, *serial, *firmware, *digest;
    bool test_mode;
};

/* `ended`: rounds that the bench or a person ended (rig, aborted), which no machine failed. */
struct history_counts {
    int64_t passed, failed, skipped, ended;
};

struct history_recording {
    char *path, *sha256, *expect_sha256, *game;
    enum verdict verdict; /* the worst of its rounds */
    struct history_counts rounds;
    struct history_bytes settlements; /* HISTORY_SETTLEMENT bytes a round, in their order */
    /* What a shuffler shuffled by itself (rigs/shuffles/dealt.h), and what nobody knows of. */
    struct history_bytes orders;
    int64_t order_count, unknown_orders;
};

/* The first bytes of the SHA-256 of a settlement; zeros of a round that has none. */
#define HISTORY_SETTLEMENT 8

struct history_unpassed {
    size_t recording; /* from 1 */
    int64_t round;
    enum verdict verdict;
    char *why;
};

struct history_check {
    char *name;
    struct history_counts counts;
    char *why; /* it was skipped, the last time */
};

/* Recording and round are 0 outside of them. */
struct history_failure {
    size_t recording;
    int64_t round;
    char *name, *wager, *expected, *got, *why;
    int64_t seat; /* 0: of none */
};

struct history_timing {
    size_t recording;
    char *name;
    bool by_hand;
    int64_t limit;             /* 0: none */
    struct history_bytes took; /* nanoseconds, HISTORY_TOOK bytes each, the lowest first */
};
#define HISTORY_TOOK 8

/* An array of any of these. */
struct history_list {
    void *items;
    size_t count, size;
};

#define HISTORY_EACH(item, list, type)                                                             \
    for (__typeof__(type) *item = (list).items, *item##_end = item ? item + (list).count : NULL;   \
         item < item##_end; item++)

struct history_run {
    char run_id[JOURNAL_RUN_DIGITS + 1]; /* of the first line; "": it has none */
    char first[DIGEST_SIZE];             /* digest of the first line */
    struct journal_ending ending;
    char problem[ERROR_TEXT_SIZE]; /* why it does not verify; "": it does */
    bool is_virtual;
    char date[32]; /* "" in virtual time */
    char *version, *build, *rig, *rig_sha256, *seed, *command;
    char *job;                 /* what its shards have in common; NULL: nothing is told */
    int64_t part, parts;       /* which shard it is, of how many; 0: it is the whole run */
    int64_t attempt;           /* from 1 */
    char sharded[DIGEST_SIZE]; /* of what all its shards have in common; "": it is no shard */
    enum verdict verdict;
    char *why;
    struct history_counts rounds, checks;
    int64_t retries, reconnects, resumed;
    struct history_list operators;  /* char * */
    struct history_list devices;    /* struct history_device */
    struct history_list recordings; /* struct history_recording */
    struct history_list unpassed;   /* struct history_unpassed */
    struct history_list checked;    /* struct history_check */
    struct history_list failures;   /* struct history_failure */
    struct history_list timings;    /* struct history_timing */
};

/*
 * Reads a journal from an open file, which is closed. 0 also when it does not verify: `problem`
 * says so, and what stands before that line has been taken. ERROR_CONFIG: not a journal. ERROR_RIG:
 * memory, or reading; or nobody can tell whether it verifies.
 */
int history_run_read(int fd, struct history_run **run, struct error *error);
void history_run_free(struct history_run *run);

#endif
