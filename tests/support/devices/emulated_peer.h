/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The other end of an emulated chip, as tests/support/devices/pins_contract.h wants it: put
 * EMULATED_PEER into a struct pins_contract. The address is "emu:table".
 */
#ifndef TESTS_SUPPORT_DEVICES_EMULATED_PEER_H
#define TESTS_SUPPORT_DEVICES_EMULATED_PEER_H

#include "tests/support/devices/pins_contract.h"

struct pins_peer *emulated_peer_make(struct hal *hal, char address[PINS_LABEL_MAX]);
nanos_t emulated_peer_now(struct pins_peer *peer);
void emulated_peer_pass(struct pins_peer *peer, nanos_t until);
void emulated_peer_drive(struct pins_peer *peer, unsigned line, bool level, nanos_t time);
bool emulated_peer_level(struct pins_peer *peer, unsigned line);
void emulated_peer_lose(struct pins_peer *peer, unsigned edges);
void emulated_peer_occupy(struct pins_peer *peer, unsigned line, const char *consumer);
void emulated_peer_drop(struct pins_peer *peer);
void emulated_peer_restore(struct pins_peer *peer);
void emulated_peer_free(struct pins_peer *peer);

#define EMULATED_PEER                                                                              \
    .make = emulated_peer_make, .now = emulated_peer_now, .pass = emulated_peer_pass,              \
    .drive = emulated_peer_drive, .level = emulated_peer_level, .lose = emulated_peer_lose,        \
    .occupy = emulated_peer_occupy, .drop = emulated_peer_drop, .restore = emulated_peer_restore,  \
    .free = emulated_peer_free

#endif
