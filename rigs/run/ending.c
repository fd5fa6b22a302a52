/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/run/ending.h"

#include <string.h>

#include "rigs/run/dealer/dealer.h"
#include "rigs/run/second.h"
#include "rigs/run/terminal/terminal.h"

#define SLICE_MS 50

/*
 * Of a device that is gone there is nothing to say but that, in the end; neither when somebody has
 * stopped the run, nor of an answer that a damaged line may have swallowed.
 */
static bool is_to_be_told(const struct bench_device *device, int status)
{
    return (status == ERROR_DEVICE && (!device->link || !link_is_lost(device->link))) ||
           (status == ERROR_TIMEOUT && !device->is_lossy);
}

/* What it says, or does not say, is no end of a run. */
static void tell(struct run *run, enum check check, const struct bench_device *device, int status,
                 const struct error *error)
{
    if (is_to_be_told(device, status))
        check_number(run->book, check, 0, device->name, 0, 1, error->text);
}

static int hear_dealer(struct run *run, struct error *error)
{
    int status;

    while ((status = run->recording.dealer->hear(run, clock_now(&run->bench->clock), error)) > 0)
        continue;
    return status;
}

/* Of a dealer whose frames nobody sees, the check that it belongs to is that of its turns. */
static enum check check_of(const struct run *run, const struct bench_device *device)
{
    return device->class == run->recording.dealer->class &&
                   !device_can(device->device, DEVICE_SHOWS_FRAMES)
               ? CHECK_PACKET_ORDER
               : CHECK_FRAMES;
}

/* Takes what all of them have said by now. */
static void hear_all(struct run *run)
{
    const struct bench_device *device;
    struct error error;

    for (unsigned i = 0; (device = bench_device(run->bench, i)); i++) {
        int status = 0;

        if (device->class == run->recording.dealer->class)
            status = hear_dealer(run, &error);
        else if (device->class == DEVICE_TERMINAL && run->recording.has_terminal)
            status = run_listen(run, NULL, 0, &error);
        else if (device->class == DEVICE_SENSORS)
            status = run_sensors_hear(run, &error);
        tell(run, check_of(run, device), device, status, &error);
    }
}

/* False when somebody has stopped the run. */
static bool let_pass(struct run *run, uint32_t millis)
{
    struct bench *bench = run->bench;

    hear_all(run);
    for (uint32_t left = millis, slice; left; left -= slice) {
        slice = left < SLICE_MS ? left : SLICE_MS;
        if (hal_wait(&bench->hal, -1, 0, clock_deadline(&bench->clock, slice), NULL) < 0)
            return false;
        hear_all(run);
    }
    return true;
}

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

static int check_terminal_status(struct run *run, struct error *error)
{
    struct terminal_status first, status;
    int result = terminal_status(run->bench->terminal, &first, error);

    if (!result)
        result = terminal_status(run->bench->terminal, &status, error);
    if (result)
        return result;
    /* They may stay after a round, or go. */
    run_check_status(run, "terminal", first.locked, status.locked, "set of locked seats, again");
    run_check_status(run, "terminal", first.test_mode, status.test_mode, "test mode, again");
    run_check_status(run, "terminal", first.state, status.state, "state, again");
    run_check_status(run, "terminal", TERMINAL_IDLE, status.state, "state after the last round");
    if (!run->recording.is_counted)
        return 0;
    run_check_status(run, "terminal", run->recording.rounds_started, status.rounds,
                     "rounds started");
    run_check_status(run, "terminal", run->recording.award_number, status.awards, "awards paid");
    run_check_status(run, "terminal", first.rounds, status.rounds, "rounds started, again");
    run_check_status(run, "terminal", first.awards, status.awards, "awards paid, again");
    return 0;
}

/* What the terminal is after the last round. */
static void check_terminal(struct runner *runner, struct heard *heard)
{
    struct run *run = &runner->run;
    const struct bench_device *terminal = bench_find(run->bench, DEVICE_TERMINAL);
    struct error error;
    int status;

    if (!run_terminal_tells(run))
        return;
    check_terminal_silence(run, heard);
    status = check_terminal_status(run, &error);
    tell(run, CHECK_STATUS, terminal, status, &error);
    if (status || !runner->has_passed)
        return;
    status = run_check_meters(run, &run->recording.meters, false, "after the last round", &error);
    tell(run, CHECK_METER_VALUES, terminal, status, &error);
}

/*
 * By its STATUS, which a driver refuses to believe where it says otherwise than the event before;
 * asked twice, so that all of it is held against something.
 */
static void check_test_mode(struct run *run, const struct bench_device *device)
{
    struct error error;
    bool is_on;
    int status = device_ask_test_mode(device->device, &is_on, &error);

    if (!status)
        status = device_ask_test_mode(device->device, &is_on, &error);
    if (!status || is_to_be_told(device, status))
        check_number(run->book, CHECK_TEST_MODE_ANNOUNCED, 0, device->name, 0, status || is_on,
                     status ? error.text : "it is in test mode after it was told to leave it");
}

