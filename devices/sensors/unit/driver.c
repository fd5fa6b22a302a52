/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sensors driver "unit": a bet sensor unit on a link. It places wagers by the unit's actuators,
 * for which the unit goes into test mode with the first one and out of it in sensors_rest(); with
 * the option wagers=people it never does, and only people place them.
 */
#include <string.h>

#include "devices/sensors/unit/bet_unit.h"
#include "devices/sensors/unit/wire.h"

#define EVENTS_MAX 64
#define POLL       (10 * NANOS_PER_MILLI) /* from one look at the lamps to the next */
#define END_TIME   NANOS_PER_SECOND       /* for the event that ends test mode */

struct unit_sensors {
    struct sensors sensors;
    struct bet_unit *unit;
    unsigned seats; /* set of those that the table has */
    bool is_by_people;
    bool test_mode; /* it was put into it here */
    bool announced; /* as it has said by its event, or when it was opened */
    bool round;
    unsigned restarts;         /* since the round was last told to begin or to end */
    uint64_t comebacks;        /* of the link, then */
    unsigned placed;           /* where a wager is seen */
    unsigned chips, lights;    /* as commanded */
    unsigned right, flickered; /* lamps as commanded; those that were and are not any more */
    unsigned moving;           /* actuators whose sensor has not followed yet */
    nanos_t follow_until, settle_until; /* actuators, lamps; 0: nothing is waited for */
    nanos_t follow, settle;
    struct bet_event queue[EVENTS_MAX];
    unsigned first, queued;
    struct sensors_status status; /* as answered last, or the first that was not as told */
    bool is_odd;                  /* that is what it is */
    unsigned locked;              /* seats, by LOCK and UNLOCK */
    struct log_entry due[EVENTS_MAX];
    unsigned due_count; /* entries of the log; more than EVENTS_MAX are not known any more */
};

static struct unit_sensors *unit_of(struct sensors *sensors)
{
    return (struct unit_sensors *)sensors;
}

static const struct unit_sensors *seen_of(const struct sensors *sensors)
{
    return (const struct unit_sensors *)sensors;
}

static nanos_t now_of(const struct unit_sensors *self)
{
    return clock_now(self->sensors.device.link->hal->clock);
}

/* The last slot of a full queue is an overflow event. */
static void keep_event(struct unit_sensors *self, const struct bet_event *event)
{
    struct bet_event kept = *event;

    if (self->queued == EVENTS_MAX)
        kept = (struct bet_event){.kind = BET_EVENT_EDGES_LOST, .time = event->time};
    else
        self->queued++;
    self->queue[(self->first + self->queued - 1) % EVENTS_MAX] = kept;
}

static void see_seat(struct unit_sensors *self, const struct bet_event *event)
{
    unsigned seat = 1u << event->seat;

    if (event->kind == BET_EVENT_PLACED || event->kind == BET_EVENT_LATE)
        self->placed |= seat;
    if (event->kind == BET_EVENT_LIFTED || event->kind == BET_EVENT_LIFTED_LOCKED)
        self->placed &= ~seat;
    if (event->kind == BET_EVENT_STUCK_LOW || event->kind == BET_EVENT_STUCK_HIGH ||
        !((self->placed ^ self->chips) & seat))
        self->moving &= ~seat;
    keep_event(self, event);
}

static void expect_entry(struct unit_sensors *self, struct log_entry entry)
{
    if (self->due_count == EVENTS_MAX)
        self->due[EVENTS_MAX - 1].code = 0;
    else
        self->due[self->due_count++] = entry;
}

static bool due_entry(struct sensors *sensors, struct log_entry *entry)
{
    struct unit_sensors *self = unit_of(sensors);

    if (!self->due_count)
        return false;
    *entry = self->due[0];
    memmove(self->due, self->due + 1, --self->due_count * sizeof self->due[0]);
    return true;
}

static const struct sensors_status *last_status(const struct sensors *sensors)
{
    return &seen_of(sensors)->status;
}

static void see_event(struct unit_sensors *self, const struct bet_unit_event *event)
{
    expect_entry(self, event->entry);
    switch (event->kind) {
    case BET_UNIT_EVENT_SEAT:
        see_seat(self, &event->seat);
        break;
    case BET_UNIT_EVENT_TEST_MODE:
        /* It may be told again, and changes as it was asked to. */
        self->status.strays +=
            event->test_mode != self->announced && event->test_mode != self->test_mode;
        self->announced = event->test_mode;
        break;
    case BET_UNIT_EVENT_POWER_UP:
        self->restarts++;
        self->placed = event->status.placed;
        self->round = event->status.state == BET_UNIT_ROUND;
        self->locked = event->status.locked;
        keep_event(self, &(struct bet_event){.kind = BET_EVENT_POWER_UP, .time = event->time});
        break;
    }
}

