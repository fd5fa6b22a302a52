/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reseeds and rates of a terminal as it was found. Version 1 does not tell them, but its log and
 * ledger show them since it was configured last: what a jackpot has left of its meter, and what the
 * rounds after that have added.
 */
#include <string.h>

#include "rigs/run/terminal/terminal.h"

#define WINDOW 140 /* entries of the log that are looked at: ten requests */

/* What is known of one meter on the way through the log. */
struct trail {
    bool is_known;
    uint64_t value;  /* after the last award or correction */
    unsigned wagers; /* locked in rounds that have ended since */
};

struct trails {
    struct trail meter[METERS_MAX];
};

static const struct meter *meter_of(const struct run *run, unsigned index)
{
    const struct meters *meters = &run->recording.meters;

    return index < meters->count && (int)index != meters->must_hit ? &meters->meter[index] : NULL;
}

static void add(struct run *run, const char *meter, uint64_t due, uint64_t found, const char *why)
{
    struct run_found *list = &run->found;

    if (list->count < RUN_FOUND_MAX)
        list->finding[list->count++] =
            (struct run_finding){meter, (int64_t)due, (int64_t)found, why};
}

/* The value that a meter must have by what is known of it. */
static void compare_grown(struct run *run, unsigned index, const struct trail *trail,
                          uint64_t value)
{
    const struct meter *meter = meter_of(run, index);
    uint64_t wagered = (uint64_t)trail->wagers * run->recording.terminal.wager;

    if (trail->is_known && trail->wagers)
        add(run, meter->name, trail->value + wagered * (uint64_t)meter->rate, value,
            "millionths of the meter that was found, by the sheet's rate");
}

/* What an award has left: the reseed value, with the fraction of a cent where that is kept. */
static void see_award(struct run *run, const struct terminal_ledger_entry *booked,
                      struct trail *trail)
{
    const struct meter *meter = meter_of(run, booked->meter);
    uint64_t rest = run->recording.meters.rounding == ROUNDING_CENTS
                        ? booked->before - booked->cents * MICROS_PER_CENT
                        : 0;

    compare_grown(run, booked->meter, trail, booked->before);
    add(run, meter->name, (uint64_t)meter->reseed + rest, booked->after,
        "millionths that an award has left, by the sheet's reseed value");
}

static int see_booked(struct run *run, const struct log_entry *entry, struct trails *trails,
                      struct error *error)
{
    uint32_t end = run->recording.ledger_next;
    bool is_wide = run->bench->terminal->device.is_wide;
    uint32_t number = is_wide ? entry->value : end - 1 - (uint16_t)(end - 1 - entry->value);
    struct terminal_ledger_entry booked;
    int status = terminal_ledger(run->bench->terminal, number, &booked, error);

    if (status == ERROR_DEVICE && device_refusal(&run->bench->terminal->device) == REFUSED_VALUE)
        return 0;
    if (status || !meter_of(run, booked.meter) || booked.code != entry->code)
        return status;
    if (entry->code == TERMINAL_LOG_JACKPOT_PAID)
        see_award(run, &booked, &trails->meter[booked.meter]);
    trails->meter[booked.meter] = (struct trail){.is_known = true, .value = booked.after};
    return 0;
}

static int follow_log(struct run *run, const struct log_entry *entries, unsigned count,
                      struct trails *trails, struct error *error)
{
    int status = 0;

    for (unsigned i = 0; i < count && !status; i++) {
        unsigned code = entries[i].code;

        if (code == TERMINAL_LOG_CONFIGURED) {
            *trails = (struct trails){0};
            run->found.count = 0;
        }
        for (unsigned m = 0; code == TERMINAL_LOG_ROUND_ENDED && m < METERS_MAX; m++)
            trails->meter[m].wagers += (unsigned)__builtin_popcount(entries[i].detail);
        if (code == TERMINAL_LOG_JACKPOT_PAID || code == TERMINAL_LOG_CORRECTED)
            status = see_booked(run, &entries[i], trails, error);
    }
    return status;
}

