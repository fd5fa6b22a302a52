/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is tried on a shuffler: refusals by state, programs, shuffles, rounds. */
#include <stdio.h>

#include "devices/conform/shuffler.h"

#define SHUFFLE_TIME 180000 /* milliseconds */
#define DEAL_TIME    60000
#define TAKE_TIME    90000
#define CLEAR_TRIES  120
#define MOMENT       500
#define RECOVERY     200 /* seconds */

static const card_t *deck(void)
{
    static card_t cards[DECK_SIZE];

    for (unsigned i = 0; i < DECK_SIZE; i++)
        cards[i] = card_make(i * 5 % 13, i % 4);
    return cards;
}

int conform_shuffler_mode(struct suite *suite, bool on)
{
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);
    const uint8_t payload = on;
    int status = suite_ask(suite, SHUFFLER_TEST_MODE, &payload, 1);
    const uint8_t *at = suite->reply.payload;

    suite_hold(suite, "SH15", status <= REFUSED_UNKNOWN, "TEST MODE is refused with %d while idle",
               status);
    if (status)
        return status;
    if (suite_hold(suite, "SH24", suite->reply.size == 3 && at[0] == on,
                   "the reply to TEST MODE has %u bytes", suite->reply.size) &&
        on != follow->test_mode && !follow->is_refused)
        suite_hold(suite, "SH29", wire_get16(at + 1) == (uint16_t)(follow->shuffle + 1),
                   "TEST MODE counts from shuffle %u on, and the last was %u", wire_get16(at + 1),
                   follow->shuffle);
    follow->mode_changes += follow->test_mode != on;
    follow->test_mode = on;
    follow->is_loaded = follow->is_loaded && on;
    return 0;
}

/* TEST MODE, and everything that announces it. */
static bool set_mode(struct suite *suite, bool on)
{
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);
    int status;

    suite_mark(suite);
    status = conform_shuffler_mode(suite, on);
    if (status == REFUSED_UNKNOWN)
        return false;
    suite_hold(suite, "SH15", status == 0, "TEST MODE is refused with %d in state idle", status);
    suite_rest(suite, 300);
    suite_judge(suite);
    suite_hold(suite, "SH41", !follow->mode_changes, "TEST MODE %u is not announced by its event",
               on);
    follow->mode_changes = 0;
    suite_settle(suite);
    return status == 0;
}

static int load(struct suite *suite)
{
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);
    int status = suite_ask(suite, SHUFFLER_LOAD_ORDER, deck(), DECK_SIZE);

    if (status)
        return status;
    suite_hold(suite, "SH25",
               suite->reply.size == 2 &&
                   (follow->is_refused ||
                    wire_get16(suite->reply.payload) == (uint16_t)(follow->shuffle + 1)),
               "LOAD ORDER is for shuffle %u, and the last was %u",
               wire_get16(suite->reply.payload), follow->shuffle);
    memcpy(follow->order, deck(), DECK_SIZE);
    follow->is_loaded = true;
    return 0;
}

static void try_mode(struct suite *suite)
{
    const uint8_t two = 2, on = 1;
    card_t cards[DECK_SIZE];

    suite_refused(suite, "SH24", REFUSED_VALUE, SHUFFLER_TEST_MODE, &two, 1, "TEST MODE 2");
    suite_refused(suite, "C13", REFUSED_LENGTH, SHUFFLER_TEST_MODE, NULL, 0,
                  "TEST MODE without a byte");
    suite_refused(suite, "SH16", REFUSED_TEST_MODE, SHUFFLER_LOAD_ORDER, deck(), DECK_SIZE,
                  "LOAD ORDER outside test mode");
    suite_hold(suite, "C19", suite->reply.payload[1] == REFUSED_TEST_MODE, "it is refused with %u",
               suite->reply.payload[1]);
    if (!set_mode(suite, on))
        return;
    suite_hold(suite, "SH15", conform_shuffler_mode(suite, true) == 0,
               "TEST MODE on again is refused");
    suite_hold(suite, "M2", suite_greet(suite, (uint32_t)suite_now(suite)) == 0,
               "HELLO is not answered");
    suite_hold(suite, "SH41", suite->hello[1] == 1, "HELLO has the flags %02x in test mode",
               suite->hello[1]);
    suite_settle(suite);
    memcpy(cards, deck(), sizeof cards);
    suite_refused(suite, "SH25", REFUSED_LENGTH, SHUFFLER_LOAD_ORDER, cards, DECK_SIZE - 1,
                  "LOAD ORDER of 51 cards");
    cards[1] = cards[0];
    suite_refused(suite, "SH25", REFUSED_VALUE, SHUFFLER_LOAD_ORDER, cards, DECK_SIZE,
                  "LOAD ORDER with a card twice");
    cards[1] = 0x0d;
    suite_refused(suite, "SH25", REFUSED_VALUE, SHUFFLER_LOAD_ORDER, cards, DECK_SIZE,
                  "LOAD ORDER with 0x0d, which is no card,");
    suite_mark(suite);
    suite_hold(suite, "SH16", load(suite) == 0, "LOAD ORDER is refused in test mode");
    set_mode(suite, false);
}

