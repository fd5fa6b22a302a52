/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The terminal's log of a round, and its ledger: awards as they were told and as the meters say. */
#include "rigs/run/terminal.h"

/* Must Hit is paid at END ROUND, out of what the round has added to it. */
static bool must_hit_booking(const struct run *run, struct run_booking *due)
{
    struct meters meters = run->round.live;
    int index = meters.must_hit;
    cents_t wagered = 0;

    if (!run->round.is_settled || index < 0)
        return false;
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        if (run->round.paid & seat_bit(seat))
            wagered += run->round.dealt.bets[seat][run->recording.progressive];
    meters.must_hit = -1; /* neither paid nor held to its ceiling */
    if (meters_end_round(&meters, wagered, false, NULL, NULL))
        return false;
    *due = (struct run_booking){.hand = TERMINAL_NONE,
                                .before = meters.meter[index].value,
                                .after = run->round.after.meter[index].value};
    return true;
}

static void compare(struct run *run, unsigned seat, int64_t expected, uint64_t got, const char *why)
{
    check_number(run->book, CHECK_EVENT_LOG, seat, "ledger", expected, (int64_t)got, why);
}

static void compare_booking(struct run *run, unsigned seat, const struct run_booking *due,
                            const struct terminal_ledger_entry *booked)
{
    compare(run, seat, due->hand, booked->hand, "hand of an award by the ledger, 255 for none");
    compare(run, seat, due->before, booked->before,
            "millionths of the meter before an award by the ledger");
    compare(run, seat, due->after, booked->after,
            "millionths of the meter after an award by the ledger");
}

static int check_ledger(struct run *run, const struct log_entry *entry, unsigned award,
                        struct error *error)
{
    const struct award *told = &run->round.awards[award];
    struct terminal_ledger_entry booked;
    struct run_booking due;
    int status;

    if (award >= run->round.award_count)
        return 0;
    status = terminal_ledger(run->bench->terminal, entry->value, &booked, error);
    if (status == ERROR_DEVICE && device_refusal(&run->bench->terminal->device) == REFUSED_VALUE) {
        compare(run, told->seat, 1, 0, "the ledger has the entry that the log names");
        return 0;
    }
    if (status)
        return status;
    compare(run, told->seat, told->pays, booked.cents, "cents of an award by the ledger");
    compare(run, told->seat, told->seat, booked.seat, "seat of an award by the ledger");
    compare(run, told->seat, told->meter, booked.meter,
            "meter of an award by the ledger, 255 for none");
    if (award < run->round.booking_count)
        compare_booking(run, told->seat, &run->round.bookings[award], &booked);
    else if (entry->code == TERMINAL_LOG_MUST_HIT_PAID && must_hit_booking(run, &due))
        compare_booking(run, told->seat, &due, &booked);
    return 0;
}

static bool is_award(const struct log_entry *entry)
{
    return entry->code == TERMINAL_LOG_JACKPOT_PAID || entry->code == TERMINAL_LOG_MUST_HIT_PAID;
}

static int read_terminal(struct run *run, struct run_log_reading *reading, struct error *error)
{
    struct log_entry entries[LOG_REPLY_MAX];
    unsigned count, awards = 0;
    uint32_t total, from;

    do {
        int status = device_log(&run->bench->terminal->device, from = reading->next, entries,
                                &count, &total, error);

        if (!status)
            run_log_total(reading, total);
        for (unsigned i = 0; !status && i < count; i++) {
            run_log_read(reading, &entries[i]);
            if (is_award(&entries[i]))
                status = check_ledger(run, &entries[i], awards++, error);
        }
        if (status)
            return status;
    } while (reading->next > from && reading->next < total);
    run->recording.terminal_logged = total;
    return 0;
}

static bool keeps_log(const struct run *run)
{
    return run->recording.has_terminal &&
           device_can(&run->bench->terminal->device, DEVICE_KEEPS_LOG);
}

int run_terminal_check_log(struct run *run, struct error *error)
{
    struct run_log_reading reading = {.book = run->book,
                                      .device = "terminal",
                                      .expected = &run->round.log,
                                      .next = run->recording.terminal_logged,
                                      .differs = run->round.log.is_unsure};
    int status;

    if (!keeps_log(run))
        return 0;
    status = read_terminal(run, &reading, error);
    if (!status)
        run_log_end(&reading);
    return status;
}

int run_terminal_skip_log(struct run *run, struct error *error)
{
    struct log_entry entries[LOG_REPLY_MAX];
    unsigned count;

    return keeps_log(run) ? device_log(&run->bench->terminal->device, UINT32_MAX, entries, &count,
                                       &run->recording.terminal_logged, error)
                          : 0;
}
