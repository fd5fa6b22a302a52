/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frames of the Angel Eye II-EX protocol (devices/ANGEL-EYE.md), both directions: reports that
 * begin with ENQ, messages that begin with STX, ACK, NAK with its code. Encoding and decoding are
 * pure, bounded and allocation free; after a cut or garbage the decoder looks again at what it
 * already has, so that a good frame behind a bad one is never lost.
 */
#ifndef DEVICES_SHOE_ANGEL_EYE_FRAME_H
#define DEVICES_SHOE_ANGEL_EYE_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/clock.h"

#define ANGEL_EYE_PROTOCOL 2 /* its number in a capture */

#define ANGEL_EYE_STX 0x02
#define ANGEL_EYE_ETX 0x03
#define ANGEL_EYE_ENQ 0x05
#define ANGEL_EYE_ACK 0x06
#define ANGEL_EYE_NAK 0x15

#define ANGEL_EYE_DATA_MAX  16 /* the longest known has 7 */
#define ANGEL_EYE_FRAME_MAX (2 + ANGEL_EYE_DATA_MAX + 1 + 2)

/* Not published; a byte takes 2.1 ms at 4800 baud, a serial server may hold some back. */
#define ANGEL_EYE_GAP       (200 * NANOS_PER_MILLI) /* within a frame; then the rest is lost */
#define ANGEL_EYE_REPLY     (500 * NANOS_PER_MILLI) /* then the host or the shoe says it again */
#define ANGEL_EYE_TRIES     4                       /* of an operation */
#define ANGEL_EYE_OPERATION 6                       /* characters: OP, two of type, two digits */

enum angel_eye_nak {
    ANGEL_EYE_NAK_FRAMING = 0x01,
    ANGEL_EYE_NAK_BCC = 0x02,
    ANGEL_EYE_NAK_NO_ETX = 0x03,
    ANGEL_EYE_NAK_FORMAT = 0x11,
    ANGEL_EYE_NAK_ADDRESS = 0x12,
    ANGEL_EYE_NAK_COMMAND = 0x13,
    ANGEL_EYE_NAK_TYPE = 0x14,
    ANGEL_EYE_NAK_BUSY = 0x21,
    ANGEL_EYE_NAK_WRITING = 0x22,
    ANGEL_EYE_NAK_OTHER = 0xff,
};

/* "the block check is wrong", for sentences; NULL for a code that the protocol does not have. */
const char *angel_eye_nak_text(unsigned code);

struct angel_eye_frame {
    uint8_t start;     /* ANGEL_EYE_ENQ, _STX, _ACK or _NAK */
    uint8_t sequence;  /* of a report */
    uint8_t nak;       /* code of a NAK */
    bool includes_stx; /* in the block check of a message: the published sources disagree */
    uint8_t size;      /* of the data: 1 … ANGEL_EYE_DATA_MAX in reports and messages */
    uint8_t data[ANGEL_EYE_DATA_MAX]; /* without the bit 7 that a report sets after the first */
};

/* Returns the length; the frame must be one that the decoder could have given. */
size_t angel_eye_encode(const struct angel_eye_frame *frame, uint8_t bytes[ANGEL_EYE_FRAME_MAX]);

enum angel_eye_result { ANGEL_EYE_NEED_MORE, ANGEL_EYE_READY, ANGEL_EYE_REJECTED };

enum angel_eye_reject {
    ANGEL_EYE_BAD_BCC,  /* two other digits than those computed, or no upper-case digits */
    ANGEL_EYE_NO_ETX,   /* another character where data must go on or end */
    ANGEL_EYE_NO_DATA,  /* nothing between the head and ETX, or its first is no character */
    ANGEL_EYE_TOO_LONG, /* more than ANGEL_EYE_DATA_MAX */
    ANGEL_EYE_BAD_CODE, /* NAK with a code that the protocol does not have */
    ANGEL_EYE_CUT,      /* the rest did not come: angel_eye_expire() */
    ANGEL_EYE_REJECTS,
};

/* A zeroed decoder is ready for use. */
struct angel_eye_decoder {
    uint8_t partial[ANGEL_EYE_FRAME_MAX];
    size_t used;
    enum angel_eye_reject reason;         /* of the last rejection */
    uint8_t rejected_start;               /* with which character it began */
    uint64_t rejected[ANGEL_EYE_REJECTS]; /* by reason */
    uint64_t garbage;                     /* bytes between frames that begin nothing */
    uint64_t frames;
};

/*
 * Takes bytes up to the end of the next frame; *taken says how many (all of them with
 * ANGEL_EYE_NEED_MORE). ANGEL_EYE_READY fills the frame; ANGEL_EYE_REJECTED counts a reason. With a
 * count of 0 it looks only at what it has.
 */
enum angel_eye_result angel_eye_decode(struct angel_eye_decoder *decoder, const uint8_t *bytes,
                                       size_t count, size_t *taken, struct angel_eye_frame *frame);

/* Gives up the frame that has begun, if one has: nothing came for too long. Then decode again. */
void angel_eye_expire(struct angel_eye_decoder *decoder);

#endif
