/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A shoe as its events tell it, and what they are held against. */
#include "devices/conform/shoe.h"
#include "hal/base/plural.h"

#define NOBODY   "nobody draws cards: --hands where somebody does"
#define NO_FAULT "no such error happened"
#define NO_LOSS  "it takes a loss of power, and none happened"

enum shoe_state conform_shoe_follow_state(const struct conform_shoe_follow *follow)
{
    if (follow->error)
        return SHOE_ERROR;
    if (follow->is_locked)
        return SHOE_LOCKED;
    return follow->drawn ? SHOE_DEALING : SHOE_IDLE;
}

static bool begin(struct suite *suite, struct error *error)
{
    struct conform_shoe_follow *follow = conform_shoe_of(suite);
    const uint8_t *status = suite->reply.payload;

    if (suite_ask(suite, WIRE_STATUS, NULL, 0) != 0 || suite->reply.size != 8) {
        error_set(error, ERROR_DEVICE, "%s: STATUS has no answer of a shoe", suite->link->address);
        return false;
    }
    if (status[0] == SHOE_ERROR) {
        error_set(error, ERROR_DEVICE,
                  "%s: error %u of the shoe is pending: clear it first, 'dealproof reset' does it",
                  suite->link->address, status[1]);
        return false;
    }
    *follow = (struct conform_shoe_follow){.is_locked = status[0] == SHOE_LOCKED,
                                           .was_locked = status[0] == SHOE_LOCKED,
                                           .test_mode = status[2] & 1,
                                           .was_test_mode = status[2] & 1,
                                           .drawn = status[3],
                                           .number = (uint16_t)wire_get16(status + 5),
                                           .is_loaded = status[7]};
    return true;
}

static const char *log_clause(unsigned code)
{
    (void)code;
    return "SO28";
}

static uint8_t deck_flags(const struct conform_shoe_follow *follow)
{
    return (uint8_t)(follow->test_mode | (follow->is_loaded ? SHOE_FLAG_LOADED : 0));
}

static void take_card(struct suite *suite, const struct frame *event)
{
    struct conform_shoe_follow *follow = conform_shoe_of(suite);
    const uint8_t *at = event->payload;
    bool outside = follow->is_locked || follow->error;
    uint8_t flags = (uint8_t)(deck_flags(follow) | (outside ? SHOE_FLAG_OUTSIDE : 0));

    suite_hold(suite, "SO4", at[0] == follow->drawn, "card %u is told as %u", follow->drawn, at[0]);
    suite_hold(suite, "K1", card_valid(at[1]), "0x%02x is no card", at[1]);
    suite_hold(suite, "SO1", card_valid(at[1]) && !(follow->seen >> at[1] & 1),
               "card 0x%02x comes twice from one deck", at[1]);
    if (follow->is_ordered && at[0] < follow->order_count)
        suite_hold(suite, "SO35", at[1] == follow->order[at[0]],
                   "card %u is 0x%02x, and the order that was loaded has 0x%02x", at[0], at[1],
                   follow->order[at[0]]);
    suite_hold(suite, outside ? "SO2" : "SO11", at[2] == flags,
               "CARD has the flags %02x, not %02x: the shoe is %s", at[2], flags,
               outside ? "locked or in error" : "unlocked");
    if (outside || at[2] & SHOE_FLAG_OUTSIDE)
        suite_hold(suite, "SO2", !(at[2] & SHOE_FLAG_OUTSIDE) == !outside,
                   "the flag of a card drawn while locked is wrong");
    if (card_valid(at[1]))
        follow->seen |= UINT64_C(1) << at[1];
    follow->drawn = (uint8_t)(at[0] + 1);
    follow->cards++;
    frame_copy(&follow->last_card, event);
}