static void check_announced(struct run *run, const struct bench_device *device, bool is_on)
{
    check_number(run->book, CHECK_TEST_MODE_ANNOUNCED, 0, device->name, 0, is_on,
                 "test mode by the last event, after it was told to leave it");
}

/* Waits until the device has announced that its test mode is over. */
static void await_dealer(struct run *run, const struct bench_device *device)
{
    nanos_t deadline = clock_deadline(&run->bench->clock, RUN_SILENCE);
    struct error error;
    int status = 1;

    while (run->recording.dealer_said && status > 0)
        status = run->recording.dealer->hear(run, deadline, &error);
    tell(run, CHECK_TEST_MODE_ANNOUNCED, device, status, &error);
    if (status >= 0)
        check_announced(run, device, run->recording.dealer_said);
}

/* One that dealt another recording than the last one has a log that was not followed up to now. */
static int turn_to(struct run *run, const struct run_dealer *dealer, struct error *error)
{
    if (run->recording.dealer == dealer)
        return 0;
    run->recording.dealer = dealer;
    run->recording.dealer_said = true;
    return run_dealer_begin_log(run, error);
}

/* The shuffle and the program of the last round; of one that tells no status nobody knows. */
static void check_shuffler_left(struct run *run, const struct bench_device *device)
{
    struct shuffler_status status;
    struct error error;
    int result = shuffler_status(run->bench->shuffler, &status, &error);

    tell(run, CHECK_STATUS, device, result, &error);
    if (result || !run->recording.shuffles)
        return;
    run_check_status(run, "shuffler", run->recording.shuffles, status.shuffle,
                     "number of the last shuffle, after test mode");
    run_check_status(run, "shuffler", true, status.is_as_programmed,
                     "program and packets as they were programmed, after test mode");
}

/* Until STAND BY has told of the deck that STATUS has; below 0 for an error. */
static int await_deck(struct run *run, uint32_t deck, struct error *error)
{
    nanos_t deadline = clock_deadline(&run->bench->clock, RUN_SILENCE);
    int status = 0;

    while (run->recording.shoe.deck != deck &&
           (status = run_dealer_shoe.hear(run, deadline, error)) > 0)
        continue;
    return status;
}

/* The deck that is in by the last STAND BY, which may come after it. */
static void check_shoe_left(struct run *run, const struct bench_device *device)
{
    struct shoe_status status;
    struct error error;
    int result;

    if (!run->recording.shoe.knows_deck)
        return;
    result = shoe_status(run->bench->shoe, &status, &error);
    if (!result)
        result = await_deck(run, status.deck, &error);
    tell(run, CHECK_STATUS, device, result, &error);
    if (result >= 0)
        run_check_status(run, "shoe", run->recording.shoe.deck, status.deck,
                         "number of the deck, after test mode");
}

static void leave_dealer(struct runner *runner, const struct run_dealer *dealer, bool is_whole)
{
    struct run *run = &runner->run;
    const struct bench_device *device = bench_find(run->bench, dealer->class);
    struct error error;
    int status;

    if (!run->entered[dealer->class] || turn_to(run, dealer, &error))
        return;
    status = dealer->test_mode(run, false, &error);
    if (is_whole)
        tell(run, CHECK_TEST_MODE_ANNOUNCED, device, status, &error);
    if (status)
        return;
    run->entered[dealer->class] = run->recording.in_test_mode = false;
    await_dealer(run, device);
    let_pass(run, SLICE_MS); /* another deck may go in, which is told after it */
    check_test_mode(run, device);
    if (!is_whole || !runner->has_passed)
        return;
    if (dealer == &run_dealer_shoe)
        check_shoe_left(run, device);
    else
        check_shuffler_left(run, device);
}

static bool terminal_has_left(const struct run *run)
{
    return !run->recording.terminal_said;
}

/* Nothing but its mode has changed. */
static void check_terminal_left(struct runner *runner)
{
    struct run *run = &runner->run;
    const struct bench_device *device = bench_find(run->bench, DEVICE_TERMINAL);
    struct error error;
    int status = check_terminal_status(run, &error);

    tell(run, CHECK_STATUS, device, status, &error);
    if (status || !runner->has_passed)
        return;
    status = run_check_meters(run, &run->recording.meters, false, "after test mode", &error);
    tell(run, CHECK_METER_VALUES, device, status, &error);
}

