/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A meter that is paid in dollars pays whole ones, less than a dollar more than it held when
 * rounded up, at most half a dollar beside it when rounded to the nearest.
 *
 * Bound: any meter from 0 to METER_MAX
 * Options: integers
 * Broken: games/meter.c s/DOLLAR - round_from/DOLLAR/
 */
#include "games/meter.c"
#include "tests/prove/prove.h"

int main(void)
{
    struct meter meter;
    micros_t before;
    cents_t pays;
    _Bool is_up;

    GIVEN(meter.value >= 0 && meter.value <= METER_MAX);
    before = meter.value;
    pays = award_dollars(&meter, is_up ? 1 : MICROS_PER_DOLLAR / 2);
    MUST(pays >= 0 && pays % 100 == 0);
    MUST(meter.value == meter.reseed);
    if (is_up) {
        MUST(pays * MICROS_PER_CENT >= before);
        MUST(pays * MICROS_PER_CENT - before < MICROS_PER_DOLLAR);
    } else {
        MUST(pays * MICROS_PER_CENT - before <= MICROS_PER_DOLLAR / 2);
        MUST(pays * MICROS_PER_CENT - before > -MICROS_PER_DOLLAR / 2);
    }
}
