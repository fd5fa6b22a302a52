/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A step of the CRC reads four bytes and its tables, nothing outside of them, and gives 16 bits.
 * Each slice by itself: a table of all of them at once is too much for a solver.
 *
 * Bound: any four bytes, any CRC so far, each slice that there is
 * Options: --unwind 14
 * Broken: devices/wire/crc.c s/slices\[slice + 3\]\[bytes\[0\] ^/slices[slice + 4][bytes[0] ^/
 */
#include "devices/wire/crc.c"
#include "tests/prove/prove.h"

int main(void)
{
    uint8_t bytes[4];
    unsigned crc;

    GIVEN(crc <= 0xffff);
    for (unsigned slice = 0; slice <= 12; slice++) {
        if (slice <= 8)
            MUST(four(bytes, slice) <= 0xffff);
        MUST(first_four(bytes, slice, crc) <= 0xffff);
    }
}
