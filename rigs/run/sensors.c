/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bet sensors' part of a round: wagers placed by actuators, lamps that follow the terminal. */
#include <stdio.h>

#include "rigs/run/dealer/dealer.h"
#include "rigs/run/events.h"

static enum check check_for(enum bet_event_kind kind)
{
    return kind == BET_EVENT_LAMP_DARK || kind == BET_EVENT_LAMP_LIT ? CHECK_LIGHTS
                                                                     : CHECK_WAGERS_SENSED;
}

/* Seats that the bench can place wagers at and see them. */
static unsigned worked(const struct run *run)
{
    return sensors_with(run->bench->sensors, BET_LINE_CHIP) &
           sensors_with(run->bench->sensors, BET_LINE_BET);
}

/*
 * What an actuator holds is not lifted, and where it holds nothing none is placed. A unit that lost
 * its power or its link may have let go.
 */
static bool is_against_actuator(const struct run *run, const struct bet_event *event)
{
    const struct host *host = device_host(&run->bench->sensors->device);
    bool is_held = run->round.held & seat_bit(event->seat);

    if (!(worked(run) & seat_bit(event->seat)) ||
        (host && (link_comebacks(host->link) || host->counts.restarts)))
        return false;
    return is_held ? event->kind == BET_EVENT_LIFTED : event->kind == BET_EVENT_PLACED;
}

/* Wagers come and go outside a round, and only where there are some in it. */
static void enter_event(struct run *run, const struct bet_event *event)
{
    char got[64];

    if (event->kind == BET_EVENT_POWER_UP)
        return;
    if (!is_against_actuator(run, event) &&
        (event->kind == BET_EVENT_PLACED || event->kind == BET_EVENT_LIFTED ||
         (event->kind == BET_EVENT_LIFTED_LOCKED && run->round.is_collected)) &&
        run->round.wagered & seat_bit(event->seat))
        return;
    snprintf(got, sizeof got, "\"%s\"", bet_event_text(event->kind));
    check_fail(run->book, check_for(event->kind),
               (struct check_result){.seat = event->seat,
                                     .expected = "null",
                                     .got = got,
                                     .device = got,
                                     .why = "the bet sensor reports it"});
}

/* Keeps what the log must have by now. */
static void expect_entries(struct run *run)
{
    struct run_log *due = &run->recording.sensors_log.due;
    struct log_entry entry;

    while (sensors_due_entry(run->bench->sensors, &entry)) {
        run_log_add(due, entry.code, entry.detail, entry.value, 0, clock_now(&run->bench->clock));
        due->is_unsure |= !entry.code;
    }
}

/* The unit's test mode changes only as it is told to. */
static void check_mode(struct run *run)
{
    const struct sensors_status *status = sensors_last_status(run->bench->sensors);

    if (!run->recording.sensors_begun || !status || status->strays == run->recording.sensors_strays)
        return;
    check_number(run->book, CHECK_TEST_MODE_ANNOUNCED, 0, "sensors", 0,
                 status->strays - run->recording.sensors_strays,
                 "test mode by events, which nobody asked for");
    run->recording.sensors_strays = status->strays;
}

/* Takes one event of which nothing was asked. */
static int hear(struct run *run, nanos_t deadline, struct error *error)
{
    struct run_edges held = {.kind = BET_EVENT_NONE};
    struct bet_event event;
    int status = sensors_next(run->bench->sensors, &event, deadline, error);

    expect_entries(run);
    check_mode(run);
    if (status <= 0)
        return status;
    run_tell_edge(run, &held, &event);
    run_tell_edge(run, &held, NULL);
    enter_event(run, &event);
    run->recording.sensors_log.due.is_unsure |= event.kind == BET_EVENT_POWER_UP;
    return 1;
}

#define BEGIN_TRIES 8

/* The log is followed from the first wager of a recording on, and anew after a round that failed.
 */
