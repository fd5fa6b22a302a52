/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The round in hex of devices/PROTOCOL.md, "Shuffler (class 1)", worked out from that page and not
 * by the encoder: what the host says and what the device says, in order.
 */
#ifndef TESTS_SUPPORT_DEVICES_SHUFFLER_GOLDEN_H
#define TESTS_SUPPORT_DEVICES_SHUFFLER_GOLDEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct shuffler_golden_frame {
    bool from_device;
    const char *hex;
};

extern const struct shuffler_golden_frame shuffler_golden[];
extern const size_t shuffler_golden_count;

/* The bytes of one frame; returns how many. */
size_t shuffler_golden_bytes(const struct shuffler_golden_frame *frame, uint8_t bytes[256]);

#endif
