/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A device's log: numbered entries that are never changed, of which the last ones are kept. */
#ifndef SECOND_LOG_H
#define SECOND_LOG_H

#include <stddef.h>
#include <stdint.h>

#define LOG_KEPT_MAX 1024

struct log_entry {
    uint32_t number;
    uint64_t time;
    uint8_t code;
    uint8_t first;
    uint16_t second;
};

struct log {
    struct log_entry entries[LOG_KEPT_MAX];
    size_t kept;
    uint64_t total;
};

void log_init(struct log *log, size_t kept);

void log_add(struct log *log, struct log_entry entry);

/* Fills the reply to LOG from the entry wanted on, with at most so many entries, and
   returns its size. */
size_t log_reply(const struct log *log, uint32_t wanted, size_t most, uint8_t *reply);

/* Makes the log one that has seen `total` entries before, the last of them power ups of `code`. */
void log_age(struct log *log, uint64_t total, uint64_t until, uint8_t code, uint8_t state);

#endif
