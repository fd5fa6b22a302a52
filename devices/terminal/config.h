/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What an administrator sets up at a dealer terminal: the wager, the meters, Must Hit, the hands
 * and what they pay. A plain value; names of hands are constant texts that outlive it and stay with
 * the host, the device knows hands by number only. Amounts of meters are millionths of a dollar,
 * rates are basis points of the wager, pays are cents.
 */
#ifndef DEVICES_TERMINAL_CONFIG_H
#define DEVICES_TERMINAL_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "hal/base/error.h"

#define TERMINAL_SEATS             7    /* 1 … 7; a set of seats has bit n for seat n */
#define TERMINAL_NONE              0xff /* in the place of a hand or a meter: there is none */
#define TERMINAL_UNKNOWN           0xfe /* in the place of a hand: no list is so long */
#define TERMINAL_METERS_MAX        5    /* Must Hit included */
#define TERMINAL_METER_NAME_MAX    8
#define TERMINAL_HANDS_MAX         16
#define TERMINAL_RATE_MAX          10000
#define TERMINAL_WAGER_MAX         1000000
#define TERMINAL_PAYS_MAX          100000000
#define TERMINAL_MICROS_PER_CENT   10000
#define TERMINAL_MICROS_PER_DOLLAR 1000000
#define TERMINAL_METER_MAX         (UINT64_C(1000000000) * TERMINAL_MICROS_PER_DOLLAR)

/* How a meter that a hand has won is paid. Must Hit always pays whole cents. */
enum terminal_rounding {
    TERMINAL_ROUND_CENTS,   /* down; the fraction of a cent stays in the reseeded meter */
    TERMINAL_ROUND_UP,      /* to the dollar; the house pays the difference */
    TERMINAL_ROUND_NEAREST, /* to the dollar, half up; likewise */
    TERMINAL_ROUNDINGS,
};

struct terminal_meter_rule {
    char name[TERMINAL_METER_NAME_MAX + 1];
    uint64_t reseed;
    uint64_t opening;
    uint16_t rate;
};

struct terminal_must_hit_rule {
    uint64_t reset;
    uint64_t hit_by;
    uint64_t opening;
    uint16_t rate; /* 0: this table has no Must Hit */
};

struct terminal_hand {
    const char *name; /* NULL where it is not known: in the device */
    uint8_t meter;    /* that it pays whole, or TERMINAL_NONE */
    uint32_t cents;   /* that it pays if it pays no meter */
};

struct terminal_config {
    uint32_t wager; /* cents, the same at every seat */
    enum terminal_rounding rounding;
    uint8_t meter_count; /* without Must Hit, which stands after them */
    struct terminal_meter_rule meters[TERMINAL_METERS_MAX];
    struct terminal_must_hit_rule must_hit;
    uint8_t hand_count;
    struct terminal_hand hands[TERMINAL_HANDS_MAX];
};

/*
 * The controller called "stax", with four meters, or "three-card-catch", with five, at their reseed
 * values; NULL for another name.
 */
const struct terminal_config *terminal_preset(const char *name);

/* ERROR_CONFIG with a sentence for what no terminal can be set to. */
int terminal_config_check(const struct terminal_config *config, struct error *error);

/* The same of Must Hit alone, on a table with that wager in cents. */
int terminal_must_hit_check(const struct terminal_must_hit_rule *rule, uint32_t wager,
                            struct error *error);

/* Number of the hand of that name, or -1. */
int terminal_config_hand(const struct terminal_config *config, const char *name);

static inline bool terminal_config_has_must_hit(const struct terminal_config *config)
{
    return config->must_hit.rate != 0;
}

/* All meters, Must Hit included. */
static inline unsigned terminal_config_meters(const struct terminal_config *config)
{
    return config->meter_count + (terminal_config_has_must_hit(config) ? 1u : 0u);
}

#endif
