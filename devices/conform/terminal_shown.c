/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a terminal shows when it is asked: screen, lights, sign, meters, ledger. */
#include <stdio.h>

#include "devices/conform/terminal.h"
#include "hal/base/plural.h"

#define LEDGER_SPAN 128 /* it keeps 256 entries */
#define LEDGER_FAR  64
#define BOOK_TIME   1500 /* milliseconds between an entry of the log and that of the ledger */

const char *const conform_terminal_events[] = {"T77", "T78", "T79", "T82"};
static const char *const channel_replies[] = {"T52", "T51", "T49", "T50"};
const char *const conform_terminal_names[] = {"SCREEN", "LIGHTS", "METERS", "SIGN"};

bool conform_terminal_is_approved(unsigned state)
{
    return state == TERMINAL_AMOUNT || state == TERMINAL_SIGNED;
}

static size_t put_screen(const struct conform_terminal_view *view, uint8_t *at)
{
    at[0] = view->state;
    at[1] = view->seat;
    at[2] = view->hand;
    at[3] = view->wrong;
    if (!conform_terminal_is_approved(view->state))
        return 4;
    wire_put64(at + 4, view->cents);
    return 12;
}

static size_t put_sign(const struct conform_terminal_view *view, uint8_t *at)
{
    at[0] = view->sign_seat;
    at[1] = view->sign_meter;
    wire_put64(at + 2, view->sign_cents);
    return view->sign_seat ? 10 : 1;
}

static size_t put_meters(const struct conform_terminal_follow *follow,
                         const struct conform_terminal_view *view, uint8_t *bytes)
{
    uint8_t *at = bytes;

    *at++ = follow->meter_count;
    *at++ = follow->must_hit;
    for (unsigned i = 0; i < follow->meter_count; i++) {
        size_t length = strlen(follow->names[i]);

        *at++ = (uint8_t)length;
        memcpy(at, follow->names[i], length);
        at += length;
        wire_put64(at, view->meters[i]);
        at += 8;
    }
    return (size_t)(at - bytes);
}

static size_t put_channel(const struct conform_terminal_follow *follow,
                          const struct conform_terminal_view *view,
                          enum conform_terminal_channel channel, uint8_t *bytes)
{
    switch (channel) {
    case ON_SCREEN:
        return put_screen(view, bytes);
    case ON_LIGHTS:
        bytes[0] = view->lights;
        return 1;
    case ON_METERS:
        return put_meters(follow, view, bytes);
    default:
        return put_sign(view, bytes);
    }
}

/* Whether a payload shows that view; how many codes were wrong is exact in state 6 only. */
bool conform_terminal_shows(const struct conform_terminal_follow *follow,
                            const struct conform_terminal_view *view,
                            enum conform_terminal_channel channel, const uint8_t *payload,
                            size_t size)
{
    uint8_t bytes[FRAME_PAYLOAD_MAX], told[FRAME_PAYLOAD_MAX];

    if (put_channel(follow, view, channel, bytes) != size)
        return false;
    memcpy(told, payload, size);
    if (channel == ON_SCREEN && view->state != TERMINAL_CODE_ENTRY)
        told[3] = bytes[3];
    return !memcmp(bytes, told, size);
}

static void adopt_screen(struct conform_terminal_view *view, const struct frame *reply)
{
    bool is_hand = reply->payload[2] < TERMINAL_HANDS_MAX;

    /* What it cannot be was said when it was compared; it is followed as nothing then. */
    view->state = reply->payload[0] < TERMINAL_STATES ? reply->payload[0] : 0;
    view->seat = reply->payload[1] <= TERMINAL_SEATS ? reply->payload[1] : 0;
    view->hand = is_hand ? reply->payload[2] : TERMINAL_NONE;
    view->wrong = reply->payload[3];
    view->cents = reply->size == 12 ? wire_get64(reply->payload + 4) : 0;
}

static void adopt_sign(struct conform_terminal_view *view, const struct frame *reply)
{
    view->sign_seat = reply->payload[0];
    view->sign_meter = reply->size == 10 ? reply->payload[1] : 0;
    view->sign_cents = reply->size == 10 ? wire_get64(reply->payload + 2) : 0;
}

