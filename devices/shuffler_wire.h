/*
 * Numbers that both ends of the shuffler's part of the open wire protocol use; what they mean is in
 * devices/PROTOCOL.md, "Shuffler (class 1)". Layouts are not here: each end has its own reading of
 * the page.
 */
#ifndef DEVICES_SHUFFLER_WIRE_H
#define DEVICES_SHUFFLER_WIRE_H

#include "devices/wire.h"

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

#define SHUFFLER_LOG_ENTRY 16 /* bytes */

#endif
