/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A step of the CRC reads four bytes and its tables, nothing outside of them, and gives 16 bits.
 *
 * Bound: any four bytes, any CRC so far, any slice that there is
 * Broken: devices/wire/crc.c s/slices\[slice + 3\]\[bytes\[0\] ^/slices[slice + 4][bytes[0] ^/
 */
#include "devices/wire/crc.c"
#include "tests/prove/prove.h"

int main(void)
{
    uint8_t bytes[4];
    unsigned slice, crc;

    GIVEN(slice <= 8 && crc <= 0xffff);
    MUST(four(bytes, slice) <= 0xffff);
    MUST(first_four(bytes, slice, crc) <= 0xffff);
    MUST(first_four(bytes, 12, crc) <= 0xffff);
}
