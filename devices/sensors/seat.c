/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/sensors/seat.h"

static const struct bet_step from_open[BET_INPUTS] = {
    [BET_INPUT_WAGER] = {BET_PLACED, BET_EVENT_PLACED, false},
    [BET_INPUT_LATE_WAGER] = {BET_PLACED, BET_EVENT_LATE, false},
    [BET_INPUT_LIFT] = {BET_OPEN, BET_EVENT_NONE, false},
    [BET_INPUT_LOCK] = {BET_OPEN, BET_EVENT_NONE, true},
    [BET_INPUT_LOCK_UNSEEN] = {BET_LOCKED, BET_EVENT_NONE, false},
    [BET_INPUT_RELEASE] = {BET_OPEN, BET_EVENT_NONE, true},
    [BET_INPUT_RELEASE_EMPTY] = {BET_OPEN, BET_EVENT_NONE, true},
};

static const struct bet_step from_placed[BET_INPUTS] = {
    [BET_INPUT_WAGER] = {BET_PLACED, BET_EVENT_NONE, false},
    [BET_INPUT_LATE_WAGER] = {BET_PLACED, BET_EVENT_NONE, false},
    [BET_INPUT_LIFT] = {BET_OPEN, BET_EVENT_LIFTED, false},
    [BET_INPUT_LOCK] = {BET_LOCKED, BET_EVENT_NONE, false},
    [BET_INPUT_LOCK_UNSEEN] = {BET_PLACED, BET_EVENT_NONE, true},
    [BET_INPUT_RELEASE] = {BET_PLACED, BET_EVENT_NONE, true},
    [BET_INPUT_RELEASE_EMPTY] = {BET_PLACED, BET_EVENT_NONE, true},
};

static const struct bet_step from_locked[BET_INPUTS] = {
    [BET_INPUT_WAGER] = {BET_LOCKED, BET_EVENT_LATE, false},
    [BET_INPUT_LATE_WAGER] = {BET_LOCKED, BET_EVENT_LATE, false},
    [BET_INPUT_LIFT] = {BET_LOCKED, BET_EVENT_LIFTED_LOCKED, false},
    [BET_INPUT_LOCK] = {BET_LOCKED, BET_EVENT_NONE, true},
    [BET_INPUT_LOCK_UNSEEN] = {BET_LOCKED, BET_EVENT_NONE, true},
    [BET_INPUT_RELEASE] = {BET_PLACED, BET_EVENT_NONE, false},
    [BET_INPUT_RELEASE_EMPTY] = {BET_OPEN, BET_EVENT_NONE, false},
};

static const struct bet_step *const steps[BET_STATES] = {from_open, from_placed, from_locked};

struct bet_step bet_seat_step(enum bet_state state, enum bet_input input)
{
    return steps[state][input];
}

const char *bet_event_text(enum bet_event_kind kind)
{
    static const char *const texts[BET_EVENT_KINDS] = {
        [BET_EVENT_NONE] = "nothing",
        [BET_EVENT_PLACED] = "wager placed",
        [BET_EVENT_LIFTED] = "wager lifted",
        [BET_EVENT_LATE] = "late wager",
        [BET_EVENT_LIFTED_LOCKED] = "wager lifted while locked",
        [BET_EVENT_STUCK_LOW] = "sensor sees no wager where the actuator placed one",
        [BET_EVENT_STUCK_HIGH] = "sensor sees a wager where the actuator holds none",
        [BET_EVENT_LAMP_DARK] = "lamp stays dark",
        [BET_EVENT_LAMP_LIT] = "lamp stays lit",
        [BET_EVENT_EDGES_LOST] = "edges lost",
        [BET_EVENT_POWER_UP] = "power-up",
    };

    return texts[kind];
}
