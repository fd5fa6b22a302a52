/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A shuffler from state to state, with what each of them must refuse. */
#include "devices/conform/shuffler.h"
#include "hal/base/plural.h"

#define SHUFFLE_TIME 180000 /* milliseconds */
#define DEAL_TIME    60000
#define TAKE_TIME    90000
#define CLEAR_TRIES  120
#define MOMENT       500
#define RECOVERY     200 /* seconds */

int conform_shuffler_load(struct suite *suite)
{
    static const char *const ids[] = {"C19", "SH16", "SH25", "SH43", "SH44"};
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);
    card_t deck[DECK_SIZE];
    int status;

    suite_deck(deck);
    status = suite_ask(suite, SHUFFLER_LOAD_ORDER, deck, sizeof deck);
    for (unsigned i = 0; status == REFUSED_UNKNOWN && i < sizeof ids / sizeof ids[0]; i++)
        suite_not_offered(suite, ids[i], "the device does not know LOAD ORDER");
    if (status)
        return status;
    suite_hold(suite, "SH25",
               suite->reply.size == 2 &&
                   (follow->is_refused ||
                    wire_get16(suite->reply.payload) == (uint16_t)(follow->shuffle + 1)),
               "LOAD ORDER is for shuffle %u, and the last was %u",
               wire_get16(suite->reply.payload), follow->shuffle);
    memcpy(follow->order, deck, sizeof deck);
    follow->is_loaded = true;
    return 0;
}

static bool is_still(struct suite *suite, unsigned state)
{
    suite_judge(suite);
    return suite_ask(suite, WIRE_STATUS, NULL, 0) == 0 && suite->reply.payload[0] == state &&
           conform_shuffler_of(suite)->state == state && !suite->event_count;
}

/* Refused so in that state; where it has gone on meanwhile, nobody can tell. */
static void refuse_in(struct suite *suite, unsigned state, unsigned row, unsigned code)
{
    static const uint8_t narrow[] = {1, 1, 0}, wide[] = {0, 0, 1, 4}, on = 1;
    static const char *const names[] = {"PROGRAM",     "SHUFFLE",   "GREEN BUTTON",
                                        "RETURN DECK", "TEST MODE", "LOAD ORDER"};
    static const char *const ids[] = {"SH11", "SH12", "SH13", "SH14", "SH15", "SH16"};
    card_t deck[DECK_SIZE];
    const struct {
        const void *bytes;
        size_t size;
    } payloads[] = {{suite_is_second(suite) ? wide : narrow, suite_is_second(suite) ? 4 : 3},
                    {NULL, 0},
                    {NULL, 0},
                    {NULL, 0},
                    {&on, 1},
                    {deck, sizeof deck}};
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);
    int status;

    suite_deck(deck);
    suite_mark(suite);
    if (follow->is_lost || !is_still(suite, state))
        return;
    status = suite_ask(suite, (uint8_t)(SHUFFLER_PROGRAM + row), payloads[row].bytes,
                       payloads[row].size);
    if (suite->broken)
        return;
    /* It has gone on at the same time, and may have done what it was asked. */
    if ((unsigned)status != code && (suite->event_count || !is_still(suite, state))) {
        follow->is_lost = suite->is_muted = status == 0;
        return;
    }
    if (status == REFUSED_UNKNOWN) {
        suite_not_offered(suite, ids[row], "the device does not know this request");
        return;
    }
    suite_hold(suite, ids[row], (unsigned)status == code,
               "%s in state %u is %s%d, and not refused with %u", names[row], state,
               status ? "refused with " : "accepted: ", status, code);
    if (code == REFUSED_BUSY || code == REFUSED_ERROR || code == REFUSED_STATE)
        suite_hold(suite,
                   code == REFUSED_BUSY    ? "C17"
                   : code == REFUSED_ERROR ? "C16"
                                           : "C15",
                   (unsigned)status == code, "it is refused with %d", status);
}

void conform_shuffler_refuse_all_in(struct suite *suite,
                                    const struct conform_shuffler_refusals *refusals)
{
    static const uint8_t error = 99;

    for (unsigned row = 0; row < 6; row++)
        if (refusals->codes[row])
            refuse_in(suite, refusals->state, row, refusals->codes[row]);
    if (is_still(suite, refusals->state))
        suite_refused(suite, "SH17", REFUSED_VALUE, WIRE_CLEAR_ERROR, &error, 1,
                      "CLEAR ERROR of an error that is not pending");
    suite_hold(suite, "SH10", suite_try(suite, WIRE_IDENTITY, NULL, 0) == 0,
               "IDENTITY is refused in state %u", refusals->state);
}

