/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A device that types like a keyboard: a barcode or RFID reader. It is grabbed while it is open, so
 * that what it types reaches nobody else, neither a terminal nor the bench page. The caller owns it
 * and closes it once; the hal must outlive it. One thread uses it.
 */
#ifndef HAL_INPUT_KEYBOARD_H
#define HAL_INPUT_KEYBOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "hal/base/error.h"
#include "hal/hal.h"
#include "hal/reopen.h"

#define KEYBOARD_PATH_MAX 256

struct keyboard;

struct keyboard_event {
    bool is_gone; /* it was unplugged, and is looked for: nothing is held, and no code is open */
    bool is_lost; /* the kernel has dropped keys: it is not known which, nor which are held */
    uint16_t key; /* as <linux/input-event-codes.h> numbers them */
    bool is_down; /* pressed, and not let go; what a held key repeats is not told */
};

/*
 * `path` is the node, /dev/input/by-id/…-event-kbd. ERROR_DEVICE when it is not there, ERROR_CONFIG
 * when it is nothing that types or the clock is virtual, ERROR_RIG when another program has it or
 * we may not. `*keyboard` is NULL after a failure. keyboard_close() takes NULL.
 */
int keyboard_open(struct keyboard **keyboard, const struct hal *hal, const char *path,
                  struct error *error);
void keyboard_close(struct keyboard *keyboard);

/*
 * From now on one that is unplugged is looked for at its path, as a link is. The policy is copied.
 * While it is away keyboard_next() has nothing.
 */
void keyboard_reopen(struct keyboard *keyboard, const struct reopen_policy *policy);

/*
 * To be called again and again while it may be away: opens it when the time of a try has come. 0,
 * whether it is there or not; ERROR_DEVICE when all tries have failed.
 */
int keyboard_seek(struct keyboard *keyboard, struct error *error);
bool keyboard_is_away(const struct keyboard *keyboard);

/* Readable when keyboard_next() may have more; -1 while it is away. */
int keyboard_fd(const struct keyboard *keyboard);

/* The next key without waiting: 1, 0 when there is none, or ERROR_DEVICE when it was unplugged and
   is not looked for. */
int keyboard_next(struct keyboard *keyboard, struct keyboard_event *event, struct error *error);

/* "KEY_F1", for sentences. */
const char *keyboard_key_name(uint16_t key);

#endif
