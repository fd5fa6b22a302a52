/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is tried on a shoe: refusals by state, the lock, orders, cards that somebody draws. */
#include "devices/conform/shoe.h"
#include "hal/base/plural.h"

#define CARD_TIME 30000 /* milliseconds in which somebody draws a card */
#define MOMENT    300

/* What LOAD ORDER has for so many cards. */
struct order {
    uint8_t count;
    card_t cards[DECK_SIZE];
};

static struct order make_order(unsigned count)
{
    struct order order = {.count = (uint8_t)count};

    suite_deck(order.cards);
    return order;
}

int conform_shoe_mode(struct suite *suite, bool on)
{
    struct conform_shoe_follow *follow = conform_shoe_of(suite);
    const uint8_t payload = on;
    int status = suite_ask(suite, SHOE_TEST_MODE, &payload, 1);

    suite_hold(suite, "SO21", status <= REFUSED_UNKNOWN, "TEST MODE is refused with %d", status);
    if (status)
        return status;
    suite_hold(suite, "SO32", suite->reply.size == 0, "the reply to TEST MODE has %u byte%s",
               suite->reply.size, plural(suite->reply.size));
    follow->mode_changes += follow->test_mode != on;
    follow->test_mode = on;
    if (!on && follow->is_loaded)
        follow->stand_bys = 1;
    return 0;
}

static bool set_mode(struct suite *suite, bool on)
{
    struct conform_shoe_follow *follow = conform_shoe_of(suite);
    bool takes_out = !on && follow->is_loaded;
    int status;

    suite_mark(suite);
    status = conform_shoe_mode(suite, on);
    if (status == REFUSED_UNKNOWN)
        return false;
    suite_hold(suite, "SO21", status == 0, "TEST MODE is refused with %d while locked", status);
    suite_rest(suite, MOMENT);
    suite_judge(suite);
    suite_hold(suite, "SO32", !follow->mode_changes, "TEST MODE %u is not announced by its event",
               on);
    if (takes_out)
        suite_hold(suite, "SO33", !follow->stand_bys && !follow->is_loaded,
                   "a loaded deck is not taken out with test mode");
    follow->mode_changes = follow->stand_bys = 0;
    suite_settle(suite);
    return status == 0;
}

static void lock(struct suite *suite, bool on)
{
    struct conform_shoe_follow *follow = conform_shoe_of(suite);
    const uint8_t payload = on;

    suite_judge(suite);
    if (follow->is_locked != on)
        follow->lock_changes = 1;
    follow->lock_told = on;
    if (!suite_done(suite, "SO20", SHOE_LOCK, &payload, 1, 0, "LOCK")) {
        follow->lock_changes = 0;
        return;
    }
    suite_hold(suite, "SO30", suite->reply.size == 0, "the reply to LOCK has bytes");
    suite_rest(suite, MOMENT);
    suite_judge(suite);
    suite_hold(suite, "SO31", !follow->lock_changes, "LOCK CHANGED does not follow LOCK %u", on);
    follow->lock_changes = 0;
    follow->is_locked = on;
}

static void try_bad_orders(struct suite *suite)
{
    struct order order = make_order(3);

    suite_refused(suite, "SO26", REFUSED_LENGTH, SHOE_LOAD_ORDER, &order, 3,
                  "LOAD ORDER of 3 with two cards");
    suite_refused(suite, "SO26", REFUSED_LENGTH, SHOE_LOAD_ORDER, NULL, 0,
                  "LOAD ORDER without a byte");
    order.cards[1] = order.cards[0];
    suite_refused(suite, "SO26", REFUSED_VALUE, SHOE_LOAD_ORDER, &order, 4,
                  "LOAD ORDER with a card twice");
    order.cards[1] = 0x1d;
    suite_refused(suite, "SO34", REFUSED_VALUE, SHOE_LOAD_ORDER, &order, 4,
                  "LOAD ORDER with 0x1d, which is no card,");
    order.count = 0;
    suite_refused(suite, "SO34", REFUSED_VALUE, SHOE_LOAD_ORDER, &order, 1,
                  "LOAD ORDER of no card");
}

