/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events, STATUS and the log, each held against what the others have told. */
#include "devices/conform/suite.h"
#include "hal/base/plural.h"

#define QUIET       250 /* milliseconds without an event: an event is said again after 200 */
#define QUIET_LIMIT 40  /* times that is waited for */
#define HEADER      5   /* of a reply to LOG */
#define ENTRY       16  /* bytes, and 18 in version 2 */

void suite_judge(struct suite *suite)
{
    if (suite->defers)
        return;
    for (unsigned i = 0; i < suite->event_count && !suite->broken; i++) {
        struct frame event;

        frame_copy(&event, &suite->events[i]);
        if (suite->is_old)
            continue;
        if (suite_is_vendor_event(suite, &event))
            suite_search_vendor(suite, &event);
        else
            suite->kind->event(suite, &event, suite->event_times[i]);
    }
    suite->event_count = 0;
}

bool suite_await(struct suite *suite, bool (*done)(struct suite *suite), unsigned millis)
{
    nanos_t until = suite_now(suite) + millis * CONFORM_MS;

    suite_judge(suite);
    while (!suite->broken && !done(suite) && suite_now(suite) < until) {
        suite_listen(suite, until);
        suite_judge(suite);
    }
    return !suite->broken && done(suite);
}

void suite_compare_hello(struct suite *suite)
{
    if (suite->is_new)
        suite_hold(suite, "M2", suite->reply.payload[2] == suite->hello[1],
                   "HELLO has the flags %02x and STATUS %02x", suite->hello[1],
                   suite->reply.payload[2]);
    suite->is_new = false;
}

static void take_status(struct suite *suite)
{
    const struct frame *reply = &suite->reply;

    suite_hold(suite, "M8",
               reply->size >= 3 && !(reply->payload[2] & ~3) &&
                   !reply->payload[1] == !(reply->payload[2] & 2),
               "STATUS has error %u and flags %02x", reply->payload[1], reply->payload[2]);
    suite_compare_hello(suite);
    suite->kind->status(suite, reply);
}

void suite_status(struct suite *suite)
{
    suite_mark(suite);
    for (unsigned i = 0; i < 2; i++) {
        int status = suite_ask(suite, WIRE_STATUS, NULL, 0);

        if (suite->broken)
            return;
        if (!suite_hold(suite, "M8", !status, "STATUS is refused with %d", status))
            return;
        if (suite->event_count)
            return;
        take_status(suite);
    }
}

void suite_settle(struct suite *suite)
{
    unsigned heard;

    for (unsigned i = 0; i < QUIET_LIMIT && !suite->broken; i++) {
        heard = suite->heard;
        suite_rest(suite, QUIET);
        suite_judge(suite);
        if (suite->heard == heard)
            break;
    }
    if (suite->awaits_power_up && !suite->broken) {
        suite_hold(suite, "C25", false, "event numbers start again, and no POWER UP comes");
        suite->awaits_power_up = false;
    }
    suite->may_have_restarted = false;
    suite->has_status = false;
    suite_status(suite);
    suite_read_log(suite);
}

bool suite_sized(struct suite *suite, const struct frame *event, const struct conform_size *sizes,
                 size_t count, size_t more)
{
    size_t row = event->type - WIRE_FIRST_EVENT;

    if (!suite_hold(suite, "C4", row < count, "event 0x%02x is none of class %s", event->type,
                    suite->kind->name))
        return false;
    more += sizes[row].size;
    suite_hold(suite, sizes[row].id, event->size == more, "event 0x%02x has %u byte%s, not %zu",
               event->type, event->size, plural(event->size), more);
    return event->size >= more;
}

void suite_mode_told(struct suite *suite, const char *id, bool told, bool is_on, unsigned *changes)
{
    suite_hold(suite, id, told == is_on && *changes,
               "TEST MODE %u is told, and nothing has changed it to that", told);
    if (*changes)
        --*changes;
}

void suite_power_up(struct suite *suite)
{
    suite_hold(suite, "C25", suite->awaits_power_up || suite->may_have_restarted,
               "POWER UP comes, and the events are not numbered from 0");
    suite->awaits_power_up = false;
    if (suite_is_second(suite))
        suite_hold(suite, "V12", true, " ");
}

void suite_note(struct suite *suite, uint8_t code, uint8_t detail, unsigned value, nanos_t time)
{
    if (suite->note_count < SUITE_NOTES)
        suite->notes[suite->note_count++] =
            (struct conform_entry){.code = code, .detail = detail, .value = value, .time = time};
}

static void drop_note(struct suite *suite, unsigned at)
{
    memmove(suite->notes + at, suite->notes + at + 1,
            (--suite->note_count - at) * sizeof suite->notes[0]);
}

static bool is_entry(const struct suite *suite, const struct conform_entry *note,
                     const struct log_entry *entry)
{
    return note->code == entry->code && note->detail == entry->detail &&
           suite_same_value(suite, note->value, entry->value);
}

