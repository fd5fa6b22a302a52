/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/run/log.h"

#include <stdio.h>

void run_log_clear(struct run_log *log)
{
    log->count = 0;
    log->is_unsure = false;
}

void run_log_add(struct run_log *log, unsigned code, unsigned detail, int value)
{
    if (log->count == RUN_LOG_MAX) {
        log->is_unsure = true;
        return;
    }
    log->entries[log->count].code = (uint8_t)code;
    log->entries[log->count].detail = (uint8_t)detail;
    log->entries[log->count++].value = value;
}

void run_log_swap(struct run_log *log, unsigned at)
{
    struct run_log_entry first = log->entries[at];

    log->entries[at] = log->entries[at + 1];
    log->entries[at + 1] = first;
}

void run_log_insert(struct run_log *log, unsigned code, unsigned detail, int value)
{
    unsigned last = log->count - 1;

    run_log_add(log, log->entries[last].code, log->entries[last].detail, log->entries[last].value);
    log->entries[last].code = (uint8_t)code;
    log->entries[last].detail = (uint8_t)detail;
    log->entries[last].value = value;
}

static void differ(struct run_log_reading *reading, const char *expected, const char *got,
                   const char *why)
{
    reading->differs = true;
    check_fail(
        reading->book, CHECK_EVENT_LOG,
        (struct check_result){
            .wager = reading->device, .expected = expected, .got = got, .device = got, .why = why});
}

static void compare_entry(struct run_log_reading *reading, const struct log_entry *entry)
{
    const struct run_log *log = reading->expected;
    char expected[64] = "null", got[64];

    if (reading->count < log->count) {
        unsigned code = log->entries[reading->count].code;
        unsigned detail = log->entries[reading->count].detail;
        int value = log->entries[reading->count].value;

        if (entry->code == code && entry->detail == detail &&
            (value == RUN_LOG_ANY || entry->value == (unsigned)value))
            return;
        snprintf(expected, sizeof expected, "[%u,%u,%d]", code, detail,
                 value == RUN_LOG_ANY ? (int)entry->value : value);
    }
    snprintf(got, sizeof got, "[%u,%u,%u]", entry->code, entry->detail, entry->value);
    differ(reading, expected, got, "code and details of an entry of the log");
}

void run_log_read(struct run_log_reading *reading, const struct log_entry *entry)
{
    char expected[32], got[32];

    if (reading->differs) {
        reading->next = entry->number + 1;
        return;
    }
    if (entry->number != reading->next) {
        snprintf(expected, sizeof expected, "%u", (unsigned)reading->next);
        snprintf(got, sizeof got, "%u", (unsigned)entry->number);
        differ(reading, expected, got, "number of an entry of the log");
    } else if (entry->millis < reading->millis) {
        snprintf(expected, sizeof expected, "%ju", (uintmax_t)reading->millis);
        snprintf(got, sizeof got, "%ju", (uintmax_t)entry->millis);
        differ(reading, expected, got, "milliseconds of an entry, before those of the one above");
    } else {
        compare_entry(reading, entry);
    }
    reading->millis = entry->millis;
    reading->next = entry->number + 1;
    reading->count++;
}

void run_log_total(struct run_log_reading *reading, uint32_t total)
{
    char expected[32], got[32];

    if (total < reading->total && !reading->differs) {
        snprintf(expected, sizeof expected, "%u", (unsigned)reading->total);
        snprintf(got, sizeof got, "%u", (unsigned)total);
        differ(reading, expected, got, "entries that the log says it has, fewer than before");
    }
    reading->total = total;
}

void run_log_end(struct run_log_reading *reading)
{
    char expected[32], got[32];

    if (!reading->differs && reading->total != reading->next) {
        snprintf(expected, sizeof expected, "%u", (unsigned)reading->next);
        snprintf(got, sizeof got, "%u", (unsigned)reading->total);
        differ(reading, expected, got, "entries that the log says it has");
    }
    if (!reading->differs)
        check_number(reading->book, CHECK_EVENT_LOG, 0, reading->device, reading->expected->count,
                     reading->count, "entries of the log in this round");
}
