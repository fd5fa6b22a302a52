/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is tried on a bet sensor unit: refusals by state, lamps, a round with actuators. */
#include "devices/conform/unit.h"
#include "hal/base/plural.h"

#define FOLLOW_TIME 800 /* milliseconds: 500 to follow, and some for a slow line */
#define ALL_SEATS   0xfe

int conform_unit_mode(struct suite *suite, bool on)
{
    struct conform_unit_follow *follow = conform_unit_of(suite);
    const uint8_t payload = on;
    int status = suite_ask(suite, BET_UNIT_TEST_MODE, &payload, 1);

    suite_hold(suite, "B37", status <= REFUSED_UNKNOWN, "TEST MODE is refused with %d while idle",
               status);
    if (status)
        return status;
    suite_hold(suite, "B31", suite->reply.size == 0, "the reply to TEST MODE has %u byte%s",
               suite->reply.size, plural(suite->reply.size));
    follow->mode_changes += follow->test_mode != on;
    follow->test_mode = on;
    if (!on) {
        follow->moved = follow->chips;
        follow->stuck &= (uint8_t)~follow->moved;
        follow->chips = 0;
    }
    return 0;
}

static bool set_mode(struct suite *suite, bool on)
{
    struct conform_unit_follow *follow = conform_unit_of(suite);
    int status;

    suite_mark(suite);
    status = conform_unit_mode(suite, on);
    if (status == REFUSED_UNKNOWN)
        return false;
    suite_hold(suite, "B37", status == 0, "TEST MODE is refused with %d while idle", status);
    suite_rest(suite, 300);
    suite_judge(suite);
    suite_hold(suite, "B44", !follow->mode_changes, "TEST MODE %u is not announced by its event",
               on);
    follow->mode_changes = 0;
    suite_settle(suite);
    return status == 0;
}

static void try_reasons(struct suite *suite)
{
    static const uint8_t one = 1, two = 2, sets[] = {2, 2};

    suite_refused(suite, "B22", REFUSED_VALUE, BET_UNIT_LOCK, &one, 1, "LOCK with bit 0");
    suite_refused(suite, "B22", REFUSED_VALUE, BET_UNIT_LIGHTS, &one, 1, "LIGHTS with bit 0");
    suite_refused(suite, "B40", REFUSED_VALUE, BET_UNIT_PLACE, &one, 1,
                  "PLACE with bit 0 outside test mode");
    suite_refused(suite, "B40", REFUSED_LENGTH, BET_UNIT_PLACE, sets, 2,
                  "PLACE with two bytes outside test mode");
    suite_refused(suite, "B31", REFUSED_VALUE, BET_UNIT_TEST_MODE, &two, 1, "TEST MODE 2");
    suite_refused(suite, "B38", REFUSED_VALUE, WIRE_CLEAR_ERROR, &one, 1, "CLEAR ERROR 1");
    suite_refused(suite, "B25", REFUSED_VALUE, WIRE_CLEAR_ERROR, &two, 1, "CLEAR ERROR 2");
    suite_refused(suite, "B33", REFUSED_STATE, BET_UNIT_UNLOCK, NULL, 0, "UNLOCK while idle");
    suite_same(suite, "C15", REFUSED_STATE);
    suite_refused(suite, "B36", REFUSED_TEST_MODE, BET_UNIT_PLACE, &two, 1,
                  "PLACE outside test mode");
    suite_same(suite, "C19", REFUSED_TEST_MODE);
}

static void unlock(struct suite *suite)
{
    struct conform_unit_follow *follow = conform_unit_of(suite);

    if (!suite_done(suite, "B33", BET_UNIT_UNLOCK, NULL, 0, 0, "UNLOCK in a round"))
        return;
    suite_hold(suite, "B28", suite->reply.size == 0, "the reply to UNLOCK has bytes");
    suite_note(suite, BET_UNIT_UNLOCK, 0, 0, 0);
    follow->state = BET_UNIT_IDLE;
    follow->locked = 0;
    suite_settle(suite);
    suite_hold(suite, "B24", follow->state == BET_UNIT_IDLE, " ");
    suite_refused(suite, "B41", REFUSED_STATE, BET_UNIT_UNLOCK, NULL, 0, "UNLOCK twice");
}

/* LOCK of seats one of which has no wager; a hand may place it at the same time. */
static void refuse_lock(struct suite *suite, const char *id, uint8_t seats, const char *what)
{
    struct conform_unit_follow *follow = conform_unit_of(suite);
    int status;

    if (!seats)
        return;
    suite_mark(suite);
    status = suite_try(suite, BET_UNIT_LOCK, &seats, 1);
    suite_judge(suite);
    if (!status) {
        suite_note(suite, BET_UNIT_LOCK, seats, 0, 0);
        follow->state = BET_UNIT_ROUND;
        follow->locked = seats;
        unlock(suite);
    }
    if (seats & ~follow->placed)
        suite_hold(suite, id, status == REFUSED_STATE, "%s has the answer %d, not 4", what, status);
}

