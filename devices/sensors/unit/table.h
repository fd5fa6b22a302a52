/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a bet sensor unit has on the table, for its model: sensors, actuators and lamps of seven
 * seats, the wagers on the felt, hands that meddle, and defects. It moves on the times that it is
 * told, owns nothing and allocates nothing. Sets of seats have bit n for seat n, from 1.
 */
#ifndef DEVICES_SENSORS_UNIT_TABLE_H
#define DEVICES_SENSORS_UNIT_TABLE_H

#include "devices/sensors/sensors.h"
#include "hal/pins/debounce.h"

enum bet_unit_defect {
    BET_UNIT_STUCK_HIGH, /* the sensor always sees a wager */
    BET_UNIT_STUCK_LOW,  /* the sensor never sees a wager */
    BET_UNIT_DARK,       /* the lamp never lights */
    BET_UNIT_LIT,        /* the lamp never goes out */
    BET_UNIT_LATE_HAND,  /* a hand places a wager in the round */
    BET_UNIT_LIFT_HAND,  /* a hand takes a wager in the round */
    BET_UNIT_KEPT,       /* a wager stays when its actuator takes it back in a round */
    BET_UNIT_DEFECTS,
};

struct bet_unit_place {
    enum bet_state state;
    bool chip, light;       /* as commanded */
    bool is_held, has_hand; /* a wager lies there: the actuator's, a person's */
    bool lamp;              /* as its photodiode sees it */
    nanos_t travels;   /* when the actuator gets where it was told; or NEVER, as all of these */
    nanos_t glows;     /* when the lamp follows its command */
    nanos_t meddles;   /* when the hand of a defect comes */
    bool is_late_hand; /* it places a wager; otherwise it takes one */
    nanos_t follows;   /* when the sensor must agree with the actuator */
    struct debounce sensor;
    struct debounce wrong; /* the lamp is not as commanded */
};

struct bet_unit_table {
    struct bet_unit_place seats[BET_SENSOR_SEATS + 1]; /* the first one is not used */
    bool round;
    bool is_started;
    nanos_t now;                       /* up to which everything has happened */
    uint8_t defects[BET_UNIT_DEFECTS]; /* sets of seats that have them */
    bool has_shown;                    /* one of them has made a difference */
    nanos_t hand_time;                 /* from one hand to the next; 0: nobody is there */
    nanos_t hand_due;
    uint64_t random;
};

void bet_unit_table_init(struct bet_unit_table *table, uint64_t seed);

/* Shows at once in a table that has not started; later it is an edge like any other. */
void bet_unit_table_defect(struct bet_unit_table *table, enum bet_unit_defect defect,
                           unsigned seat);

/* Everything that happens until that time, up to the first thing that is to be told: true with
 * that, or false when there is none. The first call starts the table. */
bool bet_unit_table_next(struct bet_unit_table *table, nanos_t until, struct bet_event *event);

/* When something happens next, or NEVER; 0 in a table that has not started. */
nanos_t bet_unit_table_due(const struct bet_unit_table *table);

/* Puts off a hand that is due until hand_time after `now`. */
void bet_unit_table_delay_hand(struct bet_unit_table *table, nanos_t now);

/* START ROUND and its end. False when that is not possible; then nothing has changed. */
bool bet_unit_table_lock(struct bet_unit_table *table, unsigned seats);
bool bet_unit_table_unlock(struct bet_unit_table *table);

/* Exactly these are to be lit, or to hold a wager. */
void bet_unit_table_light(struct bet_unit_table *table, unsigned seats);
void bet_unit_table_place(struct bet_unit_table *table, unsigned seats);

/* At that time, up to which everything has happened, a hand places a wager or takes one. */
void bet_unit_table_hand(struct bet_unit_table *table, unsigned seat, bool places);

/* A hand takes what lies there, and the sensor has seen it. */
void bet_unit_table_snatch(struct bet_unit_table *table, unsigned seat);

/* The unit is without power for a moment: what it was timing starts again. */
void bet_unit_table_power_cycle(struct bet_unit_table *table);

unsigned bet_unit_table_placed(const struct bet_unit_table *table);
unsigned bet_unit_table_locked(const struct bet_unit_table *table);
unsigned bet_unit_table_lit(const struct bet_unit_table *table);

#endif
