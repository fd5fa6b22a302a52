/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The terminal's log of a round, and its ledger: awards as they were told and as the meters say. */
#include <stdio.h>
#include <string.h>

#include "rigs/run/terminal/terminal.h"

/* Must Hit is paid at END ROUND, out of what the round has added to it. */
static bool must_hit_booking(const struct run *run, struct run_booking *due)
{
    int index = run->round.at_end.must_hit;
    struct meters before, after;

    if (!run->round.is_settled || index < 0 || !run_meters_ended(run, false, &before) ||
        !run_meters_ended(run, true, &after))
        return false;
    *due = (struct run_booking){.hand = TERMINAL_NONE,
                                .before = before.meter[index].value,
                                .after = after.meter[index].value};
    return true;
}

static void compare(struct run *run, unsigned seat, int64_t expected, uint64_t got, const char *why)
{
    check_number(run->book, CHECK_EVENT_LOG, seat, "ledger", expected, (int64_t)got, why);
}

static void compare_booking(struct run *run, unsigned seat, const struct run_booking *due,
                            const struct terminal_ledger_entry *booked, const char *of)
{
    char why[3][80];

    snprintf(why[0], sizeof why[0], "hand of an %s by the ledger, 255 for none", of);
    snprintf(why[1], sizeof why[1], "millionths of the meter before an %s by the ledger", of);
    snprintf(why[2], sizeof why[2], "millionths of the meter after an %s by the ledger", of);
    compare(run, seat, due->hand, booked->hand, why[0]);
    compare(run, seat, due->before, booked->before, why[1]);
    compare(run, seat, due->after, booked->after, why[2]);
}

/* Reads an entry, if there is one of that number. */
static int read_booked(struct run *run, uint32_t number, struct terminal_ledger_entry *booked,
                       bool *is_there, struct error *error)
{
    int status = terminal_ledger(run->bench->terminal, number, booked, error);

    *is_there = !status;
    return status == ERROR_DEVICE && device_refusal(&run->bench->terminal->device) == REFUSED_VALUE
               ? 0
               : status;
}

static bool keeps_log(const struct run *run)
{
    return run->recording.has_terminal &&
           device_can(&run->bench->terminal->device, DEVICE_KEEPS_LOG);
}

/* Corrections are entries as well as awards: there are at least as many as awards. */
int run_ledger_find_end(struct run *run, uint32_t awards, struct error *error)
{
    struct terminal_ledger_entry booked;
    uint32_t end = awards;
    bool is_there = true;
    int status = 0;

    if (!keeps_log(run))
        return 0;
    /*
     * CONFIGURE may have counted awards from 0. Each entry is one of the log too: of so many the
     * first may not be kept any more.
     */
    if (end)
        status = read_booked(run, end - 1, &booked, &is_there, error);
    else
        is_there = run->recording.terminal_logged < RUN_LEDGER_KEPT;
    run->recording.is_ledger_known = is_there;
    while (!status && is_there) {
        status = read_booked(run, end, &booked, &is_there, error);
        end += is_there;
    }
    run->recording.ledger_next = end;
    return status;
}

/*
 * The log has a number whole where numbers are wide, and otherwise the last 16 bits of one that is
 * not below the next one.
 */
static uint32_t whole_number(const struct run *run, uint32_t named)
{
    uint32_t next = run->recording.ledger_next;

    return run->bench->terminal->device.is_wide ? named : next + (uint16_t)(named - next);
}

static bool is_same_entry(const struct terminal_ledger_entry *a,
                          const struct terminal_ledger_entry *b)
{
    return a->millis == b->millis && a->code == b->code && a->seat == b->seat &&
           a->hand == b->hand && a->meter == b->meter && a->cents == b->cents &&
           a->before == b->before && a->after == b->after && !strcmp(a->reason, b->reason);
}

static const struct terminal_ledger_entry *read_before(const struct run *run, uint32_t number)
{
    return &run->ledger_past.entries[number % RUN_LEDGER_KEPT];
}

static void keep(struct run *run, const struct terminal_ledger_entry *booked)
{
    struct run_ledger_past *past = &run->ledger_past;

    if (past->first == past->next || booked->number != past->next)
        past->first = booked->number;
    past->next = booked->number + 1;
    past->entries[booked->number % RUN_LEDGER_KEPT] = *booked;
    if (past->next - past->first > RUN_LEDGER_KEPT)
        past->first = past->next - RUN_LEDGER_KEPT;
    run->recording.has_booked = true;
}

/* An entry that was read before, read again: whether it is still what it was. */
static int read_again(struct run *run, uint32_t number, bool *is_same, struct error *error)
{
    struct terminal_ledger_entry booked;
    bool is_there;
    int status = read_booked(run, number, &booked, &is_there, error);

    *is_same = !status && is_there && is_same_entry(&booked, read_before(run, number));
    return status;
}

