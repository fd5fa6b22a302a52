/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Angel Eye decoder, in whatever state, takes bytes without reading outside of them or writing
 * outside of itself, and ends.
 *
 * Bound: any state, any 64 bytes or fewer at a time
 * Trusts: parse:parse_promised
 * Options: --unwind 66
 * Broken: devices/shoe/angel_eye/frame.c s/\*taken < count/*taken <= count/
 */
#include "devices/shoe/angel_eye/frame.c"
#include "tests/prove/promises.h"

#define MOST 64

int main(void)
{
    struct angel_eye_decoder decoder;
    struct angel_eye_frame frame;
    uint8_t bytes[MOST];
    size_t count, taken;
    enum angel_eye_result result;

    GIVEN(count <= MOST && decoder.used <= ANGEL_EYE_FRAME_MAX);
    result = angel_eye_decode(&decoder, bytes + MOST - count, count, &taken, &frame);
    MUST(taken <= count);
    MUST(result != ANGEL_EYE_NEED_MORE || taken == count);
    MUST(decoder.used < ANGEL_EYE_FRAME_MAX);
}
