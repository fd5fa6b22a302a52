/* What the devices' own logs say of a round, entry by entry, against what happened in it. */
#include <stdio.h>
#include <string.h>

#include "devices/shoe/wire.h"
#include "rigs/run/terminal.h"

/* One entry of any log. */
struct entry {
    uint32_t number;
    uint64_t millis;
    unsigned code, detail, value;
};

/* A log on its way against what is expected of it. */
struct reading {
    struct run *run;
    const char *device;
    const struct run_log *expected;
    uint32_t next; /* number of the entry that must come now */
    uint64_t millis;
    unsigned count;
    bool differs; /* the first difference was told; what follows it means nothing */
};

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

void run_log_insert(struct run_log *log, unsigned code, unsigned detail, int value)
{
    unsigned last = log->count - 1;

    run_log_add(log, log->entries[last].code, log->entries[last].detail, log->entries[last].value);
    log->entries[last].code = (uint8_t)code;
    log->entries[last].detail = (uint8_t)detail;
    log->entries[last].value = value;
}

static void differ(struct reading *reading, const char *expected, const char *got, const char *why)
{
    reading->differs = true;
    check_fail(
        reading->run->book, CHECK_EVENT_LOG,
        (struct check_result){
            .wager = reading->device, .expected = expected, .got = got, .device = got, .why = why});
}

static void compare_entry(struct reading *reading, const struct entry *entry)
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

static void read_entry(struct reading *reading, const struct entry *entry)
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

static void end_reading(struct reading *reading)
{
    if (!reading->differs)
        check_number(reading->run->book, CHECK_EVENT_LOG, 0, reading->device,
                     reading->expected->count, reading->count, "entries of the log in this round");
}

static void expect_packets(const struct run *run, struct run_log *log)
{
    const struct round *dealt = &run->round.dealt;
    struct deal_step steps[PACKETS_MAX];
    size_t first = game_deal(&run->recording.header->setup, dealt->seats, steps);
    bool by_button = run->recording.header->setup.deal == DEAL_PACKETS;
    unsigned flags = (run->recording.in_test_mode ? SHUFFLER_FLAG_TEST_MODE : 0) |
                     (run->round.is_loaded ? SHUFFLER_FLAG_LOADED : 0);

    run_log_add(log, SHUFFLER_SHUFFLED, flags, run->round.shuffle);
    for (unsigned i = 0; i < dealt->packet_count; i++) {
        if (!i || (i >= first && by_button))
            run_log_add(log, SHUFFLER_BUTTON_PRESSED, 0, 0);
        run_log_add(log, SHUFFLER_PACKET_PRESENT, i, dealt->packet[i]);
        run_log_add(log, SHUFFLER_PACKET_TAKEN, i, 0);
    }
}

int run_log_deal(struct run *run, struct error *error)
{
    struct run_log log;
    struct reading reading = {
        .run = run, .device = "shuffler", .expected = &log, .next = run->recording.shuffler_logged};
    struct shuffler_log_entry entries[SHUFFLER_LOG_MAX];
    unsigned count;
    uint32_t total, from;

    if (!run->bench->shuffler->driver->log)
        return 0;
    run_log_clear(&log);
    expect_packets(run, &log);
    do {
        int status =
            shuffler_log(run->bench->shuffler, from = reading.next, entries, &count, &total, error);

        if (status)
            return status;
        for (unsigned i = 0; i < count; i++)
            read_entry(&reading,
                       &(struct entry){entries[i].number, entries[i].millis, entries[i].code,
                                       entries[i].detail, entries[i].value});
    } while (reading.next > from && reading.next < total);
    end_reading(&reading);
    run->recording.shuffler_logged = total;
    return 0;
}

/* Deck and lock come and go with the order that was loaded; only cards are looked for. */
static bool is_card(const struct shoe_log_entry *entry)
{
    return entry->code == SHOE_CARD;
}

int run_log_cards(struct run *run, struct error *error)
{
    struct run_log log;
    struct reading reading = {
        .run = run, .device = "shoe", .expected = &log, .next = run->recording.shoe_logged};
    struct shoe_log_entry entries[SHOE_LOG_MAX];
    unsigned count;
    uint32_t total, from, next = run->recording.shoe_logged;

    if (!run->bench->shoe->driver->log || run->round.device_failed)
        return 0;
    run_log_clear(&log);
    for (unsigned i = 0; i < run->round.dealt.dealt_count; i++)
        run_log_add(&log, SHOE_CARD, i, run->round.dealt.dealt[i]);
    do {
        int status = shoe_log(run->bench->shoe, from = next, entries, &count, &total, error);

        if (status)
            return status;
        for (unsigned i = 0; i < count; i++) {
            next = entries[i].number + 1;
            if (is_card(&entries[i]))
                read_entry(&reading,
                           &(struct entry){entries[i].number, entries[i].millis, entries[i].code,
                                           entries[i].detail, entries[i].value});
            else
                reading.next += entries[i].number == reading.next;
        }
    } while (next > from && next < total);
    end_reading(&reading);
    run->recording.shoe_logged = total;
    return 0;
}

static bool is_award(const struct terminal_log_entry *entry)
{
    return entry->code == TERMINAL_LOG_JACKPOT_PAID || entry->code == TERMINAL_LOG_MUST_HIT_PAID;
}

static int read_terminal(struct run *run, struct reading *reading, struct error *error)
{
    struct terminal_log_entry entries[TERMINAL_LOG_MAX];
    unsigned count, awards = 0;
    uint32_t total, from;

    do {
        int status = terminal_log(run->bench->terminal, from = reading->next, entries, &count,
                                  &total, error);

        for (unsigned i = 0; !status && i < count; i++) {
            read_entry(reading,
                       &(struct entry){entries[i].number, entries[i].millis, entries[i].code,
                                       entries[i].detail, entries[i].value});
            if (is_award(&entries[i]))
                status = run_check_ledger(run, &entries[i], awards++, error);
        }
        if (status)
            return status;
    } while (reading->next > from && reading->next < total);
    run->recording.terminal_logged = total;
    return 0;
}

int run_log_terminal(struct run *run, struct error *error)
{
    struct reading reading = {.run = run,
                              .device = "terminal",
                              .expected = &run->round.log,
                              .next = run->recording.terminal_logged,
                              .differs = run->round.log.is_unsure};
    int status = read_terminal(run, &reading, error);

    if (!status)
        end_reading(&reading);
    return status;
}

/* Whatever the logs hold is not of the round that comes. */
int run_log_skip(struct run *run, struct error *error)
{
    struct shuffler_log_entry dealt[SHUFFLER_LOG_MAX];
    struct terminal_log_entry pressed[TERMINAL_LOG_MAX];
    struct shoe_log_entry drawn[SHOE_LOG_MAX];
    const struct bench *bench = run->bench;
    unsigned count;
    int status = 0;

    if (bench->shuffler && bench->shuffler->driver->log)
        status = shuffler_log(bench->shuffler, UINT32_MAX, dealt, &count,
                              &run->recording.shuffler_logged, error);
    if (!status && bench->shoe && bench->shoe->driver->log)
        status =
            shoe_log(bench->shoe, UINT32_MAX, drawn, &count, &run->recording.shoe_logged, error);
    if (!status && run->recording.has_terminal)
        status = terminal_log(bench->terminal, UINT32_MAX, pressed, &count,
                              &run->recording.terminal_logged, error);
    return status;
}