/* The names and values of METERS; false where it cannot be read. */
static bool adopt_meters(struct conform_terminal_follow *follow, const struct frame *reply)
{
    const uint8_t *at = reply->payload + 2, *end = reply->payload + reply->size;
    unsigned count = reply->payload[0]; /* none before the first CONFIGURE */

    if (reply->size < 2 || count > TERMINAL_METERS_MAX ||
        (reply->payload[1] != TERMINAL_NONE && reply->payload[1] + 1u != count))
        return false;
    for (unsigned i = 0; i < count; i++) {
        if (at == end || *at < 1 || *at > TERMINAL_METER_NAME_MAX || end - at < *at + 9)
            return false;
        snprintf(follow->names[i], sizeof follow->names[i], "%.*s", *at, at + 1);
        at += *at + 1;
        follow->now.meters[i] = wire_get64(at);
        at += 8;
    }
    follow->meter_count = (uint8_t)count;
    follow->must_hit = reply->payload[1];
    return at == end;
}

bool conform_terminal_read_meters(struct suite *suite, bool adopts)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);

    suite_mark(suite);
    if (suite_ask(suite, TERMINAL_METERS, NULL, 0) != 0)
        return false;
    if (!adopts)
        suite_hold(suite, "T49",
                   conform_terminal_shows(follow, &follow->now, ON_METERS, suite->reply.payload,
                                          suite->reply.size),
                   "METERS is not what it must be");
    return suite_hold(suite, "T49", adopt_meters(follow, &suite->reply),
                      "the reply to METERS cannot be read");
}

static void read_channel(struct suite *suite, enum conform_terminal_channel channel, uint8_t type)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);

    suite_mark(suite);
    if (suite_ask(suite, type, NULL, 0) != 0) {
        suite_hold(suite, channel_replies[channel], suite->broken, "%s is refused",
                   conform_terminal_names[channel]);
        return;
    }
    suite_hold(suite, channel_replies[channel],
               conform_terminal_shows(follow, &follow->now, channel, suite->reply.payload,
                                      suite->reply.size),
               "%s is not what it must be", conform_terminal_names[channel]);
    if (channel == ON_SCREEN)
        suite_hold(suite, "T35",
                   suite->reply.size <= 4 || conform_terminal_is_approved(suite->reply.payload[0]),
                   "SCREEN has an amount in state %u", suite->reply.payload[0]);
    if (channel == ON_SCREEN && suite->reply.size >= 4)
        adopt_screen(&follow->now, &suite->reply);
    else if (channel == ON_LIGHTS)
        follow->now.lights = suite->reply.payload[0];
    else if (channel == ON_SIGN && suite->reply.size >= 1)
        adopt_sign(&follow->now, &suite->reply);
}

/* What must have been told since the request. */
static void hold_told(struct suite *suite)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);
    uint8_t before[FRAME_PAYLOAD_MAX], now[FRAME_PAYLOAD_MAX];

    for (unsigned i = 0; i < TERMINAL_CHANNELS && !follow->is_quiet; i++) {
        size_t size = put_channel(follow, &follow->before, i, before);
        bool changes =
            put_channel(follow, &follow->now, i, now) != size || memcmp(before, now, size) != 0;

        if (i == ON_SCREEN && follow->before.state == follow->now.state)
            continue; /* how many codes were wrong may be told or not */
        if (changes)
            suite_hold(suite, conform_terminal_events[i], follow->is_told[i],
                       "%s CHANGED does not tell it", conform_terminal_names[i]);
    }
    suite_hold(suite, "T83", !follow->refusals, "KEY REFUSED does not tell that a key was refused");
    if (follow->award.code)
        suite_hold(suite, follow->award.code == TERMINAL_LOG_JACKPOT_PAID ? "T80" : "T81",
                   follow->award.is_told, "no event tells the award");
    follow->refusals = 0;
}

/* Whether an entry of the ledger is what was paid or corrected. */
static void hold_entry(struct suite *suite, const struct conform_terminal_award *award)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);
    const uint8_t *at = suite->reply.payload;
    uint64_t millis = wire_get64(at + 4);
    bool is_money = award->code != TERMINAL_LOG_CORRECTED;

    suite_hold(suite, "T70",
               suite->reply.size >= 41 && suite->reply.size == 41u + at[40] &&
                   wire_get32(at) == follow->ledger,
               "entry %u of the ledger has %u byte%s", follow->ledger, suite->reply.size,
               plural(suite->reply.size));
    suite_hold(suite, "T71", at[12] == award->code, "the ledger has code %u, not %u", at[12],
               award->code);
    suite_hold(suite, "T70",
               (!is_money || at[13] == award->seat) && at[14] == award->hand &&
                   at[15] == award->meter && wire_get64(at + 16) == award->cents,
               "the ledger has seat %u, hand %u, meter %u, %llu cents, not %u, %u, %u, %llu",
               at[13], at[14], at[15], (unsigned long long)wire_get64(at + 16), award->seat,
               award->hand, award->meter, (unsigned long long)award->cents);
    suite_hold(suite, award->code == TERMINAL_LOG_MUST_HIT_PAID ? "T72" : "T70",
               wire_get64(at + 24) == award->before && wire_get64(at + 32) == award->after,
               "the ledger has the meter at %llu before and %llu after, not %llu and %llu",
               (unsigned long long)wire_get64(at + 24), (unsigned long long)wire_get64(at + 32),
               (unsigned long long)award->before, (unsigned long long)award->after);
    suite_hold(suite, "T70",
               suite->lacks_log || (millis <= follow->booked_millis + BOOK_TIME &&
                                    millis + BOOK_TIME >= follow->booked_millis),
               "the ledger has it at %llu ms, and the log at %llu", (unsigned long long)millis,
               (unsigned long long)follow->booked_millis);
}

