/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The frame decoder, in any state that it can be in, takes bytes without reading outside of them or
 * writing outside of itself, stays in such a state, and ends. What it says was dropped can be read.
 *
 * Bound: any state, any 4096 bytes or fewer at a time with at most three zeros among them
 * Trusts: frame_parse:frame_parse_promised memchr:find_in_pieces memcpy:copy_promised
 * Options: --unwind 6
 * Broken: devices/wire/frame.c s/MAX - 1 - decoder->used/MAX + 1 - decoder->used/
 */
#include "devices/wire/frame.c"
#include "tests/prove/promises.h"

#define MOST   4096
#define PIECES 4 /* that three zeros make */

static unsigned pieces;

void *find_in_pieces(const void *bytes, int value, size_t count)
{
    pieces++;
    GIVEN(pieces <= PIECES);
    return find_promised(bytes, value, count);
}

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
