/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The device's side of an emulated link: a pure state machine fed bytes and time. It is the same
 * whether it runs in process behind "emu:", or as a process on a pty, a socket or USB/IP. The time
 * that it is told never goes back but may jump: what became due on the way comes first.
 */
#ifndef HAL_LINK_MODEL_H
#define HAL_LINK_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/clock.h"

struct model;

struct model_ops {
    /* Bytes from the host, at that time. The model must take all of them. */
    void (*receive)(struct model *model, const uint8_t *bytes, size_t count, nanos_t now);
    /*
     * Does what is due at that time and gives the bytes for the host, at most `size`; 0 when there
     * are none. After a 0, due() is later than `now`.
     */
    size_t (*send)(struct model *model, uint8_t *bytes, size_t size, nanos_t now);
    /* When the model next has something to do or to send; at or before now if at once, or NEVER. */
    nanos_t (*due)(struct model *model);
    /* The host closed or the power went. NULL: the model does not care. */
    void (*unplug)(struct model *model, nanos_t now);
    /* Called once for each time that the model was made, after unplug(). */
    void (*free)(struct model *model);
};

/* Embedded as the first member of a concrete model. */
struct model {
    const struct model_ops *ops;
    /* Set by the model: it has gone from the bus, as a torn cable would look. What it still had to
     * send is lost. */
    bool gone;
    /* Likewise: why it cannot go on, which is not what a device could do: a bench that is broken.
     * NULL: nothing is wrong. */
    const char *broken;
};

#endif
