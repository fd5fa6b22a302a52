/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The inside of an emulated chip, shared by its two ends: hal/pins/emulated_chip.c (lines, time,
 * the device's end) and hal/pins/backend_emulated.c (the host's end, a pins backend).
 */
#ifndef HAL_PINS_EMULATED_CHIP_H
#define HAL_PINS_EMULATED_CHIP_H

#include "hal/pins/debounce.h"
#include "hal/pins/emulated_pins.h"
#include "hal/pins/pins.h"

/* As many as the kernel agrees to keep. When it is full the oldest goes. */
#define EMULATED_QUEUE 1024

/* Lines of one chip that the host has opened together. */
struct emulated_pins {
    struct pins pins;
    struct emulated_chip *chip;
    struct emulated_pins *next; /* on the same chip */
    bool torn;                  /* was open when the chip was unplugged */
    unsigned offsets[PINS_MAX];
    struct debounce debounce[PINS_MAX];
    uint64_t unsettled; /* pins whose latest level does not count yet */
    uint32_t sequence;
    unsigned head, queued;
    struct pin_event queue[EMULATED_QUEUE];
};

enum emulated_drive { DRIVE_NONE, DRIVE_LOW, DRIVE_HIGH };

struct emulated_line {
    char name[PIN_NAME_MAX];
    char consumer[PIN_NAME_MAX];
    bool used;
    struct emulated_pins *user; /* NULL when free, or when another program has it */
    unsigned pin;               /* of the user */
    bool output;
    enum pin_bias bias;
    enum emulated_drive drive; /* by the device */
    bool level;
};

/* Something the device does later. */
struct emulated_deed {
    nanos_t time;
    uint64_t order; /* of deeds at the same time */
    unsigned line;
    enum emulated_drive drive;
};

struct emulated_chip {
    char name[PINS_LABEL_MAX];
    struct hal *hal;
    struct emulated_chip *next; /* of the hal */
    struct emulated_pins *users;
    bool unplugged;
    nanos_t now;
    unsigned to_lose;
    emulated_watcher changed;
    void *context;
    struct emulated_deed *deeds; /* a heap, the next one first */
    size_t deed_count, deed_room;
    uint64_t deed_order;
    size_t count;
    struct emulated_line lines[];
};

/* Gives the line the level that its drives and bias make, and tells its user; returns whether it is
 * another one. */
bool emulated_line_update(struct emulated_chip *chip, unsigned line, bool host_level);

/* Puts an edge into the user's queue, or loses it. */
void emulated_pins_push(struct emulated_pins *user, unsigned pin, bool rising, nanos_t time);

#endif
