/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a wager on one seat may go through: open, placed, locked. A pure table of states and inputs;
 * the driver on pins (devices/sensors/pins/bet_sensor.h) makes inputs of edges and of the rounds
 * that it is told of. Nothing here owns or allocates anything; an input that a state does not allow
 * is refused.
 */
#ifndef DEVICES_SENSORS_SEAT_H
#define DEVICES_SENSORS_SEAT_H

#include <stdbool.h>

enum bet_state {
    BET_OPEN,   /* no wager lies there that counts */
    BET_PLACED, /* one lies there and is in no round */
    BET_LOCKED, /* the seat is in the round, even if its wager was taken since */
};
#define BET_STATES 3

enum bet_input {
    BET_INPUT_WAGER,         /* a wager came to lie there before START ROUND */
    BET_INPUT_LATE_WAGER,    /* or after it */
    BET_INPUT_LIFT,          /* it was taken away */
    BET_INPUT_LOCK,          /* START ROUND */
    BET_INPUT_LOCK_UNSEEN,   /* the same on a seat without a sensor: taken on trust */
    BET_INPUT_RELEASE,       /* END ROUND or CANCEL ROUND, with a wager lying there */
    BET_INPUT_RELEASE_EMPTY, /* the same without one */
};
#define BET_INPUTS 7

enum bet_event_kind {
    BET_EVENT_NONE,
    BET_EVENT_PLACED,
    BET_EVENT_LIFTED,
    BET_EVENT_LATE,          /* a wager placed, or put on a locked seat, in a running round */
    BET_EVENT_LIFTED_LOCKED, /* taken from a locked seat, by whomever */
    BET_EVENT_STUCK_LOW,     /* the actuator placed a wager and the sensor sees none */
    BET_EVENT_STUCK_HIGH,    /* the actuator holds none and the sensor sees one */
    BET_EVENT_LAMP_DARK,     /* ought to be lit */
    BET_EVENT_LAMP_LIT,      /* ought to be dark */
    BET_EVENT_EDGES_LOST,    /* of any seat: wagers may have come and gone unseen */
    BET_EVENT_POWER_UP,      /* of a unit: it was without power for a while */
};
#define BET_EVENT_KINDS 11

struct bet_step {
    enum bet_state next;
    enum bet_event_kind event;
    bool refused; /* the state stays and there is no event */
};

struct bet_step bet_seat_step(enum bet_state state, enum bet_input input);

/* "wager placed", for sentences and journals. */
const char *bet_event_text(enum bet_event_kind kind);

#endif
