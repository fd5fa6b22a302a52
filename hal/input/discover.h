/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The devices of this machine that type: keyboards, and scanners that pass for one. They are found
 * by the names that udev gives them and are not opened. What is handed to `found` belongs to the
 * discovery and is valid during that one call.
 */
#ifndef HAL_INPUT_DISCOVER_H
#define HAL_INPUT_DISCOVER_H

#include <stdbool.h>

#include "hal/base/error.h"
#include "hal/input/keyboard.h"

struct keyboard_info {
    char path[KEYBOARD_PATH_MAX]; /* /dev/input/by-id/…-event-kbd */
    bool accessible;              /* we may read it */
};

/* Tells `found` each of them, in the order of their names. Returns how many, or ERROR_RIG. */
int discover_keyboards(void (*found)(void *context, const struct keyboard_info *keyboard),
                       void *context, struct error *error);

#endif