/* Takes in the next event: 1, 0 at the deadline, or an error. */
static int take_next(struct unit_sensors *self, nanos_t deadline, struct error *error)
{
    struct bet_unit_event event;
    int result = bet_unit_next(self->unit, &event, deadline, error);

    if (result > 0)
        see_event(self, &event);
    return result;
}

static int catch_up(struct unit_sensors *self, struct error *error)
{
    int result;

    while ((result = take_next(self, now_of(self), error)) > 0)
        continue;
    return result;
}

/* What the unit answered, with its refusal where the caller looks for it. */
static int answered(struct unit_sensors *self, int status)
{
    self->sensors.device.refusal = bet_unit_refusal(self->unit);
    return status;
}

/* A unit that was left in a round is brought to rest. */
static int start(struct unit_sensors *self, struct error *error)
{
    struct bet_unit_status status;
    int result = bet_unit_status(self->unit, &status, error);

    if (!result && status.state == BET_UNIT_ROUND)
        result = bet_unit_unlock(self->unit, error);
    if (!result)
        result = bet_unit_light(self->unit, 0, error);
    if (!result && status.test_mode)
        result = bet_unit_place(self->unit, 0, error);
    if (result)
        return result;
    self->placed = status.placed;
    self->announced = status.test_mode;
    return 0;
}

static int open_unit(struct device *device, const struct device_connection *connection,
                     struct error *error)
{
    struct unit_sensors *self = (struct unit_sensors *)device;
    const struct sensors_setup *setup = connection->setup;
    int status = bet_unit_open_as(&self->unit, connection->link, connection->protocol, error);

    self->seats = (2u << setup->seats) - 2;
    self->follow = setup->timing.follow;
    self->settle = setup->timing.settle;
    self->is_by_people = device_has_option(connection->options, "wagers", "people");
    if (!status) {
        device_claim(device, bet_unit_host(self->unit));
        self->is_by_people |= !device_can(device, DEVICE_HAS_TEST_MODE);
        status = start(self, error);
    }
    if (status)
        bet_unit_close(self->unit);
    return status;
}

static void close_unit(struct device *device)
{
    bet_unit_close(((struct unit_sensors *)device)->unit);
}

static struct host *unit_host(struct device *device)
{
    return bet_unit_host(((struct unit_sensors *)device)->unit);
}

static int identity(struct device *device, struct wire_identity *who, struct error *error)
{
    return host_identity(unit_host(device), who, error);
}

static int unit_log(struct device *device, uint32_t first, struct log_entry *entries,
                    unsigned *count, uint32_t *total, struct error *error)
{
    return host_log(unit_host(device), first, entries, count, total, error);
}

static int in_test_mode(struct device *device, bool *is_on, struct error *error)
{
    struct bet_unit_status status = {.test_mode = false};
    int result = bet_unit_status(((struct unit_sensors *)device)->unit, &status, error);

    *is_on = status.test_mode;
    return result;
}

static unsigned with(const struct sensors *sensors, enum bet_line line)
{
    const struct unit_sensors *self = seen_of(sensors);

    return line == BET_LINE_CHIP && self->is_by_people ? 0 : self->seats;
}

/* One that came back after it was away is no longer in test mode. */
static int move_actuators(struct unit_sensors *self, unsigned chips, struct error *error)
{
    int status = 0;

    for (unsigned tries = 0; tries < 2; tries++) {
        if (!self->test_mode)
            status = bet_unit_test_mode(self->unit, true, error);
        self->test_mode |= !status;
        if (!status)
            status = bet_unit_place(self->unit, chips, error);
        if (!status || bet_unit_refusal(self->unit) != REFUSED_TEST_MODE)
            break;
        self->test_mode = self->announced = false;
        status = 0;
    }
    return answered(self, status);
}

static int place(struct sensors *sensors, unsigned seats, bool placed, struct error *error)
{
    struct unit_sensors *self = unit_of(sensors);
    unsigned chips = placed ? self->chips | seats : self->chips & ~seats;
    unsigned without = seats & ~with(sensors, BET_LINE_CHIP);
    int status;

    if (without)
        return error_set(error, ERROR_CONFIG,
                         "%s: seat %u has no actuator that may be used; its wagers are placed by "
                         "people",
                         sensors->device.address, (unsigned)__builtin_ctz(without));
    status = catch_up(self, error);
    if (status || chips == self->chips)
        return status;
    status = move_actuators(self, chips, error);
    if (status)
        return status;
    self->moving |= (chips ^ self->chips) & (chips ^ self->placed);
    self->chips = chips;
    self->follow_until = now_of(self) + self->follow;
    return 0;
}

