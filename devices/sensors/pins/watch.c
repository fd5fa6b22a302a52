/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/sensors/pins/watch.h"

/* A full queue ends with the word that something is missing. */
static void tell(struct bet_sensor *sensor, enum bet_event_kind kind, unsigned seat, nanos_t time)
{
    struct bet_event event = {.kind = kind, .seat = seat, .time = time};

    if (sensor->queued == BET_EVENTS_MAX)
        event = (struct bet_event){.kind = BET_EVENT_EDGES_LOST, .time = time};
    else
        sensor->queued++;
    sensor->queue[(sensor->first + sensor->queued - 1) % BET_EVENTS_MAX] = event;
}

void bet_watch_step(struct bet_sensor *sensor, unsigned seat, enum bet_input input, nanos_t time)
{
    struct bet_step taken = bet_seat_step(sensor->seats[seat].state, input);

    sensor->seats[seat].state = taken.next;
    if (taken.event != BET_EVENT_NONE)
        tell(sensor, taken.event, seat, time);
}

static void bet_settled(struct bet_sensor *sensor, unsigned number, nanos_t time)
{
    struct bet_seat *seat = &sensor->seats[number];

    if (seat->bet.level == seat->chip)
        seat->stuck = NEVER;
    if (!seat->bet.level)
        bet_watch_step(sensor, number, BET_INPUT_LIFT, time);
    else
        bet_watch_step(sensor, number, sensor->round ? BET_INPUT_LATE_WAGER : BET_INPUT_WAGER,
                       time);
}

static void lamp_settled(struct bet_sensor *sensor, unsigned number, nanos_t time)
{
    const struct bet_seat *seat = &sensor->seats[number];

    if (seat->wrong.level)
        tell(sensor, seat->light ? BET_EVENT_LAMP_DARK : BET_EVENT_LAMP_LIT, number, time);
}

static void not_followed(struct bet_sensor *sensor, unsigned number)
{
    struct bet_seat *seat = &sensor->seats[number];

    tell(sensor, seat->chip ? BET_EVENT_STUCK_LOW : BET_EVENT_STUCK_HIGH, number, seat->stuck);
    seat->stuck = NEVER;
}

static nanos_t earlier(nanos_t a, nanos_t b)
{
    return a < b ? a : b;
}

/* When lamps and actuators of a seat are next to be judged, or NEVER. */
static nanos_t judged(const struct bet_seat *seat)
{
    return earlier(seat->stuck, debounce_due(&seat->wrong));
}

static nanos_t seat_due(const struct bet_seat *seat)
{
    return earlier(debounce_due(&seat->bet), judged(seat));
}

/* The seat where something is due first, and when: NEVER if nothing is. */
static unsigned first_due(const struct bet_sensor *sensor, nanos_t *due)
{
    unsigned first = 1;

    *due = NEVER;
    for (unsigned i = 1; i <= BET_SENSOR_SEATS; i++) {
        nanos_t at = seat_due(&sensor->seats[i]);

        if (at < *due) {
            *due = at;
            first = i;
        }
    }
    return first;
}

/* A wager that counts at the very end of the time to follow has followed. */
static void run_seat(struct bet_sensor *sensor, unsigned number, nanos_t time)
{
    struct bet_seat *seat = &sensor->seats[number];
    nanos_t at;

    if (debounce_settle(&seat->bet, time, &at))
        bet_settled(sensor, number, at);
    else if (debounce_settle(&seat->wrong, time, &at))
        lamp_settled(sensor, number, at);
    else
        not_followed(sensor, number);
}

/* Lets everything count that is due by that time, in the order of time. */
static void run(struct bet_sensor *sensor, nanos_t until)
{
    for (;;) {
        nanos_t due;
        unsigned seat = first_due(sensor, &due);

        if (due == NEVER || due > until)
            break;
        run_seat(sensor, seat, due);
    }
    if (until > sensor->time)
        sensor->time = until;
}