void conform_shoe_try_locked(struct suite *suite)
{
    static const uint8_t two = 2, one = 1;
    const struct order three = make_order(3);
    struct conform_shoe_follow *follow = conform_shoe_of(suite);
    unsigned heard;

    lock(suite, true);
    suite_settle(suite);
    if (follow->test_mode)
        set_mode(suite, false);
    heard = suite->heard;
    lock(suite, true);
    suite_hold(suite, "SO31", suite->heard == heard, "LOCK of a locked shoe brings an event");
    suite_hold(suite, "SO46", suite->heard == heard, "something is told twice");
    suite_refused(suite, "SO30", REFUSED_VALUE, SHOE_LOCK, &two, 1, "LOCK 2");
    suite_refused(suite, "SO26", REFUSED_LENGTH, SHOE_LOCK, NULL, 0, "LOCK without a byte");
    suite_refused(suite, "SO32", REFUSED_VALUE, SHOE_TEST_MODE, &two, 1, "TEST MODE 2");
    suite_refused(suite, "SO24", REFUSED_VALUE, WIRE_CLEAR_ERROR, &one, 1,
                  "CLEAR ERROR while none is pending");
    try_bad_orders(suite);
    suite_refused(suite, "SO23", REFUSED_TEST_MODE, SHOE_LOAD_ORDER, &three, 4,
                  "LOAD ORDER outside test mode");
    suite_same(suite, "SO36", REFUSED_TEST_MODE);
    suite_same(suite, "C19", REFUSED_TEST_MODE);
    suite_settle(suite);
    suite_hold(suite, "SO9", conform_shoe_follow_state(follow) == SHOE_LOCKED, " ");
    suite_hold(suite, "SO25", true, " ");
}

static int load(struct suite *suite, unsigned count)
{
    static const char *const ids[] = {"C19",  "SO22", "SO23", "SO33", "SO34",
                                      "SO35", "SO36", "SO39", "SO45"};
    struct conform_shoe_follow *follow = conform_shoe_of(suite);
    const struct order order = make_order(count);
    unsigned decks;
    int status;

    suite_mark(suite);
    status = suite_ask(suite, SHOE_LOAD_ORDER, &order, count + 1);
    for (unsigned i = 0; status == REFUSED_UNKNOWN && i < sizeof ids / sizeof ids[0]; i++)
        suite_not_offered(suite, ids[i], "the device does not know LOAD ORDER");
    if (status)
        return status;
    suite_hold(suite, "SO34", suite->reply.size == 0, "the reply to LOAD ORDER has bytes");
    decks = follow->decks;
    follow->is_loading = true;
    follow->stand_bys = 1;
    follow->order_count = (uint8_t)count;
    memcpy(follow->order, order.cards, count);
    suite_hold(suite, "C9", suite_repeat(suite) == 0,
               "LOAD ORDER is said again under its number, and refused");
    suite_rest(suite, MOMENT);
    suite_judge(suite);
    suite_hold(suite, "SO35", !follow->stand_bys, "STAND BY does not follow LOAD ORDER");
    suite_hold(suite, "C9", follow->decks == decks + 1,
               "LOAD ORDER is said twice under one number, and %u decks go in",
               follow->decks - decks);
    follow->stand_bys = 0;
    return 0;
}

void conform_shoe_try_load(struct suite *suite)
{
    static const char *const ids[] = {"SO21", "SO22", "SO32", "SO33", "SO34",
                                      "SO35", "SO39", "SO42", "SO45"};
    struct conform_shoe_follow *follow = conform_shoe_of(suite);

    if (!follow->is_locked)
        lock(suite, true);
    if (!set_mode(suite, true)) {
        for (unsigned i = 0; i < sizeof ids / sizeof ids[0]; i++)
            suite_not_offered(suite, ids[i], "the device does not know TEST MODE");
        return;
    }
    suite_greet(suite, (uint32_t)suite_now(suite));
    suite_hold(suite, "M2", suite->hello[1] == 1, "HELLO has the flags %02x in test mode",
               suite->hello[1]);
    suite_settle(suite);
    try_bad_orders(suite);
    suite_hold(suite, "SO22", load(suite, 3) <= REFUSED_UNKNOWN,
               "LOAD ORDER is refused in test mode");
    suite_settle(suite);
    suite_hold(suite, "SO22", load(suite, DECK_SIZE) <= REFUSED_UNKNOWN,
               "LOAD ORDER of 52 cards is refused");
    suite_settle(suite);
    lock(suite, false);
    if (suite_ask(suite, WIRE_STATUS, NULL, 0) == 0 && !suite->event_count && !follow->drawn)
        suite_hold(suite, "SO7", suite->reply.payload[0] == SHOE_IDLE,
                   "it is in state %u, unlocked and nothing drawn", suite->reply.payload[0]);
    suite_judge(suite);
    if (!follow->error)
        lock(suite, true);
    if (follow->is_locked)
        set_mode(suite, false);
}

static bool has_cards(struct suite *suite)
{
    const struct conform_shoe_follow *follow = conform_shoe_of(suite);

    return follow->cards >= follow->wanted || follow->error;
}