/* What is pending is cleared, once everything was tried that it keeps from being done. */
static bool clear(struct suite *suite)
{
    static const struct conform_shuffler_refusals error = {SHUFFLER_ERROR, {5, 5, 5, 5, 5, 5}};
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);
    uint8_t code = follow->error;
    bool is_open = code == SHUFFLER_DOOR_OPEN || code == SHUFFLER_COVER_OPEN;
    int status = REFUSED_STATE;

    suite_settle(suite);
    if (suite->conform->asks && is_open)
        suite->conform->asks(suite->conform->context, "close the door or the cover");
    conform_shuffler_refuse_all_in(suite, &error);
    for (unsigned i = 0; i < CLEAR_TRIES && status == REFUSED_STATE && !suite->broken; i++) {
        suite_mark(suite);
        status = suite_ask(suite, WIRE_CLEAR_ERROR, &code, 1);
        suite_hold(suite, "SH17", status == 0 || (is_open && status == REFUSED_STATE),
                   "CLEAR ERROR %u is refused with %d", code, status);
        if (status)
            suite_rest(suite, MOMENT);
    }
    if (status)
        return false;
    suite_hold(suite, "SH9", suite->reply.size == 0, "the reply to CLEAR ERROR has %u byte%s",
               suite->reply.size, plural(suite->reply.size));
    suite_rest(suite, 100);
    suite_judge(suite);
    return suite_hold(suite, "SH52", !follow->error, "FAULT CLEARED does not come") ||
           (follow->error = 0, false);
}

static bool is_ready_or_error(struct suite *suite)
{
    unsigned state = conform_shuffler_of(suite)->state;

    return state == SHUFFLER_READY || state == SHUFFLER_ERROR || state == SHUFFLER_IDLE ||
           conform_shuffler_of(suite)->is_lost;
}

/* SHUFFLE and what follows until the deck is ready; false where it never is. */
bool conform_shuffler_shuffle(struct suite *suite)
{
    static const struct conform_shuffler_refusals shuffling = {SHUFFLER_SHUFFLING,
                                                               {6, 6, 6, 6, 6, 6}};
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);
    uint16_t number;

    for (unsigned i = 0; i < 4 && !suite->broken; i++) {
        if (follow->state != SHUFFLER_SHUFFLING) {
            if (!suite_done(suite, "SH12", SHUFFLER_SHUFFLE, NULL, 0, 2, "SHUFFLE"))
                return false;
            number = (uint16_t)wire_get16(suite->reply.payload);
            suite_hold(suite, "SH21", suite->reply.size == 2, "the reply to SHUFFLE is wrong");
            suite_hold(suite, "SH29",
                       number == (uint16_t)(follow->shuffle + 1) ||
                           (follow->is_refused && number == follow->shuffle),
                       "SHUFFLE has the number %u, and the last was %u", number, follow->shuffle);
            follow->shuffle = number;
            follow->is_refused = false;
            follow->state = SHUFFLER_SHUFFLING;
            suite_rest(suite, MOMENT);
            suite_judge(suite);
            if (follow->state == SHUFFLER_SHUFFLING)
                conform_shuffler_refuse_all_in(suite, &shuffling);
        }
        suite_mark(suite);
        if (!suite_await(suite, is_ready_or_error, SHUFFLE_TIME))
            return suite_hold(suite, "SH4", suite->broken, "SHUFFLED does not come in %d s",
                              SHUFFLE_TIME / 1000);
        if (follow->state == SHUFFLER_READY || follow->is_lost)
            return follow->state == SHUFFLER_READY;
        if (follow->state == SHUFFLER_ERROR && !clear(suite))
            return false;
    }
    return false;
}

/* RETURN DECK in a state where it is possible. */
void conform_shuffler_give_back(struct suite *suite)
{
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);

    suite_settle(suite);
    if (!suite_done(suite, "SH14", SHUFFLER_RETURN_DECK, NULL, 0, 0, "RETURN DECK"))
        return;
    suite_hold(suite, "SH23", suite->reply.size == 0, "the reply to RETURN DECK is wrong");
    follow->state = SHUFFLER_IDLE;
    follow->dealt = 0;
    follow->is_exchanged = true;
    suite_settle(suite);
}