/* The last entry that was read is still what it was. */
static int check_kept(struct run *run, struct error *error)
{
    uint32_t last = run->ledger_past.next - 1;
    bool is_same;
    int status;

    if (!run->recording.has_booked)
        return 0;
    status = read_again(run, last, &is_same, error);
    if (!status)
        compare(run, read_before(run, last)->seat, 1, is_same,
                "an entry of the ledger stays what it was");
    return status;
}

int run_ledger_check_again(struct run *run, uint32_t number, bool *is_same, struct error *error)
{
    char text[16];
    int status = read_again(run, number, is_same, error);

    if (status || *is_same)
        return status;
    snprintf(text, sizeof text, "%u", (unsigned)number);
    check_fail(run->book, CHECK_EVENT_LOG,
               (struct check_result){
                   .seat = read_before(run, number)->seat,
                   .wager = "ledger",
                   .expected = "null",
                   .got = text,
                   .device = text,
                   .why = "number of an entry of the ledger that is not what it was when first "
                          "read"});
    return 0;
}

/* No entry was made that the log does not name. */
static int check_end_of_ledger(struct run *run, struct error *error)
{
    struct terminal_ledger_entry booked;
    bool is_there;
    int status;

    if (!run->recording.is_ledger_known)
        return 0;
    status = read_booked(run, run->recording.ledger_next, &booked, &is_there, error);
    if (!status)
        compare(run, is_there ? booked.seat : 0, 0, is_there,
                "an entry of the ledger that the log does not name");
    run->recording.is_ledger_known &= !is_there;
    return status;
}

/*
 * The time of an entry, which the same clock gives as to the one of the log that names it, but
 * maybe a little earlier or later; from one entry to the next it does not go back.
 */
static void check_time(struct run *run, const struct log_entry *entry, unsigned seat,
                       const struct terminal_ledger_entry *booked)
{
    uint32_t limit = run->bench->rig->timing.jackpot;
    const struct run_recording *recording = &run->recording;
    uint64_t before =
        recording->has_booked ? read_before(run, run->ledger_past.next - 1)->millis : 0;

    if (booked->millis > entry->millis + limit || entry->millis > booked->millis + limit)
        compare(run, seat, (int64_t)entry->millis, booked->millis,
                "milliseconds of an entry of the ledger, against the log");
    else if (booked->millis < before)
        compare(run, seat, (int64_t)before, booked->millis,
                "milliseconds of an entry of the ledger, before those of the one above");
}

/* An entry that the log names: the next one. */
static int read_named(struct run *run, const struct log_entry *entry, unsigned seat,
                      struct terminal_ledger_entry *booked, bool *is_there, struct error *error)
{
    uint32_t number = whole_number(run, entry->value);
    int status = check_kept(run, error);

    if (!status)
        status = read_booked(run, number, booked, is_there, error);
    if (status)
        return status;
    if (run->recording.is_ledger_known)
        compare(run, seat,
                run->recording.ledger_next &
                    (run->bench->terminal->device.is_wide ? UINT32_MAX : UINT16_MAX),
                entry->value, "entry of the ledger by the log");
    compare(run, seat, 1, *is_there, "the ledger has the entry that the log names");
    if (!*is_there)
        return 0;
    run->recording.ledger_next = number + 1;
    run->recording.is_ledger_known = true;
    compare(run, seat, entry->code, booked->code, "code of an entry of the ledger");
    check_time(run, entry, seat, booked);
    keep(run, booked);
    return 0;
}

static int check_ledger(struct run *run, const struct log_entry *entry, unsigned award,
                        struct error *error)
{
    const struct award *told = &run->round.awards[award];
    struct terminal_ledger_entry booked;
    struct run_booking due;
    bool is_there;
    int status;

    if (award >= run->round.award_count)
        return 0;
    status = read_named(run, entry, told->seat, &booked, &is_there, error);
    if (status || !is_there)
        return status;
    compare(run, told->seat, told->pays, booked.cents, "cents of an award by the ledger");
    compare(run, told->seat, told->seat, booked.seat, "seat of an award by the ledger");
    compare(run, told->seat, told->meter, booked.meter,
            "meter of an award by the ledger, 255 for none");
    if (award < run->round.booking_count)
        compare_booking(run, told->seat, &run->round.bookings[award], &booked, "award");
    else if (entry->code == TERMINAL_LOG_MUST_HIT_PAID && must_hit_booking(run, &due))
        compare_booking(run, told->seat, &due, &booked, "award");
    return 0;
}

static int check_correction(struct run *run, const struct log_entry *entry, unsigned number,
                            struct error *error)
{
    const struct run_correction *due = &run->round.corrections[number];
    struct terminal_ledger_entry booked;
    bool is_there;
    int status;

    if (number >= run->round.correction_count)
        return 0;
    status = read_named(run, entry, 0, &booked, &is_there, error);
    if (status || !is_there)
        return status;
    compare(run, 0, due->meter, booked.meter, "meter of a correction by the ledger");
    compare(run, 0, 0, booked.cents, "cents that a correction pays, by the ledger");
    compare_booking(run, 0, &(struct run_booking){TERMINAL_NONE, due->before, due->after}, &booked,
                    "administrator's correction");
    compare(run, 0, 1, !strcmp(booked.reason, RUN_CORRECTION),
            "the ledger has the reason of a correction");
    return 0;
}