static int begin_log(struct run *run, struct error *error)
{
    struct device *device = &run->bench->sensors->device;
    const struct host *host = device_host(device);
    struct log_entry unread;
    int status;

    if (run->recording.sensors_begun || !device_can(device, DEVICE_KEEPS_LOG))
        return 0;
    /* What was told before the log was looked at is behind that mark, however late it is taken. */
    for (unsigned tries = 0; tries < BEGIN_TRIES; tries++) {
        do {
            status = host && (host->queued || host->counts.events < host->hello_events)
                         ? hear(run, clock_deadline(&run->bench->clock, RUN_SILENCE), error)
                         : 0;
        } while (status > 0);
        while (sensors_due_entry(run->bench->sensors, &unread))
            continue;
        if (!status)
            status = run_account_skip(run, &run->recording.sensors_log, device, error);
        if (status || !host || !host->queued)
            break;
    }
    run->recording.sensors_begun = !status;
    run->recording.sensors_strays = sensors_last_status(run->bench->sensors)
                                        ? sensors_last_status(run->bench->sensors)->strays
                                        : 0;
    return status;
}

int run_sensors_check_log(struct run *run, struct error *error)
{
    struct device *device = &run->bench->sensors->device;

    expect_entries(run);
    if (!run->recording.sensors_begun || run->round.device_failed)
        return 0;
    return run_account_check(run, &run->recording.sensors_log, device, "sensors", hear, error);
}

/* What was answered when the lamps were looked at; a wager that was seen is told a little later. */
static int check_status(struct run *run, struct error *error)
{
    struct sensors *sensors = run->bench->sensors;
    const struct sensors_status *status = sensors_last_status(sensors);
    nanos_t deadline = clock_deadline(&run->bench->clock, RUN_SILENCE);
    int result = 1;

    if (!status || run->round.device_failed)
        return 0;
    while (result > 0 && status->placed != sensors_placed(sensors))
        result = hear(run, deadline, error);
    if (result < 0)
        return result;
    run_check_status(run, "sensors", sensors_placed(sensors), status->placed,
                     "set of seats whose sensor sees a wager");
    run_check_status(run, "sensors", sensors_in_round(sensors), status->in_round, "in a round");
    run_check_status(run, "sensors", sensors_in_round(sensors) ? run->round.locked : 0,
                     status->locked, "set of locked seats");
    if (status->is_put_there)
        run_check_status(run, "sensors", true, status->test_mode, "test mode");
    return 0;
}

/* Takes what the sensors have to say. */
int run_sensors_hear(struct run *run, struct error *error)
{
    struct run_edges held = {.kind = BET_EVENT_NONE};
    struct bet_event event;
    int status;

    while ((status = sensors_next(run->bench->sensors, &event, clock_now(&run->bench->clock),
                                  error)) > 0) {
        run_tell_edge(run, &held, &event);
        enter_event(run, &event);
        run->recording.sensors_log.due.is_unsure |= event.kind == BET_EVENT_POWER_UP;
    }
    run_tell_edge(run, &held, NULL);
    expect_entries(run);
    check_mode(run);
    return status;
}

static void check_sensed(struct run *run, unsigned seats, unsigned expected)
{
    unsigned sensed = sensors_placed(run->bench->sensors);

    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        if (seats & seat_bit(seat))
            check_number(run->book, CHECK_WAGERS_SENSED, seat, NULL, !!(expected & seat_bit(seat)),
                         !!(sensed & seat_bit(seat)),
                         run->round.is_collected && !expected
                             ? "a wager lies on the sensor after START ROUND, where it is collected"
                             : "a wager lies on the sensor");
}

static int place(struct run *run, bool placed, struct error *error)
{
    struct sensors *sensors = run->bench->sensors;
    unsigned seats = worked(run);
    unsigned held = placed ? run->round.laid & seats : 0, taken = run->round.held & ~held;
    int status = taken ? sensors_place(sensors, taken, false, error) : 0;

    run->round.held = (seats_t)held;
    if (!status && held)
        status = sensors_place(sensors, held, true, error);
    if (!status)
        status = sensors_settle(sensors, error);
    if (!status)
        check_sensed(run, seats, placed ? run->round.laid : 0);
    return status ? status : run_sensors_hear(run, error);
}

int run_sensors_place(struct run *run, seats_t *sensed, struct error *error)
{
    struct sensors *sensors = run->bench->sensors;
    int status;

    *sensed = run->round.laid;
    run->round.wagered |= run->round.laid;
    run->round.is_laid = true;
    run->round.is_collected = false;
    if (!sensors)
        return 0;
    status = begin_log(run, error);
    if (!status)
        status = place(run, true, error);
    if (!status)
        *sensed =
            (seats_t)((run->round.laid & ~worked(run)) | (sensors_placed(sensors) & worked(run)));
    return status;
}

