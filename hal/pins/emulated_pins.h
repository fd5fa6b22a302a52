/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An emulated GPIO chip. The host opens it as "emu:NAME" and sees struct pins as on a real chip;
 * this header is the other end, for device models and tests: it drives what are inputs to the host
 * and sees its outputs. Levels here are physical: 1 is high, whatever the host's polarity. The chip
 * lives on the clock of its hal; things that are to happen later happen while the host waits, at
 * exactly their time, so that two runs in virtual time are identical. The maker owns the chip and
 * frees it after the last pins on it are closed and before its hal is. One thread uses a chip.
 */
#ifndef HAL_PINS_EMULATED_PINS_H
#define HAL_PINS_EMULATED_PINS_H

#include <stdbool.h>
#include <stddef.h>

#include "hal/base/error.h"
#include "hal/hal.h"

struct emulated_chip;

/*
 * A chip with these lines, all floating and low; "" is a line without a name. It joins the hal's
 * list of chips. ERROR_CONFIG when the name is taken, empty or too long, ERROR_RIG without memory.
 */
int emulated_chip_new(struct emulated_chip **chip, struct hal *hal, const char *name,
                      const char *const *lines, size_t count, struct error *error);
void emulated_chip_free(struct emulated_chip *chip);

/* The offset of the first line of that name, or -1. */
int emulated_chip_line(const struct emulated_chip *chip, const char *name);

/*
 * At that time (now, if it has passed) the device drives the line, or lets go of it: then the bias
 * that the host asked for decides, and without one it keeps its level. A line that the host drives
 * has the host's level regardless. ERROR_RIG without memory.
 */
int emulated_line_drive(struct emulated_chip *chip, unsigned line, bool level, nanos_t time,
                        struct error *error);
int emulated_line_release(struct emulated_chip *chip, unsigned line, nanos_t time,
                          struct error *error);

/* The level that a voltmeter would show now. */
bool emulated_line_level(struct emulated_chip *chip, unsigned line);

/*
 * `changed` is told each level that changes by what the host does: a write, a request, a pull. It
 * may drive lines. A later call replaces it; NULL ends it.
 */
typedef void (*emulated_watcher)(void *context, unsigned line, bool level, nanos_t time);
void emulated_chip_watch(struct emulated_chip *chip, emulated_watcher changed, void *context);

/* The context of the chip that is watched by this function; NULL: none of this hal is. */
void *emulated_chip_watched(const struct hal *hal, emulated_watcher changed);

/* When something will next happen by itself (a drive, an input settling), or NEVER. */
nanos_t emulated_chip_due(const struct emulated_chip *chip);

/* Lets everything happen that is due by now; every call of the host does so too. */
void emulated_chip_run(struct emulated_chip *chip);

/* The next edges that the host should hear of are numbered but lost. */
void emulated_chip_lose(struct emulated_chip *chip, unsigned edges);

/* Another program has the line; NULL: it has let go of it. */
void emulated_line_occupy(struct emulated_chip *chip, unsigned line, const char *consumer);

/* The chip is torn out (what is open on it is ERROR_DEVICE for good), or is back. */
void emulated_chip_unplug(struct emulated_chip *chip);
void emulated_chip_plug(struct emulated_chip *chip);

#endif