static void take_stand_by(struct suite *suite, const uint8_t *at)
{
    struct conform_shoe_follow *follow = conform_shoe_of(suite);
    uint16_t number = follow->number == UINT16_MAX ? 1 : (uint16_t)(follow->number + 1);
    bool is_loaded = at[3] & SHOE_FLAG_LOADED;

    suite_hold(suite, "SO45", wire_get16(at) == number, "STAND BY has the number %u, not %u",
               wire_get16(at), number);
    suite_hold(suite, "SO3", at[2] == DECK_SIZE, "STAND BY has %u card%s", at[2], plural(at[2]));
    suite_hold(suite, "SO39",
               (at[3] & 1) == follow->test_mode && !(at[3] & ~3) && (!is_loaded || at[3] & 1),
               "STAND BY has the flags %02x", at[3]);
    if (follow->is_loading)
        suite_hold(suite, "SO35", is_loaded, "STAND BY after LOAD ORDER has the flags %02x", at[3]);
    follow->is_loaded = is_loaded;
    follow->is_ordered = follow->is_loading && is_loaded;
    follow->is_loading = false;
    follow->number = number;
    follow->drawn = 0;
    follow->seen = 0;
    follow->decks++;
    if (follow->stand_bys)
        follow->stand_bys--;
}

static const char *fault_clause(unsigned code)
{
    static const char *const ids[] = {"SO12", "SO13", "SO14", "SO15",
                                      "SO16", "SO17", "SO18", "SO19"};

    return code && code < SHOE_FAULTS ? ids[code - 1] : "SO40";
}

static void take_fault(struct suite *suite, const uint8_t *at)
{
    struct conform_shoe_follow *follow = conform_shoe_of(suite);

    suite_hold(suite, "SO40", at[0] && at[0] < SHOE_FAULTS && !follow->error,
               "FAULT has the error %u, and %u is pending", at[0], follow->error);
    suite_hold(suite, fault_clause(at[0]),
               at[1] == follow->drawn || at[1] + 1 == follow->drawn || at[0] == SHOE_BUTTON_MISUSE,
               "FAULT %u is of card %u, and %u were drawn", at[0], at[1], follow->drawn);
    follow->error = at[0];
    follow->was_in_error = false;
}

static void take_cleared(struct suite *suite, const uint8_t *at)
{
    struct conform_shoe_follow *follow = conform_shoe_of(suite);

    suite_hold(suite, "SO41", at[0] == follow->error, "FAULT CLEARED has %u, and %u was pending",
               at[0], follow->error);
    follow->error = 0;
}

static void take_mode(struct suite *suite, const uint8_t *at)
{
    struct conform_shoe_follow *follow = conform_shoe_of(suite);

    suite_mode_told(suite, "SO42", at[0], follow->test_mode, &follow->mode_changes);
}

static void take_lock(struct suite *suite, const uint8_t *at)
{
    struct conform_shoe_follow *follow = conform_shoe_of(suite);

    suite_hold(suite, "SO44", at[0] <= 1, "LOCK CHANGED has %u", at[0]);
    suite_hold(suite, "SO47", follow->lock_changes && at[0] == follow->lock_told,
               "LOCK CHANGED tells %u, and LOCK was told %u", at[0], follow->lock_told);
    if (follow->lock_changes)
        follow->lock_changes--;
    follow->is_locked = follow->lock_told;
}

static void take_power_up(struct suite *suite, const uint8_t *at)
{
    struct conform_shoe_follow *follow = conform_shoe_of(suite);
    uint8_t flags = (uint8_t)(follow->test_mode | (follow->error ? 2 : 0));

    suite_power_up(suite);
    suite_hold(suite, "SO5",
               at[0] == conform_shoe_follow_state(follow) && at[1] == follow->error &&
                   at[2] == follow->drawn && at[3] == flags,
               "POWER UP tells state %u, error %u, %u drawn, flags %02x; it was %u, %u, %u, %02x",
               at[0], at[1], at[2], at[3], conform_shoe_follow_state(follow), follow->error,
               follow->drawn, flags);
    suite_hold(suite, "SO43", at[0] >= SHOE_IDLE && at[0] <= SHOE_ERROR, "POWER UP has state %u",
               at[0]);
}

static bool has_size(struct suite *suite, const struct frame *event)
{
    static const struct conform_size sizes[] = {{3, "SO37"}, {1, "SO38"}, {4, "SO39"}, {2, "SO40"},
                                                {1, "SO41"}, {1, "SO42"}, {4, "SO43"}, {1, "SO44"}};

    return suite_sized(suite, event, sizes, sizeof sizes / sizeof sizes[0], 0);
}

