/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Devices brought to rest, whatever they were doing: a shuffler has its deck back, a shoe is
 * locked, a terminal is between two rounds, lamps are out and actuators drawn back.
 */
#ifndef RIGS_BENCH_REST_H
#define RIGS_BENCH_REST_H

#include "rigs/bench/bench.h"

struct bench_rest {
    bool leaves_test_mode; /* takes it out of test mode, if it is in it */
    bool pays;             /* an award that was approved is paid: no other key leads on */
    int64_t wait;          /* milliseconds that it may take to come to rest */
    bool has_left;         /* filled in: it has accepted to leave test mode, and not said that
                              it is still in it */
    char found[120];       /* filled in: what it was doing */
    char done[200];        /* and what was done about it; "" for nothing */
};

/*
 * ERROR_DEVICE, or what the device failed with, when it is not at rest now or still in test mode;
 * the sentence says why. What was done until then stands in `rest`.
 */
int bench_rest(struct bench *bench, const struct bench_device *device, struct bench_rest *rest,
               struct error *error);

/*
 * Puts a shuffler, a shoe or a terminal into test mode or out of it. ERROR_DEVICE when it refuses,
 * by device_refusal(), and nothing has changed; or when its status or its event does not say so.
 */
int bench_try_test_mode(struct bench *bench, const struct bench_device *device, bool on,
                        struct error *error);

/* Whether the device said that it is in test mode when it was opened. */
bool bench_found_in_test_mode(const struct bench_device *device);

#endif
