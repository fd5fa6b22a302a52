/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/run/ending.h"

#include <string.h>

#include "rigs/run/dealer/dealer.h"
#include "rigs/run/leave.h"
#include "rigs/run/others.h"
#include "rigs/run/quiet.h"
#include "rigs/run/second.h"
#include "rigs/run/terminal/terminal.h"

/* What the terminal has told since the last round, when that was judged. */
struct heard {
    bool is_judged;
    unsigned awards, lights, refused;
};

/* Nothing that a key brings may come when none was pressed; what was told once is not again. */
static void check_terminal_silence(struct run *run, struct heard *heard)
{
    const struct heard now = {true, run->round.award_count, run->round.told.lights_changed,
                              run->round.told.refused};

    if (!heard->is_judged || now.awards != heard->awards)
        check_number(run->book, CHECK_JACKPOTS, 0, NULL, 0, now.awards,
                     "awards told by the terminal after the last round");
    if (!heard->is_judged || now.lights != heard->lights)
        check_number(run->book, CHECK_LIGHTS, 0, NULL, 0, now.lights,
                     "times that LIGHTS CHANGED was told after the last round");
    if (!heard->is_judged || now.refused != heard->refused)
        check_number(run->book, CHECK_KEY_REFUSALS, 0, NULL, 0, now.refused,
                     "keys refused after the last round, by the terminal's events");
    *heard = now;
}

/* What the terminal is after the last round. */
static void check_terminal(struct runner *runner, struct heard *heard)
{
    if (!run_terminal_tells(&runner->run))
        return;
    check_terminal_silence(&runner->run, heard);
    run_leave_check_terminal(runner, "after the last round");
}

static void check_log(struct run *run, const struct bench_device *device)
{
    struct error error;
    int status = 0;

    if (device->class == run->recording.dealer->class)
        status = run_dealer_check_log(run, &error);
    else if (device->class == DEVICE_TERMINAL && !run->round.device_failed)
        status = run_terminal_check_log(run, &error);
    else if (device->class == DEVICE_SENSORS)
        status = run_sensors_check_log(run, &error);
    run_quiet_tell(run, CHECK_EVENT_LOG, device, status, &error);
}

/* What the logs have since the last round, and the ledger. */
static void check_logs(struct run *run)
{
    const struct bench_device *device;

    for (unsigned i = 0; (device = bench_device(run->bench, i)); i++)
        check_log(run, device);
}

#define REPEAT_MS 500 /* a full reply to LOG, twice, at 9600 baud */

/*
 * A reply that took so long that its request was said again comes again. On a slow line many in a
 * row would be later each time: time is given to those that are on their way.
 */
static void give_time(struct run *run, const struct host *host, uint64_t retries)
{
    if (host && host->counts.retries > retries)
        run_quiet_pass(run, REPEAT_MS * (uint32_t)(host->counts.retries - retries));
}

/*
 * Reads again what was read of a log, as far as the device has it: nothing of it has changed.
 * `most` is what the largest total of a reply says.
 */
static int read_again(struct run *run, const struct bench_device *device, struct run_log_past *past,
                      uint32_t *most, struct error *error)
{
    static const struct run_log none;
    struct run_log_reading reading = {.book = run->book,
                                      .device = device->name,
                                      .expected = &none,
                                      .past = past,
                                      .total = past->next};
    struct log_entry entries[LOG_REPLY_MAX];
    const struct host *host = device_host(device->device);
    uint32_t total, next = past->first, from;
    unsigned count;

    while (next < past->next) {
        uint64_t retries = host ? host->counts.retries : 0;
        int status = device_log(device->device, from = next, entries, &count, &total, error);

        if (status)
            return status;
        run_log_total(&reading, total, 0);
        *most = total > *most ? total : *most;
        for (unsigned i = 0; i < count; i++) {
            run_log_again(&reading, &entries[i]);
            next = entries[i].number + 1;
        }
        if (next == from)
            break;
        give_time(run, host, retries);
    }
    if (past->first < past->next && !reading.differs)
        check_pass(run->book, CHECK_EVENT_LOG);
    return 0;
}

/* Whether its log was followed in the last recording; that of others may have been before. */
static bool is_followed(const struct run *run, const struct bench_device *device)
{
    if (device->class == DEVICE_TERMINAL)
        return run->recording.has_terminal;
    if (device->class == DEVICE_SENSORS)
        return run->recording.sensors_begun;
    return device->class == run->recording.dealer->class;
}

/*
 * An entry may have been made since the log was read to its end: it is read, and judged, too. After
 * a failure no log is.
 */
static void check_again(struct run *run, const struct bench_device *device,
                        struct run_log_past *past)
{
    uint32_t most = past->next;
    struct error error;
    int status = read_again(run, device, past, &most, &error);

    run_quiet_tell(run, CHECK_EVENT_LOG, device, status, &error);
    if (status || most == past->next || run->round.device_failed || !is_followed(run, device))
        return;
    check_log(run, device);
    if (most > past->next)
        check_number(run->book, CHECK_EVENT_LOG, 0, device->name, past->next, most,
                     "entries that the log says it has, read again after the last round");
}

