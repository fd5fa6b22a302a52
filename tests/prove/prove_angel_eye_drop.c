/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Throwing bytes of an Angel Eye frame away stays within the decoder, leaves at most the others and
 * all of them where they may begin a frame; its block check reads what it is given. Both end.
 *
 * Bound: any 21 bytes or fewer: all that a decoder holds
 * Trusts: memmove:copy_promised
 * Options: --unwind 23
 * Broken: devices/shoe/angel_eye/frame.c s/count < decoder->used \&\& !is_start/!is_start/
 */
#include "devices/shoe/angel_eye/frame.c"
#include "tests/prove/promises.h"

int main(void)
{
    struct angel_eye_decoder decoder;
    size_t count, before, size;
    bool begins;

    GIVEN(decoder.used <= ANGEL_EYE_FRAME_MAX && count <= decoder.used);
    before = decoder.used;
    begins = count < before && is_start(decoder.partial[count]);
    drop(&decoder, count);
    MUST(DROP_LEAVES(before, count, begins, decoder.used));
    GIVEN(size <= ANGEL_EYE_FRAME_MAX);
    block_check(decoder.partial + ANGEL_EYE_FRAME_MAX - size, size);
}
