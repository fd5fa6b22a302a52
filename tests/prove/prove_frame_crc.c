/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The CRC reads the bytes that it was given and its tables, nothing outside of them, and ends.
 *
 * Bound: any 246 bytes or fewer: all that a frame can have
 * Trusts: four:four_promised first_four:first_four_promised
 * Options: --unwind 17
 * Broken: devices/wire/crc.c s/count >= 16/count >= 15/
 */
#include "devices/wire/crc.c"
#include "tests/prove/prove.h"

#define MOST (FRAME_HEAD + FRAME_PAYLOAD_MAX + FRAME_CRC)

/* As prove_frame_crc_step.c has it. */
unsigned four_promised(const uint8_t *bytes, unsigned slice)
{
    unsigned result;

    MAY_READ(bytes, 4);
    MUST(slice <= 8);
    GIVEN(result <= 0xffff);
    return result;
}

unsigned first_four_promised(const uint8_t *bytes, unsigned slice, unsigned crc)
{
    unsigned result;

    MAY_READ(bytes, 4);
    MUST(slice <= 12 && crc <= 0xffff);
    GIVEN(result <= 0xffff);
    return result;
}

int main(void)
{
    uint8_t bytes[MOST];
    size_t count;

    GIVEN(count <= MOST);
    frame_crc(bytes + MOST - count, count);
}
