/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/meter.h"

#include <inttypes.h>
#include <string.h>

#include "games/refusal.h"

static const char must_hit_name[] = "must-hit";

void meters_init(struct meters *meters, const struct meter_rule *rules, size_t count,
                 enum rounding rounding)
{
    *meters = (struct meters){.must_hit = -1, .rounding = rounding};
    for (size_t i = 0; i < count && i < METERS_MAX; i++)
        meters->meter[meters->count++] = (struct meter){
            .name = rules[i].name,
            .value = rules[i].reseed,
            .reseed = rules[i].reseed,
            .rate = rules[i].rate,
        };
}

static int check_must_hit(const struct must_hit_rule *rule, struct error *error)
{
    char reset[MICROS_TEXT_SIZE], hit_by[MICROS_TEXT_SIZE];

    micros_format(rule->reset, reset);
    micros_format(rule->hit_by, hit_by);
    /* A smaller reset value could be won and pay nothing. */
    if (rule->reset < MICROS_PER_CENT || rule->hit_by <= rule->reset || rule->hit_by > METER_MAX)
        return error_set(error, ERROR_CONFIG,
                         "must-hit: reset %s and hit-by %s; the reset value must be at least 0.01 "
                         "and below hit-by, and hit-by at most 1000000000",
                         reset, hit_by);
    if (rule->rate <= 0 || rule->rate > RATE_MAX)
        return error_set(error, ERROR_CONFIG,
                         "must-hit: a rate of %" PRId32 " basis points; it must be above 0 and at "
                         "most %d",
                         rule->rate, RATE_MAX);
    return 0;
}

int meters_add_must_hit(struct meters *meters, const struct must_hit_rule *rule,
                        struct error *error)
{
    if (meters->must_hit >= 0)
        return error_set(error, ERROR_CONFIG, "there is a must-hit meter already");
    if (meters->count == 0)
        return error_set(error, ERROR_CONFIG,
                         "must-hit needs a progressive wager, and this game has none");
    if (meters->count == METERS_MAX)
        return error_set(error, ERROR_CONFIG,
                         "must-hit needs a game with four meters or fewer, this one has %d",
                         METERS_MAX);
    if (check_must_hit(rule, error))
        return ERROR_CONFIG;
    meters->must_hit = (int8_t)meters->count;
    meters->meter[meters->count++] = (struct meter){
        .name = must_hit_name,
        .value = rule->reset,
        .reseed = rule->reset,
        .ceiling = rule->hit_by,
        .rate = rule->rate,
    };
    return 0;
}

int meters_open(struct meters *meters, const char *name, micros_t value, struct error *error)
{
    for (unsigned i = 0; i < meters->count; i++) {
        struct meter *meter = &meters->meter[i];
        micros_t least = meter->ceiling ? meter->reseed : 0;
        micros_t most = meter->ceiling ? meter->ceiling : METER_MAX;

        if (strcmp(meter->name, name))
            continue;
        if (value < least || value > most) {
            char text[3][MICROS_TEXT_SIZE];

            micros_format(value, text[0]);
            micros_format(least, text[1]);
            micros_format(most, text[2]);
            return error_set(error, ERROR_CONFIG, "meter %s cannot open at %s, only from %s to %s",
                             name, text[0], text[1], text[2]);
        }
        meter->value = value;
        return 0;
    }
    return error_set(error, ERROR_CONFIG, "there is no meter '%.40s' at this table", name);
}

/* Pays whole cents and keeps the rest. */
static cents_t award_cents(struct meter *meter, micros_t limit)
{
    cents_t pays = (meter->value < limit ? meter->value : limit) / MICROS_PER_CENT;

    meter->value = meter->reseed + (meter->value - pays * MICROS_PER_CENT);
    return pays;
}

/* Pays whole dollars; the house stands in for what was rounded. */
static cents_t award_dollars(struct meter *meter, micros_t round_from)
{
    int64_t dollars = (meter->value + MICROS_PER_DOLLAR - round_from) / MICROS_PER_DOLLAR;

    meter->value = meter->reseed;
    return dollars * (MICROS_PER_DOLLAR / MICROS_PER_CENT);
}

cents_t meters_award(struct meters *meters, unsigned index)
{
    struct meter *meter = &meters->meter[index];

    switch (meters->rounding) {
    case ROUNDING_UP:
        return award_dollars(meter, 1);
    case ROUNDING_NEAREST:
        return award_dollars(meter, MICROS_PER_DOLLAR / 2);
    case ROUNDING_CENTS:
        break;
    }
    return award_cents(meter, METER_MAX);
}

/* Cents times basis points are millionths of a dollar. */
static int contribute(struct meter *meter, cents_t wagered, struct error *error)
{
    micros_t share;

    if (wagered < 0 || __builtin_mul_overflow(wagered, (micros_t)meter->rate, &share) ||
        share > METER_MAX - meter->value)
        return error_refuse(error, REFUSED_METER_FULL,
                            "meter %s cannot take its share of %" PRId64
                            " cents of wagers: no meter "
                            "may pass 1000000000 dollars",
                            meter->name, wagered);
    meter->value += share;
    return 0;
}

static int past_ceiling(const struct meter *meter, bool was_awarded, struct error *error)
{
    char value[MICROS_TEXT_SIZE], ceiling[MICROS_TEXT_SIZE];

    micros_format(meter->value, value);
    micros_format(meter->ceiling, ceiling);
    return error_refuse(error, was_awarded ? REFUSED_CEILING_AGAIN : REFUSED_MUST_HIT_CEILING,
                        "meter %s would stand at %s %s, above its ceiling of %s", meter->name,
                        value, was_awarded ? "after its award" : "without an award", ceiling);
}

int meters_end_round(struct meters *meters, cents_t wagered, bool award_must_hit,
                     cents_t *must_hit_pays, struct error *error)
{
    struct meters after = *meters;
    cents_t pays = 0;

    for (unsigned i = 0; i < after.count; i++)
        if (contribute(&after.meter[i], wagered, error))
            return ERROR_RULE;
    if (after.must_hit >= 0) {
        struct meter *meter = &after.meter[after.must_hit];

        if (award_must_hit)
            pays = award_cents(meter, meter->ceiling);
        if (meter->value > meter->ceiling)
            return past_ceiling(meter, award_must_hit, error);
    } else if (award_must_hit) {
        return error_set(error, ERROR_RULE, "a must-hit award, but this table has no such meter");
    }
    *meters = after;
    if (must_hit_pays)
        *must_hit_pays = pays;
    return 0;
}