/* One step on the way to idle; true when it is there. */
static bool move_to_idle(struct suite *suite, bool is_first)
{
    uint8_t state, error;

    if (suite_ask(suite, WIRE_STATUS, NULL, 0) != 0)
        return false;
    state = suite->reply.payload[0];
    error = suite->reply.payload[1];
    if (state == SHUFFLER_IDLE)
        return true;
    if (state == SHUFFLER_ERROR)
        suite_ask(suite, WIRE_CLEAR_ERROR, &error, 1);
    else if (state == SHUFFLER_READY || state == SHUFFLER_WAITING)
        suite_ask(suite, SHUFFLER_RETURN_DECK, NULL, 0);
    if (state == SHUFFLER_PRESENT && is_first && suite->conform->asks)
        suite->conform->asks(suite->conform->context, "take the packet from the exit");
    suite_rest(suite, 1000);
    return false;
}

/* To idle, whatever has happened, and what comes on the way is not judged; false where that takes
 * somebody. */
bool conform_shuffler_recover(struct suite *suite)
{
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);
    bool is_idle = false;

    suite_judge(suite);
    if (follow->state == SHUFFLER_IDLE && !follow->is_lost && !suite->is_ending)
        return true;
    suite->is_old = true;
    for (unsigned i = 0; i < RECOVERY && !is_idle && !suite->broken; i++)
        is_idle = move_to_idle(suite, i == 0);
    suite_judge(suite);
    if (is_idle)
        conform_shuffler_follow_status(follow, suite->reply.payload);
    suite_read_log(suite);
    suite->note_count = suite->stray_count = 0;
    suite->is_old = suite->is_muted = false;
    return is_idle;
}

static bool has_moved(struct suite *suite)
{
    unsigned state = conform_shuffler_of(suite)->state;

    return state != SHUFFLER_DEALING || conform_shuffler_of(suite)->is_lost;
}

static bool is_taken(struct suite *suite)
{
    return conform_shuffler_of(suite)->state != SHUFFLER_PRESENT ||
           conform_shuffler_of(suite)->is_lost;
}

/* The button, and all packets that follow by themselves; false where that did not come to an end.
 */
bool conform_shuffler_deal(struct suite *suite)
{
    static const struct conform_shuffler_refusals dealing = {SHUFFLER_DEALING, {6, 6, 6, 6, 6, 6}};
    static const struct conform_shuffler_refusals present = {SHUFFLER_PRESENT, {4, 4, 4, 4, 4, 4}};
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);

    if (!suite_done(suite, "SH13", SHUFFLER_BUTTON, NULL, 0, 0, "GREEN BUTTON"))
        return false;
    suite_hold(suite, "SH22", suite->reply.size == 0, "the reply to GREEN BUTTON has bytes");
    suite_note(suite, SHUFFLER_BUTTON_PRESSED, 0, 0, 0);
    follow->state = SHUFFLER_DEALING;
    suite_hold(suite, "C9", suite_repeat(suite) == 0,
               "GREEN BUTTON is said again under its number, and refused");
    while (!suite->broken && !follow->is_lost && follow->state != SHUFFLER_WAITING) {
        unsigned state = follow->state;

        if (state == SHUFFLER_ERROR && !clear(suite))
            return false;
        if (state == SHUFFLER_DEALING) {
            conform_shuffler_refuse_all_in(suite, &dealing);
            suite_mark(suite);
            if (!suite_await(suite, has_moved, DEAL_TIME))
                return suite_hold(suite, "SH6", suite->broken, "no packet comes in %d s",
                                  DEAL_TIME / 1000);
        } else if (state == SHUFFLER_PRESENT) {
            conform_shuffler_refuse_all_in(suite, &present);
            if (suite->conform->asks && follow->state == state)
                suite->conform->asks(suite->conform->context, "take the packet from the exit");
            suite_peek_log(suite);
            suite_mark(suite);
            if (!suite_await(suite, is_taken, TAKE_TIME))
                return false;
        } else if (state != SHUFFLER_ERROR) {
            return false;
        }
    }
    return !suite->broken && !follow->is_lost;
}
