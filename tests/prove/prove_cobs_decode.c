/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The decoder of COBS reads what it was given, writes one byte less at most, and ends.
 *
 * Bound: any bytes without a zero, 1 to 32 of them
 * Options: --unwind 33
 * Broken: devices/wire/frame.c s/zero < length; zero/zero <= length; zero/
 */
#include "devices/wire/frame.c"
#include "tests/prove/prove.h"

#define MOST 32

int main(void)
{
    uint8_t encoded[MOST], data[MOST - 1];
    size_t count, length;

    GIVEN(count >= 1 && count <= MOST);
    for (size_t i = 0; i < MOST; i++)
        GIVEN(encoded[i] != 0);
    length = cobs_decode(encoded + MOST - count, count, data + MOST - count);
    MUST(length == 0 || length == count - 1);
}