/* What was read of the ledger is read again, up to the first entry that has changed. */
static int read_ledger_again(struct run *run, const struct host *host, struct error *error)
{
    const struct run_ledger_past *past = &run->ledger_past;

    for (uint32_t number = past->first; number != past->next; number++) {
        uint64_t retries = host ? host->counts.retries : 0;
        bool is_same;
        int status = run_ledger_check_again(run, number, &is_same, error);

        if (status || !is_same)
            return status;
        give_time(run, host, retries);
    }
    check_pass(run->book, CHECK_EVENT_LOG);
    return 0;
}

/* Of a terminal, where any of its ledger was read, also in an earlier recording. */
static void check_ledger(struct run *run)
{
    const struct bench_device *device = bench_find(run->bench, DEVICE_TERMINAL);
    struct error error;
    int status;

    if (run->ledger_past.first == run->ledger_past.next)
        return;
    status = read_ledger_again(run, device_host(device->device), &error);
    run_quiet_tell(run, CHECK_EVENT_LOG, device, status, &error);
}

static void check_unchanged(struct run *run)
{
    const struct bench_device *device;

    for (unsigned i = 0; (device = bench_device(run->bench, i)); i++)
        if (device_can(device->device, DEVICE_KEEPS_LOG))
            check_again(run, device, &run->pasts[device->class]);
    check_ledger(run);
}

/* A log is followed from here on where the last round did not come to its end. */
static int follow_logs(struct runner *runner, struct error *error)
{
    struct run *run = &runner->run;
    bool skips = run->recording.has_start || !runner->has_passed;
    int status = runner->has_passed ? 0 : run_dealer_skip_log(run, error);

    run->recording.has_start = false;
    return status || !skips ? status : run_terminal_skip_log(run, error);
}

/* The round after the last one, in which nothing is played. */
static void begin(struct run *run)
{
    const struct run_round last = run->round;

    run->round = (struct run_round){.state = TERMINAL_IDLE, .sign = last.sign};
    run->round.sign_count = last.sign_count; /* their event may still be on its way */
    memcpy(run->round.signs, last.signs, sizeof last.signs);
    run->round.wagered = run_seats_of_people(run);
    run->book->tally = &run->round.tally;
}

/* False when the run was cut off before, and devices may still be on their way. */
static bool end_rounds(struct runner *runner, struct heard *heard)
{
    struct run *run = &runner->run;
    struct error error;
    bool is_whole = runner->is_at_rest;

    begin(run);
    if (is_whole)
        is_whole =
            run_quiet_pass(run, run->bench->rig->timing.quiet) && !follow_logs(runner, &error);
    if (is_whole && run->recording.has_terminal)
        check_terminal(runner, heard);
    if (is_whole) { /* so that it is known that what comes now comes after the quiet period */
        check_logs(run);
        run_others_check(run);
        run->recording.dealer_log.is_quiet = run->recording.sensors_log.is_quiet = true;
    }
    run_leave_test_mode(runner, is_whole);
    if (!is_whole)
        return false;
    run_quiet_hear(run);
    check_logs(run);
    check_unchanged(run);
    return true;
}

/* A log that has not told by now what came since it was read. */
static void check_rest_of_log(struct run *run, const struct bench_device *device)
{
    const struct run_log *due = NULL;

    if (device->class == run->recording.dealer->class)
        due = &run->recording.dealer_log.due;
    else if (device->class == DEVICE_SENSORS)
        due = &run->recording.sensors_log.due;
    if (due && (due->count || due->is_unsure))
        check_log(run, device);
}

/* What came with the last replies is held to the same rules. */
static void judge_rest(struct runner *runner, struct heard *heard)
{
    struct run *run = &runner->run;
    const struct bench_device *device;

    run_quiet_hear(run);
    if (run->recording.has_terminal && run_terminal_tells(run)) {
        check_terminal_silence(run, heard);
        if (runner->has_passed)
            run_check_told_meters(run, &run->recording.meters);
    }
    for (unsigned i = 0; (device = bench_device(run->bench, i)); i++)
        check_rest_of_log(run, device);
    if (run->round.device_failed)
        check_number(run->book, CHECK_STATUS, 0, NULL, 0, 1, run->round.why);
}

void run_ending(struct runner *runner)
{
    struct heard heard = {.is_judged = false};
    bool is_whole = end_rounds(runner, &heard);

    run_identity_end(runner);
    if (!is_whole)
        return;
    judge_rest(runner, &heard);
    run_second_end(&runner->run);
    run_loop_check_frames(runner); /* last, so that no frame comes after it */
}

void run_ending_recording(struct runner *runner)
{
    struct run *run = &runner->run;
    struct heard heard = {.is_judged = false};
    struct error error;

    if (!run->recording.dealer || !runner->is_at_rest)
        return;
    begin(run);
    run_quiet_hear(run);
    if (follow_logs(runner, &error))
        return;
    if (run->recording.has_terminal)
        check_terminal(runner, &heard);
    check_logs(run);
    check_ledger(run);
    run_others_check(run);
    judge_rest(runner, &heard);
    run_loop_check_frames(runner);
}