/* POWER UP is on its way when a request is refused that was done before the power was lost. */
static bool has_restarted(struct unit_sensors *self)
{
    const struct host *host = bet_unit_host(self->unit);
    nanos_t deadline = now_of(self) + END_TIME;
    int result = 1;

    while (!self->restarts && host->comebacks == self->comebacks && result > 0)
        result = take_next(self, deadline, NULL);
    return self->restarts || host->comebacks != self->comebacks;
}

/* Whether a repeated request was refused because the unit had done it before it lost its power. */
static bool is_done(struct unit_sensors *self, enum bet_unit_state state, unsigned locked)
{
    struct bet_unit_status status;

    return bet_unit_refusal(self->unit) == REFUSED_STATE &&
           !bet_unit_status(self->unit, &status, NULL) && status.state == state &&
           status.locked == locked && has_restarted(self);
}

static void before_request(struct unit_sensors *self)
{
    self->restarts = 0;
    self->comebacks = bet_unit_host(self->unit)->comebacks;
}

static int lock(struct sensors *sensors, unsigned seats, struct error *error)
{
    struct unit_sensors *self = unit_of(sensors);
    int status = catch_up(self, error);

    if (status)
        return status;
    if (self->round)
        return error_set(error, ERROR_RULE,
                         "%s: START ROUND while a round is running; end or cancel that one first",
                         sensors->device.address);
    if (seats & ~self->placed)
        return error_set(error, ERROR_RULE,
                         "%s: seat %u is to be locked at START ROUND, but its sensor sees no "
                         "wager; place one, or look at the sensor",
                         sensors->device.address, (unsigned)__builtin_ctz(seats & ~self->placed));
    before_request(self);
    status = answered(self, bet_unit_lock(self->unit, seats, error));
    if (status && is_done(self, BET_UNIT_ROUND, seats))
        status = 0;
    self->round = !status;
    self->locked = status ? 0 : seats;
    if (!status)
        expect_entry(self, (struct log_entry){.code = BET_UNIT_LOCK, .detail = (uint8_t)seats});
    return status;
}

static int unlock(struct sensors *sensors, struct error *error)
{
    struct unit_sensors *self = unit_of(sensors);
    int status = catch_up(self, error);

    if (!status && !self->round)
        status = error_set(error, ERROR_RULE, "%s: a round ends that was never started",
                           sensors->device.address);
    if (status)
        return status;
    before_request(self);
    status = bet_unit_unlock(self->unit, error);
    if (status && is_done(self, BET_UNIT_IDLE, 0))
        status = 0;
    self->round = status != 0;
    self->locked = status ? self->locked : 0;
    if (!status)
        expect_entry(self, (struct log_entry){.code = BET_UNIT_UNLOCK});
    return answered(self, status);
}

static int light(struct sensors *sensors, unsigned seats, struct error *error)
{
    struct unit_sensors *self = unit_of(sensors);
    int status = catch_up(self, error);

    if (!status)
        status = answered(self, bet_unit_light(self->unit, seats, error));
    if (status)
        return status;
    self->right &= ~(self->lights ^ seats);
    self->lights = seats;
    self->is_odd = false;
    self->settle_until = now_of(self) + self->settle;
    return 0;
}

/* Lamps that are not as commanded, as the unit sees them now. */
static int look_at_lamps(struct unit_sensors *self, unsigned *wrong, struct error *error)
{
    struct bet_unit_status status;
    int result = answered(self, bet_unit_status(self->unit, &status, error));

    *wrong = 0;
    if (result)
        return result;
    *wrong = (status.lit ^ self->lights) & self->seats;
    self->flickered |= self->right & *wrong;
    self->right = self->seats & ~*wrong;
    if (self->is_odd)
        return 0;
    self->is_odd = status.locked != self->locked ||
                   self->round != (status.state == BET_UNIT_ROUND) ||
                   (self->test_mode && !status.test_mode);
    self->status = (struct sensors_status){.in_round = status.state == BET_UNIT_ROUND,
                                           .test_mode = status.test_mode,
                                           .is_put_there = self->test_mode,
                                           .placed = status.placed,
                                           .locked = status.locked,
                                           .lit = status.lit,
                                           .strays = self->status.strays};
    return 0;
}

static bool is_silent(const struct unit_sensors *self)
{
    return self->test_mode && !self->announced;
}

static int wait_for_sensors(struct unit_sensors *self, struct error *error)
{
    int result = 1;

    while (result > 0 && (self->moving || is_silent(self)) && now_of(self) < self->follow_until)
        result = take_next(self, self->follow_until, error);
    self->moving = 0;
    return result < 0 ? result : 0;
}

static int wait_for_lamps(struct unit_sensors *self, struct error *error)
{
    unsigned wrong;
    int result;

    for (;;) {
        nanos_t now = now_of(self);

        if (now >= self->settle_until)
            return 0;
        result = look_at_lamps(self, &wrong, error);
        if (result || !wrong)
            break;
        now += POLL;
        result = take_next(self, now < self->settle_until ? now : self->settle_until, error);
        if (result < 0)
            break;
    }
    self->settle_until = 0;
    return result;
}

