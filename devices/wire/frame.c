/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/wire/frame.h"

#include <endian.h>
#include <stdbool.h>
#include <string.h>

/* Which of eight bytes are zero: the highest bit of each that is, the first one lowest. */
static uint64_t zeros(const uint8_t eight[8])
{
    const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
    uint64_t word;

    memcpy(&word, eight, sizeof word);
    word = le64toh(word);
    return ~(((word & low) + low) | word | low);
}

/* The zero at `at` becomes the code byte of what follows it; returns where that is. */
static size_t put_code(uint8_t *encoded, size_t code, size_t at)
{
    encoded[code] = (uint8_t)(at - code);
    return at;
}

/*
 * COBS in place: each code byte says how far the next zero of the data is, and the first one stands
 * before the data, so that a zero becomes the code byte of what follows it. Below 255 bytes nothing
 * has to move.
 */
static void cobs_encode(uint8_t *encoded, size_t count)
{
    size_t code = 0, i = 1;

    for (; i + 7 <= count; i += 8)
        for (uint64_t found = zeros(encoded + i); found; found &= found - 1)
            code = put_code(encoded, code, i + (size_t)__builtin_ctzll(found) / 8);
    for (; i <= count; i++)
        if (!encoded[i])
            code = put_code(encoded, code, i);
    put_code(encoded, code, count + 1);
}

size_t frame_encode(const struct frame *frame, uint8_t encoded[FRAME_ENCODED_MAX])
{
    size_t size = frame->size <= FRAME_PAYLOAD_MAX ? frame->size : FRAME_PAYLOAD_MAX;
    size_t length = FRAME_HEAD + size;
    uint8_t *data = encoded + 1;
    uint16_t crc;

    data[0] = frame->version ? frame->version : FRAME_VERSION;
    data[1] = frame->class;
    data[2] = frame->type;
    data[3] = frame->sequence;
    memcpy(data + FRAME_HEAD, frame->payload, size);
    crc = frame_crc(data, length);
    data[length++] = (uint8_t)(crc >> 8);
    data[length++] = (uint8_t)crc;
    cobs_encode(encoded, length);
    encoded[length + 1] = 0;
    return length + 2;
}

static enum frame_result reject(struct frame_decoder *decoder, enum frame_reject reason)
{
    decoder->reason = reason;
    decoder->rejected[reason]++;
    return FRAME_REJECTED;
}

/*
 * `encoded` has no zero in it and `count` is at least 1 and below 256, so that every code byte but
 * the first is where a zero was. Returns the length, or 0 if it is bad.
 */
static size_t cobs_decode(const uint8_t *encoded, size_t count, uint8_t *data)
{
    size_t length = count - 1, zero = encoded[0] - 1u;

    memcpy(data, encoded + 1, length);
    for (; zero < length; zero += encoded[zero + 1])
        data[zero] = 0;
    return zero == length ? length : 0;
}

static bool is_version(const struct frame_decoder *decoder, uint8_t version)
{
    return version == FRAME_VERSION || (version > FRAME_VERSION && version <= decoder->versions);
}

static enum frame_result frame_parse(struct frame_decoder *decoder, const uint8_t *encoded,
                                     size_t count, struct frame *frame)
{
    uint8_t data[FRAME_ENCODED_MAX];
    size_t length = cobs_decode(encoded, count, data);

    if (!length)
        return reject(decoder, FRAME_BAD_COBS);
    if (length < FRAME_HEAD + FRAME_CRC)
        return reject(decoder, FRAME_TOO_SHORT);
    length -= FRAME_CRC;
    if (frame_crc(data, length) != (data[length] << 8 | data[length + 1]))
        return reject(decoder, FRAME_BAD_CRC);
    if (!is_version(decoder, data[0]))
        return reject(decoder, FRAME_BAD_VERSION);
    frame->version = data[0];
    frame->class = data[1];
    frame->type = data[2];
    frame->sequence = data[3];
    frame->size = (uint8_t)(length - FRAME_HEAD);
    memcpy(frame->payload, data + FRAME_HEAD, frame->size);
    decoder->frames++;
    return FRAME_READY;
}

/* Keeps the start of a frame whose end has not come yet: so much of it as a frame can have. */
static size_t keep(struct frame_decoder *decoder, const uint8_t *bytes, size_t count)
{
    size_t room = FRAME_ENCODED_MAX - 1 - decoder->used;

    if (count > room)
        count = room;
    memcpy(decoder->partial + decoder->used, bytes, count);
    decoder->used += count;
    return count;
}

enum frame_result frame_decode(struct frame_decoder *decoder, const uint8_t *bytes, size_t count,
                               size_t *taken, struct frame *frame)
{
    size_t start = 0;

    while (start < count) {
        const uint8_t *zero = memchr(bytes + start, 0, count - start);
        size_t length = zero ? (size_t)(zero - bytes) - start : count - start;
        const uint8_t *encoded = bytes + start;

        start += length + (zero != NULL);
        *taken = start;
        decoder->dropped = encoded;
        decoder->dropped_count = length;
        if (decoder->skipping) {
            decoder->skipping = !zero;
            return FRAME_REJECTED;
        }
        if (decoder->used || !zero) {
            size_t fits = keep(decoder, encoded, length);

            decoder->dropped = decoder->partial;
            decoder->dropped_count = decoder->used;
            if (fits < length) {
                *taken -= length - fits + (zero != NULL);
                decoder->used = 0;
                decoder->skipping = 1;
                return reject(decoder, FRAME_TOO_LONG);
            }
            encoded = decoder->partial;
            length = decoder->used;
        }
        if (!zero)
            break;
        decoder->used = 0;
        if (length > FRAME_ENCODED_MAX - 1)
            return reject(decoder, FRAME_TOO_LONG);
        if (length)
            return frame_parse(decoder, encoded, length, frame);
    }
    *taken = count;
    return FRAME_NEED_MORE;
}
