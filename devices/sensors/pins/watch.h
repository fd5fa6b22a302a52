/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The inside of the bet sensors' driver: makes inputs and verdicts of edges and of time. The
 * commands on top of it are in devices/sensors/pins/commands.c. What fails here, fails as the
 * pins do.
 */
#ifndef DEVICES_SENSORS_PINS_WATCH_H
#define DEVICES_SENSORS_PINS_WATCH_H

#include "devices/sensors/pins/bet_sensor.h"

static inline bool bet_has(const struct bet_seat *seat, enum bet_line line)
{
    return seat->lines.pin[line] != BET_NO_PIN;
}

static inline uint64_t bet_pin(const struct bet_seat *seat, enum bet_line line)
{
    return bet_has(seat, line) ? UINT64_C(1) << seat->lines.pin[line] : 0;
}

static inline nanos_t bet_watch_now(const struct bet_sensor *sensor)
{
    return clock_now(sensor->pins->hal->clock);
}

/* Applies an input to a seat and emits its events; ignores refused inputs. */
void bet_watch_step(struct bet_sensor *sensor, unsigned seat, enum bet_input input, nanos_t time);

/* A lamp is seen lit, or dark. */
void bet_watch_lamp(struct bet_seat *seat, bool lit, nanos_t time);

/* Takes the levels as they are now for the edges that led to them. */
int bet_watch_read(struct bet_sensor *sensor, struct error *error);

/*
 * Takes in the next thing that happens until the deadline; returns 1 while there may be more, 0 at
 * the deadline. An edge after it ends it too, so that a line that chatters cannot hold it for ever.
 */
int bet_watch_next(struct bet_sensor *sensor, nanos_t deadline, struct error *error);

/* Takes in all that has happened until now. */
int bet_watch_catch_up(struct bet_sensor *sensor, struct error *error);

/* When a lamp or an actuator is next to be judged, or NEVER. */
nanos_t bet_watch_judgement(const struct bet_sensor *sensor);

#endif
