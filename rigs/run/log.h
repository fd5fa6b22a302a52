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

/* What a device must have written into its log by now, in this order. */
#define RUN_LOG_MAX 256
#define RUN_LOG_ANY (-1)
struct run_log {
    unsigned count;
    bool is_unsure; /* something happened that leaves open what is written */
    struct run_log_entry {
        uint8_t code, detail;
        int32_t value; /* RUN_LOG_ANY: the device's own counting */
    } entries[RUN_LOG_MAX];
};

/* A log on its way against what is expected of it. */
struct run_log_reading {
    struct check_book *book;
    const char *device;
    const struct run_log *expected;
    uint32_t next;  /* number of the entry that must come now */
    uint32_t total; /* that the log has, as the last reply says */
    uint64_t millis;
    unsigned count;
    bool differs; /* the first difference was told; what follows it means nothing */
};

void run_log_clear(struct run_log *log);
void run_log_add(struct run_log *log, unsigned code, unsigned detail, int value);
/* With the one after it. */
void run_log_swap(struct run_log *log, unsigned at);
/* Before the last one. */
void run_log_insert(struct run_log *log, unsigned code, unsigned detail, int value);

/* How many entries the log has, by each reply: never fewer than before. */
void run_log_total(struct run_log_reading *reading, uint32_t total);

/* Each entry in turn, then the end of what was written in this round. */
void run_log_read(struct run_log_reading *reading, const struct log_entry *entry);
void run_log_end(struct run_log_reading *reading);

#endif
