/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers that both ends of the shuffler's part of the open wire protocol use; what they mean is in
 * devices/PROTOCOL.md, "Shuffler (class 1)". States and faults have the numbers of the class.
 * Layouts are not here: each end has its own reading of the page.
 */
#ifndef DEVICES_SHUFFLER_OPEN_WIRE_H
#define DEVICES_SHUFFLER_OPEN_WIRE_H

#include "devices/shuffler/shuffler.h"
#include "devices/wire/wire.h"

enum shuffler_request {
    SHUFFLER_PROGRAM = 0x10,
    SHUFFLER_SHUFFLE = 0x11,
    SHUFFLER_BUTTON = 0x12,
    SHUFFLER_RETURN_DECK = 0x13,
    SHUFFLER_TEST_MODE = 0x14,
    SHUFFLER_LOAD_ORDER = 0x15,
};

enum shuffler_message {
    SHUFFLER_SHUFFLED = 0x40,
    SHUFFLER_PACKET_PRESENT = 0x41,
    SHUFFLER_PACKET_TAKEN = 0x42,
    SHUFFLER_FAULT = 0x43,
    SHUFFLER_FAULT_CLEARED = 0x44,
    SHUFFLER_TEST_MODE_CHANGED = 0x45,
    SHUFFLER_POWER_UP = 0x46,
    SHUFFLER_BUTTON_PRESSED = 0x47,
};

enum shuffler_flag {
    SHUFFLER_FLAG_TEST_MODE = 1,
    SHUFFLER_FLAG_LOADED = 2, /* in SHUFFLED: the order was loaded, not shuffled */
};

enum shuffler_game {
    SHUFFLER_CUSTOM,
    SHUFFLER_FLUSH_RUSH,       /* packets of 4 for the hands, then one of 4 for the board */
    SHUFFLER_THREE_CARD_CATCH, /* packets of 3; then one card a press, at most one for each hand */
    SHUFFLER_CHASE_THE_FLUSH,  /* packets of 3, then one of 4 for the board */
    SHUFFLER_GAMES,
};

#define SHUFFLER_NO_PACKET 0xff /* in the details of a fault: no packet was moving */

#endif
