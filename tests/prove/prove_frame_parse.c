/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A frame is read out of what COBS gives, whatever that is and whatever its CRC, without reading or
 * writing outside; its payload has the size that it says. The decoder of COBS is trusted for all of
 * them, although its own proof stops at fewer.
 *
 * Bound: any frame of 1 to 247 bytes; cobs_decode() is trusted beyond its own bound
 * Trusts: cobs_decode:cobs_promised frame_crc:crc_promised
 * Broken: devices/wire/frame.c s/length < FRAME_HEAD + FRAME_CRC/length < FRAME_HEAD/
 */
#include "devices/wire/frame.c"
#include "tests/prove/promises.h"

int main(void)
{
    struct frame_decoder decoder;
    uint8_t encoded[ENCODED_MOST];
    struct frame frame;
    size_t count;
    enum frame_result result;

    GIVEN(count >= 1 && count <= ENCODED_MOST);
    result = frame_parse(&decoder, encoded + ENCODED_MOST - count, count, &frame);
    MUST(result == FRAME_READY || result == FRAME_REJECTED);
    MUST(result == FRAME_REJECTED || frame.size <= FRAME_PAYLOAD_MAX);
}
