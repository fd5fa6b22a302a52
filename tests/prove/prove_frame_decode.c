/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The frame decoder, in any state that it can be in, takes bytes without reading outside of them or
 * writing outside of itself, stays in such a state, and ends. What it says was dropped can be read.
 *
 * Bound: any state, any 40 bytes or fewer at a time
 * Trusts: frame_parse:frame_parse_promised memchr:find_promised memcpy:copy_promised
 * Options: --unwind 42
 * Broken: devices/wire/frame.c s/MAX - 1 - decoder->used/MAX + 1 - decoder->used/
 */
#include "devices/wire/frame.c"
#include "tests/prove/promises.h"

#define MOST 40

int main(void)
{
    struct frame_decoder decoder;
    uint8_t bytes[MOST];
    struct frame frame;
    size_t count, taken;
    enum frame_result result;

    GIVEN(count <= MOST && decoder.used <= ENCODED_MOST);
    GIVEN(!decoder.skipping || !decoder.used);
    result = frame_decode(&decoder, bytes + MOST - count, count, &taken, &frame);
    MUST(taken <= count);
    MUST(result != FRAME_NEED_MORE || taken == count);
    MUST(decoder.used <= ENCODED_MOST);
    MUST(!decoder.skipping || !decoder.used);
    if (result == FRAME_REJECTED)
        MAY_READ(decoder.dropped, decoder.dropped_count);
}
