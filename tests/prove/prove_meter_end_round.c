/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The end of a round gives every meter its share and pays Must Hit, to the millionth, or is refused
 * and leaves all meters as they were. No meter passes METER_MAX, and Must Hit not its ceiling.
 *
 * Bound: any five meters or fewer, with Must Hit and without it
 * Trusts: contribute:contribute_promised award_cents:award_promised
 * Options: --unwind 7
 * Broken: games/meter.c s/meter->value > meter->ceiling/meter->value > METER_MAX/
 */
#include "games/meter.c"
#include "tests/prove/prove.h"

static micros_t shares[METERS_MAX];
static unsigned shared;

/* As prove_meter_contribute.c has it. */
int contribute_promised(struct meter *meter, cents_t wagered, struct error *error)
{
    micros_t share;
    _Bool is_refused;

    MUST(shared < METERS_MAX);
    MUST(meter->value >= 0 && meter->value <= METER_MAX);
    if (is_refused)
        return ERROR_RULE;
    GIVEN(share >= 0 && share <= METER_MAX - meter->value);
    shares[shared++] = share;
    meter->value += share;
    return 0;
}

/* As prove_meter_award.c has it, in millionths of a dollar. */
static micros_t paid;

cents_t award_promised(struct meter *meter, micros_t limit)
{
    micros_t pays;
    cents_t cents;

    MUST(meter->value >= 0 && meter->value <= METER_MAX);
    MUST(meter->reseed >= 0 && meter->reseed <= METER_MAX);
    MUST(limit >= 0 && limit <= METER_MAX);
    GIVEN(pays >= 0 && pays <= meter->value && pays <= limit);
    paid += pays;
    meter->value = meter->reseed + (meter->value - pays);
    return cents;
}

/* For sentences only. */
size_t micros_format(micros_t value, char text[MICROS_TEXT_SIZE])
{
    MAY_WRITE(text, MICROS_TEXT_SIZE);
    return 0;
}

static void given_meters(const struct meters *meters)
{
    GIVEN(meters->count <= METERS_MAX);
    GIVEN(meters->must_hit == -1 || meters->must_hit == meters->count - 1);
    for (unsigned i = 0; i < METERS_MAX; i++) {
        const struct meter *meter = &meters->meter[i];

        GIVEN(meter->value >= 0 && meter->value <= METER_MAX);
        GIVEN(meter->reseed >= 0 && meter->reseed <= METER_MAX);
        GIVEN(meter->ceiling >= 0 && meter->ceiling <= METER_MAX);
    }
}

int main(void)
{
    struct meters meters, before;
    cents_t wagered, pays = 0;
    bool award;
    int status;

    given_meters(&meters);
    before = meters;
    status = meters_end_round(&meters, wagered, award, &pays, NULL);
    for (int i = 0; i < before.count; i++) {
        micros_t was = before.meter[i].value, is = meters.meter[i].value;

        if (status)
            MUST(is == was);
        else if (award && i == before.must_hit)
            MUST(is + paid == was + shares[i] + before.meter[i].reseed);
        else
            MUST(is == was + shares[i]);
        MUST(is >= 0 && is <= METER_MAX);
        if (!status && i == before.must_hit)
            MUST(is <= before.meter[i].ceiling);
    }
}
