/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/run/leave.h"

#include "rigs/run/dealer/dealer.h"
#include "rigs/run/quiet.h"
#include "rigs/run/terminal/terminal.h"

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

/* Lights and sign, which nothing changes until the next round. */
static void check_shown(struct run *run, const struct bench_device *device, const char *when)
{
    struct error error;
    int status = run_look_at_lights(run, when, &error);

    run_quiet_tell(run, CHECK_LIGHTS, device, status, &error);
    if (status)
        return;
    status = run_check_left_sign(run, when, &error);
    run_quiet_tell(run, CHECK_SIGN_AMOUNT, device, status, &error);
}

void run_leave_check_terminal(struct runner *runner, const char *when)
{
    struct run *run = &runner->run;
    const struct bench_device *device = bench_find(run->bench, DEVICE_TERMINAL);
    struct error error;
    int status = check_terminal_status(run, &error);

    run_quiet_tell(run, CHECK_STATUS, device, status, &error);
    if (status || !runner->has_passed)
        return;
    status = run_check_meters(run, &run->recording.meters, false, when, &error);
    run_quiet_tell(run, CHECK_METER_VALUES, device, status, &error);
    if (!status)
        check_shown(run, device, when);
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
    if (!status || run_quiet_is_told(device, status))
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
    run_quiet_tell(run, CHECK_TEST_MODE_ANNOUNCED, device, status, &error);
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

    run_quiet_tell(run, CHECK_STATUS, device, result, &error);
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
    run_quiet_tell(run, CHECK_STATUS, device, result, &error);
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
        run_quiet_tell(run, CHECK_TEST_MODE_ANNOUNCED, device, status, &error);
    if (status)
        return;
    run->entered[dealer->class] = run->recording.in_test_mode = false;
    await_dealer(run, device);
    run_quiet_pass(run, RUN_QUIET_SLICE); /* another deck may go in, which is told after it */
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
        run_quiet_tell(run, CHECK_TEST_MODE_ANNOUNCED, device, status, &error);
    if (status)
        return;
    if (run->recording.has_terminal)
        run_expect_log(run, TERMINAL_LOG_TEST_MODE, 0, 0);
    status = run_listen(run, terminal_has_left, run->bench->rig->timing.reply, &error);
    run_quiet_tell(run, CHECK_TEST_MODE_ANNOUNCED, device, status, &error);
    if (!status)
        check_announced(run, device, run->recording.terminal_said);
    check_test_mode(run, device);
    if (is_whole && run->recording.has_terminal)
        run_leave_check_terminal(runner, "after test mode");
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

    run_quiet_tell(run, CHECK_TEST_MODE_ANNOUNCED, device, status, &error);
    if (status)
        return;
    check_number(run->book, CHECK_TEST_MODE_ANNOUNCED, 0, name, 0, last->test_mode,
                 "it is in test mode after it was told to leave it");
    check_number(run->book, CHECK_LIGHTS, 0, NULL, 0, wrong,
                 "set of seats whose lamp is not as it should be, after test mode");
    run_check_status(run, name, false, last->in_round, "in a round, after test mode");
    run_check_status(run, name, 0, last->locked, "set of locked seats, after test mode");
    run_quiet_hear(run);
    if (last->placed != sensors_placed(sensors))
        run_quiet_pass(run, RUN_SILENCE);
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
    run_quiet_tell(run, CHECK_TEST_MODE_ANNOUNCED, device, status, &error);
    if (!status && was_put_there)
        check_sensors_left(run, device, last);
}

void run_leave_test_mode(struct runner *runner, bool is_whole)
{
    leave_dealer(runner, &run_dealer_shuffler, is_whole);
    leave_dealer(runner, &run_dealer_shoe, is_whole);
    leave_terminal(runner, is_whole);
    leave_sensors(&runner->run);
}
