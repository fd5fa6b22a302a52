/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers that both ends of the shoe's part of the open wire protocol use; what they mean is in
 * devices/PROTOCOL.md, "Shoe (class 2)". States and faults have the numbers of the class. Layouts
 * are not here: each end has its own reading of the page.
 */
#ifndef DEVICES_SHOE_OPEN_WIRE_H
#define DEVICES_SHOE_OPEN_WIRE_H

#include "devices/shoe/shoe.h"
#include "devices/wire/wire.h"

enum shoe_request {
    SHOE_LOCK = 0x10,
    SHOE_TEST_MODE = 0x11,
    SHOE_LOAD_ORDER = 0x12,
};

enum shoe_message {
    SHOE_CARD = 0x40,
    SHOE_CUT_CARD = 0x41,
    SHOE_STAND_BY = 0x42,
    SHOE_FAULT = 0x43,
    SHOE_FAULT_CLEARED = 0x44,
    SHOE_TEST_MODE_CHANGED = 0x45,
    SHOE_POWER_UP = 0x46,
    SHOE_LOCK_CHANGED = 0x47,
};

enum shoe_flag {
    SHOE_FLAG_TEST_MODE = 1,
    SHOE_FLAG_LOADED = 2,  /* the order of this deck was loaded */
    SHOE_FLAG_OUTSIDE = 4, /* in CARD: it was drawn although the shoe was locked or in error */
};

#endif
