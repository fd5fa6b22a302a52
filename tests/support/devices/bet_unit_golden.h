/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The round on a bet sensor unit of devices/PROTOCOL.md, worked out from the page and by no encoder
 * of this project: what the model must say and the driver must write.
 */
#ifndef TESTS_SUPPORT_DEVICES_BET_UNIT_GOLDEN_H
#define TESTS_SUPPORT_DEVICES_BET_UNIT_GOLDEN_H

#include <stdbool.h>
#include <stddef.h>

struct bet_unit_golden {
    unsigned millis;
    bool is_unit; /* the unit says it; otherwise the host does */
    const char *hex;
};

extern const struct bet_unit_golden bet_unit_golden[];
extern const size_t bet_unit_golden_count;

#endif