/* Says nothing to a debouncer that knows the level already: that would start its period again. */
static void see(struct debounce *debounce, bool level, nanos_t time)
{
    if (debounce->latest != level)
        debounce_edge(debounce, level, time);
}

void bet_watch_lamp(struct bet_seat *seat, bool lit, nanos_t time)
{
    seat->lamp = lit;
    see(&seat->wrong, seat->lamp != seat->light, time);
}

static void take_edge(struct bet_sensor *sensor, const struct pin_event *edge)
{
    /* The levels may have been read after the edge and before it was. */
    nanos_t time = edge->time > sensor->time ? edge->time : sensor->time;

    run(sensor, time);
    for (unsigned i = 1; i <= BET_SENSOR_SEATS; i++) {
        struct bet_seat *seat = &sensor->seats[i];

        if (seat->lines.pin[BET_LINE_BET] == (int)edge->pin)
            see(&seat->bet, edge->rising, time);
        if (seat->lines.pin[BET_LINE_LAMP] == (int)edge->pin)
            bet_watch_lamp(seat, edge->rising, time);
    }
}

int bet_watch_read(struct bet_sensor *sensor, struct error *error)
{
    uint64_t values;
    int result = pins_read(sensor->pins, &values, error);

    if (result)
        return result;
    sensor->time = bet_watch_now(sensor);
    for (unsigned i = 1; i <= BET_SENSOR_SEATS; i++) {
        struct bet_seat *seat = &sensor->seats[i];

        if (bet_has(seat, BET_LINE_BET))
            see(&seat->bet, values & bet_pin(seat, BET_LINE_BET), sensor->time);
        if (bet_has(seat, BET_LINE_LAMP))
            bet_watch_lamp(seat, values & bet_pin(seat, BET_LINE_LAMP), sensor->time);
    }
    sensor->doubt = sensor->blind;
    return 0;
}

/* As pins_wait(), but a loss is an event: the edge after the gap is there already. */
static int wait_edge(struct bet_sensor *sensor, struct pin_event *edge, nanos_t deadline,
                     struct error *error)
{
    int result = pins_wait(sensor->pins, edge, deadline, error);

    if (result != ERROR_RIG || pins_wait(sensor->pins, edge, 0, NULL) != 1)
        return result;
    run(sensor, edge->time);
    tell(sensor, BET_EVENT_EDGES_LOST, 0, edge->time);
    sensor->doubt = true;
    return 1;
}

/* After a loss of edges does not wait, so that the levels are read next. */
static nanos_t wait_until(const struct bet_sensor *sensor, nanos_t deadline)
{
    nanos_t due;

    first_due(sensor, &due);
    due = earlier(due, deadline);
    return sensor->doubt && !sensor->blind ? earlier(due, bet_watch_now(sensor)) : due;
}

int bet_watch_next(struct bet_sensor *sensor, nanos_t deadline, struct error *error)
{
    nanos_t until = wait_until(sensor, deadline);
    struct pin_event edge;
    int result = wait_edge(sensor, &edge, until, error);

    if (result > 0) {
        take_edge(sensor, &edge);
        return edge.time <= deadline;
    }
    if (!result && sensor->doubt)
        result = bet_watch_read(sensor, error);
    if (result)
        return result;
    run(sensor, until);
    return until < deadline;
}

int bet_watch_catch_up(struct bet_sensor *sensor, struct error *error)
{
    nanos_t now = bet_watch_now(sensor);
    int result;

    do
        result = bet_watch_next(sensor, now, error);
    while (result > 0);
    return result;
}

nanos_t bet_watch_judgement(const struct bet_sensor *sensor)
{
    nanos_t next = NEVER;

    for (unsigned i = 1; i <= BET_SENSOR_SEATS; i++)
        next = earlier(next, judged(&sensor->seats[i]));
    return next;
}
