/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The terminal's ledger: awards and corrections, numbered from 0, of which the last 256 are kept.
 */
#ifndef SECOND_LEDGER_H
#define SECOND_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LEDGER_KEPT   256
#define LEDGER_REASON 48

struct ledger_entry {
    uint64_t time;
    uint8_t code;
    uint8_t seat;
    uint8_t hand;
    uint8_t meter;
    uint64_t cents;
    uint64_t before;
    uint64_t after;
    uint8_t reason_size;
    uint8_t reason[LEDGER_REASON];
};

struct ledger {
    struct ledger_entry entries[LEDGER_KEPT];
    uint64_t total;
};

/* Appends and returns the entry's number. */
uint64_t ledger_add(struct ledger *ledger, const struct ledger_entry *entry);

/* Writes the reply to LEDGER and returns its size, 0 where there is no such entry. */
size_t ledger_put(const struct ledger *ledger, uint32_t number, uint8_t *to);

/* Makes the ledger one that has had `total` entries before. */
void ledger_age(struct ledger *ledger, uint64_t total, uint64_t until);

#endif
