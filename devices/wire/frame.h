/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frames of the open wire protocol (devices/PROTOCOL.md, PROTOCOL-2.md): COBS between zero bytes, a
 * four-byte head, a payload, a CRC-16. Encoding and decoding are pure, bounded and allocation free;
 * a decoder finds the next good frame after any garbage. Bytes travel in frames; "packet" means
 * cards.
 */
#ifndef DEVICES_WIRE_FRAME_H
#define DEVICES_WIRE_FRAME_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define FRAME_PROTOCOL    1 /* its number in a capture */
#define FRAME_VERSION     1 /* that every device knows, and in which a conversation begins */
#define FRAME_VERSION_2   2
#define FRAME_VERSIONS    2
#define FRAME_HEAD        4
#define FRAME_CRC         2
#define FRAME_PAYLOAD_MAX 240
/* Head, payload and CRC, one byte of COBS (below 255 bytes it never needs more), the zero. */
#define FRAME_ENCODED_MAX (FRAME_HEAD + FRAME_PAYLOAD_MAX + FRAME_CRC + 2)

enum frame_class {
    FRAME_SHUFFLER = 1,
    FRAME_SHOE = 2,
    FRAME_BET_SENSOR = 3,
    FRAME_TERMINAL = 4,
};

struct frame {
    uint8_t version; /* of the protocol; 0 is the first as well */
    uint8_t class;   /* enum frame_class */
    uint8_t type;
    uint8_t sequence;
    uint8_t size; /* of the payload, at most FRAME_PAYLOAD_MAX */
    uint8_t payload[FRAME_PAYLOAD_MAX];
};

/* A frame without payload so far: clearing room for the longest would cost more than the rest. */
static inline void frame_begin(struct frame *frame, unsigned class, unsigned type,
                               unsigned sequence)
{
    frame->version = FRAME_VERSION;
    frame->class = (uint8_t) class;
    frame->type = (uint8_t)type;
    frame->sequence = (uint8_t)sequence;
    frame->size = 0;
}

/* Copies as much as the frame holds. */
static inline void frame_copy(struct frame *to, const struct frame *from)
{
    memcpy(to, from, offsetof(struct frame, payload) + from->size);
}

/* CRC-16/IBM-3740 (often called CCITT-FALSE): polynomial 0x1021, start 0xffff, "123456789" 0x29b1.
 */
uint16_t frame_crc(const uint8_t *bytes, size_t count);

/* Writes the encoded frame with its closing zero; returns its length. */
size_t frame_encode(const struct frame *frame, uint8_t encoded[FRAME_ENCODED_MAX]);

enum frame_result { FRAME_NEED_MORE, FRAME_READY, FRAME_REJECTED };

enum frame_reject {
    FRAME_TOO_LONG,  /* no zero within FRAME_ENCODED_MAX bytes; dropped up to the next one */
    FRAME_BAD_COBS,  /* a code byte points past the end */
    FRAME_TOO_SHORT, /* fewer bytes than head and CRC */
    FRAME_BAD_CRC,
    FRAME_BAD_VERSION,
    FRAME_REJECTS,
};

struct frame_decoder {
    uint8_t versions; /* the highest that is taken; 0: the first alone */
    uint8_t partial[FRAME_ENCODED_MAX];
    size_t used;
    _Bool skipping;                   /* inside a frame that was too long */
    enum frame_reject reason;         /* of the last FRAME_REJECTED */
    uint64_t rejected[FRAME_REJECTS]; /* by reason */
    /* What was dropped with the last FRAME_REJECTED, as it stood on the wire; until the next call.
     */
    const uint8_t *dropped;
    size_t dropped_count;
    uint64_t frames;
};

/*
 * Takes bytes up to the end of the next frame; *taken says how many (all of them with
 * FRAME_NEED_MORE). FRAME_READY fills the frame; FRAME_REJECTED counts a reason, or shows more of a
 * frame that was too long. A zeroed decoder is ready for use.
 */
enum frame_result frame_decode(struct frame_decoder *decoder, const uint8_t *bytes, size_t count,
                               size_t *taken, struct frame *frame);

#endif