static bool is_award(const struct log_entry *entry)
{
    return entry->code == TERMINAL_LOG_JACKPOT_PAID || entry->code == TERMINAL_LOG_MUST_HIT_PAID;
}

/* Whether the entry above, or the next one, is of that code. */
static bool is_beside(const struct run_log *log, unsigned at, unsigned code)
{
    return (at && log->entries[at - 1].code == code) ||
           (at < log->count && log->entries[at].code == code);
}

/* A wrong code as a key refused, beside its own entry; of the third the state before or after. */
static bool is_code_refused(const struct run_log *log, unsigned at, const struct log_entry *entry)
{
    unsigned reason = entry->value >> 8, state = entry->value & 0xff;

    if (entry->code != TERMINAL_LOG_KEY_REFUSED || entry->detail != TERMINAL_CODE)
        return false;
    if (reason == TERMINAL_WRONG_CODE)
        return state == TERMINAL_CODE_ENTRY && is_beside(log, at, TERMINAL_LOG_CODE_WRONG);
    return reason == TERMINAL_CODE_LOCKED && is_beside(log, at, TERMINAL_LOG_CODE_LOCKED) &&
           (state == TERMINAL_CODE_ENTRY || state == TERMINAL_OPEN);
}

/* The third wrong code under the number of the others, before its own entry. */
static bool is_third_code(const struct run_log *log, unsigned at, const struct log_entry *entry)
{
    return entry->code == TERMINAL_LOG_CODE_WRONG && entry->value == TERMINAL_CODE_TRIES &&
           at < log->count && log->entries[at].code == TERMINAL_LOG_CODE_LOCKED &&
           log->entries[at].detail == entry->detail;
}

/*
 * What the protocol leaves open: that a wrong code is a key refused as well, that the third one is
 * a wrong code as well, and whether a round ends before or after its Must Hit is paid.
 */
static bool is_left_open(struct run *run, struct run_log_reading *reading,
                         const struct log_entry *entry)
{
    struct run_log *log = &run->round.log;
    unsigned at = reading->count;
    bool is_code = is_code_refused(log, at, entry) || is_third_code(log, at, entry);

    if (is_code && run->round.code_entries && entry->number == reading->next) {
        run->round.code_entries--;
        run_log_pass(reading, entry);
        return true;
    }
    if (at + 1 < log->count && entry->code == TERMINAL_LOG_ROUND_ENDED &&
        log->entries[at].code == TERMINAL_LOG_MUST_HIT_PAID &&
        log->entries[at + 1].code == TERMINAL_LOG_ROUND_ENDED)
        run_log_swap(log, at);
    return false;
}

static int read_terminal(struct run *run, struct run_log_reading *reading, struct error *error)
{
    struct log_entry entries[LOG_REPLY_MAX];
    unsigned count, awards = 0, corrections = 0;
    uint32_t total, from;

    do {
        nanos_t asked = clock_now(&run->bench->clock);
        int status = device_log(&run->bench->terminal->device, from = reading->next, entries,
                                &count, &total, error);

        reading->now = clock_now(&run->bench->clock);
        if (!status)
            run_log_total(reading, total, asked);
        for (unsigned i = 0; !status && i < count; i++) {
            if (is_left_open(run, reading, &entries[i]))
                continue;
            run_log_read(reading, &entries[i]);
            if (is_award(&entries[i]))
                status = check_ledger(run, &entries[i], awards++, error);
            if (!status && entries[i].code == TERMINAL_LOG_CORRECTED)
                status = check_correction(run, &entries[i], corrections++, error);
        }
        if (status)
            return status;
    } while (reading->next > from && reading->next < total);
    run->recording.terminal_logged = total;
    return 0;
}

int run_terminal_check_log(struct run *run, struct error *error)
{
    struct run_log_reading reading = {.book = run->book,
                                      .device = "terminal",
                                      .expected = &run->round.log,
                                      .next = run->recording.terminal_logged,
                                      .past = &run->pasts[DEVICE_TERMINAL],
                                      .differs = run->round.log.is_unsure};
    int status;

    if (!keeps_log(run))
        return 0;
    status = read_terminal(run, &reading, error);
    if (!status)
        run_log_end(&reading);
    return status ? status : check_end_of_ledger(run, error);
}

int run_terminal_skip_log(struct run *run, struct error *error)
{
    struct log_entry entries[LOG_REPLY_MAX];
    uint32_t *logged = &run->recording.terminal_logged;
    nanos_t asked = clock_now(&run->bench->clock);
    unsigned count;
    int status;

    if (!keeps_log(run) || run->recording.has_start)
        return 0;
    status = device_log(&run->bench->terminal->device, UINT32_MAX, entries, &count, logged, error);
    run_log_follow(&run->pasts[DEVICE_TERMINAL], *logged, asked);
    return status;
}
