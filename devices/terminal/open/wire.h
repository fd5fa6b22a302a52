/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers that both ends of the terminal's part of the open wire protocol use; what they mean is in
 * devices/PROTOCOL.md, "Terminal (class 4)". States, keys, refusals of keys and codes of the log
 * have the numbers of the class. Layouts are not here: each end has its own reading of the page.
 */
#ifndef DEVICES_TERMINAL_OPEN_WIRE_H
#define DEVICES_TERMINAL_OPEN_WIRE_H

#include "devices/terminal/terminal.h"
#include "devices/wire/wire.h"

enum terminal_request {
    TERMINAL_KEY = 0x10,
    TERMINAL_SENSORS = 0x11,
    TERMINAL_METERS = 0x12,
    TERMINAL_SIGN = 0x13,
    TERMINAL_LIGHTS = 0x14,
    TERMINAL_SCREEN = 0x15,
    TERMINAL_CONFIGURE = 0x16,
    TERMINAL_CORRECT = 0x17,
    TERMINAL_LEDGER = 0x18,
    TERMINAL_TEST_MODE = 0x19,
    TERMINAL_LOAD_MUST_HIT = 0x1a,
    /* Version 2: */
    TERMINAL_CONFIGURATION = 0x1b,
    TERMINAL_CHALLENGE = 0x1c,
};

/*
 * Version 2: what is sent instead of a code of that many digits, after the challenge: its proof for
 * a request of that type whose payload, without the proof, is this.
 */
void terminal_prove(const char *digits, size_t length, const uint8_t challenge[WIRE_PROOF_SIZE],
                    uint8_t type, const uint8_t *payload, size_t size,
                    uint8_t proof[WIRE_PROOF_SIZE]);

enum terminal_message {
    TERMINAL_SCREEN_CHANGED = 0x40,
    TERMINAL_LIGHTS_CHANGED = 0x41,
    TERMINAL_METERS_CHANGED = 0x42,
    TERMINAL_JACKPOT_PAID = 0x43,
    TERMINAL_MUST_HIT_PAID = 0x44,
    TERMINAL_SIGN_CHANGED = 0x45,
    TERMINAL_KEY_REFUSED = 0x46,
    TERMINAL_POWER_UP = 0x47,
    TERMINAL_TEST_MODE_CHANGED = 0x48,
};

#endif
