/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/second/frame.h"

#include <string.h>

#include "tests/second/bytes.h"

#define FRAME_VERSION  1
#define FRAME_OVERHEAD 6

uint16_t frame_crc(const uint8_t *bytes, size_t size)
{
    uint16_t crc = 0xffff;
    for (size_t i = 0; i < size; i++) {
        crc = (uint16_t)(crc ^ bytes[i] << 8);
        for (int bit = 0; bit < 8; bit++)
            crc = (uint16_t)(crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1);
    }
    return crc;
}

static size_t stuff(const uint8_t *from, size_t size, uint8_t *to)
{
    size_t code = 0;
    size_t at = 1;
    for (size_t i = 0; i < size; i++) {
        if (from[i] != 0) {
            to[at++] = from[i];
            continue;
        }
        to[code] = (uint8_t)(at - code);
        code = at++;
    }
    to[code] = (uint8_t)(at - code);
    to[at++] = 0;
    return at;
}

static bool unstuff(const uint8_t *from, size_t size, uint8_t *to, size_t *written)
{
    size_t at = 0;
    size_t out = 0;
    while (at < size) {
        uint8_t code = from[at++];
        if (at + code - 1 > size)
            return false;
        memcpy(to + out, from + at, code - 1u);
        out += code - 1u;
        at += code - 1u;
        if (at < size && code != 0xff)
            to[out++] = 0;
    }
    *written = out;
    return true;
}

size_t frame_encode(const struct frame *frame, uint8_t out[FRAME_WIRE_MAX])
{
    uint8_t plain[FRAME_PAYLOAD_MAX + FRAME_OVERHEAD];
    plain[0] = FRAME_VERSION;
    plain[1] = frame->device_class;
    plain[2] = frame->type;
    plain[3] = frame->number;
    memcpy(plain + 4, frame->payload, frame->size);
    bytes_put(plain + 4 + frame->size, frame_crc(plain, 4 + frame->size), 2);
    return stuff(plain, frame->size + FRAME_OVERHEAD, out);
}

static bool parse(const uint8_t *wire, size_t size, struct frame *frame)
{
    uint8_t plain[FRAME_WIRE_MAX];
    size_t count = 0;
    if (!unstuff(wire, size, plain, &count) || count < FRAME_OVERHEAD ||
        count > FRAME_PAYLOAD_MAX + FRAME_OVERHEAD)
        return false;
    if (frame_crc(plain, count - 2) != bytes_get(plain + count - 2, 2) || plain[0] != FRAME_VERSION)
        return false;
    frame->device_class = plain[1];
    frame->type = plain[2];
    frame->number = plain[3];
    frame->size = count - FRAME_OVERHEAD;
    memcpy(frame->payload, plain + 4, frame->size);
    return true;
}

bool frame_read(struct frame_reader *reader, uint8_t byte, struct frame *frame)
{
    if (byte != 0) {
        if (reader->count == sizeof reader->bytes)
            reader->too_long = true;
        else
            reader->bytes[reader->count++] = byte;
        return false;
    }
    bool good =
        !reader->too_long && reader->count > 0 && parse(reader->bytes, reader->count, frame);
    reader->count = 0;
    reader->too_long = false;
    return good;
}
