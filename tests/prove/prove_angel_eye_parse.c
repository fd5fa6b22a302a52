/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looking at what has come so far of an Angel Eye frame, whatever it is, stays within the decoder
 * and the frame, and ends. Whoever is told that more is needed has room for it; whoever is told
 * anything else has less left than before, so that it comes to an end.
 *
 * Bound: any 21 bytes or fewer: all that a decoder holds
 * Trusts: drop:drop_promised block_check:block_check_promised
 * Options: --unwind 23
 * Broken: devices/shoe/angel_eye/frame.c s/ANGEL_EYE_DATA_MAX)/ANGEL_EYE_DATA_MAX + 1)/
 */
#include "devices/shoe/angel_eye/frame.c"
#include "tests/prove/promises.h"

int main(void)
{
    struct angel_eye_decoder decoder;
    struct angel_eye_frame frame;
    enum angel_eye_result result;
    size_t before;

    GIVEN(decoder.used <= ANGEL_EYE_FRAME_MAX);
    before = decoder.used;
    result = parse(&decoder, &frame);
    MUST(result >= ANGEL_EYE_NEED_MORE && result <= ANGEL_EYE_REJECTED);
    MUST(PARSE_KEEPS(result, before, decoder.used));
    MUST(result != ANGEL_EYE_READY || frame.size <= ANGEL_EYE_DATA_MAX);
}
