/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bet sensors of up to seven seats on pins, the host's side: which wagers lie on the table, which
 * came late or were lifted, whether lamps and sensors do what they are told. Each seat has up to
 * four lines, all optional; a seat works with those it has, and bet_sensor_unchecked() says what
 * stays unproven. The driver owns neither its struct nor the pins, allocates nothing, and takes
 * every edge of its pins: nobody else may wait on them. Sets of seats have bit n for seat n,
 * from 1.
 *
 * Every call but the plain questions first takes in what has happened until now, and may fail as
 * the pins may; what it learns on the way waits for bet_sensor_next().
 */
#ifndef DEVICES_SENSORS_PINS_BET_SENSOR_H
#define DEVICES_SENSORS_PINS_BET_SENSOR_H

#include "devices/sensors/sensors.h"
#include "hal/pins/debounce.h"

#define BET_NO_PIN (-1)

/* The number of each line among the pins, or BET_NO_PIN. */
struct bet_sensor_seat {
    int pin[BET_LINES];
};
#define BET_NO_SEAT                                                                                \
    {                                                                                              \
        {                                                                                          \
            BET_NO_PIN, BET_NO_PIN, BET_NO_PIN, BET_NO_PIN                                         \
        }                                                                                          \
    }

#define BET_EVENTS_MAX 64

struct bet_sensor {
    struct pins *pins;
    struct bet_sensor_timing timing;
    size_t count; /* of seats */
    bool round;   /* one is running */
    bool doubt;   /* edges were lost: levels are read again when no more edges wait */
    bool blind;   /* these pins never tell that edges were lost: so it is always */
    nanos_t time; /* up to which everything was taken in */
    struct bet_seat {
        struct bet_sensor_seat lines;
        enum bet_state state;
        bool chip, light, lamp; /* as commanded, as commanded, as seen */
        struct debounce bet;
        nanos_t stuck;         /* when the sensor ought to have followed, or NEVER */
        struct debounce wrong; /* the lamp is not as commanded */
    } seats[BET_SENSOR_SEATS + 1];
    struct bet_event queue[BET_EVENTS_MAX];
    unsigned first, queued;
};

/* What the pins are to be asked for such a line; bias and polarity are left to the caller, and so
 * is a debounce below this driver's, which adds to it. */
struct pin_request bet_sensor_request(enum bet_line line, const char *name);

/*
 * `seats` is seat 1 and on. Puts out every lamp and draws back every actuator. A wager that lies
 * there already counts as placed from then on. ERROR_CONFIG when a line is no pin, one of the wrong
 * direction or one of another line, or for a timing that makes no sense.
 */
int bet_sensor_open(struct bet_sensor *sensor, struct pins *pins,
                    const struct bet_sensor_seat *seats, size_t count,
                    const struct bet_sensor_timing *timing, struct error *error);

/*
 * Places wagers by the actuators of these seats, or takes them back, all at once and whatever state
 * the seats are in: a late wager is a thing to try. The sensors' answers are events. ERROR_CONFIG
 * when a seat has no actuator; then none moves.
 */
int bet_sensor_place(struct bet_sensor *sensor, unsigned seats, bool placed, struct error *error);

/*
 * START ROUND: these seats are in it; from now on a wager is late. ERROR_RULE when one of them has
 * no wager or a round is running already; then nothing is locked.
 */
int bet_sensor_lock(struct bet_sensor *sensor, unsigned seats, struct error *error);

/* END ROUND or CANCEL ROUND: no seat is locked. ERROR_RULE when no round is running. */
int bet_sensor_unlock(struct bet_sensor *sensor, struct error *error);

/*
 * The lamps of exactly these seats are lit, all in one write. A lamp without a light line is the
 * table's own: then this says how it ought to be.
 */
int bet_sensor_light(struct bet_sensor *sensor, unsigned seats, struct error *error);

/* Waits until every actuator and lamp was followed, or its time is over. */
int bet_sensor_settle(struct bet_sensor *sensor, struct error *error);

/* Settles; then `wrong` is the set of seats whose lamp is seen and is not as commanded. */
int bet_sensor_check_lamps(struct bet_sensor *sensor, unsigned *wrong, struct error *error);

/* The next event, oldest first: 1, or 0 when there was none until the deadline. */
int bet_sensor_next(struct bet_sensor *sensor, struct bet_event *event, nanos_t deadline,
                    struct error *error);

/* Where a sensor saw a wager when last asked, locked or not. */
unsigned bet_sensor_placed(const struct bet_sensor *sensor);
enum bet_state bet_sensor_state(const struct bet_sensor *sensor, unsigned seat);

/* The seats that have such a line. */
unsigned bet_sensor_with(const struct bet_sensor *sensor, enum bet_line line);

/* What this table does not prove for want of lines, by seat; returns how many there are. */
size_t bet_sensor_unchecked(const struct bet_sensor *sensor,
                            struct bet_unchecked unchecked[BET_UNCHECKED_MAX]);

#endif
