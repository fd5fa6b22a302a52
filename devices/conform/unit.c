/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A bet sensor unit as its events tell it, and what they are held against. */
#include "devices/conform/unit.h"
#include "hal/base/plural.h"

#define ON_PINS  "it is of lines on pins; a unit's lines are inside it"
#define NO_LOSS  "it takes a loss of power, and none happened"
#define TOO_SOON (5 * CONFORM_MS) /* no level has stood for so little */

static bool begin(struct suite *suite, struct error *error)
{
    struct conform_unit_follow *follow = conform_unit_of(suite);
    const uint8_t *status = suite->reply.payload;

    if (suite_ask(suite, WIRE_STATUS, NULL, 0) != 0 || suite->reply.size != 6) {
        error_set(error, ERROR_DEVICE, "%s: STATUS has no answer of a bet sensor unit",
                  suite->link->address);
        return false;
    }
    if (status[0] != BET_UNIT_IDLE) {
        error_set(error, ERROR_DEVICE,
                  "%s: the unit is in a round: end it first, 'dealproof reset' does it",
                  suite->link->address);
        return false;
    }
    *follow = (struct conform_unit_follow){.state = status[0],
                                           .test_mode = status[2] & 1,
                                           .was_test_mode = status[2] & 1,
                                           .placed = status[3],
                                           .locked = status[4],
                                           .was_lit = status[5]};
    return true;
}

static const char *log_clause(unsigned code)
{
    return code == BET_UNIT_LOCK || code == BET_UNIT_UNLOCK ? "B61" : "B60";
}

static void take_wager(struct suite *suite, const struct frame *event, nanos_t time)
{
    struct conform_unit_follow *follow = conform_unit_of(suite);
    uint8_t seat = event->payload[0], bit = (uint8_t)(1u << seat);
    bool comes = event->type == BET_UNIT_PLACED || event->type == BET_UNIT_LATE;
    bool is_locked = follow->locked & bit, is_round = follow->state == BET_UNIT_ROUND;
    uint8_t type = comes       ? (is_round ? BET_UNIT_LATE : BET_UNIT_PLACED)
                   : is_locked ? BET_UNIT_LIFTED_LOCKED
                               : BET_UNIT_LIFTED;

    suite_hold(suite, "B55", !(follow->placed & bit) == comes,
               "seat %u: a wager %s, and the last one %s too", seat, comes ? "comes" : "goes",
               comes ? "came" : "went");
    suite_hold(suite,
               is_locked ? "B12"
               : comes   ? "B10"
                         : "B11",
               event->type == type, "seat %u: event 0x%02x comes where 0x%02x ought to", seat,
               event->type, type);
    suite_hold(suite, "B17", event->type == type, "event 0x%02x comes, and not 0x%02x", event->type,
               type);
    if (follow->wager_at[seat])
        suite_hold(suite, "B7", time - follow->wager_at[seat] >= TOO_SOON,
                   "seat %u: a wager comes and goes within %lld us", seat,
                   (long long)((time - follow->wager_at[seat]) / 1000));
    follow->wager_at[seat] = time;
    follow->placed = (uint8_t)(comes ? follow->placed | bit : follow->placed & ~bit);
    if (event->type == BET_UNIT_LATE)
        follow->late |= bit;
}

static void take_lamp(struct suite *suite, const uint8_t *at)
{
    struct conform_unit_follow *follow = conform_unit_of(suite);
    uint8_t bit = (uint8_t)(1u << at[0]);

    if (!follow->knows_lights)
        return;
    suite_hold(suite, "B50", at[1] != !!(follow->lights & bit),
               "LAMP tells seat %u as %s, which it was told to be", at[0], at[1] ? "lit" : "dark");
    suite_hold(suite, "B20", !(follow->wrong & bit) || suite->power_losses,
               "the lamp of seat %u is told twice", at[0]);
    follow->wrong |= bit;
}