/* An error if a wager was placed before test mode was announced. */
static int check_announced(const struct unit_sensors *self, struct error *error)
{
    if (!is_silent(self))
        return 0;
    return error_set(error, ERROR_DEVICE,
                     "%s: the bet sensor unit is in test mode and has not announced it",
                     self->sensors.device.address);
}

static int settle(struct sensors *sensors, struct error *error)
{
    struct unit_sensors *self = unit_of(sensors);
    int status = catch_up(self, error);

    if (!status)
        status = wait_for_sensors(self, error);
    if (!status)
        status = wait_for_lamps(self, error);
    return status ? status : check_announced(self, error);
}

static int check_lamps(struct sensors *sensors, unsigned *wrong, struct error *error)
{
    struct unit_sensors *self = unit_of(sensors);
    int status = settle(sensors, error);

    *wrong = 0;
    if (!status)
        status = look_at_lamps(self, wrong, error);
    *wrong |= self->flickered;
    self->flickered = 0;
    return status;
}

static int next(struct sensors *sensors, struct bet_event *event, nanos_t deadline,
                struct error *error)
{
    struct unit_sensors *self = unit_of(sensors);
    int result = 1;

    while (!self->queued && result > 0)
        result = take_next(self, deadline, error);
    if (!self->queued)
        return result;
    *event = self->queue[self->first];
    self->first = (self->first + 1) % EVENTS_MAX;
    self->queued--;
    return 1;
}

static unsigned placed_at(const struct sensors *sensors)
{
    return seen_of(sensors)->placed;
}

static bool in_round(const struct sensors *sensors)
{
    return seen_of(sensors)->round;
}

static size_t unchecked(const struct sensors *sensors,
                        struct bet_unchecked sentences[BET_UNCHECKED_MAX])
{
    unsigned lines[BET_LINES];

    for (unsigned line = 0; line < BET_LINES; line++)
        lines[line] = with(sensors, (enum bet_line)line);
    return sensors_unchecked_lines((unsigned)__builtin_popcount(seen_of(sensors)->seats), lines,
                                   sentences);
}

/* An error if the unit does not announce that its test mode is over. */
static int await_end(struct unit_sensors *self, struct error *error)
{
    nanos_t deadline = now_of(self) + END_TIME;
    int result = 1;

    while (self->announced && result > 0)
        result = take_next(self, deadline, error);
    if (result < 0)
        return result;
    return self->announced ? error_set(error, ERROR_DEVICE,
                                       "%s: the bet sensor unit was told to leave test mode and "
                                       "has not announced it",
                                       self->sensors.device.address)
                           : 0;
}

static int rest(struct sensors *sensors, struct error *error)
{
    struct unit_sensors *self = unit_of(sensors);
    int status;

    if (!self->test_mode)
        return 0;
    status = self->round ? unlock(sensors, error) : 0;
    if (!status)
        status = answered(self, bet_unit_test_mode(self->unit, false, error));
    self->test_mode = status != 0;
    self->chips = status ? self->chips : 0;
    return status ? status : await_end(self, error);
}

static int leave_test_mode(struct sensors *sensors, struct error *error)
{
    unit_of(sensors)->test_mode = true;
    return rest(sensors, error);
}

static const struct device_option options[] = {
    {"wagers", (const char *const[]){"actuators", "people", NULL}},
    {NULL, NULL},
};

static const struct sensors_driver unit_driver = {
    .device =
        {
            .key = "sensors/unit",
            .class = DEVICE_SENSORS,
            .noun = "bet sensor unit",
            .size = sizeof(struct unit_sensors),
            .capabilities = DEVICE_HAS_TEST_MODE | DEVICE_KEEPS_LOG | DEVICE_TELLS_IDENTITY |
                            DEVICE_TELLS_STATUS | DEVICE_SHOWS_FRAMES,
            .has_versions = true,
            .protocol = FRAME_PROTOCOL,
            .options = options,
            .open = open_unit,
            .close = close_unit,
            .identity = identity,
            .in_test_mode = in_test_mode,
            .log = unit_log,
            .host = unit_host,
        },
    .place = place,
    .lock = lock,
    .unlock = unlock,
    .light = light,
    .settle = settle,
    .check_lamps = check_lamps,
    .next = next,
    .placed = placed_at,
    .in_round = in_round,
    .with = with,
    .unchecked = unchecked,
    .last_status = last_status,
    .due_entry = due_entry,
    .rest = rest,
    .leave_test_mode = leave_test_mode,
};
REGISTER(device_drivers, unit_driver);
