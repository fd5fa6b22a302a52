/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frames of the open protocol: COBS, a zero byte, CRC-16/IBM-3740. A reader keeps the bytes of
   the frame that is under way; damaged frames are dropped by it and never reach the caller. */
#ifndef SECOND_FRAME_H
#define SECOND_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRAME_PAYLOAD_MAX 240
#define FRAME_WIRE_MAX    248

struct frame {
    uint8_t device_class;
    uint8_t type;
    uint8_t number;
    size_t size;
    uint8_t payload[FRAME_PAYLOAD_MAX];
};

struct frame_reader {
    uint8_t bytes[FRAME_WIRE_MAX];
    size_t count;
    bool too_long;
};

uint16_t frame_crc(const uint8_t *bytes, size_t size);

/* Writes the frame as it stands on the wire, its zero included, and returns its size. */
size_t frame_encode(const struct frame *frame, uint8_t out[FRAME_WIRE_MAX]);

/* Takes one byte; true when it closed a good frame, which is then in *frame. */
bool frame_read(struct frame_reader *reader, uint8_t byte, struct frame *frame);

#endif