void conform_unit_try_idle(struct suite *suite)
{
    static const char *const ids[] = {"B36", "B37", "B44", "B45", "B52", "B35", "B30"};
    struct conform_unit_follow *follow = conform_unit_of(suite);
    uint8_t empty;

    suite_settle(suite);
    if (follow->test_mode)
        set_mode(suite, false);
    try_reasons(suite);
    suite_judge(suite);
    empty = (uint8_t)(ALL_SEATS & ~follow->placed);
    refuse_lock(suite, "B32", empty, "LOCK of seats without a wager");
    suite_settle(suite);
    suite_hold(suite, "B39", true, " ");
    suite_mark(suite);
    if (!set_mode(suite, true)) {
        for (unsigned i = 0; i < sizeof ids / sizeof ids[0]; i++)
            suite_not_offered(suite, ids[i], "the device does not know TEST MODE");
        return;
    }
    suite_hold(suite, "B37", conform_unit_mode(suite, true) == 0, "TEST MODE on again is refused");
    suite_greet(suite, (uint32_t)suite_now(suite));
    suite_hold(suite, "B44", suite->hello[1] == 1, "HELLO has the flags %02x in test mode",
               suite->hello[1]);
    suite_settle(suite);
    set_mode(suite, false);
    suite_oldest(suite, "B62", "B62", 256);
}

/* All out, then all on: from now on it is known what every lamp was told. */
static void learn_lights(struct suite *suite)
{
    static const uint8_t sets[] = {0, ALL_SEATS};
    struct conform_unit_follow *follow = conform_unit_of(suite);

    for (unsigned i = 0; i < 2; i++) {
        follow->knows_lights = i > 0;
        suite_ask(suite, BET_UNIT_LIGHTS, &sets[i], 1);
        follow->lights = sets[i];
        follow->lights_at = suite_now(suite);
        suite_rest(suite, 2 * LAMP_TIME);
        suite_judge(suite);
    }
}

static void light(struct suite *suite, uint8_t seats)
{
    struct conform_unit_follow *follow = conform_unit_of(suite);
    uint8_t changed;

    if (!follow->knows_lights)
        learn_lights(suite);
    changed = follow->lights ^ seats;

    if (!suite_done(suite, "B34", BET_UNIT_LIGHTS, &seats, 1, 0, "LIGHTS"))
        return;
    suite_hold(suite, "B29", suite->reply.size == 0, "the reply to LIGHTS has bytes");
    follow->lights = seats;
    follow->wrong &= (uint8_t)~changed;
    follow->lights_at = suite_now(suite);
    suite_rest(suite, 2 * LAMP_TIME);
    suite_settle(suite);
}

void conform_unit_try_lights(struct suite *suite)
{
    light(suite, ALL_SEATS);
    light(suite, 0x2a);
    light(suite, 0);
}

/* PLACE, and the time that sensors have to follow. */
static bool place(struct suite *suite, uint8_t seats, unsigned wait)
{
    struct conform_unit_follow *follow = conform_unit_of(suite);

    if (!suite_done(suite, "B35", BET_UNIT_PLACE, &seats, 1, 0, "PLACE"))
        return false;
    suite_hold(suite, "B30", suite->reply.size == 0, "the reply to PLACE has bytes");
    follow->moved = follow->chips ^ seats;
    follow->stuck &= (uint8_t)~follow->moved;
    follow->chips = seats;
    suite_rest(suite, wait);
    suite_judge(suite);
    return true;
}

/* Where an actuator was moved the sensor has followed, or STUCK was told. */
static void hold_followed(struct suite *suite, const char *id)
{
    const struct conform_unit_follow *follow = conform_unit_of(suite);
    uint8_t off = (uint8_t)((follow->placed ^ follow->chips) & follow->moved & ~follow->stuck);

    suite_hold(suite, id, !off, "seats %02x: the sensor does not follow, and STUCK is not told",
               off);
    suite_hold(suite, "B8", !off, "seats %02x: the sensor does not follow, and STUCK is not told",
               off);
}

