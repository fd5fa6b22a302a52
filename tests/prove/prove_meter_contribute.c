/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A meter takes exactly its rate of what was wagered, to the millionth of a dollar, or is refused
 * and stands as it stood. It never passes METER_MAX, and nothing overflows. The multiplication of
 * the compiler stands here as what its manual says of it: the solver does not know it.
 *
 * Bound: any meter from 0 to METER_MAX at any rate, any 64-bit sum of wagers
 * Options: integers
 * Broken: games/meter.c s/share > METER_MAX - meter->value/share > METER_MAX/
 */
#include <stdbool.h>
#include <stdint.h>

/* What gcc and clang say of theirs: the exact product, and whether it fits. */
static bool product_overflows(int64_t a, int64_t b, int64_t *product)
{
    __int128 exact = (__int128)a * b;

    *product = (int64_t)exact;
    return exact < INT64_MIN || exact > INT64_MAX;
}
#define __builtin_mul_overflow product_overflows

#include "games/meter.c"
#include "tests/prove/prove.h"

int main(void)
{
    struct meter meter;
    cents_t wagered;
    micros_t before;

    GIVEN(meter.value >= 0 && meter.value <= METER_MAX);
    GIVEN(meter.rate >= 0 && meter.rate <= RATE_MAX);
    before = meter.value;
    if (contribute(&meter, wagered, NULL))
        MUST(meter.value == before);
    else
        MUST((__int128)meter.value == (__int128)before + (__int128)wagered * meter.rate);
    MUST(meter.value >= before && meter.value <= METER_MAX);
}
