/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frames of GAT 3.50 as the public program GatHost speaks it (devices/GAT.md), both directions.
 * Encoding and decoding are pure, bounded and allocation free. A frame has no mark at either end,
 * so that only silence tells where one begins: after a wrong one the decoder drops everything up to
 * gat_silence().
 */
#ifndef DEVICES_GAT_FRAME_H
#define DEVICES_GAT_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GAT_PROTOCOL 3 /* its number in a capture */
#define GAT_SPOKEN   "GAT 3.50 as spoken by the public program GatHost"

#define GAT_FRAME_MIN 4
#define GAT_FRAME_MAX 255
#define GAT_DATA_MAX  (GAT_FRAME_MAX - GAT_FRAME_MIN)
#define GAT_PART_HEAD 3 /* bytes of LARR before its part */
#define GAT_PART_MAX  (GAT_DATA_MAX - GAT_PART_HEAD)

#define GAT_REPLY 0x80 /* added to the command that is answered */

enum gat_command {
    GAT_SQ = 1,   /* status query */
    GAT_LASQ = 2, /* last authentication status query */
    GAT_LARQ = 3, /* last authentication results query */
    GAT_IACQ = 4, /* initiate authentication calculation */
};

/* Bits of SR's status; GAT_STATE() has bits 2 and 3. */
#define GAT_CALCULATING 0x01
#define GAT_HAS_RESULTS 0x02
#define GAT_STATE_SHIFT 2
#define GAT_STATUS_BITS 0x0f
#define GAT_STATE(bits) ((bits) >> GAT_STATE_SHIFT & 3u)
enum gat_state { GAT_REQUESTED, GAT_FINISHED, GAT_WORKING, GAT_IN_ERROR };

/* Bits of SR's formats, which are also the codes of LARQ. */
#define GAT_PLAIN_TEXT 0x01
#define GAT_XML        0x02

/* Bits of LARR's status. */
#define GAT_PART_ERROR 0x01
#define GAT_PART_LAST  0x02
#define GAT_PART_BITS  0x03

#define GAT_LEVEL   0xba   /* special functions; no other is known */
#define GAT_VERSION 0x0350 /* decimal digits */

enum gat_order { GAT_HIGH_FIRST, GAT_LOW_FIRST }; /* of the two bytes of a check */

struct gat_frame {
    uint8_t command;
    uint8_t size; /* of the data */
    uint8_t data[GAT_DATA_MAX];
};

/* CRC-16/MODBUS: 0x4b37 of "123456789". */
uint16_t gat_crc(const uint8_t *bytes, size_t count);

/* Returns the length. */
size_t gat_encode(const struct gat_frame *frame, enum gat_order order,
                  uint8_t bytes[GAT_FRAME_MAX]);

/* Whether it is decimal digits: 0x0350. */
bool gat_is_version(unsigned version);

/* "SQ", "LARR"; NULL for a command that the protocol does not have. */
const char *gat_command_name(uint8_t command);

enum gat_result { GAT_NEED_MORE, GAT_READY, GAT_REJECTED };

enum gat_reject {
    GAT_BAD_LENGTH,  /* less than a frame has */
    GAT_BAD_CRC,     /* another check than the one computed */
    GAT_SWAPPED_CRC, /* the right one with its bytes in the other order */
    GAT_CUT,         /* the rest did not come: gat_silence() */
    GAT_REJECTS,
};

/* "its check is wrong", for sentences. */
const char *gat_reject_text(enum gat_reject reason);

/* A zeroed decoder is ready for use, with the high byte of the check first. */
struct gat_decoder {
    enum gat_order order;
    uint8_t partial[GAT_FRAME_MAX];
    size_t used;
    bool is_deaf;           /* after a rejection, up to the next silence */
    enum gat_reject reason; /* of the last rejection */
    size_t rejected_size;   /* how many bytes of `partial` were of it */
    uint64_t rejected[GAT_REJECTS];
    uint64_t dropped; /* bytes while deaf */
    uint64_t frames;
};

/*
 * Takes bytes up to the end of the next frame; *taken says how many (all of them with
 * GAT_NEED_MORE). GAT_READY fills the frame; GAT_REJECTED counts a reason.
 */
enum gat_result gat_decode(struct gat_decoder *decoder, const uint8_t *bytes, size_t count,
                           size_t *taken, struct gat_frame *frame);

/* Nothing came for so long that no frame goes on: true when one had begun, which is rejected. */
bool gat_silence(struct gat_decoder *decoder);

#endif
