/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/bench/rest.h"

#include <stdio.h>
#include <string.h>

#define SLICE   1000 /* milliseconds between two looks at a device that is busy */
#define SILENCE 100  /* milliseconds after which no event follows any more */

/* A device on its way to rest. */
struct resting {
    struct bench *bench;
    struct bench_rest *rest;
    bool in_test_mode;
    nanos_t deadline;
    struct error *error;
};

static void did(const struct resting *resting, const char *what)
{
    char *done = resting->rest->done;
    size_t length = strlen(done);

    snprintf(done + length, sizeof resting->rest->done - length, "%s%s", length ? ", " : "", what);
}

static void found(const struct resting *resting, const char *what)
{
    snprintf(resting->rest->found, sizeof resting->rest->found, "%s%s", what,
             resting->in_test_mode ? ", in test mode" : "");
}

/* What a device last said of its test mode by an event. */
enum announced { ANNOUNCED_NOTHING, ANNOUNCED_OFF, ANNOUNCED_ON };

static enum announced announced(bool is_on)
{
    return is_on ? ANNOUNCED_ON : ANNOUNCED_OFF;
}

/* Nobody is asked here: they are told what to look after. */
static void leave_to_people(const struct resting *resting, const struct device *device,
                            const char *what)
{
    char text[96];

    snprintf(text, sizeof text, "see that %s", what);
    if (device->driver->asks)
        did(resting, text);
}

static int next_event(struct bench *bench, enum device_class class, nanos_t deadline,
                      enum announced *mode, struct error *error)
{
    union {
        struct shuffler_event shuffler;
        struct shoe_event shoe;
        struct terminal_event terminal;
        struct bet_event sensors;
    } event;
    int status;

    switch (class) {
    case DEVICE_SHUFFLER:
        status = shuffler_next(bench->shuffler, &event.shuffler, deadline, error);
        if (status > 0 && event.shuffler.kind == SHUFFLER_EVENT_TEST_MODE)
            *mode = announced(event.shuffler.test_mode);
        return status;
    case DEVICE_SHOE:
        status = shoe_next(bench->shoe, &event.shoe, deadline, error);
        if (status > 0 && event.shoe.kind == SHOE_EVENT_TEST_MODE)
            *mode = announced(event.shoe.is_on);
        return status;
    case DEVICE_TERMINAL:
        status = terminal_next(bench->terminal, &event.terminal, deadline, error);
        if (status > 0 && event.terminal.kind == TERMINAL_EVENT_TEST_MODE)
            *mode = announced(event.terminal.test_mode);
        return status;
    default:
        return sensors_next(bench->sensors, &event.sensors, deadline, error);
    }
}

/*
 * Takes what the device has to say; it is of no round. What cannot be believed is passed over.
 * `mode` is what it said of its test mode last; it may be NULL.
 */
static int hear_out(struct bench *bench, enum device_class class, enum announced *mode,
                    struct error *error)
{
    enum announced said = ANNOUNCED_NOTHING;
    int status = 1;

    for (unsigned i = 0; i < 2 * WIRE_EVENTS_MAX && (status > 0 || status == ERROR_DEVICE); i++)
        status = next_event(bench, class, clock_deadline(&bench->clock, SILENCE), &said, error);
    if (mode)
        *mode = said;
    return status == ERROR_ABORTED || status == ERROR_RIG ? status : 0;
}

static bool is_resting(enum shuffler_state state)
{
    return state == SHUFFLER_IDLE || state == SHUFFLER_READY || state == SHUFFLER_WAITING;
}

/* A shuffler that deals or shuffles is let go on; somebody may have to take a packet. */
static int await_shuffler(const struct resting *resting, struct shuffler_status *status)
{
    struct bench *bench = resting->bench;
    enum announced ignored;
    int result = 0;

    while (!result && !is_resting(status->state)) {
        if (clock_now(&bench->clock) >= resting->deadline)
            return error_set(resting->error, ERROR_DEVICE,
                             "the shuffler does not come to rest; it is %s",
                             shuffler_state_text(status->state));
        if (status->state == SHUFFLER_ERROR)
            shuffler_clear_error(bench->shuffler, status->error, NULL);
        result = next_event(bench, DEVICE_SHUFFLER, clock_deadline(&bench->clock, SLICE), &ignored,
                            resting->error);
        if (result == ERROR_ABORTED || result == ERROR_RIG)
            return result;
        result = shuffler_status(bench->shuffler, status, resting->error);
    }
    return result;
}