/* LOCK: those of the seats that have a wager. A hand may take one at the same time. */
static bool lock(struct suite *suite, uint8_t wanted)
{
    struct conform_unit_follow *follow = conform_unit_of(suite);
    uint8_t seats = (uint8_t)(wanted & follow->placed), before = follow->placed;
    int status;

    suite_mark(suite);
    status = suite_ask(suite, BET_UNIT_LOCK, &seats, 1);
    if (status == REFUSED_STATE) {
        suite_rest(suite, 200);
        suite_judge(suite);
        if (before & ~follow->placed)
            return lock(suite, wanted);
    }
    suite_judge(suite); /* what was told before it was done */
    if (suite->broken ||
        !suite_hold(suite, "B32", status == 0, "LOCK %02x is refused with %d, and %02x have wagers",
                    seats, status, follow->placed))
        return false;
    suite_hold(suite, "B27", suite->reply.size == 0, "the reply to LOCK has bytes");
    suite_note(suite, BET_UNIT_LOCK, seats, 0, 0);
    follow->state = BET_UNIT_ROUND;
    follow->locked = seats;
    follow->late = 0;
    suite_hold(suite, "C9", suite_repeat(suite) == 0,
               "LOCK is said again under its number, and refused");
    return true;
}

static void try_in_round(struct suite *suite)
{
    static const uint8_t off = 0, error = 1;
    struct conform_unit_follow *follow = conform_unit_of(suite);
    uint8_t locked = follow->locked;

    suite_settle(suite);
    suite_hold(suite, "B23", follow->state == BET_UNIT_ROUND, " ");
    suite_refused(suite, "B13", REFUSED_STATE, BET_UNIT_LOCK, &locked, 1, "LOCK in a round");
    suite_refused(suite, "B41", REFUSED_STATE, BET_UNIT_LOCK, &locked, 1, "LOCK twice");
    suite_refused(suite, "B37", REFUSED_STATE, BET_UNIT_TEST_MODE, &off, 1, "TEST MODE in a round");
    suite_refused(suite, "B38", REFUSED_VALUE, WIRE_CLEAR_ERROR, &error, 1,
                  "CLEAR ERROR in a round");
    light(suite, locked);
    /* Seat 1 is lifted and seat 2 comes late. */
    place(suite, (uint8_t)((follow->chips & ~0x02) | 0x04), FOLLOW_TIME);
    hold_followed(suite, "B42");
    suite_settle(suite);
}

/* Seat 4 is placed as the round starts: what has not counted then is late. */
static void try_late(struct suite *suite)
{
    struct conform_unit_follow *follow = conform_unit_of(suite);
    bool was_placed = follow->placed & 0x10;

    if (!place(suite, follow->chips | 0x10, 0) || was_placed || !lock(suite, 0x8a))
        return;
    if (follow->placed & 0x10)
        return; /* it had counted already */
    suite_rest(suite, FOLLOW_TIME);
    suite_judge(suite);
    hold_followed(suite, "B42");
    if (follow->placed & 0x10 && !(follow->locked & 0x10))
        suite_hold(suite, "B14", follow->late & 0x10, "the wager of seat 4 is not told as late");
}

void conform_unit_try_round(struct suite *suite)
{
    struct conform_unit_follow *follow = conform_unit_of(suite);
    uint8_t open;

    if (follow->state != BET_UNIT_IDLE || !set_mode(suite, true))
        return;
    place(suite, 0x8a, FOLLOW_TIME);
    hold_followed(suite, "B42");
    suite_settle(suite);
    try_late(suite);
    if (follow->state != BET_UNIT_ROUND)
        lock(suite, 0x8a);
    if (follow->state == BET_UNIT_ROUND)
        try_in_round(suite);
    unlock(suite);
    open = (uint8_t)(0x02 & ~follow->placed);
    refuse_lock(suite, "B12", open, "LOCK of a seat whose wager was lifted");
    light(suite, 0);
    place(suite, 0, FOLLOW_TIME);
    hold_followed(suite, "B42");
    suite_settle(suite);
    place(suite, 0x20, FOLLOW_TIME);
    set_mode(suite, false);
    suite_rest(suite, FOLLOW_TIME);
    suite_judge(suite);
    hold_followed(suite, "B45");
    suite_settle(suite);
    suite_rest(suite, 9000);
    suite_settle(suite);
}

void conform_unit_restore(struct suite *suite)
{
    struct conform_unit_follow *follow = conform_unit_of(suite);

    if (follow->state == BET_UNIT_ROUND && suite_ask(suite, BET_UNIT_UNLOCK, NULL, 0) == 0) {
        suite_note(suite, BET_UNIT_UNLOCK, 0, 0, 0);
        follow->state = BET_UNIT_IDLE;
        follow->locked = 0;
    }
    if (follow->knows_lights) {
        suite_ask(suite, BET_UNIT_LIGHTS, &follow->was_lit, 1);
        follow->wrong &= (uint8_t) ~(follow->lights ^ follow->was_lit);
        follow->lights = follow->was_lit;
        follow->lights_at = suite_now(suite);
    }
    if (follow->test_mode != follow->was_test_mode || suite->is_ending)
        conform_unit_mode(suite, follow->was_test_mode);
    suite_rest(suite, FOLLOW_TIME);
    suite_judge(suite);
    follow->mode_changes = 0;
}
