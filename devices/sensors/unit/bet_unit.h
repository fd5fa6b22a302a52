/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bet sensor unit, seen from the host: a box that has the sensors, lamps and actuators of up to
 * seven seats and speaks the open wire protocol. bet_unit_open() starts a conversation over a link,
 * which stays the caller's and must outlive the unit; the backend of the link does not matter.
 * Everything that the device says is checked: what contradicts the protocol is ERROR_DEVICE with a
 * sentence that names the address, the message and the value, and the conversation may go on.
 *
 * What happens on the seats comes as struct bet_event, as from sensors on pins
 * (devices/sensors/pins/bet_sensor.h). Sets of seats have bit n for seat n, from 1.
 */
#ifndef DEVICES_SENSORS_UNIT_BET_UNIT_H
#define DEVICES_SENSORS_UNIT_BET_UNIT_H

#include "devices/sensors/sensors.h"
#include "devices/sensors/unit/wire.h"

struct bet_unit_status {
    enum bet_unit_state state;
    bool test_mode;
    uint8_t placed; /* set of seats whose sensor sees a wager, locked or not */
    uint8_t locked; /* those in the round */
    uint8_t lit;    /* whose lamp is seen lit, whatever was commanded */
};

enum bet_unit_event_kind {
    BET_UNIT_EVENT_SEAT,
    BET_UNIT_EVENT_TEST_MODE,
    BET_UNIT_EVENT_POWER_UP,
};

struct bet_unit_event {
    struct log_entry entry; /* that the log must have of it, by code and details */
    enum bet_unit_event_kind kind;
    nanos_t time; /* at which it came, by the clock of the link */
    union {
        struct bet_event seat; /* its time is the same */
        bool test_mode;
        struct bet_unit_status status; /* of POWER_UP */
    };
};

struct bet_unit;

/* `*unit` is NULL after a failure. bet_unit_close() takes NULL. */
int bet_unit_open(struct bet_unit **unit, struct link *link, struct error *error);

/* The same in that version of the protocol, or the highest for 0. */
int bet_unit_open_as(struct bet_unit **unit, struct link *link, unsigned version,
                     struct error *error);
void bet_unit_close(struct bet_unit *unit);

/*
 * Requests. ERROR_DEVICE with bet_unit_refusal() not 0 (an enum wire_refusal): the device refused
 * and nothing has changed. ERROR_CONFIG for a set that has other seats than 1 to 7: then nothing
 * was asked.
 */
int bet_unit_status(struct bet_unit *unit, struct bet_unit_status *status, struct error *error);
unsigned bet_unit_refusal(const struct bet_unit *unit);

/*
 * START ROUND with these seats; END or CANCEL ROUND. A device that lost its power after it had done
 * so refuses the repeated request with REFUSED_STATE, since neither is possible twice in a row: the
 * status tells.
 */
int bet_unit_lock(struct bet_unit *unit, unsigned seats, struct error *error);
int bet_unit_unlock(struct bet_unit *unit, struct error *error);

/* The lamps of exactly these seats are to be lit. */
int bet_unit_light(struct bet_unit *unit, unsigned seats, struct error *error);

/* Test mode, which the device announces, and what it allows: the actuators of exactly these seats
 * hold a wager on the felt. The sensors' answers are events. */
int bet_unit_test_mode(struct bet_unit *unit, bool on, struct error *error);
int bet_unit_place(struct bet_unit *unit, unsigned seats, struct error *error);

/*
 * The next event: 1, or 0 when none came before the deadline, or an error. A wager that comes or
 * goes is told once, also by a device that says it again after a power loss.
 */
int bet_unit_next(struct bet_unit *unit, struct bet_unit_event *event, nanos_t deadline,
                  struct error *error);

/* Events that the device said again under a new number and that were dropped for it. */
uint64_t bet_unit_repeats(const struct bet_unit *unit);

/* The conversation, for its counts and its observer, the identity and the log. */
struct host *bet_unit_host(struct bet_unit *unit);

#endif