void conform_shuffler_try_idle(struct suite *suite)
{
    static const char *const ids[] = {"SH15", "SH16", "SH24", "SH25", "SH29", "SH41",
                                      "SH43", "SH44", "SH45", "SH53", "SH76"};
    const uint8_t off = 0, one = 1;

    suite_settle(suite);
    suite_mark(suite);
    for (uint8_t type = WIRE_IDENTITY; type <= WIRE_STATUS; type++)
        suite_hold(suite, "SH10", suite_ask(suite, type, NULL, 0) == 0,
                   "request 0x%02x is refused in state idle", type);
    suite_refused(suite, "SH13", REFUSED_STATE, SHUFFLER_BUTTON, NULL, 0,
                  "GREEN BUTTON in state idle");
    suite_hold(suite, "C15", suite->reply.payload[1] == REFUSED_STATE, "it is refused with %u",
               suite->reply.payload[1]);
    suite_refused(suite, "SH17", REFUSED_VALUE, WIRE_CLEAR_ERROR, &one, 1,
                  "CLEAR ERROR in state idle");
    suite_mark(suite);
    if (suite_try(suite, SHUFFLER_TEST_MODE, &off, 1) == REFUSED_UNKNOWN) {
        for (unsigned i = 0; i < sizeof ids / sizeof ids[0]; i++)
            suite_not_offered(suite, ids[i], "the device does not know TEST MODE");
        return;
    }
    if (conform_shuffler_of(suite)->test_mode)
        set_mode(suite, conform_shuffler_of(suite)->test_mode = true);
    set_mode(suite, false);
    try_mode(suite);
    suite_oldest(suite, "SH79", "SH80", 256);
}

struct program {
    const char *id, *what;
    uint8_t payload[10], size;
    uint8_t packets, draws; /* 0 packets: it is refused, */
    uint8_t refusal;        /* so */
    uint8_t sizes[8];
};

/* Sends it, and follows what counts then. */
static void send_program(struct suite *suite, const struct program *program)
{
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);

    if (!program->packets) {
        suite_refused(suite, program->id, program->refusal, SHUFFLER_PROGRAM, program->payload,
                      program->size, program->what);
        return;
    }
    if (!suite_done(suite, "SH11", SHUFFLER_PROGRAM, program->payload, program->size, 2,
                    program->what))
        return;
    suite_hold(suite, "SH20", suite->reply.size == 2, "the reply has %u bytes", suite->reply.size);
    suite_hold(suite, program->id,
               suite->reply.payload[0] == program->packets &&
                   suite->reply.payload[1] == program->draws,
               "%s has %u packets and %u draws, not %u and %u", program->what,
               suite->reply.payload[0], suite->reply.payload[1], program->packets, program->draws);
    follow->program = program->payload[0];
    follow->packets = program->packets;
    follow->draws = program->draws;
    memcpy(follow->sizes, program->sizes, sizeof program->sizes);
    follow->is_programmed = true;
}

