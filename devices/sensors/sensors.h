/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bet sensors of a table, seen from the host: which wagers lie on up to seven seats, which came
 * late or were lifted, whether lamps and sensors do what they are told. They are on the pins of the
 * bench (driver "pins"), or a unit has them and speaks over a link (driver "unit"). Each seat has
 * up to four lines, all optional; a seat works with those it has, and sensors_unchecked() says what
 * stays unproven. Sets of seats have bit n for seat n, from 1.
 *
 * Every call but the plain questions first takes in what has happened until now, and may fail as
 * pins or links may; what it learns on the way waits for sensors_next().
 */
#ifndef DEVICES_SENSORS_SENSORS_H
#define DEVICES_SENSORS_SENSORS_H

#include "devices/device.h"
#include "devices/sensors/seat.h"
#include "devices/telling.h"
#include "devices/wire/log.h"
#include "hal/pins/pins.h"

#define BET_SENSOR_SEATS 7
#define BET_ALL_SEATS    0xfeu

enum bet_line {
    BET_LINE_BET,   /* in: the sensor sees a wager */
    BET_LINE_LIGHT, /* out: the seat's lamp */
    BET_LINE_CHIP,  /* out: an actuator that places a wager */
    BET_LINE_LAMP,  /* in: a photodiode sees the lamp lit */
};
#define BET_LINES 4

struct bet_sensor_timing {
    nanos_t debounce; /* a wager lies, or is lifted, once its line has stood for this long */
    nanos_t follow;   /* a sensor that does not follow its actuator for this long is stuck */
    nanos_t settle;   /* a lamp is wrong when it has been for this long */
};
#define BET_SENSOR_TIMING                                                                          \
    {                                                                                              \
        .debounce = 20 * NANOS_PER_MILLI, .follow = 500 * NANOS_PER_MILLI,                         \
        .settle = 100 * NANOS_PER_MILLI,                                                           \
    }

struct bet_event {
    enum bet_event_kind kind;
    unsigned seat; /* 0 when it concerns all of them */
    nanos_t time;  /* when the level counted, or the time allowed was over */
};

struct bet_unchecked {
    unsigned seat; /* 0: all of them */
    const char *sentence;
};
#define BET_UNCHECKED_MAX (5 * BET_SENSOR_SEATS + 1)

/* What sensors are told when they are opened: the setup of a struct device_connection. */
struct sensors_setup {
    unsigned seats; /* of the table */
    struct bet_sensor_timing timing;
    /* The rest is of pins: the name of each line, NULL for none; what all of them have. */
    const char *lines[BET_SENSOR_SEATS + 1][BET_LINES];
    enum pin_bias bias;  /* of the inputs */
    unsigned active_low; /* set of enum bet_line */
};

/* What sensors that can be asked have answered last. Sets of seats. */
struct sensors_status {
    bool in_round;
    bool test_mode, is_put_there; /* by their own word; by this host */
    unsigned placed, locked, lit;
    unsigned strays; /* events of test mode, which nobody had asked for */
};

struct sensors;

/*
 * One way to reach sensors, beside what any driver has. Slots are the calls below of the same name;
 * none is NULL but those that say so. Opened, every lamp is out and every actuator drawn back.
 */
