/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bench for bet sensors in virtual time: the model of a table, pins on it, the driver on them.
 * What the driver tells is compared as text: "placed 1@60.0 late 3@360.0", times in milliseconds.
 * The bench owns all of its parts and fails the running test when one cannot be made.
 */
#ifndef TESTS_SUPPORT_DEVICES_BET_BENCH_H
#define TESTS_SUPPORT_DEVICES_BET_BENCH_H

#include "devices/sensors/pins/bet_sensor.h"
#include "devices/sensors/pins/model.h"
#include "hal/pins/fault.h"

#define BET_MS        NANOS_PER_MILLI
#define BET_ALL_LINES 15u
#define BET_SEAT(n)   (1u << (n))

struct bet_setup {
    const char *options;                    /* of the model; NULL: none */
    unsigned missing;                       /* set of enum bet_line that seat 1 does not have */
    unsigned active_low;                    /* set of enum bet_line, for the host */
    bool is_loss_unknown;                   /* the pins do not tell that edges were lost */
    const struct pin_faults *faults;        /* NULL: the pins are not wrapped */
    const struct bet_sensor_timing *timing; /* NULL: the usual one */
};

/* Pins that count writes and lose edges silently, over those of the chip. */
struct bet_spy {
    struct pins pins;
    struct pins *inner;
    bool is_loss_unknown;
    unsigned writes;
    unsigned to_drop;
    nanos_t withheld; /* no edge is handed out to a wait that ends before then */
    bool chatters;    /* an edge each time that anybody asks, a microsecond later */
};

struct bet_bench {
    struct clock clock;
    struct hal hal;
    struct bet_sensor_model *model;
    struct bet_spy spy;
    struct pins *pins;
    struct bet_sensor_seat seats[BET_SENSOR_SEATS];
    struct bet_sensor sensor;
    struct error error;
    char log[4096];
};

/* Seat n's lines are pins 4n - 4 and on, in the order of enum bet_line. */
void bet_bench_open(struct bet_bench *bench, const struct bet_setup *setup);
void bet_bench_close(struct bet_bench *bench);

/* All that the driver tells until that many milliseconds of virtual time. */
const char *bet_bench_hear(struct bet_bench *bench, double until);

/* At that many milliseconds, or now if they have passed, the sensor of a seat sees that. */
void bet_bench_drive(struct bet_bench *bench, unsigned seat, enum bet_line line, bool level,
                     nanos_t time);

/* Compares what is heard and prints both when they differ. */
void bet_bench_expect(struct bet_bench *bench, double until, const char *expected);

#endif