static void take_stuck(struct suite *suite, const uint8_t *at)
{
    struct conform_unit_follow *follow = conform_unit_of(suite);
    uint8_t bit = (uint8_t)(1u << at[0]);

    suite_hold(suite, "B51", at[1] != !!(follow->chips & bit),
               "STUCK tells seat %u as %u, and its actuator is %s", at[0], at[1],
               at[1] ? "out" : "back");
    suite_hold(suite, at[1] ? "B19" : "B18", at[1] == !!(follow->placed & bit),
               "STUCK tells seat %u as %u, and by the events it %s a wager", at[0], at[1],
               follow->placed & bit ? "has" : "has not");
    follow->stuck |= bit;
}

static void take_mode(struct suite *suite, const uint8_t *at)
{
    struct conform_unit_follow *follow = conform_unit_of(suite);

    suite_mode_told(suite, "B52", at[0], follow->test_mode, &follow->mode_changes);
}

static void hold_status(struct suite *suite, const char *id, const uint8_t *at)
{
    struct conform_unit_follow *follow = conform_unit_of(suite);
    uint8_t lit = follow->knows_lights ? follow->lights ^ follow->wrong : follow->was_lit;

    suite_hold(suite, id,
               at[0] == follow->state && at[3] == follow->placed && at[4] == follow->locked,
               "state %u, placed %02x, locked %02x; by the events it is %u, %02x, %02x", at[0],
               at[3], at[4], follow->state, follow->placed, follow->locked);
    suite_hold(suite, "B25", at[1] == 0, "the error byte is %u", at[1]);
    suite_hold(suite, "B44", at[2] == follow->test_mode, "the flags are %02x, and test mode is %s",
               at[2], follow->test_mode ? "on" : "off");
    suite_hold(suite, "B22", !((at[3] | at[4] | at[5]) & 1), "bit 0 of a set of seats is set");
    if (suite_now(suite) - follow->lights_at > LAMP_TIME * CONFORM_MS)
        suite_hold(suite, "B9", at[5] == lit, "lamps %02x are lit, and by LIGHTS and LAMP %02x are",
                   at[5], lit);
}

static void take_power_up(struct suite *suite, const uint8_t *at)
{
    suite_power_up(suite);
    hold_status(suite, "B56", at);
    suite_hold(suite, "B57", true, " ");
    if (suite_is_second(suite))
        suite_hold(suite, "VB2", true, " ");
    conform_unit_of(suite)->wrong = conform_unit_of(suite)->stuck = 0;
    conform_unit_of(suite)->lights_at = suite_now(suite);
}

static bool has_size(struct suite *suite, const struct frame *event)
{
    static const struct conform_size sizes[] = {{1, "B46"}, {1, "B47"}, {1, "B48"}, {1, "B49"},
                                                {2, "B50"}, {2, "B51"}, {1, "B52"}, {6, "B53"}};

    return suite_sized(suite, event, sizes, sizeof sizes / sizeof sizes[0], 0);
}

static void take_event(struct suite *suite, const struct frame *event, nanos_t time)
{
    const uint8_t *at = event->payload;
    bool has_seat = event->type < BET_UNIT_TEST_MODE_CHANGED;

    if (!has_size(suite, event))
        return;
    if (event->type == BET_UNIT_POWER_UP)
        suite_note(suite, event->type, at[0], at[4], time);
    else
        suite_note(suite, event->type, at[0], event->size > 1 ? at[1] : 0, time);
    if (has_seat &&
        !suite_hold(suite, "B16", at[0] >= 1 && at[0] <= 7, "an event is of seat %u", at[0]))
        return;
    if (event->type <= BET_UNIT_LIFTED_LOCKED)
        take_wager(suite, event, time);
    else if (event->type == BET_UNIT_LAMP)
        take_lamp(suite, at);
    else if (event->type == BET_UNIT_STUCK)
        take_stuck(suite, at);
    else if (event->type == BET_UNIT_TEST_MODE_CHANGED)
        take_mode(suite, at);
    else
        take_power_up(suite, at);
}

static void take_status(struct suite *suite, const struct frame *reply)
{
    if (suite_hold(suite, "B26", reply->size == 6, "the reply to STATUS has %u byte%s, not 6",
                   reply->size, plural(reply->size)))
        hold_status(suite, "B26", reply->payload);
}

static unsigned known_state(struct suite *suite)
{
    return conform_unit_of(suite)->state;
}