struct sensors_driver {
    struct device_driver device;
    int (*place)(struct sensors *sensors, unsigned seats, bool placed, struct error *error);
    int (*lock)(struct sensors *sensors, unsigned seats, struct error *error);
    int (*unlock)(struct sensors *sensors, struct error *error);
    int (*light)(struct sensors *sensors, unsigned seats, struct error *error);
    int (*settle)(struct sensors *sensors, struct error *error);
    int (*check_lamps)(struct sensors *sensors, unsigned *wrong, struct error *error);
    int (*next)(struct sensors *sensors, struct bet_event *event, nanos_t deadline,
                struct error *error);
    unsigned (*placed)(const struct sensors *sensors);
    bool (*in_round)(const struct sensors *sensors);
    unsigned (*with)(const struct sensors *sensors, enum bet_line line);
    size_t (*unchecked)(const struct sensors *sensors,
                        struct bet_unchecked unchecked[BET_UNCHECKED_MAX]);
    /* NULL: they cannot be asked; they keep no log. */
    const struct sensors_status *(*last_status)(const struct sensors *sensors);
    bool (*due_entry)(struct sensors *sensors, struct log_entry *entry);
    /* NULL: there is nothing to take back; they have no test mode. */
    int (*rest)(struct sensors *sensors, struct error *error);
    int (*leave_test_mode)(struct sensors *sensors, struct error *error);
};

/* First member of all concrete sensors. */
struct sensors {
    struct device device;
};

/*
 * Places wagers by the actuators of these seats, or takes them back, all at once and whatever state
 * the seats are in: a late wager is a thing to try. The sensors' answers are events. ERROR_CONFIG
 * when a seat has no actuator; then none moves.
 */
int sensors_place(struct sensors *sensors, unsigned seats, bool placed, struct error *error);

/*
 * START ROUND: these seats are in it; from now on a wager is late. ERROR_RULE when one of them has
 * no wager or a round is running already; then nothing is locked.
 */
int sensors_lock(struct sensors *sensors, unsigned seats, struct error *error);

/* END ROUND or CANCEL ROUND: no seat is locked. ERROR_RULE when no round is running. */
int sensors_unlock(struct sensors *sensors, struct error *error);

/*
 * The lamps of exactly these seats are lit, all at once. A lamp without a light line is the table's
 * own: then this says how it ought to be.
 */
int sensors_light(struct sensors *sensors, unsigned seats, struct error *error);

/* Waits until every actuator and lamp was followed, or its time is over. */
int sensors_settle(struct sensors *sensors, struct error *error);

/* Settles; then `wrong` is the set of seats whose lamp is seen and is not as commanded. */
int sensors_check_lamps(struct sensors *sensors, unsigned *wrong, struct error *error);

/* The next event, oldest first: 1, or 0 when there was none until the deadline. */
int sensors_next(struct sensors *sensors, struct bet_event *event, nanos_t deadline,
                 struct error *error);

/* Where a sensor saw a wager when last asked, locked or not; and whether a round is running. */
unsigned sensors_placed(const struct sensors *sensors);
bool sensors_in_round(const struct sensors *sensors);

/* What they answered when their lamps were looked at last; NULL where they cannot be asked. */
const struct sensors_status *sensors_last_status(const struct sensors *sensors);

/*
 * The next entry that their log must have, of an event that came or a request that was done; false
 * when there is none. Only code and details are filled in; code 0 says that it is not known any
 * more what the log must have.
 */
bool sensors_due_entry(struct sensors *sensors, struct log_entry *entry);

/* The seats that have such a line. */
unsigned sensors_with(const struct sensors *sensors, enum bet_line line);

/* What this table does not prove for want of lines, by seat; returns how many there are. */
size_t sensors_unchecked(const struct sensors *sensors,
                         struct bet_unchecked unchecked[BET_UNCHECKED_MAX]);

/* Leaves the sensors to others: out of the test mode that they were put into to place wagers. */
int sensors_rest(struct sensors *sensors, struct error *error);

/* Out of test mode, whoever has put them into it. */
int sensors_leave_test_mode(struct sensors *sensors, struct error *error);

/* An event of these seats as the journal has it. */
void sensors_describe(enum bet_event_kind kind, unsigned seats, struct telling *telling);

/*
 * For drivers: what a table of so many seats does not prove where `with` has the seats that have
 * each line; returns how many sentences there are.
 */
size_t sensors_unchecked_lines(unsigned seats, const unsigned with[BET_LINES],
                               struct bet_unchecked *unchecked);

#endif