/* What is pending is cleared, once everything was tried that it keeps from being done. */
static bool clear(struct suite *suite)
{
    static const uint8_t on = 1;
    const struct order three = make_order(3);
    struct conform_shoe_follow *follow = conform_shoe_of(suite);
    uint8_t error = follow->error, other = (uint8_t)(error % 8 + 1);

    suite_settle(suite);
    suite_refused(suite, "SO20", REFUSED_ERROR, SHOE_LOCK, &on, 1, "LOCK in error");
    suite_refused(suite, "C16", REFUSED_ERROR, SHOE_LOCK, &on, 1, "LOCK in error");
    suite_refused(suite, "SO21", REFUSED_ERROR, SHOE_TEST_MODE, &on, 1, "TEST MODE in error");
    if (follow->test_mode)
        suite_refused(suite, "SO22", REFUSED_ERROR, SHOE_LOAD_ORDER, &three, 4,
                      "LOAD ORDER in error");
    suite_refused(suite, "SO24", REFUSED_VALUE, WIRE_CLEAR_ERROR, &other, 1,
                  "CLEAR ERROR of another error");
    suite_hold(suite, "SO10", conform_shoe_follow_state(follow) == SHOE_ERROR, " ");
    if (!suite_done(suite, "SO24", WIRE_CLEAR_ERROR, &error, 1, 0, "CLEAR ERROR"))
        return false;
    suite_rest(suite, 100);
    suite_judge(suite);
    return suite_hold(suite, "SO29", !follow->error, "FAULT CLEARED does not follow CLEAR ERROR");
}

/* Refused with 4, unless a fault has come at the same time. */
static void refuse_dealing(struct suite *suite, const char *id, uint8_t type, const void *payload,
                           size_t size, const char *what)
{
    int status;

    suite_mark(suite);
    status = suite_try(suite, type, payload, size);
    suite_judge(suite);
    if (conform_shoe_follow_state(conform_shoe_of(suite)) != SHOE_DEALING)
        return;
    suite_hold(suite, id, status == REFUSED_STATE, "%s in state dealing has the answer %d, not 4",
               what, status);
    suite_hold(suite, "C15", status == REFUSED_STATE, "it has the answer %d, not 4", status);
}

/* Unlocks, waits for so many cards, and locks. */
static bool draw(struct suite *suite, unsigned count)
{
    static const uint8_t off = 0;
    const struct order three = make_order(3);
    struct conform_shoe_follow *follow = conform_shoe_of(suite);

    follow->wanted = follow->cards + count;
    lock(suite, false);
    while (!suite->broken && follow->cards < follow->wanted) {
        if (suite->conform->asks)
            suite->conform->asks(suite->conform->context, "draw a card from the shoe");
        suite_mark(suite);
        if (!suite_await(suite, has_cards, CARD_TIME))
            break;
        if (follow->error && !clear(suite))
            return false;
    }
    suite_rest(suite, 100);
    suite_judge(suite);
    if (follow->drawn && conform_shoe_follow_state(follow) == SHOE_DEALING) {
        suite_hold(suite, "SO8", true, " ");
        refuse_dealing(suite, "SO21", SHOE_TEST_MODE, &off, 1, "TEST MODE");
        if (follow->test_mode)
            refuse_dealing(suite, "SO22", SHOE_LOAD_ORDER, &three, 4, "LOAD ORDER");
    }
    if (follow->error && !clear(suite))
        return false;
    lock(suite, true);
    suite_settle(suite);
    return follow->cards >= follow->wanted;
}

void conform_shoe_try_draw(struct suite *suite)
{
    struct conform_shoe_follow *follow = conform_shoe_of(suite);

    if (!suite->conform->hands)
        return;
    if (!follow->is_locked)
        lock(suite, true);
    if (set_mode(suite, true) && load(suite, DECK_SIZE) == 0) {
        suite_settle(suite);
        if (draw(suite, 4))
            draw(suite, 2);
        set_mode(suite, false);
    }
    if (follow->cards)
        draw(suite, 2);
    suite_rest(suite, 9000);
    suite_settle(suite);
}

void conform_shoe_restore(struct suite *suite)
{
    struct conform_shoe_follow *follow = conform_shoe_of(suite);

    suite_judge(suite);
    if (follow->error)
        suite_ask(suite, WIRE_CLEAR_ERROR, &follow->error, 1);
    suite_rest(suite, MOMENT);
    suite_judge(suite);
    if (follow->test_mode != follow->was_test_mode || suite->is_ending) {
        lock(suite, true);
        conform_shoe_mode(suite, follow->was_test_mode);
        suite_rest(suite, MOMENT);
        suite_judge(suite);
        follow->mode_changes = follow->stand_bys = 0;
    }
    if (follow->is_locked != follow->was_locked)
        lock(suite, follow->was_locked);
}
