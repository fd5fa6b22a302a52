/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the suite follows of a bet sensor unit. Sets of seats have bit n for seat n. */
#ifndef DEVICES_CONFORM_UNIT_H
#define DEVICES_CONFORM_UNIT_H

#include "devices/conform/suite.h"

#define UNIT_SEATS 8
#define LAMP_TIME  150 /* milliseconds after which a lamp is as it was told, or LAMP was */

/* The numbers of the page, as this end reads it. */
enum conform_unit_request {
    BET_UNIT_LOCK = 0x10,
    BET_UNIT_UNLOCK = 0x11,
    BET_UNIT_LIGHTS = 0x12,
    BET_UNIT_PLACE = 0x13,
    BET_UNIT_TEST_MODE = 0x14,
};

enum conform_unit_message {
    BET_UNIT_PLACED = 0x40,
    BET_UNIT_LIFTED = 0x41,
    BET_UNIT_LATE = 0x42,
    BET_UNIT_LIFTED_LOCKED = 0x43,
    BET_UNIT_LAMP = 0x44,
    BET_UNIT_STUCK = 0x45,
    BET_UNIT_TEST_MODE_CHANGED = 0x46,
    BET_UNIT_POWER_UP = 0x47,
};

enum conform_unit_state {
    BET_UNIT_IDLE = 1, /* no round is running */
    BET_UNIT_ROUND,
};

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