static void leave_terminal(struct runner *runner, bool is_whole)
{
    struct run *run = &runner->run;
    const struct bench_device *device = bench_find(run->bench, DEVICE_TERMINAL);
    struct error error;
    int status;

    if (!run->entered[DEVICE_TERMINAL])
        return;
    run->recording.terminal_test_mode = false;
    status = run_terminal_end(run, &error);
    if (is_whole)
        tell(run, CHECK_TEST_MODE_ANNOUNCED, device, status, &error);
    if (status)
        return;
    if (run->recording.has_terminal)
        run_expect_log(run, TERMINAL_LOG_TEST_MODE, 0, 0);
    status = run_listen(run, terminal_has_left, run->bench->rig->timing.reply, &error);
    tell(run, CHECK_TEST_MODE_ANNOUNCED, device, status, &error);
    if (!status)
        check_announced(run, device, run->recording.terminal_said);
    check_test_mode(run, device);
    if (is_whole && run->recording.has_terminal)
        check_terminal_left(runner);
}

/* Dark, out of a round and of test mode; a wager that is seen may be told a little later. */
static void check_sensors_left(struct run *run, const struct bench_device *device,
                               const struct sensors_status *last)
{
    struct sensors *sensors = run->bench->sensors;
    const char *name = device->name;
    struct error error;
    unsigned wrong;
    int status = sensors_check_lamps(sensors, &wrong, &error);

    tell(run, CHECK_TEST_MODE_ANNOUNCED, device, status, &error);
    if (status)
        return;
    check_number(run->book, CHECK_TEST_MODE_ANNOUNCED, 0, name, 0, last->test_mode,
                 "it is in test mode after it was told to leave it");
    check_number(run->book, CHECK_LIGHTS, 0, NULL, 0, wrong,
                 "set of seats whose lamp is not as it should be, after test mode");
    run_check_status(run, name, false, last->in_round, "in a round, after test mode");
    run_check_status(run, name, 0, last->locked, "set of locked seats, after test mode");
    hear_all(run);
    if (last->placed != sensors_placed(sensors))
        let_pass(run, RUN_SILENCE);
    run_check_status(run, name, sensors_placed(sensors), last->placed,
                     "set of seats whose sensor sees a wager, after test mode");
}

/* One that was found in test mode, and places no wagers by itself, is left in it. */
static void leave_sensors(struct run *run)
{
    const struct bench_device *device = bench_find(run->bench, DEVICE_SENSORS);
    const struct sensors_status *last;
    struct error error;
    bool was_put_there;
    int status;

    if (!device)
        return;
    last = sensors_last_status(run->bench->sensors);
    was_put_there = last && last->is_put_there;
    status = sensors_rest(run->bench->sensors, &error);
    tell(run, CHECK_TEST_MODE_ANNOUNCED, device, status, &error);
    if (!status && was_put_there)
        check_sensors_left(run, device, last);
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
    tell(run, CHECK_EVENT_LOG, device, status, &error);
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
        let_pass(run, REPEAT_MS * (uint32_t)(host->counts.retries - retries));
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

    tell(run, CHECK_EVENT_LOG, device, status, &error);
    if (status || most == past->next || run->round.device_failed)
        return;
    check_log(run, device);
    if (most > past->next)
        check_number(run->book, CHECK_EVENT_LOG, 0, device->name, past->next, most,
                     "entries that the log says it has, read again after the last round");
}

static void check_unchanged(struct run *run)
{
    const struct bench_device *device;

    for (unsigned i = 0; (device = bench_device(run->bench, i)); i++) {
        struct run_log_past *past = NULL;

        if (device->class == run->recording.dealer->class)
            past = &run->recording.dealer_log.past;
        else if (device->class == DEVICE_TERMINAL && run->recording.has_terminal)
            past = &run->recording.terminal_past;
        else if (device->class == DEVICE_SENSORS && run->recording.sensors_begun)
            past = &run->recording.sensors_log.past;
        if (past && device_can(device->device, DEVICE_KEEPS_LOG))
            check_again(run, device, past);
    }
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
        is_whole = let_pass(run, run->bench->rig->timing.quiet) && !follow_logs(runner, &error);
    if (is_whole && run->recording.has_terminal)
        check_terminal(runner, heard);
    if (is_whole) { /* so that it is known that what comes now comes after the quiet period */
        check_logs(run);
        run->recording.dealer_log.is_quiet = run->recording.sensors_log.is_quiet = true;
    }
    leave_dealer(runner, &run_dealer_shuffler, is_whole);
    leave_dealer(runner, &run_dealer_shoe, is_whole);
    leave_terminal(runner, is_whole);
    leave_sensors(run);
    if (!is_whole)
        return false;
    hear_all(run);
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

    hear_all(run);
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
    hear_all(run);
    if (follow_logs(runner, &error))
        return;
    if (run->recording.has_terminal)
        check_terminal(runner, &heard);
    check_logs(run);
    judge_rest(runner, &heard);
    run_loop_check_frames(runner);
}
