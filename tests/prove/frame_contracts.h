/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the parts of the frame decoder need and promise. Each is proved for the part itself, and
 * then stands for it where another part calls it.
 */
#ifndef TESTS_PROVE_FRAME_CONTRACTS_H
#define TESTS_PROVE_FRAME_CONTRACTS_H

#include "devices/wire/frame.h"
#include "tests/prove/prove.h"

#define ENCODED_MOST (FRAME_ENCODED_MAX - 1) /* without the closing zero */

/* clang-format off */
static size_t cobs_decode(const uint8_t *encoded, size_t count, uint8_t *data)
    __CPROVER_requires(count >= 1 && count <= ENCODED_MOST)
    __CPROVER_requires(__CPROVER_r_ok(encoded, count))
    __CPROVER_requires(__CPROVER_w_ok(data, count - 1))
    __CPROVER_assigns(__CPROVER_object_upto(data, count - 1))
    __CPROVER_ensures(__CPROVER_return_value == 0 || __CPROVER_return_value == count - 1);

uint16_t frame_crc(const uint8_t *bytes, size_t count)
    __CPROVER_requires(count <= ENCODED_MOST)
    __CPROVER_requires(__CPROVER_r_ok(bytes, count))
    __CPROVER_assigns();

static enum frame_result frame_parse(struct frame_decoder *decoder, const uint8_t *encoded,
                                     size_t count, struct frame *frame)
    __CPROVER_requires(count >= 1 && count <= ENCODED_MOST)
    __CPROVER_requires(__CPROVER_r_ok(encoded, count))
    __CPROVER_requires(__CPROVER_rw_ok(decoder, sizeof *decoder))
    __CPROVER_requires(__CPROVER_w_ok(frame, sizeof *frame))
    __CPROVER_assigns(decoder->reason, decoder->frames,
                      __CPROVER_object_upto(decoder->rejected, sizeof decoder->rejected), *frame)
    __CPROVER_ensures(__CPROVER_return_value == FRAME_READY ||
                      __CPROVER_return_value == FRAME_REJECTED)
    __CPROVER_ensures(__CPROVER_return_value == FRAME_REJECTED ||
                      frame->size <= FRAME_PAYLOAD_MAX);
/* clang-format on */

#include "devices/wire/frame.c"

#endif
