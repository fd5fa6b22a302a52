/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/second/log.h"

#include <string.h>

#include "tests/second/bytes.h"

#define LOG_REPLY_MAX  14
#define LOG_ENTRY_SIZE 16

void log_init(struct log *log, size_t kept)
{
    memset(log, 0, sizeof *log);
    log->kept = kept;
}

void log_add(struct log *log, struct log_entry entry)
{
    log->entries[log->total % log->kept] = entry;
    log->total++;
}

static void put_entry(uint8_t *to, const struct log_entry *entry)
{
    bytes_put(to, entry->number, 4);
    bytes_put(to + 4, entry->time, 8);
    to[12] = entry->code;
    to[13] = entry->first;
    bytes_put(to + 14, entry->second, 2);
}

size_t log_reply(const struct log *log, uint32_t wanted, size_t most, uint8_t *reply)
{
    uint64_t oldest = log->total > log->kept ? log->total - log->kept : 0;
    uint64_t from = wanted < oldest ? oldest : wanted;
    size_t count = 0;
    if (most > LOG_REPLY_MAX)
        most = LOG_REPLY_MAX;
    while (count < most && from + count < log->total) {
        put_entry(reply + 5 + LOG_ENTRY_SIZE * count, &log->entries[(from + count) % log->kept]);
        count++;
    }
    bytes_put(reply, log->total, 4);
    reply[4] = (uint8_t)count;
    return 5 + LOG_ENTRY_SIZE * count;
}

void log_age(struct log *log, uint64_t total, uint64_t until, uint8_t code, uint8_t state)
{
    log->total = total > log->kept ? total - log->kept : 0;
    while (log->total < total) {
        uint64_t before = total - log->total;
        uint64_t time = until > before ? until - before : 0;
        log_add(log, (struct log_entry){(uint32_t)log->total, time, code, state, 0});
    }
}
