/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers that both ends of the bet sensors' part of the open wire protocol use; what they mean is
 * in devices/PROTOCOL.md, "Bet sensors (class 3)". Layouts are not here: each end has its own
 * reading of the page.
 */
#ifndef DEVICES_SENSORS_UNIT_WIRE_H
#define DEVICES_SENSORS_UNIT_WIRE_H

#include "devices/wire/wire.h"

enum bet_unit_request {
    BET_UNIT_LOCK = 0x10,
    BET_UNIT_UNLOCK = 0x11,
    BET_UNIT_LIGHTS = 0x12,
    BET_UNIT_PLACE = 0x13,
    BET_UNIT_TEST_MODE = 0x14,
};

enum bet_unit_message {
    BET_UNIT_PLACED = 0x40,
    BET_UNIT_LIFTED = 0x41,
    BET_UNIT_LATE = 0x42,
    BET_UNIT_LIFTED_LOCKED = 0x43,
    BET_UNIT_LAMP = 0x44,
    BET_UNIT_STUCK = 0x45,
    BET_UNIT_TEST_MODE_CHANGED = 0x46,
    BET_UNIT_POWER_UP = 0x47,
};

enum bet_unit_state {
    BET_UNIT_IDLE = 1, /* no round is running */
    BET_UNIT_ROUND,
};

#endif
