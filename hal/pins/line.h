/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a chip tells of one of its lines. Names are made printable when they are read.
 */
#ifndef HAL_PINS_LINE_H
#define HAL_PINS_LINE_H

#include <stdbool.h>

#include "hal/pins/pins.h"

struct gpio_line_info {
    char name[PIN_NAME_MAX]; /* "" when the kernel has no name for it */
    bool used;
    char consumer[PIN_NAME_MAX]; /* who uses it, "" when nobody does or nobody says */
    bool output;
    bool active_low;
};

#endif
