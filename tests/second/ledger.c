/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/second/ledger.h"

#include <string.h>

#include "tests/second/bytes.h"

uint64_t ledger_add(struct ledger *ledger, const struct ledger_entry *entry)
{
    ledger->entries[ledger->total % LEDGER_KEPT] = *entry;
    return ledger->total++;
}

size_t ledger_put(const struct ledger *ledger, uint32_t number, uint8_t *to)
{
    if (number >= ledger->total || ledger->total - number > LEDGER_KEPT)
        return 0;
    const struct ledger_entry *entry = &ledger->entries[number % LEDGER_KEPT];
    bytes_put(to, number, 4);
    bytes_put(to + 4, entry->time, 8);
    to[12] = entry->code;
    to[13] = entry->seat;
    to[14] = entry->hand;
    to[15] = entry->meter;
    bytes_put(to + 16, entry->cents, 8);
    bytes_put(to + 24, entry->before, 8);
    bytes_put(to + 32, entry->after, 8);
    to[40] = entry->reason_size;
    memcpy(to + 41, entry->reason, entry->reason_size);
    return 41u + entry->reason_size;
}

void ledger_age(struct ledger *ledger, uint64_t total, uint64_t until)
{
    ledger->total = total > LEDGER_KEPT ? total - LEDGER_KEPT : 0;
    while (ledger->total < total) {
        uint64_t before = total - ledger->total;
        struct ledger_entry old = {.time = until > before ? until - before : 0,
                                   .code = 13,
                                   .seat = 2,
                                   .hand = 7,
                                   .meter = 0xff,
                                   .cents = 2500};
        ledger_add(ledger, &old);
    }
}