/* Whether the meters have the names that this game gives them. */
static bool is_same_game(const struct run *run, const struct terminal_meters *meters)
{
    unsigned count = run->recording.terminal.meter_count;
    bool is_same = meters->count - (meters->must_hit != TERMINAL_NONE) == (int)count;

    for (unsigned i = 0; is_same && i < count; i++)
        is_same = !strcmp(meters->meter[i].name, run->recording.terminal.meters[i].name);
    return is_same;
}

/* The last entries of the log, however many a reply has; none where one of them is missing. */
static int read_window(struct run *run, struct log_entry entries[WINDOW + LOG_REPLY_MAX],
                       unsigned *count, struct error *error)
{
    struct device *device = &run->bench->terminal->device;
    uint32_t first, next, end, total;
    unsigned read;
    int status = device_log(device, UINT32_MAX, entries, &read, &end, error);

    if (status)
        return status;
    first = end > WINDOW ? end - WINDOW : 0;
    for (next = first; next < end; next += read) {
        struct log_entry *more = entries + (next - first);

        status = device_log(device, next, more, &read, &total, error);
        if (status)
            return status;
        if (!read || more->number != next) {
            *count = 0;
            return 0;
        }
    }
    *count = next - first;
    return 0;
}

int run_look_at_rules(struct run *run, struct error *error)
{
    struct log_entry entries[WINDOW + LOG_REPLY_MAX];
    struct trails trails = {0};
    struct terminal_meters meters;
    unsigned count;
    int status;

    if (run->found.was_looked_at || !device_can(&run->bench->terminal->device, DEVICE_KEEPS_LOG))
        return 0;
    run->found.was_looked_at = true;
    status = terminal_status(run->bench->terminal, &run->found.before, error);
    run->found.is_counted = !status;
    if (!status)
        status = run_look_at_config(run, error);
    if (status || !run->found.before.awards)
        return status;
    status = terminal_meters(run->bench->terminal, &meters, error);
    if (status == ERROR_DEVICE) /* one that was never configured may have none to tell */
        return 0;
    if (status || !is_same_game(run, &meters))
        return status;
    status = run_ledger_find_end(run, run->found.before.awards, error);
    if (!status)
        status = read_window(run, entries, &count, error);
    if (!status)
        status = follow_log(run, entries, count, &trails, error);
    for (unsigned i = 0; !status && i < run->recording.terminal.meter_count; i++)
        compare_grown(run, i, &trails.meter[i], meters.meter[i].micros);
    return status;
}

/* CONFIGURE plays no round, and changes no mode; it may have what is counted begin at 0. */
static void compare_status(struct run *run, const struct terminal_status *before,
                           const struct terminal_status *after)
{
    const struct {
        int64_t before, after;
        const char *why;
    } fields[] = {
        {run->found.screen, before->state, "state by SCREEN and by STATUS, as it was found"},
        {before->state, after->state, "state by STATUS, before CONFIGURE and after it"},
        {before->test_mode, after->test_mode, "test mode by STATUS, likewise"},
        {before->locked, after->locked, "set of locked seats by STATUS, likewise"},
        {after->paid ? before->paid : 0, after->paid, "set of seats that have won, likewise"},
        {after->rounds ? before->rounds : 0, after->rounds, "rounds started, likewise"},
        {after->awards ? before->awards : 0, after->awards, "awards paid, likewise"},
    };

    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        check_number(run->book, CHECK_EVENT_LOG, 0, "terminal", fields[i].before, fields[i].after,
                     fields[i].why);
}

static void check_finding(struct run *run, const struct run_finding *finding)
{
    check_number(run->book, CHECK_METER_RULES, 0, finding->meter, finding->due, finding->found,
                 finding->why);
}

void run_check_rules(struct run *run)
{
    struct run_found *found = &run->found;

    if (run->configured.why)
        check_finding(run, &run->configured);
    run->configured.why = NULL;
    if (!found->was_looked_at || found->was_judged)
        return;
    found->was_judged = true;
    if (found->is_counted)
        compare_status(run, &found->before, &found->after);
    if (found->tells_config)
        check_finding(run, &found->config);
    for (unsigned i = 0; i < found->count; i++)
        check_finding(run, &found->finding[i]);
    if (!found->count && !found->tells_config)
        check_skip(run->book, CHECK_METER_RULES,
                   "the terminal was found with no award since it was configured for this game: "
                   "nothing shows its reseeds and rates");
}
