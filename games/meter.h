/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Progressive meters: exact integers in millionths of a dollar. A set of meters is a plain value
 * that its owner may copy to try something; a function that fails leaves it as it was. No amount
 * wraps: a meter that would pass METER_MAX is an error.
 */
#ifndef GAMES_METER_H
#define GAMES_METER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "games/money.h"
#include "hal/base/error.h"

#define METERS_MAX 5

/* What a sheet says of one meter. Rates are basis points of the wager. */
struct meter_rule {
    const char *name;
    micros_t reseed;
    int32_t rate;
};

/* How a meter is turned into a payment. */
enum rounding {
    ROUNDING_CENTS,   /* whole cents down; the fraction stays in the reseeded meter */
    ROUNDING_UP,      /* up to the dollar; the house pays it, the meter goes to its reseed value */
    ROUNDING_NEAREST, /* to the nearest dollar, half up; likewise */
};

struct meter {
    const char *name;
    micros_t value;
    micros_t reseed;
    micros_t ceiling; /* Must Hit only; 0 for the others */
    int32_t rate;
};

struct meters {
    struct meter meter[METERS_MAX];
    uint8_t count;
    int8_t must_hit; /* index of the Must Hit meter, or -1; it stands last */
    enum rounding rounding;
};

struct must_hit_rule {
    micros_t reset;
    micros_t hit_by;
    int32_t rate;
};

/* All meters at their reseed values. */
void meters_init(struct meters *meters, const struct meter_rule *rules, size_t count,
                 enum rounding rounding);

/* Adds the Must Hit meter at its reset value; ERROR_CONFIG when there is no room or no sense. */
int meters_add_must_hit(struct meters *meters, const struct must_hit_rule *rule,
                        struct error *error);

/* Opening values of a recording; ERROR_CONFIG for an unknown name or a value out of range. */
int meters_open(struct meters *meters, const char *name, micros_t value, struct error *error);

/* Pays one meter in cents and reseeds it. */
cents_t meters_award(struct meters *meters, unsigned index);

/*
 * END ROUND: adds the round's contributions, `wagered` cents of progressive wagers in all. With
 * `award_must_hit` the Must Hit meter is then paid (what passed its ceiling is carried into the
 * next one) and *must_hit_pays says how much; without it, passing the ceiling is ERROR_RULE and
 * nothing has changed.
 */
int meters_end_round(struct meters *meters, cents_t wagered, bool award_must_hit,
                     cents_t *must_hit_pays, struct error *error);

#endif
