/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The GPIO chips of this machine, as libgpiod shows them: what "gpio:LABEL" may name. Whatever is
 * handed to the caller belongs to discover_gpio() and is valid during that one call of `found`.
 * Names and labels are made printable (hal/base/printable.h), and "gpio:LABEL" is written with them
 * so.
 */
#ifndef HAL_PINS_DISCOVER_H
#define HAL_PINS_DISCOVER_H

#include <stdbool.h>
#include <stddef.h>

#include "hal/base/error.h"
#include "hal/pins/line.h"
#include "hal/pins/pins.h"

struct gpio_chip_info {
    char path[PINS_LABEL_MAX];  /* /dev/gpiochip0 */
    char name[PIN_NAME_MAX];    /* gpiochip0 */
    char label[PINS_LABEL_MAX]; /* pinctrl-rp1; the address is "gpio:" and this */
    int failed; /* 0, or the errno that opening it gave; label and lines are empty */
    size_t count;
    const struct gpio_line_info *lines; /* by offset */
};

/*
 * Tells `found` each chip in the order of its number, also those that could not be opened (their
 * `failed` says why). Returns how many there are, 0 on a machine without any, or ERROR_RIG.
 */
int discover_gpio(void (*found)(void *context, const struct gpio_chip_info *chip), void *context,
                  struct error *error);

#endif
