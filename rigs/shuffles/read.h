/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recordings as orders to be judged: the whole deck of a round where it is known, else the cards
 * that were dealt before anybody decided, since what comes later depends on the cards. Recordings
 * are read one after the other in constant memory. All must be of one device: orders of two are no
 * sample of either.
 */
#ifndef RIGS_SHUFFLES_READ_H
#define RIGS_SHUFFLES_READ_H

#include <stdbool.h>
#include <stdint.h>

#include "games/shuffles/shuffles.h"
#include "hal/base/error.h"
#include "rigs/recording/format.h"
#include "rigs/recording/paytables.h"

struct shuffles_reader {
    struct shuffles *shuffles;         /* where the orders go */
    const struct paytables *paytables; /* NULL: those of the sheets alone */
    int stop;                          /* when readable, reading ends; -1 for none */
    /* Filled by shuffles_read(), 0 at first. */
    uint64_t recordings;
    bool is_cut;    /* a round was left out, as its deal broke off: the next follows from none */
    char name[256]; /* of the first recording */
    char device[RECORDING_SOURCE_SIZE];
    char firmware[RECORDING_SOURCE_SIZE];
};

/*
 * Adds the orders of one more recording, read from a descriptor that stays open; `name` is for the
 * sentences. ERROR_CONFIG, with file and line, for whatever is no order, or of another device;
 * ERROR_RIG when reading fails or memory is short; ERROR_ABORTED after `stop`.
 */
int shuffles_read(struct shuffles_reader *reader, int input, const char *name, struct error *error);

#endif
