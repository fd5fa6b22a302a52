/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The log of a device on the open wire protocol (WIRE_LOG): its entries, how a model gives them
 * away and how a host reads them. A model keeps a ring of entries, the oldest of which are
 * overwritten, owns it and counts what it wrote.
 */
#ifndef DEVICES_WIRE_LOG_H
#define DEVICES_WIRE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "devices/wire/defects.h"
#include "hal/base/error.h"
#include "hal/clock.h"

#define LOG_REPLY_MAX 14 /* entries that one request gets */

struct log_entry {
    uint32_t number; /* counts from 0; in a model's ring its place gives it */
    uint64_t millis; /* of the device's clock */
    uint8_t code;    /* of the message that it records */
    uint8_t detail;
    uint32_t value; /* of 16 bits in version 1 */
    bool is_vendor; /* version 2: its code is one of the vendor's */
};

/* Version 2: how many entries there are, and what they come to, one after the other. */
struct log_chain {
    uint32_t count;
    uint8_t digest[32];
};

/* Takes in the next entry, whose number is the count. */
void log_chain_add(struct log_chain *chain, const struct log_entry *entry);

/*
 * Version 2: how many entries STATUS has counted, with which digest, at which time of the device's
 * clock, the last few times. A zeroed one is empty, as it is to be made when the power was lost.
 */
#define LOG_MARKS 16
struct log_marks {
    uint64_t millis[LOG_MARKS];
    struct log_chain chains[LOG_MARKS];
    unsigned count;
};
void log_marks_add(struct log_marks *marks, uint32_t entries, const uint8_t digest[32],
                   uint64_t millis);

/* Whether an entry that was counted is not later than that, and another one not earlier. */
bool log_marks_fit(const struct log_marks *marks, const struct log_entry *entry);

/* Whether that many entries had this digest whenever STATUS counted as many. */
bool log_marks_agree(const struct log_marks *marks, const struct log_chain *chain);

/*
 * Writes the reply that gives as many entries from number `first` on as go into a frame, of the
 * last `kept` that were `written` into `log`, as that version has them; returns its size.
 */
size_t log_reply(const struct log_entry *log, uint32_t kept, uint32_t written, uint32_t first,
                 unsigned version, uint8_t *reply);

/*
 * Rows of a model's table, in this order: the clock of its log stands, runs backwards, ten times
 * too fast or ten times too slow; an entry is altered when it is given away for the second time.
 */
#define LOG_DEFECTS                                                                                \
    {"clock-stands", NULL, 0, 0}, {"clock-back", NULL, 0, 0}, {"clock-fast", NULL, 0, 0},          \
        {"clock-slow", NULL, 0, 0},                                                                \
    {                                                                                              \
        "rewritten", "entry", 1, 999999999                                                         \
    }
enum {
    LOG_CLOCK_STANDS,
    LOG_CLOCK_BACK,
    LOG_CLOCK_FAST,
    LOG_CLOCK_SLOW,
    LOG_REWRITTEN,
    LOG_DEFECT_COUNT
};

/* Milliseconds of a model's clock, with those defects, of which `first` is the number of the first.
 */
uint64_t log_millis(struct defects *defects, unsigned first, nanos_t now);

/* Alters an entry that is given away for the second time; before the reply from `from` on. */
void log_rewrite(struct defects *defects, unsigned first, struct log_entry *log, uint32_t kept,
                 uint32_t written, uint32_t from);

/* How long such a reply is by its head; SIZE_MAX when it is too short to say. */
size_t log_reply_size(const uint8_t *reply, size_t size, unsigned version);

/*
 * Reads what the device at that address answers to a request for the entries from `first` on.
 * ERROR_DEVICE when it is not as long as it says, or its entries do not follow each other.
 */
int log_read(const char *address, uint32_t first, unsigned version, const uint8_t *reply,
             size_t size, struct log_entry entries[LOG_REPLY_MAX], unsigned *count, uint32_t *total,
             struct error *error);

#endif
