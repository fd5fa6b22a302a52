/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A meter takes exactly its rate of what was wagered, to the millionth of a dollar, or is refused
 * and stands as it stood. It never passes METER_MAX, and nothing overflows. No solver multiplies 64
 * bits in reasonable time: the product is any number that a product of the two can be, and what is
 * proved is what becomes of it.
 *
 * Bound: any meter from 0 to METER_MAX at any rate, any 64-bit sum of wagers, any product of them
 * Broken: games/meter.c s/share > METER_MAX - meter->value/share > METER_MAX/
 */
#include <stdbool.h>
#include <stdint.h>

static __int128 exact; /* the product */
static bool product_overflows(int64_t a, int64_t b, int64_t *product);
#define __builtin_mul_overflow product_overflows

#include "games/meter.c"
#include "tests/prove/prove.h"

static cents_t wagered;
static int32_t rate;

/* What gcc and clang say of theirs: the exact product cut to size, and whether it did not fit. */
static bool product_overflows(int64_t a, int64_t b, int64_t *product)
{
    MUST(a == wagered && b == rate);
    *product = (int64_t)exact;
    return exact < INT64_MIN || exact > INT64_MAX;
}

int main(void)
{
    struct meter meter;
    __int128 any_product;
    cents_t any_wagered;
    micros_t before;

    GIVEN(meter.value >= 0 && meter.value <= METER_MAX);
    GIVEN(meter.rate >= 0 && meter.rate <= RATE_MAX);
    wagered = any_wagered;
    rate = meter.rate;
    exact = any_product;
    GIVEN(exact >= (__int128)RATE_MAX * INT64_MIN && exact <= (__int128)RATE_MAX * INT64_MAX);
    GIVEN(wagered < 0 || exact >= 0);
    before = meter.value;
    if (contribute(&meter, wagered, NULL))
        MUST(meter.value == before);
    else
        MUST(meter.value == before + exact);
    MUST(meter.value >= before && meter.value <= METER_MAX);
}