static int rest_shuffler(struct resting *resting)
{
    struct shuffler *shuffler = resting->bench->shuffler;
    struct shuffler_status status;
    int result;

    if (!device_can(&shuffler->device, DEVICE_TELLS_STATUS)) {
        found(resting, "a shuffler that does not say what it is doing");
        leave_to_people(resting, &shuffler->device, "its deck is in and its exit empty");
        return shuffler_return_deck(shuffler, resting->error);
    }
    result = shuffler_status(shuffler, &status, resting->error);
    if (result)
        return result;
    found(resting, shuffler_state_text(status.state));
    result = await_shuffler(resting, &status);
    if (result || status.state == SHUFFLER_IDLE)
        return result;
    result = shuffler_return_deck(shuffler, resting->error);
    if (!result)
        did(resting, "its deck was returned");
    return result;
}

static int rest_shoe(struct resting *resting)
{
    struct shoe *shoe = resting->bench->shoe;
    struct shoe_status status = {.state = SHOE_DEALING};
    int result = 0;

    if (device_can(&shoe->device, DEVICE_TELLS_STATUS)) {
        result = shoe_status(shoe, &status, resting->error);
        if (result)
            return result;
        found(resting, shoe_state_text(status.state));
    } else {
        found(resting, "a shoe that does not say what it is doing");
        leave_to_people(resting, &shoe->device, "nobody draws from it");
    }
    if (status.error) {
        result = shoe_clear_error(shoe, (uint8_t)status.error, resting->error);
        if (!result)
            did(resting, "its error was cleared");
    }
    if (result || status.state == SHOE_LOCKED)
        return result;
    result = shoe_lock(shoe, true, resting->error);
    if (!result && !shoe->device.driver->asks)
        did(resting, "it was locked");
    return result;
}

/* An award that was approved is money: who has not put it there does not decide about it. */
static int refuse_award(const struct resting *resting, const struct terminal_screen *screen)
{
    return error_set(resting->error, ERROR_DEVICE,
                     "the terminal waits for seat %u to be paid an award that was approved, and is "
                     "not in test mode; somebody must press %s there",
                     screen->seat, screen->state == TERMINAL_AMOUNT ? "PAY JACKPOT and OK" : "OK");
}

static int press(const struct resting *resting, enum terminal_key key)
{
    struct terminal *terminal = resting->bench->terminal;
    int status = terminal_key(terminal, &(struct terminal_press){.key = key}, resting->error);

    if (status == TERMINAL_ROUND_PAID) {
        key = TERMINAL_END_ROUND;
        status = terminal_key(terminal, &(struct terminal_press){.key = key}, resting->error);
    }
    if (status > 0)
        status = error_set(resting->error, ERROR_DEVICE,
                           "the terminal refuses the key that leads out of its round");
    if (!status && (key == TERMINAL_END_ROUND || key == TERMINAL_CANCEL_ROUND))
        did(resting, key == TERMINAL_END_ROUND ? "its round was ended" : "its round was cancelled");
    if (!status && key == TERMINAL_PAY_JACKPOT)
        did(resting, "an award was paid");
    return status;
}

static int rest_terminal(struct resting *resting)
{
    struct terminal *terminal = resting->bench->terminal;
    struct terminal_screen screen;
    int status;

    if (!device_can(&terminal->device, DEVICE_TELLS_STATUS)) {
        found(resting, "a terminal that does not say what it is doing");
        leave_to_people(resting, &terminal->device, "its round has ended");
        return 0;
    }
    status = terminal_screen(terminal, &screen, resting->error);
    if (!status)
        found(resting, terminal_state_text(screen.state));
    for (unsigned i = 0; !status && screen.state != TERMINAL_IDLE; i++) {
        bool is_award = screen.state == TERMINAL_AMOUNT || screen.state == TERMINAL_SIGNED;

        if (i == 2 * TERMINAL_STATES)
            return error_set(resting->error, ERROR_DEVICE,
                             "the terminal does not come back to idle; %s",
                             terminal_state_text(screen.state));
        if (is_award && !resting->rest->pays && !resting->in_test_mode)
            return refuse_award(resting, &screen);
        status = press(resting, terminal_way_out(screen.state));
        if (!status)
            status = hear_out(resting->bench, DEVICE_TERMINAL, NULL, resting->error);
        if (!status)
            status = terminal_screen(terminal, &screen, resting->error);
    }
    return status ? status : terminal_sensors(terminal, 0, resting->error);
}

