/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is tried on a shuffler: test mode, programs, shuffles, rounds. */
#include "devices/conform/shuffler.h"
#include "hal/base/plural.h"

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
                   "the reply to TEST MODE has %u byte%s", suite->reply.size,
                   plural(suite->reply.size)) &&
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

static void try_mode(struct suite *suite)
{
    const uint8_t two = 2, on = 1;
    card_t cards[DECK_SIZE];

    suite_refused(suite, "SH24", REFUSED_VALUE, SHUFFLER_TEST_MODE, &two, 1, "TEST MODE 2");
    suite_refused(suite, "C13", REFUSED_LENGTH, SHUFFLER_TEST_MODE, NULL, 0,
                  "TEST MODE without a byte");
    suite_deck(cards);
    suite_refused(suite, "SH16", REFUSED_TEST_MODE, SHUFFLER_LOAD_ORDER, cards, DECK_SIZE,
                  "LOAD ORDER outside test mode");
    suite_same(suite, "C19", REFUSED_TEST_MODE);
    if (!set_mode(suite, on))
        return;
    suite_hold(suite, "SH15", conform_shuffler_mode(suite, true) == 0,
               "TEST MODE on again is refused");
    suite_hold(suite, "M2", suite_greet(suite, (uint32_t)suite_now(suite)) == 0,
               "HELLO is not answered");
    suite_hold(suite, "SH41", suite->hello[1] == 1, "HELLO has the flags %02x in test mode",
               suite->hello[1]);
    suite_settle(suite);
    suite_refused(suite, "SH25", REFUSED_LENGTH, SHUFFLER_LOAD_ORDER, cards, DECK_SIZE - 1,
                  "LOAD ORDER of 51 cards");
    cards[1] = cards[0];
    suite_refused(suite, "SH25", REFUSED_VALUE, SHUFFLER_LOAD_ORDER, cards, DECK_SIZE,
                  "LOAD ORDER with a card twice");
    cards[1] = 0x0d;
    suite_refused(suite, "SH25", REFUSED_VALUE, SHUFFLER_LOAD_ORDER, cards, DECK_SIZE,
                  "LOAD ORDER with 0x0d, which is no card,");
    suite_mark(suite);
    suite_hold(suite, "SH16", conform_shuffler_load(suite) <= REFUSED_UNKNOWN,
               "LOAD ORDER is refused in test mode");
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
    suite_same(suite, "C15", REFUSED_STATE);
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

void conform_shuffler_send(struct suite *suite, const struct conform_shuffler_program *program)
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
    suite_hold(suite, "SH20", suite->reply.size == 2, "the reply has %u byte%s", suite->reply.size,
               plural(suite->reply.size));
    suite_hold(suite, program->id,
               suite->reply.payload[0] == program->packets &&
                   suite->reply.payload[1] == program->draws,
               "%s has %u packet%s and %u draw%s, not %u and %u", program->what,
               suite->reply.payload[0], plural(suite->reply.payload[0]), suite->reply.payload[1],
               plural(suite->reply.payload[1]), program->packets, program->draws);
    follow->program = suite_is_second(suite) ? 0 : program->payload[0];
    follow->is_burn_late = false;
    follow->burn = suite_is_second(suite) ? program->payload[0] : program->payload[2];
    follow->packets = program->packets;
    follow->draws = program->draws;
    memcpy(follow->sizes, program->sizes, sizeof program->sizes);
    follow->is_programmed = true;
}

void conform_shuffler_try_programs(struct suite *suite)
{
    static const struct conform_shuffler_program programs[] = {
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
        conform_shuffler_send(suite, &programs[i]);
    suite_settle(suite);
}

void conform_shuffler_try_shuffles(struct suite *suite)
{
    static const struct conform_shuffler_refusals ready = {SHUFFLER_READY, {0, 0, 0, 0, 4, 4}};
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);
    bool has_mode = conform_shuffler_mode(suite, true) == 0;

    suite_settle(suite);
    follow->mode_changes = 0;
    suite_hold(suite, "SH3", follow->state == SHUFFLER_IDLE, "it is in state %u", follow->state);
    if (has_mode)
        conform_shuffler_load(suite);
    if (conform_shuffler_shuffle(suite)) {
        conform_shuffler_refuse_all_in(suite, &ready);
        suite_settle(suite);
        suite_hold(suite, "SH5", conform_shuffler_shuffle(suite),
                   "SHUFFLE in state ready does nothing");
        conform_shuffler_give_back(suite);
    }
    if (has_mode && !suite->broken) {
        bool is_loaded = conform_shuffler_load(suite) == 0;

        set_mode(suite, false);
        set_mode(suite, true);
        suite_mark(suite);
        if (conform_shuffler_shuffle(suite) && is_loaded)
            suite_hold(suite, "SH43", !(follow->last[0].payload[3] & SHUFFLER_FLAG_LOADED),
                       "an order that was loaded before test mode ended is dealt after it");
        conform_shuffler_give_back(suite);
        set_mode(suite, false);
    }
    conform_shuffler_recover(suite);
}

void conform_shuffler_play(struct suite *suite, const struct conform_shuffler_program *program,
                           bool is_loaded)
{
    static const struct conform_shuffler_refusals waiting = {SHUFFLER_WAITING, {4, 4, 0, 0, 4, 4}};
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);

    conform_shuffler_send(suite, program);
    if (is_loaded)
        conform_shuffler_load(suite);
    if (!conform_shuffler_shuffle(suite))
        return;
    suite_settle(suite);
    if (!conform_shuffler_deal(suite))
        return;
    suite_settle(suite);
    suite_hold(suite, "SH37", follow->taken == follow->packets,
               "%u packets were taken of %u that follow each other", follow->taken,
               follow->packets);
    suite_hold(suite, "SH8", follow->state == SHUFFLER_WAITING, "it is in state %u", follow->state);
    conform_shuffler_refuse_all_in(suite, &waiting);
    if (follow->draws && conform_shuffler_deal(suite)) {
        suite_settle(suite);
        suite_hold(suite, "SH38", follow->taken == follow->packets + 1, "no draw came");
    }
    if (!follow->draws)
        suite_refused(suite, "SH13", REFUSED_STATE, SHUFFLER_BUTTON, NULL, 0,
                      "GREEN BUTTON where no draw is left");
    conform_shuffler_give_back(suite);
}

void conform_shuffler_try_round(struct suite *suite)
{
    static const struct conform_shuffler_program catch = {
        "SH33", "3 Card Catch, 2 hands, burn 2", {2, 2, 2}, 3, 3, 2, 0, {2, 3, 3}};
    static const struct conform_shuffler_program whole = {
        "SH31", "a whole deck", {0, 0, 0, 4, 13, 13, 13, 13}, 8, 4, 0, 0, {13, 13, 13, 13}};

    if (!suite->conform->hands)
        return;
    if (conform_shuffler_mode(suite, true) == 0) {
        suite_settle(suite);
        conform_shuffler_of(suite)->mode_changes = 0;
        conform_shuffler_play(suite, &catch, true);
        conform_shuffler_recover(suite);
        set_mode(suite, false);
    }
    conform_shuffler_play(suite, &whole, false);
    conform_shuffler_recover(suite);
    suite_settle(suite);
}

void conform_shuffler_restore(struct suite *suite)
{
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);

    if (!conform_shuffler_recover(suite))
        return;
    suite_mark(suite);
    if (follow->test_mode != follow->was_test_mode)
        conform_shuffler_mode(suite, follow->was_test_mode);
    suite_rest(suite, 300);
    suite_judge(suite);
    follow->mode_changes = 0;
}
