/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A frame is read out of what COBS gives, whatever that is and whatever its CRC, without reading or
 * writing outside. The decoder of COBS and the CRC stand here as the contracts that they are held
 * to.
 *
 * Bound: any frame of 1 to 247 bytes: all that there can be
 * Contract: frame_parse
 * Trusts: cobs_decode frame_crc
 * Options: --unwind 2
 * Broken: devices/wire/frame.c s/length < FRAME_HEAD + FRAME_CRC/length < FRAME_HEAD/
 */
#include "tests/prove/frame_contracts.h"

int main(void)
{
    struct frame_decoder decoder;
    uint8_t encoded[FRAME_ENCODED_MAX - 1];
    struct frame frame;
    size_t count;

    GIVEN(count >= 1 && count <= sizeof encoded);
    frame_parse(&decoder, encoded + sizeof encoded - count, count, &frame);
}
