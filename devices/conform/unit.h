/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the suite follows of a bet sensor unit. Sets of seats have bit n for seat n. */
#ifndef DEVICES_CONFORM_UNIT_H
#define DEVICES_CONFORM_UNIT_H

#include "devices/conform/suite.h"
#include "devices/sensors/unit/wire.h"

#define UNIT_SEATS 8
#define LAMP_TIME  150 /* milliseconds after which a lamp is as it was told, or LAMP was */

struct conform_unit_follow {
    uint8_t state;
    bool test_mode, was_test_mode;
    unsigned mode_changes; /* that are to be announced */
    uint8_t placed, locked;
    uint8_t lights, was_lit; /* told; lit at the beginning */
    uint8_t chips, moved;    /* told; changed by the last request that moves them */
    bool knows_lights;       /* what lamps were told before can only be guessed by what is lit */
    uint8_t wrong;           /* lamps that LAMP has told */
    uint8_t stuck;           /* sensors that STUCK has told */
    uint8_t late;            /* seats of which LATE was told */
    nanos_t lights_at;
    nanos_t wager_at[UNIT_SEATS];
};

static inline struct conform_unit_follow *conform_unit_of(struct suite *suite)
{
    return suite->own;
}

/* unit_steps.c: what is tried. */
void conform_unit_try_idle(struct suite *suite);
void conform_unit_try_lights(struct suite *suite);
void conform_unit_try_round(struct suite *suite);
int conform_unit_mode(struct suite *suite, bool on);
void conform_unit_restore(struct suite *suite);

#endif