void suite_clock(struct suite *suite, nanos_t here, uint64_t millis)
{
    if (!suite->has_clock || suite->clock_losses != suite->power_losses) {
        suite->has_clock = true;
        suite->clock_losses = suite->power_losses;
        suite->clock_here = here;
        suite->clock_there = millis;
    }
    suite->clock_span = here - suite->clock_here;
    suite->clock_spans = millis - suite->clock_there;
}

/* What events tell is logged in their order; a request's entry may be anywhere among them. */
static bool is_noted(struct suite *suite, const struct log_entry *entry, bool in_order)
{
    bool is_first = true;

    for (unsigned at = 0; at < suite->note_count; at++) {
        const struct conform_entry *note = &suite->notes[at];

        if (is_entry(suite, note, entry) && (!note->time || is_first || !in_order)) {
            if (note->time)
                suite_clock(suite, note->time, entry->millis);
            suite_hold(suite, suite->kind->log_clause(entry->code), true, " ");
            if (entry->value > UINT16_MAX)
                suite_hold(suite, "N28", true, " ");
            drop_note(suite, at);
            return true;
        }
        is_first = is_first && !note->time;
    }
    return false;
}

/* An entry whose event has not come yet is kept until there was time for it. */
static void match(struct suite *suite, const struct log_entry *entry)
{
    if (!is_noted(suite, entry, true) && suite->stray_count < SUITE_STRAYS)
        suite->strays[suite->stray_count++] = *entry;
}

static void match_strays(struct suite *suite)
{
    unsigned count = suite->stray_count;

    suite->stray_count = 0;
    if (count) {
        suite_rest(suite, QUIET);
        suite_judge(suite);
    }
    for (unsigned i = 0; i < count && !suite->broken; i++) {
        const struct log_entry *entry = &suite->strays[i];
        unsigned at = 0;

        if (is_noted(suite, entry, false))
            continue;
        suite_hold(suite, suite->kind->log_clause(entry->code), false,
                   "entry %u of the log has code 0x%02x with %u and %u, and nothing told that",
                   entry->number, entry->code, entry->detail, entry->value);
        while (at < suite->note_count && suite->notes[at].code != entry->code)
            at++;
        if (at < suite->note_count)
            drop_note(suite, at);
    }
}

static void take_entry(struct suite *suite, const struct log_entry *entry)
{
    suite_hold(suite, "M12",
               entry->millis >= suite->last_millis || suite->clock_losses != suite->power_losses,
               "the time of entry %u is %llu ms, and that of the one before %llu", entry->number,
               (unsigned long long)entry->millis, (unsigned long long)suite->last_millis);
    suite->last_millis = entry->millis;
    if (suite->entry_count == SUITE_ENTRIES) {
        memmove(suite->entries, suite->entries + 1, (SUITE_ENTRIES - 1) * sizeof *suite->entries);
        suite->entry_count--;
    }
    suite->entries[suite->entry_count++] = *entry;
    if (suite->is_old || suite_is_vendor_code(suite, entry->code))
        return;
    if (suite->kind->entry)
        suite->kind->entry(suite, entry);
    else
        match(suite, entry);
}

static size_t entry_size(const struct suite *suite)
{
    return suite_is_second(suite) ? ENTRY + 2 : ENTRY;
}

/* One of the last reply to LOG. */
static struct log_entry read_entry(const struct suite *suite, unsigned index)
{
    const uint8_t *at = suite->reply.payload + HEADER + index * entry_size(suite);

    return (struct log_entry){.number = wire_get32(at),
                              .millis = wire_get64(at + 4),
                              .code = at[12],
                              .detail = at[13],
                              .value = suite_is_second(suite) ? wire_get32(at + 14)
                                                              : wire_get16(at + 14)};
}

#define NO_LOG "the device does not know LOG"

/* A device without a log, which version 2 allows, says so in every conversation. */
static bool lacks_log(struct suite *suite, int status)
{
    static const char *const ids[] = {"M9", "M10", "M12"};

    if (status != REFUSED_UNKNOWN || suite->versions < FRAME_VERSION_2)
        return false;
    for (unsigned i = 0; i < sizeof ids / sizeof ids[0]; i++)
        suite_not_offered(suite, ids[i], NO_LOG);
    suite->lacks_log = true;
    suite->note_count = 0;
    return true;
}

