/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A meter that is paid in cents loses just those: what was there is in the pay and in the new
 * meter, to the millionth of a dollar, and less than a cent stays unless a ceiling held it back.
 *
 * Bound: any meter, reseed value and limit from 0 to METER_MAX
 * Options: integers
 * Broken: games/meter.c s/meter->reseed + (meter->value - pays \* MICROS_PER_CENT)/meter->reseed/
 */
#include "games/meter.c"
#include "tests/prove/prove.h"

int main(void)
{
    struct meter meter;
    micros_t before, limit;
    cents_t pays;

    GIVEN(meter.value >= 0 && meter.value <= METER_MAX);
    GIVEN(meter.reseed >= 0 && meter.reseed <= METER_MAX);
    GIVEN(limit >= 0 && limit <= METER_MAX);
    before = meter.value;
    pays = award_cents(&meter, limit);
    MUST(pays >= 0 && pays <= METER_MAX / MICROS_PER_CENT);
    MUST(pays * MICROS_PER_CENT <= limit);
    MUST(pays * MICROS_PER_CENT + meter.value == before + meter.reseed);
    MUST(before > limit || meter.value - meter.reseed < MICROS_PER_CENT);
}