/* Where nothing but a hand can take a wager, the dealer is waited for. */
static int await_dealer(struct run *run, struct error *error)
{
    const struct sensors *sensors = run->bench->sensors;
    unsigned seats = run->round.laid & sensors_with(sensors, BET_LINE_BET) & ~worked(run);
    nanos_t deadline = bench_deadline(run->bench, run->bench->rig->timing.take);
    int status = 1;

    if (seats & sensors_placed(sensors)) {
        run_ask(run, "START ROUND was pressed: collect the progressive wagers");
        run_wait_begin(run, "collected", "sensors", bench_patience(run->bench->rig->timing.take));
        while (status > 0 && seats & sensors_placed(sensors))
            status = hear(run, deadline, error);
        run_wait_end(run);
    }
    if (status < 0)
        return status;
    check_sensed(run, seats, 0);
    return 0;
}

int run_sensors_collect(struct run *run, struct error *error)
{
    int status = 0;

    if (run->bench->rig->wagers != RIG_WAGERS_COLLECTED)
        return 0;
    run->round.is_laid = false;
    run->round.is_collected = true;
    if (run->bench->sensors)
        status = place(run, false, error);
    if (!status && run->bench->sensors)
        status = await_dealer(run, error);
    return status ? status : terminal_sensors(run->bench->terminal, 0, error);
}

#define LOCK_TRIES 8

/*
 * A wager that a person has lifted in the last moment makes LOCK impossible: that is a wager that
 * is not there, and the round begins without it.
 */
static int lock(struct run *run, seats_t lit, struct error *error)
{
    struct sensors *sensors = run->bench->sensors;
    unsigned tries = 0;
    int status;

    do {
        nanos_t deadline = clock_deadline(&run->bench->clock, RUN_SILENCE);
        unsigned seats = lit & sensors_placed(sensors);
        int heard = 1;

        run->round.locked = (seats_t)seats;
        status = sensors_lock(sensors, seats, error);
        if (!status ||
            (status == ERROR_DEVICE && device_refusal(&sensors->device) != REFUSED_STATE))
            return status;
        while (heard > 0 && !(seats & ~sensors_placed(sensors)))
            heard = hear(run, deadline, NULL);
        if (!(seats & ~sensors_placed(sensors)))
            return status;
        check_sensed(run, seats, seats);
    } while (++tries < LOCK_TRIES);
    return status;
}

int run_sensors_light(struct run *run, seats_t lit, struct error *error)
{
    struct sensors *sensors = run->bench->sensors;
    unsigned wrong;
    int status;

    if (!sensors)
        return 0;
    status = 0;
    if (lit && !sensors_in_round(sensors))
        status = lock(run, lit, error);
    if (!status)
        status = sensors_light(sensors, lit, error);
    if (!status)
        status = sensors_check_lamps(sensors, &wrong, error);
    if (status)
        return status;
    if (sensors_with(sensors, BET_LINE_LAMP))
        check_number(run->book, CHECK_LIGHTS, 0, NULL, 0, wrong,
                     "set of seats whose lamp is not as it should be");
    status = check_status(run, error);
    if (!status)
        status = run_sensors_hear(run, error);
    return status || lit || !sensors_in_round(sensors) ? status : sensors_unlock(sensors, error);
}

int run_sensors_clear(struct run *run, struct error *error)
{
    struct sensors *sensors = run->bench->sensors;
    int status;

    if (!sensors)
        return 0;
    status = run_sensors_hear(run, error);
    if (!status)
        status = place(run, false, error);
    return status ? status : run_sensors_check_log(run, error);
}

int run_sensors_recover(struct run *run, struct error *error)
{
    struct sensors *sensors = run->bench->sensors;
    struct bet_event event;
    int status;

    if (!sensors)
        return 0;
    run->recording.sensors_begun = false;
    status = sensors_light(sensors, 0, error);
    if (!status && sensors_in_round(sensors))
        status = sensors_unlock(sensors, error);
    if (!status)
        status = sensors_place(sensors, sensors_with(sensors, BET_LINE_CHIP), false, error);
    if (!status)
        status = sensors_settle(sensors, error);
    while (!status &&
           (status = sensors_next(sensors, &event, clock_now(&run->bench->clock), error)) > 0)
        status = 0;
    return status;
}