/* One reply to LOG: how many entries the log has, and how many came; false where it is broken. */
static bool ask_log(struct suite *suite, uint32_t first, uint32_t *total, unsigned *count)
{
    uint8_t payload[4];
    const uint8_t *reply = suite->reply.payload;
    int status;

    wire_put32(payload, first);
    status = suite_ask(suite, WIRE_LOG, payload, sizeof payload);
    if (suite->broken || lacks_log(suite, status) ||
        !suite_hold(suite, "M9", !status, "LOG from %u is refused with %d", first, status))
        return false;
    *total = suite->reply.size >= HEADER ? wire_get32(reply) : 0;
    *count = suite->reply.size >= HEADER ? reply[4] : 0;
    if (!suite_hold(suite, suite_is_second(suite) ? "N27" : "M9",
                    suite->reply.size >= HEADER && *count <= LOG_REPLY_MAX &&
                        suite->reply.size == HEADER + *count * entry_size(suite),
                    "the reply to LOG has %u byte%s for %u entr%s", suite->reply.size,
                    plural(suite->reply.size), *count, plural_y(*count)))
        return false;
    for (unsigned i = 0; i < *count; i++) {
        const struct log_entry entry = read_entry(suite, i);

        suite_chain(suite, &entry, *total);
    }
    return true;
}

static bool take_entries(struct suite *suite, unsigned count, uint32_t total)
{
    for (unsigned i = 0; i < count; i++) {
        struct log_entry entry = read_entry(suite, i);

        if (!suite_hold(suite, "M9",
                        entry.number < total &&
                            (entry.number == suite->log_next || (suite->is_old && i == 0)),
                        "LOG gives entry %u where %u was to come, of %u", entry.number,
                        suite->log_next, total))
            return false;
        suite->log_next = entry.number + 1;
        take_entry(suite, &entry);
    }
    return true;
}

/* What came since the log was read is in the next reading. */
static void end_log(struct suite *suite)
{
    unsigned heard = suite->heard;

    match_strays(suite);
    if (suite->heard != heard)
        return;
    if (suite->lacks_log)
        suite->stray_count = 0;
    else if (suite->kind->logged)
        suite->kind->logged(suite);
    else if (suite->note_count)
        suite_hold(suite, suite->kind->log_clause(suite->notes[0].code), false,
                   "the log has no entry with code 0x%02x, %u and %u", suite->notes[0].code,
                   suite->notes[0].detail, suite->notes[0].value);
    suite->note_count = 0;
}

void suite_read_log(struct suite *suite)
{
    uint32_t total = suite->log_next + 1;
    unsigned count, heard = suite->heard;

    suite_mark(suite);
    while (suite->log_next < total) {
        if (suite->lacks_log || !ask_log(suite, suite->log_next, &total, &count))
            return;
        if (!suite_hold(suite, "M10", total >= suite->log_next, "the log has %u entr%s, and had %u",
                        total, plural_y(total), suite->log_next))
            return;
        if (!suite_hold(suite, "M9", count > 0 || total == suite->log_next,
                        "the log has %u entr%s, and none comes from %u on", total, plural_y(total),
                        suite->log_next) ||
            !take_entries(suite, count, total))
            break;
    }
    suite_judge(suite);
    if (suite->heard == heard && !suite->event_count)
        end_log(suite);
}

void suite_read_log_again(struct suite *suite)
{
    uint32_t total = 0;
    unsigned count = 0;

    suite_mark(suite);
    for (uint32_t at = 0; at < suite->entry_count && !suite->broken; at += count) {
        if (!ask_log(suite, suite->entries[at].number, &total, &count) || !count)
            break;
        /* What is no longer kept cannot have changed. */
        while (at < suite->entry_count && suite->entries[at].number < read_entry(suite, 0).number)
            at++;
        for (unsigned i = 0; i < count && at + i < suite->entry_count; i++) {
            const struct log_entry *was = &suite->entries[at + i];
            struct log_entry entry = read_entry(suite, i);

            suite_hold(suite, "M10",
                       entry.number == was->number && entry.millis == was->millis &&
                           entry.code == was->code && entry.detail == was->detail &&
                           (uint16_t)entry.value == (uint16_t)was->value,
                       "entry %u of the log is not what it was", was->number);
        }
        suite_mark(suite);
    }
}

void suite_oldest(struct suite *suite, const char *kept, const char *oldest, unsigned least)
{
    struct log_entry entry;
    uint32_t total;
    unsigned count;

    suite_mark(suite);
    if (!ask_log(suite, 0, &total, &count) || !count)
        return;
    entry = read_entry(suite, 0);
    if (!entry.number && total <= least)
        return;
    suite_hold(suite, kept, total - entry.number >= least, "the log keeps %u entr%s, not %u",
               total - entry.number, plural_y(total - entry.number), least);
    if (entry.number)
        suite_hold(suite, oldest, entry.number < total, "LOG from 0 starts with entry %u of %u",
                   entry.number, total);
}

void suite_peek_log(struct suite *suite)
{
    uint32_t total, again;
    unsigned count;

    suite_mark(suite);
    if (!ask_log(suite, suite->log_next, &total, &count) || !total ||
        !ask_log(suite, total - 1, &again, &count))
        return;
    suite_hold(suite, "M9", count >= 1 && read_entry(suite, 0).number == total - 1,
               "the log counts %u entr%s, and LOG from %u gives none", total, plural_y(total),
               total - 1);
}
