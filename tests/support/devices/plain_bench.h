/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A shuffler on pins in virtual time: the driver, and behind its pins either the model of a machine
 * with its people, or a bare chip whose lines the test moves. What the driver tells is compared as
 * text: "shuffled@20120 present1@20440 taken1@20940", times in milliseconds. The bench owns all of
 * its parts and fails the running test when one cannot be made.
 */
#ifndef TESTS_SUPPORT_DEVICES_PLAIN_BENCH_H
#define TESTS_SUPPORT_DEVICES_PLAIN_BENCH_H

#include "devices/shuffler/pins/model.h"
#include "devices/shuffler/shuffler.h"

#define PLAIN_MS    NANOS_PER_MILLI
#define PLAIN_EXITS 24 /* packets whose cards are kept */

struct plain_setup {
    const char *model;   /* its options; NULL: a bare chip */
    const char *options; /* of the driver; NULL: none */
    const char *cards;   /* NULL: those of the model's people, or nobody's at a bare chip */
    unsigned missing;    /* set of enum shuffler_line that are not wired */
    unsigned active_low;
    uint32_t debounce_us; /* 0: 20000; 1: none */
    uint32_t press_ms;    /* 0: 100 */
    unsigned on; /* set of enum shuffler_line of a bare chip that are high from the start */
};

struct plain_bench {
    struct clock clock;
    struct hal hal;
    struct plain_shuffler *model; /* NULL: a bare chip */
    struct emulated_chip *chip;
    struct shuffler *shuffler;
    struct error error;
    int status; /* of the last plain_bench_hear(): 0, or what ended it */
    unsigned packets;
    struct shuffler_event presented[PLAIN_EXITS];
    char log[4096];
};

/* `desk` is where people are asked; NULL: nobody is there. */
void plain_bench_open(struct plain_bench *bench, const struct plain_setup *setup,
                      struct desk *desk);
void plain_bench_close(struct plain_bench *bench);

/* Opens the device on a bench that is there already: 0, or what device_open() says. */
int plain_bench_open_device(struct plain_bench *bench, const struct plain_setup *setup);

/* A line of a bare chip is that from then on. */
void plain_bench_drive(struct plain_bench *bench, enum shuffler_line line, bool on, double at);

/* Programs three packets of 3, 3 and 4 cards, shuffles, hears until it is, and presses. */
void plain_bench_deal(struct plain_bench *bench);

/* All that the driver tells until that many milliseconds, or until an error. */
const char *plain_bench_hear(struct plain_bench *bench, double until);

/* Compares what is heard and prints both when they differ. */
void plain_bench_expect(struct plain_bench *bench, double until, const char *expected);

#endif