static void note(struct suite *suite, const struct frame *event, nanos_t time)
{
    const uint8_t *at = event->payload;
    unsigned value = 0;

    if (event->type == SHOE_CARD || event->type == SHOE_FAULT || event->type == SHOE_POWER_UP)
        value = at[1];
    else if (event->type == SHOE_STAND_BY)
        value = suite_is_second(suite) ? conform_shoe_of(suite)->whole : wire_get16(at);
    suite_note(suite, event->type, at[0], value, time);
}

/* After a loss of power the last card may be told again. */
static bool is_known(struct suite *suite, const struct frame *event)
{
    const struct frame *last = &conform_shoe_of(suite)->last_card;

    if (event->type != SHOE_CARD || last->type != SHOE_CARD ||
        memcmp(event->payload, last->payload, 2) != 0 ||
        event->payload[0] + 1 != conform_shoe_of(suite)->drawn)
        return false;
    suite_hold(suite, "SO46", suite->power_losses || suite->awaits_power_up,
               "card %u is told twice, and no power was lost", event->payload[0]);
    return true;
}

static void take_event(struct suite *suite, const struct frame *event, nanos_t time)
{
    static void (*const takers[])(struct suite *, const uint8_t *) = {
        NULL, NULL, take_stand_by, take_fault, take_cleared, take_mode, take_power_up, take_lock};
    struct conform_shoe_follow *follow = conform_shoe_of(suite);

    if (!has_size(suite, event) || is_known(suite, event))
        return;
    note(suite, event, time);
    if (event->type == SHOE_CARD)
        take_card(suite, event);
    else if (event->type == SHOE_CUT_CARD)
        suite_hold(suite, "SO38", event->payload[0] == follow->drawn,
                   "CUT CARD tells %u card%s before it, and %u were drawn", event->payload[0],
                   plural(event->payload[0]), follow->drawn);
    else
        takers[event->type - SHOE_CARD](suite, event->payload);
}

static void take_status(struct suite *suite, const struct frame *reply)
{
    struct conform_shoe_follow *follow = conform_shoe_of(suite);
    const uint8_t *at = reply->payload;
    uint8_t flags = (uint8_t)(follow->test_mode | (follow->error ? 2 : 0));

    if (!suite_hold(suite, "SO27", reply->size == 8, "the reply to STATUS has %u byte%s, not 8",
                    reply->size, plural(reply->size)) ||
        follow->stand_bys || follow->lock_changes)
        return;
    suite_hold(suite, "SO27",
               at[0] == conform_shoe_follow_state(follow) && at[1] == follow->error &&
                   at[2] == flags,
               "STATUS has state %u, error %u, flags %02x; by the events it is %u, %u, %02x", at[0],
               at[1], at[2], conform_shoe_follow_state(follow), follow->error, flags);
    suite_hold(suite, "SO27", at[3] == follow->drawn && at[4] == DECK_SIZE - follow->drawn,
               "STATUS has %u card%s drawn and %u left, and %u were", at[3], plural(at[3]), at[4],
               follow->drawn);
    suite_hold(suite, "SO3", wire_get16(at + 5) == follow->number, "STATUS has deck %u, not %u",
               wire_get16(at + 5), follow->number);
    suite_hold(suite, "SO27", at[7] == follow->is_loaded, "STATUS has %u for a loaded deck, not %u",
               at[7], follow->is_loaded);
}

static unsigned known_state(struct suite *suite)
{
    return conform_shoe_follow_state(conform_shoe_of(suite));
}

/* Unlocked, a hand may draw; and LOCK CHANGED may still be on its way. */
static bool moves(struct suite *suite)
{
    const struct conform_shoe_follow *follow = conform_shoe_of(suite);

    return !follow->is_locked || follow->lock_changes;
}

/* Numbers of decks have four bytes in version 2. */
static void narrow(struct suite *suite, struct frame *frame)
{
    struct conform_shoe_follow *follow = conform_shoe_of(suite);
    bool is_status = frame->type == (WIRE_STATUS | WIRE_ANSWER);
    size_t at = is_status ? 5 : 0, size = is_status ? 10 : 6;
    uint32_t number;

    if (!is_status && frame->type != SHOE_STAND_BY)
        return;
    if (!suite_hold(suite, is_status ? "VSO2" : "VSO3", frame->size == size,
                    "%s has %u byte%s, not %zu", is_status ? "STATUS" : "STAND BY", frame->size,
                    plural(frame->size), size))
        return;
    number = wire_get32(frame->payload + at);
    if (follow->whole && !is_status)
        suite_hold(suite, "VSO1",
                   number == follow->whole + 1 || number == follow->whole ||
                       (number == 1 && follow->whole == UINT32_MAX),
                   "STAND BY has the number %u, and the deck before %u", (unsigned)number,
                   (unsigned)follow->whole);
    follow->whole = number;
    memmove(frame->payload + at, frame->payload + at + 2, frame->size - at - 2);
    frame->size = (uint8_t)(frame->size - 2);
}