static int ask_ledger(struct suite *suite, uint32_t number)
{
    uint8_t payload[4];

    wire_put32(payload, number);
    return suite_ask(suite, TERMINAL_LEDGER, payload, sizeof payload);
}

/* The entry that is due, none after it, and the one before it as it was. */
void conform_terminal_read_ledger(struct suite *suite)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);

    suite_mark(suite);
    if (follow->last_entry.size && ask_ledger(suite, follow->last_number) == 0)
        suite_hold(suite, "T73",
                   suite->reply.size == follow->last_entry.size &&
                       !memcmp(suite->reply.payload, follow->last_entry.payload, suite->reply.size),
                   "entry %u of the ledger is not what it was", follow->last_number);
    if (follow->award.code) {
        suite_mark(suite);
        if (suite_hold(suite, "T70", ask_ledger(suite, follow->ledger) == 0,
                       "the ledger has no entry %u", follow->ledger)) {
            hold_entry(suite, &follow->award);
            frame_copy(&follow->last_entry, &suite->reply);
            follow->last_number = follow->ledger++;
        }
    }
    suite_mark(suite);
    if (!suite_hold(suite, "T55", ask_ledger(suite, follow->ledger) == REFUSED_VALUE,
                    "the ledger has an entry %u, and nothing was paid or corrected",
                    follow->ledger))
        while (!suite->broken && ask_ledger(suite, follow->ledger) == 0)
            follow->ledger++;
}

void conform_terminal_check(struct suite *suite)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);

    suite_rest(suite, 50);
    suite_settle(suite);
    hold_told(suite);
    read_channel(suite, ON_SCREEN, TERMINAL_SCREEN);
    read_channel(suite, ON_LIGHTS, TERMINAL_LIGHTS);
    read_channel(suite, ON_SIGN, TERMINAL_SIGN);
    conform_terminal_read_meters(suite, false);
    conform_terminal_read_ledger(suite);
    conform_terminal_begin(suite);
    follow->mode_asked = false;
}

/* The number of the entry that comes next, by trying. */
static void find_ledger(struct suite *suite)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);
    uint32_t at = follow->awards;
    unsigned tries = 0;

    if (at && ask_ledger(suite, at - 1) == 0)
        frame_copy(&follow->last_entry, &suite->reply);
    follow->last_number = at - 1;
    while (!suite->broken && ask_ledger(suite, at) != 0 && tries++ < LEDGER_FAR)
        at += LEDGER_SPAN;
    if (tries > LEDGER_FAR)
        at = follow->awards;
    while (!suite->broken && ask_ledger(suite, at) == 0)
        at++;
    follow->ledger = at;
}

bool conform_terminal_adopt(struct suite *suite)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);
    const uint8_t *status = suite->reply.payload;

    if (suite_ask(suite, WIRE_STATUS, NULL, 0) != 0 || suite->reply.size != 13)
        return false;
    follow->test_mode = status[2] & 1;
    follow->locked = status[3];
    follow->won = status[4];
    follow->rounds = wire_get32(status + 5);
    follow->awards = wire_get32(status + 9);
    suite_ask(suite, TERMINAL_SCREEN, NULL, 0);
    adopt_screen(&follow->now, &suite->reply);
    suite_ask(suite, TERMINAL_LIGHTS, NULL, 0);
    follow->now.lights = suite->reply.payload[0];
    suite_ask(suite, TERMINAL_SIGN, NULL, 0);
    adopt_sign(&follow->now, &suite->reply);
    if (!conform_terminal_read_meters(suite, true))
        return false;
    find_ledger(suite);
    follow->expected_count = 0;
    conform_terminal_begin(suite);
    return !suite->broken;
}
