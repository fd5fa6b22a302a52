/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the terminal writes down: a log of everything, a ledger of money. Both are rings. */
#include <string.h>

#include "devices/terminal/open/device.h"

void terminal_note(struct terminal_device *device, enum terminal_log_code code, uint8_t detail,
                   unsigned value, nanos_t now)
{
    struct terminal_memory *memory = &device->memory;
    struct log_entry *entry;

    if (defects_hold(&device->defects, DEFECT_UNLOGGED, device->keys))
        return;
    detail ^= defects_hold(&device->defects, DEFECT_MISLOGGED, device->keys);
    entry = &memory->log[memory->logged++ % TERMINAL_LOG_SIZE];
    *entry = (struct log_entry){
        .millis = log_millis(&device->defects, DEFECT_LOG, now),
        .code = (uint8_t)code,
        .detail = detail,
        .value = value,
    };
    if (device->peer.versions > FRAME_VERSION)
        log_chain_add(&memory->chain, entry);
}

static uint32_t oldest(uint32_t written, uint32_t kept)
{
    return written > kept ? written - kept : 0;
}

/* What stands in the ledger is altered, when another entry is made. */
static void rewrite(struct terminal_device *device)
{
    struct terminal_memory *memory = &device->memory;
    uint32_t first = oldest(memory->booked, TERMINAL_LEDGER_SIZE - 1);

    if (memory->booked && defects_hold(&device->defects, DEFECT_REWRITES, memory->awards))
        memory->ledger[(memory->booked - 1) % TERMINAL_LEDGER_SIZE].cents--;
    if (memory->booked && defects_hold(&device->defects, DEFECT_REWRITES_FIRST, memory->awards))
        memory->ledger[first % TERMINAL_LEDGER_SIZE].cents--;
}

void terminal_book(struct terminal_device *device, const struct terminal_ledger_record *record,
                   nanos_t now)
{
    struct terminal_memory *memory = &device->memory;
    struct terminal_ledger_record *booked = &memory->ledger[memory->booked % TERMINAL_LEDGER_SIZE];
    bool correction = record->code == TERMINAL_LOG_CORRECTED;

    *booked = *record;
    booked->cents -= defects_hold(&device->defects, DEFECT_WRONG_LEDGER, memory->awards);
    booked->before += defects_hold(&device->defects, DEFECT_FALSE_BEFORE, memory->awards);
    booked->after += defects_hold(&device->defects, DEFECT_FALSE_AFTER, memory->awards);
    booked->hand ^= defects_hold(&device->defects, DEFECT_FALSE_HAND, memory->awards);
    if (defects_hold(&device->defects, DEFECT_FALSE_CODE, memory->awards))
        booked->code ^= TERMINAL_LOG_JACKPOT_PAID ^ TERMINAL_LOG_MUST_HIT_PAID;
    booked->millis = defects_hold(&device->defects, DEFECT_LEDGER_STANDS, 0)
                         ? 0
                         : log_millis(&device->defects, DEFECT_LOG, now);
    if (defects_hold(&device->defects, DEFECT_FALSE_TIME, memory->awards))
        booked->millis += 3600000;
    rewrite(device);
    if (defects_hold(&device->defects, DEFECT_TWICE, memory->awards))
        memory->ledger[++memory->booked % TERMINAL_LEDGER_SIZE] = *booked;
    terminal_note(device, (enum terminal_log_code)record->code,
                  correction ? record->meter : record->seat, memory->booked++, now);
}

size_t terminal_ledger_reply(const struct terminal_memory *memory, uint32_t number, uint8_t *reply)
{
    const struct terminal_ledger_record *record = &memory->ledger[number % TERMINAL_LEDGER_SIZE];
    size_t length = strlen(record->reason);

    if (number >= memory->booked || number < oldest(memory->booked, TERMINAL_LEDGER_SIZE))
        return 0;
    wire_put32(reply, number);
    wire_put64(reply + 4, record->millis);
    reply[12] = record->code;
    reply[13] = record->seat;
    reply[14] = record->hand;
    reply[15] = record->meter;
    wire_put64(reply + 16, record->cents);
    wire_put64(reply + 24, record->before);
    wire_put64(reply + 32, record->after);
    reply[40] = (uint8_t)length;
    memcpy(reply + 41, record->reason, length);
    return 41 + length;
}
