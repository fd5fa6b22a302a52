/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The CRC reads the bytes that it was given and its tables, and nothing outside of them.
 *
 * Bound: any 40 bytes or fewer: two of its long steps, short ones and single bytes
 * Options: --unwind 6
 * Broken: devices/wire/crc.c s/count >= 16/count >= 15/
 */
#include "devices/wire/crc.c"
#include "tests/prove/prove.h"

#define MOST 40

int main(void)
{
    uint8_t bytes[MOST];
    size_t count;

    GIVEN(count <= MOST);
    frame_crc(bytes + MOST - count, count);
}