void conform_shuffler_try_programs(struct suite *suite)
{
    static const struct program programs[] = {
        {"SH32", "Flush Rush, 2 hands", {1, 2, 0}, 3, 3, 0, 0, {4, 4, 4}},
        {"SH33", "3 Card Catch, 3 hands", {2, 3, 0}, 3, 3, 3, 0, {3, 3, 3}},
        {"SH34", "Chase the Flush, 2 hands", {3, 2, 0}, 3, 3, 0, 0, {3, 3, 4}},
        {"SH35", "Flush Rush, 1 hand, burn 2", {1, 1, 2}, 3, 3, 0, 0, {2, 4, 4}},
        {"SH31", "custom 5 and 2, burn 1", {0, 0, 1, 2, 5, 2}, 6, 3, 0, 0, {1, 5, 2}},
        {"SH36", "a program without a packet", {0, 0, 1, 0}, 4, 0, 0, 3, {0}},
        {"SH36", "a program with an empty packet", {0, 0, 0, 2, 4, 0}, 6, 0, 0, 3, {0}},
        {"SH36", "a program of 56 cards", {1, 13, 0}, 3, 0, 0, 3, {0}},
        {"SH36", "a program of 53 cards", {0, 0, 3, 2, 25, 25}, 6, 0, 0, 3, {0}},
        {"SH36", "packets and draws of 56 cards", {2, 14, 0}, 3, 0, 0, 3, {0}},
        {"SH31", "custom with hands", {0, 1, 0, 1, 4}, 5, 0, 0, 3, {0}},
        {"SH36", "Flush Rush without a hand", {1, 0, 0}, 3, 0, 0, 3, {0}},
        {"SH20", "program 4", {4, 1, 0}, 3, 0, 0, 3, {0}},
        {"SH18", "program 4 with a byte too many", {4, 1, 0, 0}, 4, 0, 0, 2, {0}},
        {"SH20", "a custom program that is cut", {0, 0, 0, 2, 4}, 5, 0, 0, 2, {0}},
    };

    for (unsigned i = 0; i < sizeof programs / sizeof programs[0]; i++)
        send_program(suite, &programs[i]);
    suite_settle(suite);
}

/* The requests of a state, each with the code of its refusal there; 0: it is possible. */
struct refusals {
    uint8_t state;
    uint8_t codes[6]; /* PROGRAM, SHUFFLE, GREEN BUTTON, RETURN DECK, TEST MODE, LOAD ORDER */
};

static bool is_still(struct suite *suite, unsigned state)
{
    suite_judge(suite);
    return suite_ask(suite, WIRE_STATUS, NULL, 0) == 0 && suite->reply.payload[0] == state &&
           conform_shuffler_of(suite)->state == state && !suite->event_count;
}

/* Refused so in that state; where it has gone on meanwhile, nobody can tell. */
static void refuse_in(struct suite *suite, unsigned state, unsigned row, unsigned code)
{
    static const uint8_t program[] = {1, 1, 0}, on = 1;
    static const char *const names[] = {"PROGRAM",     "SHUFFLE",   "GREEN BUTTON",
                                        "RETURN DECK", "TEST MODE", "LOAD ORDER"};
    static const char *const ids[] = {"SH11", "SH12", "SH13", "SH14", "SH15", "SH16"};
    const struct {
        const void *bytes;
        size_t size;
    } payloads[] = {{program, 3}, {NULL, 0}, {NULL, 0}, {NULL, 0}, {&on, 1}, {deck(), DECK_SIZE}};
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);
    int status;

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

