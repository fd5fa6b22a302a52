/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/run/log.h"

#include <stdio.h>

void run_log_clear(struct run_log *log)
{
    log->count = 0;
    log->is_unsure = false;
}

void run_log_add(struct run_log *log, unsigned code, unsigned detail, int64_t value, nanos_t since,
                 nanos_t told)
{
    if (log->count == RUN_LOG_MAX) {
        log->is_unsure = true;
        return;
    }
    log->entries[log->count++] = (struct run_log_entry){.code = (uint8_t)code,
                                                        .detail = (uint8_t)detail,
                                                        .value = value,
                                                        .since = since,
                                                        .told = told};
}

void run_log_swap(struct run_log *log, unsigned at)
{
    struct run_log_entry first = log->entries[at];

    log->entries[at] = log->entries[at + 1];
    log->entries[at + 1] = first;
}

void run_log_insert(struct run_log *log, unsigned code, unsigned detail, int64_t value)
{
    run_log_add(log, code, detail, value, 0, log->entries[log->count - 1].told);
    if (!log->is_unsure)
        run_log_swap(log, log->count - 2);
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
        int64_t value = log->entries[reading->count].value;

        if (entry->code == code && entry->detail == detail &&
            (value == RUN_LOG_ANY || entry->value == value))
            return;
        snprintf(expected, sizeof expected, "[%u,%u,%jd]", code, detail,
                 (intmax_t)(value == RUN_LOG_ANY ? entry->value : value));
    }
    snprintf(got, sizeof got, "[%u,%u,%u]", entry->code, entry->detail, entry->value);
    differ(reading, expected, got, "code and details of an entry of the log");
}

#define TICK 100 /* milliseconds that a device's clock may take from one value to the next */

static uint64_t millis_between(nanos_t from, nanos_t to)
{
    return to > from ? (uint64_t)(to - from) / NANOS_PER_MILLI : 0;
}

/* Readers of JSON know no integer of more than 63 bits: one that a device makes up is a text. */
static void put_millis(char text[32], uint64_t millis)
{
    const char *quote = millis > INT64_MAX ? "\"" : "";

    snprintf(text, 32, "%s%ju%s", quote, (uintmax_t)millis, quote);
}

/*
 * Clocks drift and lines take their time: a clock that runs half as fast as the bench's, or twice
 * as fast, is not accused.
 */
static bool is_in_time(struct run_log_reading *reading, const struct run_log_anchor *anchor,
                       const struct log_entry *entry, nanos_t since)
{
    uint64_t ran = entry->millis - anchor->millis;
    uint64_t least = millis_between(anchor->until, since);
    uint64_t most = millis_between(anchor->since, reading->now);
    bool is_fast = ran > 2 * most + TICK;
    bool is_slow = !is_fast && 2 * ran + TICK < least;
    char expected[32], got[32];

    if (!is_slow && !is_fast)
        return true;
    put_millis(expected, is_slow ? least : most);
    put_millis(got, ran);
    differ(reading, expected, got,
           is_slow ? "milliseconds from an earlier entry to this one; at least so many have passed"
                   : "milliseconds from an earlier entry to this one; at most so many have passed");
    return false;
}

/*
 * The time of an entry against those before it, which grows, and against the bench's clock; `due`
 * is NULL where none is expected.
 */
static bool check_time(struct run_log_reading *reading, const struct log_entry *entry,
                       const struct run_log_entry *due)
{
    struct run_log_past *past = reading->past;
    nanos_t since = due && due->since > past->read ? due->since : past->read;
    char expected[32], got[32];

    if (entry->millis < past->millis) {
        put_millis(expected, past->millis);
        put_millis(got, entry->millis);
        differ(reading, expected, got, "milliseconds of an entry, before those of the one above");
        return false;
    }
    if (past->anchor.is_known)
        return is_in_time(reading, &past->anchor, entry, since) &&
               is_in_time(reading, &past->origin, entry, since);
    past->origin = past->anchor =
        (struct run_log_anchor){true, entry->millis, since, due ? due->told : reading->now};
    return true;
}

/* What had been told when the log was asked for was in it, and was counted. */
static bool check_count(struct run_log_reading *reading, const struct log_entry *entry)
{
    char expected[32], got[32];

    if (!reading->has_grown || entry->number < reading->grown_from ||
        reading->count >= reading->expected->count ||
        reading->expected->entries[reading->count].told >= reading->grown_since)
        return true;
    snprintf(expected, sizeof expected, "%u", (unsigned)entry->number + 1);
    snprintf(got, sizeof got, "%u", (unsigned)reading->grown_from);
    differ(reading, expected, got, "entries that the log said it had, when this one was told");
    return false;
}

