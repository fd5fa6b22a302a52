/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shuffles from the device of a rig, for the judge and, if wanted, for a recording. Progress shows
 * on standard error when that is a terminal; nothing else is printed here.
 */
#ifndef TOOLS_SHUFFLES_COLLECT_H
#define TOOLS_SHUFFLES_COLLECT_H

#include <stdbool.h>
#include <stdint.h>

#include "games/game.h"
#include "games/shuffles/shuffles.h"
#include "hal/base/digest.h"
#include "hal/base/error.h"
#include "rigs/shuffles/device.h"

struct shuffles_collect {
    const char *rig;         /* its file */
    const struct game *game; /* whose hands the orders are judged by */
    uint64_t count;          /* at least 1 */
    uint64_t seed;           /* of an emulated device that has none */
    const char *returned; /* "dealt", "reversed", "unknown"; NULL: dealt if emulated, or unknown */
    const char *output;   /* of the recording; NULL: none is made */
    bool replace;         /* an output that is there already */
    bool prompts;         /* somebody puts the cards back and says so on standard input */
};

/* Who shuffled, filled as soon as that is known; empty where it is not. */
struct shuffles_device_name {
    char device[2 * WIRE_TEXT_MAX + 2]; /* model and serial number */
    char firmware[WIRE_TEXT_MAX + 1];
    char recorded[16];        /* the date, on a real clock */
    char digest[DIGEST_SIZE]; /* of the recording, if one was made */
};

/*
 * Deals and adds `count` orders. After an error the orders dealt until then have been added and
 * recorded: ERROR_ABORTED when a person ended it, ERROR_CONFIG before the first one for what cannot
 * be meant.
 */
int shuffles_collect(const struct shuffles_collect *orders, struct shuffles *shuffles,
                     struct shuffles_device_name *name, struct error *error);

#endif