static uint64_t to_come(struct suite *suite)
{
    const struct conform_shoe_follow *follow = conform_shoe_of(suite);

    return follow->decks ? ~follow->seen : 0;
}

static const struct conform_kind shoe_kind = {
    .name = "shoe",
    .class = FRAME_SHOE,
    .size = sizeof(struct conform_shoe_follow),
    .begin = begin,
    .event = take_event,
    .status = take_status,
    .to_come = to_come,
    .state = known_state,
    .moves = moves,
    .log_clause = log_clause,
    .status_clause = "SO27",
    .mode = conform_shoe_mode,
    .restore = conform_shoe_restore,
    .narrow = narrow,
};
REGISTER(conform_kinds, shoe_kind);

#define LOCKED   conform_shoe_try_locked, NULL
#define LOAD     conform_shoe_try_load, NULL
#define DRAW     conform_shoe_try_draw, NOBODY
#define IF_FAULT conform_shoe_try_draw, NO_FAULT
#define IF_LOSS  conform_shoe_try_draw, NO_LOSS

static const struct conform_clause clauses[] = {
    {"SO1", DRAW},
    {"SO2", conform_shoe_try_draw, "no card was drawn while the shoe was locked or in error"},
    {"SO3", LOCKED},
    {"SO4", DRAW},
    {"SO5", IF_LOSS},
    {"SO6", NULL, "an event that comes twice after a loss of power is allowed, and not asked for"},
    {"SO7", LOAD},
    {"SO8", DRAW},
    {"SO9", LOCKED},
    {"SO10", IF_FAULT},
    {"SO11", DRAW},
    {"SO12", IF_FAULT},
    {"SO13", IF_FAULT},
    {"SO14", IF_FAULT},
    {"SO15", IF_FAULT},
    {"SO16", IF_FAULT},
    {"SO17", IF_FAULT},
    {"SO18", IF_FAULT},
    {"SO19", IF_FAULT},
    {"SO20", LOCKED},
    {"SO21", LOAD},
    {"SO22", LOAD},
    {"SO23", LOCKED},
    {"SO24", LOCKED},
    {"SO25", LOCKED},
    {"SO26", LOCKED},
    {"SO27", LOCKED},
    {"SO28", LOCKED},
    {"SO29", IF_FAULT},
    {"SO30", LOCKED},
    {"SO31", LOCKED},
    {"SO32", LOAD},
    {"SO33", LOAD},
    {"SO34", LOAD},
    {"SO35", LOAD},
    {"SO36", LOCKED},
    {"SO37", DRAW},
    {"SO38", conform_shoe_try_draw, "no cut card came"},
    {"SO39", LOAD},
    {"SO40", IF_FAULT},
    {"SO41", IF_FAULT},
    {"SO42", LOAD},
    {"SO43", IF_LOSS},
    {"SO44", LOCKED},
    {"SO45", LOAD},
    {"SO46", LOAD},
    {"SO47", LOCKED},
};
static const struct conform_chapter shoe_chapter = CONFORM_CHAPTER("shoe", FRAME_SHOE, clauses);
REGISTER(conform_chapters, shoe_chapter);

/* The same orders and cards, in version 2. */
static void try_second(struct suite *suite)
{
    suite_settle(suite);
    conform_shoe_try_load(suite);
    conform_shoe_try_draw(suite);
}

static const struct conform_clause second[] = {
    {"VSO1", try_second, NULL},
    {"VSO2", try_second, NULL},
    {"VSO3", try_second, NULL},
    {"VSO4", NULL, "it is held with each entry of the log: SO28"},
};
static const struct conform_chapter second_chapter =
    CONFORM_CHAPTER_2("shoe of version 2", FRAME_SHOE, second);
REGISTER(conform_chapters, second_chapter);
