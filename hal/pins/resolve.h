/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From the lines that a caller wants, by name or offset, to offsets on a chip: the same rules and
 * the same sentences for real and emulated chips. Owns nothing.
 */
#ifndef HAL_PINS_RESOLVE_H
#define HAL_PINS_RESOLVE_H

#include "hal/pins/line.h"
#include "hal/pins/pins.h"

/*
 * `lines` are all lines of the chip by offset. A name goes before an offset that looks like it.
 * ERROR_CONFIG for a line that is absent, named twice on the chip or asked for twice; ERROR_RIG for
 * one that is in use.
 */
int pins_resolve(const char *address, const struct gpio_line_info *lines, size_t line_count,
                 const struct pin_request *requests, size_t count, unsigned *offsets,
                 struct error *error);

#endif