/* Actuators of a unit move in test mode only. */
static int rest_sensors(struct resting *resting)
{
    struct sensors *sensors = resting->bench->sensors;
    bool moves = resting->in_test_mode || !device_can(&sensors->device, DEVICE_HAS_TEST_MODE);
    int status;

    found(resting, sensors_in_round(sensors) ? "in a round" : "between rounds");
    status = sensors_in_round(sensors) ? sensors_unlock(sensors, resting->error) : 0;
    if (!status)
        status = sensors_light(sensors, 0, resting->error);
    if (!status && moves)
        status =
            sensors_place(sensors, sensors_with(sensors, BET_LINE_CHIP), false, resting->error);
    if (!status)
        status = sensors_settle(sensors, resting->error);
    if (!status)
        did(resting, "lamps are out and actuators drawn back");
    return status ? status : sensors_rest(sensors, resting->error);
}

/* Sensors go into it by themselves, when an actuator is to move. */
static int set_test_mode(struct bench *bench, enum device_class class, bool on, struct error *error)
{
    switch (class) {
    case DEVICE_SHUFFLER:
        return shuffler_test_mode(bench->shuffler, on, error);
    case DEVICE_SHOE:
        return shoe_test_mode(bench->shoe, on, error);
    case DEVICE_TERMINAL:
        return terminal_test_mode(bench->terminal, on, error);
    default:
        return on ? error_set(error, ERROR_CONFIG, "the actuators put sensors into test mode")
                  : sensors_leave_test_mode(bench->sensors, error);
    }
}

static int check_mode(const struct resting *resting, const struct bench_device *device)
{
    bool is_on;
    int status = hear_out(resting->bench, device->class, NULL, resting->error);

    if (!status)
        status = device_ask_test_mode(device->device, &is_on, resting->error);
    if (status)
        return status;
    resting->rest->has_left = !is_on;
    if (is_on)
        return error_set(resting->error, ERROR_DEVICE, "the %s says that it is still in test mode",
                         device->name);
    did(resting, "it has left test mode");
    return 0;
}

int bench_rest(struct bench *bench, const struct bench_device *device, struct bench_rest *rest,
               struct error *error)
{
    static int (*const to_rest[DEVICE_CLASSES])(struct resting *) = {
        [DEVICE_SHUFFLER] = rest_shuffler,
        [DEVICE_SHOE] = rest_shoe,
        [DEVICE_TERMINAL] = rest_terminal,
        [DEVICE_SENSORS] = rest_sensors};
    struct resting resting = {.bench = bench,
                              .rest = rest,
                              .deadline = clock_deadline(&bench->clock, rest->wait),
                              .error = error};
    int status = hear_out(bench, device->class, NULL, error);

    rest->found[0] = rest->done[0] = '\0';
    rest->has_left = false;
    if (!status)
        status = device_ask_test_mode(device->device, &resting.in_test_mode, error);
    if (!status)
        status = to_rest[device->class](&resting);
    if (status || !resting.in_test_mode || !rest->leaves_test_mode)
        return status;
    status = hear_out(bench, device->class, NULL, error);
    if (!status)
        status = set_test_mode(bench, device->class, false, error);
    rest->has_left = !status;
    return status ? status : check_mode(&resting, device);
}

int bench_try_test_mode(struct bench *bench, const struct bench_device *device, bool on,
                        struct error *error)
{
    enum announced mode;
    bool is_on;
    int status = hear_out(bench, device->class, NULL, error);

    if (!status)
        status = set_test_mode(bench, device->class, on, error);
    if (!status)
        status = hear_out(bench, device->class, &mode, error);
    if (!status)
        status = device_ask_test_mode(device->device, &is_on, error);
    if (status)
        return status;
    if (is_on != on)
        return error_set(error, ERROR_DEVICE, "its status says that it is %sin test mode",
                         on ? "not " : "still ");
    if (mode != announced(on))
        return error_set(error, ERROR_DEVICE, "it does not announce that it %s test mode",
                         on ? "is in" : "has left");
    return 0;
}

bool bench_found_in_test_mode(const struct bench_device *device)
{
    const struct host *host = device->device ? device_host(device->device) : NULL;

    return host && host->hello_flags & 1;
}
