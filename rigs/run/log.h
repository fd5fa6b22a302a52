/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a device's own log says of a round, entry by entry, against what happened in it. For the
 * files of the runner only; nothing here fails.
 */
#ifndef RIGS_RUN_LOG_H
#define RIGS_RUN_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "devices/wire/log.h"
#include "rigs/checks/book.h"

/* What a device must have written into its log by now, in this order: one or two a key. */
#define RUN_LOG_MAX 512
#define RUN_LOG_ANY (-1)
struct run_log {
    unsigned count;
    bool is_unsure; /* something happened that leaves open what is written */
    struct run_log_entry {
        uint8_t code, detail;
        int64_t value; /* RUN_LOG_ANY: the device's own counting */
        nanos_t since; /* it was not written before, by the bench's clock, if that is known */
        nanos_t told;  /* it was written by then: its event came, its request was answered */
    } entries[RUN_LOG_MAX];
};

/* An entry by the device's clock, and between which times of the bench's it was written. */
struct run_log_anchor {
    bool is_known;
    uint64_t millis;
    nanos_t since, until;
};

/*
 * What was read of a log: since it is followed, how the device's clock runs against the bench's,
 * and since the run began a digest of each of the last entries, which must be the same when they
 * are read again. Those that were left out between two recordings have none.
 */
#define RUN_LOG_KEPT 256
struct run_log_past {
    uint64_t millis;               /* of the last entry; 0: none yet, or the device was restarted */
    nanos_t read;                  /* all that was written by then was read */
    struct run_log_anchor origin;  /* the first entry, so that what is little each time adds up */
    struct run_log_anchor anchor;  /* an earlier entry, which the next ones are held against */
    struct run_log_anchor pending; /* the last entry of the last reading, the anchor to be */
    uint32_t first, next;          /* numbers of the entries of which there may be digests */
    struct run_log_digest {
        bool is_read;
        uint32_t number;
        uint64_t digest;
    } digests[RUN_LOG_KEPT];
};

/* A log on its way against what is expected of it. */
struct run_log_reading {
    struct check_book *book;
    const char *device;
    const struct run_log *expected;
    uint32_t next;  /* number of the entry that must come now */
    uint32_t total; /* that the log has, as the last reply says */
    bool is_asked, has_grown;
    nanos_t asked;       /* when that was asked for */
    uint32_t grown_from; /* entries from here on were not there when an earlier reply was asked */
    nanos_t grown_since; /* for, at this time */
    struct run_log_past *past;
    nanos_t now; /* of the bench's clock */
    unsigned count;
    bool differs; /* the first difference was told; what follows it means nothing */
};

void run_log_clear(struct run_log *log);
void run_log_add(struct run_log *log, unsigned code, unsigned detail, int64_t value, nanos_t since,
                 nanos_t told);
/* With the one after it. */
void run_log_swap(struct run_log *log, unsigned at);
/* Before the last one. */
void run_log_insert(struct run_log *log, unsigned code, unsigned detail, int64_t value);

/*
 * The log is followed from entry `next` on. What was not read before it is left out; what was is
 * still known, unless the log has become shorter.
 */
void run_log_follow(struct run_log_past *past, uint32_t next, nanos_t now);

/* How many entries the log has, by each reply, and when it was asked: never fewer than before. */
void run_log_total(struct run_log_reading *reading, uint32_t total, nanos_t asked);

/* An entry that was read before: it must be what it was. */
void run_log_again(struct run_log_reading *reading, const struct log_entry *entry);

/* Each entry in turn, then the end of what was written in this round. */
void run_log_read(struct run_log_reading *reading, const struct log_entry *entry);
void run_log_end(struct run_log_reading *reading);
/* The next one, of which nothing is expected but its time. */
void run_log_pass(struct run_log_reading *reading, const struct log_entry *entry);

#endif