static uint64_t digest_of(const struct log_entry *entry)
{
    const uint64_t parts[] = {entry->millis, entry->code, entry->detail, entry->value};
    uint64_t digest = UINT64_C(14695981039346656037);

    for (unsigned i = 0; i < 4; i++)
        digest = (digest ^ parts[i]) * UINT64_C(1099511628211);
    return digest;
}

static void keep(struct run_log_past *past, const struct log_entry *entry)
{
    if (entry->number != past->next)
        past->first = entry->number;
    past->next = entry->number + 1;
    past->digests[entry->number % RUN_LOG_KEPT] =
        (struct run_log_digest){true, entry->number, digest_of(entry)};
    if (past->next - past->first > RUN_LOG_KEPT)
        past->first = past->next - RUN_LOG_KEPT;
}

void run_log_follow(struct run_log_past *past, uint32_t next, nanos_t now)
{
    if (past->first == past->next || next < past->next)
        *past = (struct run_log_past){.first = next};
    past->origin = past->anchor = past->pending = (struct run_log_anchor){false};
    past->millis = 0;
    past->read = now;
    past->next = next;
    if (next - past->first > RUN_LOG_KEPT)
        past->first = next - RUN_LOG_KEPT;
}

void run_log_again(struct run_log_reading *reading, const struct log_entry *entry)
{
    const struct run_log_past *past = reading->past;
    const struct run_log_digest *kept = &past->digests[entry->number % RUN_LOG_KEPT];
    char number[32];

    if (reading->differs || entry->number < past->first || entry->number >= past->next ||
        !kept->is_read || kept->number != entry->number || kept->digest == digest_of(entry))
        return;
    snprintf(number, sizeof number, "%u", (unsigned)entry->number);
    differ(reading, "null", number, "number of an entry that is not what it was when first read");
}

void run_log_pass(struct run_log_reading *reading, const struct log_entry *entry)
{
    keep(reading->past, entry);
    if (!reading->differs && check_time(reading, entry, NULL))
        reading->past->millis = entry->millis;
    reading->next++;
}

void run_log_read(struct run_log_reading *reading, const struct log_entry *entry)
{
    const struct run_log_entry *due = reading->count < reading->expected->count
                                          ? &reading->expected->entries[reading->count]
                                          : NULL;
    char expected[32], got[32];

    /* What a vendor writes is of no round. */
    if (entry->is_vendor && entry->number == reading->next) {
        run_log_pass(reading, entry);
        return;
    }
    keep(reading->past, entry);
    if (reading->differs) {
        reading->next = entry->number + 1;
        return;
    }
    if (entry->number != reading->next) {
        snprintf(expected, sizeof expected, "%u", (unsigned)reading->next);
        snprintf(got, sizeof got, "%u", (unsigned)entry->number);
        differ(reading, expected, got, "number of an entry of the log");
    } else if (check_time(reading, entry, due) && check_count(reading, entry)) {
        compare_entry(reading, entry);
    }
    reading->past->millis = entry->millis;
    reading->next = entry->number + 1;
    reading->count++;
}

void run_log_total(struct run_log_reading *reading, uint32_t total, nanos_t asked)
{
    char expected[32], got[32];

    if (total < reading->total && !reading->differs) {
        snprintf(expected, sizeof expected, "%u", (unsigned)reading->total);
        snprintf(got, sizeof got, "%u", (unsigned)total);
        differ(reading, expected, got, "entries that the log says it has, fewer than before");
    }
    if (reading->is_asked && total > reading->total && !reading->has_grown) {
        reading->has_grown = true;
        reading->grown_from = reading->total;
        reading->grown_since = reading->asked;
    }
    reading->total = total;
    reading->asked = asked;
    reading->is_asked = true;
}

/* What is written from now on comes after this; a restarted device may begin its time anew. */
static void settle_past(struct run_log_reading *reading)
{
    struct run_log_past *past = reading->past;

    if (reading->differs) {
        past->origin = past->anchor = past->pending = (struct run_log_anchor){false};
        past->millis = 0;
    } else if (reading->count) {
        if (past->pending.is_known)
            past->anchor = past->pending;
        past->pending = (struct run_log_anchor){true, past->millis, past->read, reading->now};
    }
    past->read = reading->asked;
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
    settle_past(reading);
}