static const struct conform_kind unit_kind = {
    .name = "sensors",
    .class = FRAME_BET_SENSOR,
    .size = sizeof(struct conform_unit_follow),
    .begin = begin,
    .event = take_event,
    .status = take_status,
    .state = known_state,
    .firm = 5, /* a lamp takes its time */
    .log_clause = log_clause,
    .status_clause = "B26",
    .mode = conform_unit_mode,
    .restore = conform_unit_restore,
};
REGISTER(conform_kinds, unit_kind);

#define IDLE   conform_unit_try_idle, NULL
#define LIGHTS conform_unit_try_lights, NULL
#define ROUND  conform_unit_try_round, NULL

static const struct conform_clause clauses[] = {
    {"B1", NULL, ON_PINS},
    {"B2", NULL, ON_PINS},
    {"B3", NULL, ON_PINS},
    {"B4", NULL, ON_PINS},
    {"B5", NULL, ON_PINS},
    {"B6", NULL, "it binds the host"},
    {"B7", ROUND},
    {"B8", ROUND},
    {"B9", LIGHTS},
    {"B10", ROUND},
    {"B11", ROUND},
    {"B12", ROUND},
    {"B13", ROUND},
    {"B14", ROUND},
    {"B15", NULL, ON_PINS},
    {"B16", ROUND},
    {"B17", ROUND},
    {"B18", conform_unit_try_round, "no sensor failed to see a wager"},
    {"B19", conform_unit_try_round, "no sensor saw a wager that was taken back"},
    {"B20", conform_unit_try_lights, "no lamp was wrong"},
    {"B21", NULL, ON_PINS},
    {"B22", IDLE},
    {"B23", ROUND},
    {"B24", ROUND},
    {"B25", IDLE},
    {"B26", IDLE},
    {"B27", ROUND},
    {"B28", ROUND},
    {"B29", LIGHTS},
    {"B30", ROUND},
    {"B31", IDLE},
    {"B32", IDLE},
    {"B33", IDLE},
    {"B34", LIGHTS},
    {"B35", ROUND},
    {"B36", IDLE},
    {"B37", IDLE},
    {"B38", IDLE},
    {"B39", IDLE},
    {"B40", IDLE},
    {"B41", ROUND},
    {"B42", ROUND},
    {"B43", NULL, "it is a check of a run, beside what a bench has placed"},
    {"B44", IDLE},
    {"B45", ROUND},
    {"B46", ROUND},
    {"B47", ROUND},
    {"B48", ROUND},
    {"B49", ROUND},
    {"B50", conform_unit_try_lights, "no lamp was wrong"},
    {"B51", conform_unit_try_round, "no sensor was stuck"},
    {"B52", IDLE},
    {"B53", conform_unit_try_round, NO_LOSS},
    {"B54", NULL, "how many events a unit has room for is its own business"},
    {"B55", ROUND},
    {"B56", conform_unit_try_round, NO_LOSS},
    {"B57", conform_unit_try_round, NO_LOSS},
    {"B58", NULL, "an event that comes twice after a loss of power is allowed, and not asked for"},
    {"B59", NULL, NO_LOSS},
    {"B60", IDLE},
    {"B61", ROUND},
    {"B62", conform_unit_try_idle, "the log has fewer than 256 entries"},
};
static const struct conform_chapter unit_chapter =
    CONFORM_CHAPTER("unit", FRAME_BET_SENSOR, clauses);
REGISTER(conform_chapters, unit_chapter);

/* The same round, in version 2. */
static void try_second(struct suite *suite)
{
    suite_settle(suite);
    suite_hold(suite, "VB1", suite->status.size == 6,
               "STATUS has %u byte%s beside log and clocks, not 6", suite->status.size,
               plural(suite->status.size));
    conform_unit_try_idle(suite);
    conform_unit_try_round(suite);
}

static const struct conform_clause second[] = {
    {"VB1", try_second, NULL},
    {"VB2", try_second, NO_LOSS},
};
static const struct conform_chapter second_chapter =
    CONFORM_CHAPTER_2("unit of version 2", FRAME_BET_SENSOR, second);
REGISTER(conform_chapters, second_chapter);