static void refuse_all_in(struct suite *suite, const struct refusals *refusals)
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
    static const struct refusals error = {SHUFFLER_ERROR, {5, 5, 5, 5, 5, 5}};
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);
    uint8_t code = follow->error;
    bool is_open = code == SHUFFLER_DOOR_OPEN || code == SHUFFLER_COVER_OPEN;
    int status = REFUSED_STATE;

    suite_settle(suite);
    if (suite->conform->asks && is_open)
        suite->conform->asks(suite->conform->context, "close the door or the cover");
    refuse_all_in(suite, &error);
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
    suite_hold(suite, "SH9", suite->reply.size == 0, "the reply to CLEAR ERROR has %u bytes",
               suite->reply.size);
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
static bool shuffle(struct suite *suite)
{
    static const struct refusals shuffling = {SHUFFLER_SHUFFLING, {6, 6, 6, 6, 6, 6}};
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
                refuse_all_in(suite, &shuffling);
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
static void give_back(struct suite *suite)
{
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);

    suite_settle(suite);
    if (!suite_done(suite, "SH14", SHUFFLER_RETURN_DECK, NULL, 0, 0, "RETURN DECK"))
        return;
    suite_hold(suite, "SH23", suite->reply.size == 0, "the reply to RETURN DECK is wrong");
    follow->state = SHUFFLER_IDLE;
    follow->dealt = 0;
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
static bool recover(struct suite *suite)
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

void conform_shuffler_try_shuffles(struct suite *suite)
{
    static const struct refusals ready = {SHUFFLER_READY, {0, 0, 0, 0, 4, 4}};
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);
    bool has_mode = conform_shuffler_mode(suite, true) == 0;

    suite_settle(suite);
    follow->mode_changes = 0;
    suite_hold(suite, "SH3", follow->state == SHUFFLER_IDLE, "it is in state %u", follow->state);
    if (has_mode)
        load(suite);
    if (shuffle(suite)) {
        refuse_all_in(suite, &ready);
        suite_settle(suite);
        suite_hold(suite, "SH5", shuffle(suite), "SHUFFLE in state ready does nothing");
        give_back(suite);
    }
    if (has_mode && !suite->broken) {
        load(suite);
        set_mode(suite, false);
        set_mode(suite, true);
        suite_mark(suite);
        if (shuffle(suite))
            suite_hold(suite, "SH43", !(follow->last[0].payload[3] & SHUFFLER_FLAG_LOADED),
                       "an order that was loaded before test mode ended is dealt after it");
        give_back(suite);
        set_mode(suite, false);
    }
    recover(suite);
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
static bool deal(struct suite *suite)
{
    static const struct refusals dealing = {SHUFFLER_DEALING, {6, 6, 6, 6, 6, 6}};
    static const struct refusals present = {SHUFFLER_PRESENT, {4, 4, 4, 4, 4, 4}};
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
            refuse_all_in(suite, &dealing);
            suite_mark(suite);
            if (!suite_await(suite, has_moved, DEAL_TIME))
                return suite_hold(suite, "SH6", suite->broken, "no packet comes in %d s",
                                  DEAL_TIME / 1000);
        } else if (state == SHUFFLER_PRESENT) {
            refuse_all_in(suite, &present);
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

/* A whole round: all packets, a draw, and back. */
static void play(struct suite *suite, const struct program *program, bool is_loaded)
{
    static const struct refusals waiting = {SHUFFLER_WAITING, {4, 4, 0, 0, 4, 4}};
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);

    send_program(suite, program);
    if (is_loaded)
        load(suite);
    if (!shuffle(suite))
        return;
    suite_settle(suite);
    if (!deal(suite))
        return;
    suite_settle(suite);
    suite_hold(suite, "SH37", follow->taken == follow->packets,
               "%u packets were taken of %u that follow each other", follow->taken,
               follow->packets);
    suite_hold(suite, "SH8", follow->state == SHUFFLER_WAITING, "it is in state %u", follow->state);
    refuse_all_in(suite, &waiting);
    if (follow->draws && deal(suite)) {
        suite_settle(suite);
        suite_hold(suite, "SH38", follow->taken == follow->packets + 1, "no draw came");
    }
    if (!follow->draws)
        suite_refused(suite, "SH13", REFUSED_STATE, SHUFFLER_BUTTON, NULL, 0,
                      "GREEN BUTTON where no draw is left");
    give_back(suite);
}

void conform_shuffler_try_round(struct suite *suite)
{
    static const struct program catch = {
        "SH33", "3 Card Catch, 2 hands, burn 2", {2, 2, 2}, 3, 3, 2, 0, {2, 3, 3}};
    static const struct program whole = {
        "SH31", "a whole deck", {0, 0, 0, 4, 13, 13, 13, 13}, 8, 4, 0, 0, {13, 13, 13, 13}};

    if (!suite->conform->hands)
        return;
    if (conform_shuffler_mode(suite, true) == 0) {
        suite_settle(suite);
        conform_shuffler_of(suite)->mode_changes = 0;
        play(suite, &catch, true);
        recover(suite);
        set_mode(suite, false);
    }
    play(suite, &whole, false);
    recover(suite);
    suite_settle(suite);
}

void conform_shuffler_restore(struct suite *suite)
{
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);

    if (!recover(suite))
        return;
    suite_mark(suite);
    if (follow->test_mode != follow->was_test_mode)
        conform_shuffler_mode(suite, follow->was_test_mode);
    suite_rest(suite, 300);
    suite_judge(suite);
    follow->mode_changes = 0;
}
