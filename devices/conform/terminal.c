/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A terminal as its events tell it, and what they are held against. */
#include "devices/conform/terminal.h"
#include "hal/base/plural.h"

void conform_terminal_begin(struct suite *suite)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);

    suite_mark(suite);
    follow->before = follow->middle = follow->now;
    memset(follow->phase, 0, sizeof follow->phase);
    memset(follow->is_told, 0, sizeof follow->is_told);
    follow->is_quiet = false;
    follow->refusals = 0;
    follow->award.code = 0;
    follow->asked_at = suite_now(suite);
}

void conform_terminal_expect(struct suite *suite, uint8_t code, uint8_t detail, unsigned value,
                             bool is_required)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);

    if (follow->expected_count < TERMINAL_EXPECTED)
        follow->expected[follow->expected_count++] = (struct conform_terminal_expected){
            .code = code, .detail = detail, .value = value, .is_required = is_required};
}

/* An event that tells what is shown: what was, is on the way, or is. */
static void take_shown(struct suite *suite, enum conform_terminal_channel channel,
                       const struct frame *event)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);
    const struct conform_terminal_view *views[] = {&follow->before, &follow->middle, &follow->now};
    unsigned phase = 3;

    for (unsigned i = follow->phase[channel]; i < 3 && phase == 3; i++)
        if (conform_terminal_shows(follow, views[i], channel, event->payload, event->size))
            phase = i;
    if (conform_terminal_shows(follow, &follow->now, channel, event->payload, event->size))
        phase = 2;
    suite_hold(suite, conform_terminal_events[channel], phase < 3,
               "%s CHANGED tells what is not so", conform_terminal_names[channel]);
    if (channel == ON_SCREEN && event->size > 4)
        suite_hold(suite, "T35", conform_terminal_is_approved(event->payload[0]),
                   "SCREEN CHANGED has an amount in state %u", event->payload[0]);
    if (channel == ON_SIGN && event->payload[0] && phase == 3)
        suite_hold(suite, "T35", false, "the sign shows an award that was not paid");
    if (phase < 3) {
        follow->phase[channel] = phase;
        follow->is_told[channel] = phase == 2;
    }
}

static void take_award(struct suite *suite, const struct frame *event)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);
    struct conform_terminal_award *award = &follow->award;
    const uint8_t *at = event->payload;
    bool is_jackpot = event->type == TERMINAL_JACKPOT_PAID;
    uint8_t code = is_jackpot ? TERMINAL_LOG_JACKPOT_PAID : TERMINAL_LOG_MUST_HIT_PAID;
    const char *id = is_jackpot ? "T80" : "T81";

    if (!suite_hold(suite, id, award->code == code && !award->is_told && event->size == 15,
                    "event 0x%02x tells an award that is not due", event->type))
        return;
    award->is_told = true;
    suite_hold(suite, "T86", wire_get32(at) == follow->awards, "award %u is told as %u",
               follow->awards, wire_get32(at));
    suite_hold(
        suite, id,
        at[4] == award->seat && at[5] == award->hand && at[6] == award->meter &&
            wire_get64(at + 7) == award->cents,
        "the award is told as seat %u, hand %u, meter %u, %llu cents; it is %u, %u, %u, %llu",
        at[4], at[5], at[6], (unsigned long long)wire_get64(at + 7), award->seat, award->hand,
        award->meter, (unsigned long long)award->cents);
}

static void take_refused(struct suite *suite, const struct frame *event)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);

    suite_hold(suite, "T83",
               follow->refusals && event->size == 3 &&
                   !memcmp(event->payload, follow->refused, sizeof follow->refused),
               "KEY REFUSED tells key %u, reason %u, state %u%s", event->payload[0],
               event->payload[1], event->payload[2],
               follow->refusals ? ", and that is not so" : ", and no key was refused");
    if (follow->refusals)
        follow->refusals--;
}

static void take_mode(struct suite *suite, const struct frame *event)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);

    suite_hold(suite, "T85",
               event->size == 1 && event->payload[0] == follow->test_mode && follow->mode_asked,
               "TEST MODE %u is told, and nothing has changed it to that", event->payload[0]);
    if (!follow->mode_changes)
        conform_terminal_expect(suite, TERMINAL_LOG_TEST_MODE, follow->test_mode, 0, false);
    follow->mode_changes = 0;
}

static void take_power_up(struct suite *suite, const struct frame *event)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);

    suite_power_up(suite);
    suite_hold(suite, "T84",
               conform_terminal_shows(follow, &follow->now, ON_SCREEN, event->payload, event->size),
               "POWER UP does not tell the screen that there was");
    suite_hold(suite, "T87",
               conform_terminal_shows(follow, &follow->now, ON_SCREEN, event->payload, event->size),
               "the screen has not survived the loss of power");
    suite_hold(suite, "T88", true, " ");
    conform_terminal_expect(suite, TERMINAL_LOG_POWER_UP, event->payload[0], 0, true);
}

static void take_event(struct suite *suite, const struct frame *event, nanos_t time)
{
    (void)time;
    switch (event->type) {
    case TERMINAL_SCREEN_CHANGED:
        take_shown(suite, ON_SCREEN, event);
        break;
    case TERMINAL_LIGHTS_CHANGED:
        take_shown(suite, ON_LIGHTS, event);
        break;
    case TERMINAL_METERS_CHANGED:
        take_shown(suite, ON_METERS, event);
        break;
    case TERMINAL_SIGN_CHANGED:
        take_shown(suite, ON_SIGN, event);
        break;
    case TERMINAL_JACKPOT_PAID:
    case TERMINAL_MUST_HIT_PAID:
        take_award(suite, event);
        break;
    case TERMINAL_KEY_REFUSED:
        take_refused(suite, event);
        break;
    case TERMINAL_POWER_UP:
        take_power_up(suite, event);
        break;
    case TERMINAL_TEST_MODE_CHANGED:
        take_mode(suite, event);
        break;
    default:
        suite_hold(suite, "C4", false, "event 0x%02x is none of a terminal", event->type);
    }
}

static const char *log_clause(unsigned code)
{
    static const char *const ids[] = {NULL,   "T90",  "T91",  "T92",  "T93",  "T94",  "T95",
                                      "T96",  "T97",  "T98",  "T99",  "T100", "T101", "T102",
                                      "T103", "T104", "T105", "T106", "T107", "T108"};

    return code && code < sizeof ids / sizeof ids[0] ? ids[code] : "T109";
}

static void take_entry(struct suite *suite, const struct log_entry *entry)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);

    if (entry->code >= TERMINAL_LOG_JACKPOT_PAID && entry->code <= TERMINAL_LOG_CORRECTED)
        follow->booked_millis = entry->millis;
    for (unsigned i = 0; i < follow->expected_count; i++) {
        struct conform_terminal_expected *expected = &follow->expected[i];

        if (expected->code != entry->code || expected->detail != entry->detail ||
            !suite_same_value(suite, expected->value, entry->value))
            continue;
        suite_hold(suite, log_clause(entry->code), true, " ");
        suite_hold(suite, "T109", true, " ");
        suite_clock(suite, follow->asked_at, entry->millis);
        *expected = follow->expected[--follow->expected_count];
        return;
    }
    suite_hold(suite, log_clause(entry->code), false,
               "entry %u of the log has code %u with %u and %u, and nothing was done that is that",
               entry->number, entry->code, entry->detail, entry->value);
}

static void end_log(struct suite *suite)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);

    for (unsigned i = 0; i < follow->expected_count; i++)
        if (follow->expected[i].is_required)
            suite_hold(suite, log_clause(follow->expected[i].code), false,
                       "the log has no entry with code %u, %u and %u", follow->expected[i].code,
                       follow->expected[i].detail, follow->expected[i].value);
    follow->expected_count = 0;
}

static void take_status(struct suite *suite, const struct frame *reply)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);
    const uint8_t *at = reply->payload;
    bool is_idle = follow->now.state == TERMINAL_IDLE;

    if (!suite_hold(suite, "T46", reply->size == 13, "the reply to STATUS has %u byte%s, not 13",
                    reply->size, plural(reply->size)))
        return;
    suite_hold(suite, "T46", at[0] == follow->now.state && at[1] == 0,
               "STATUS has state %u, error %u, and the screen is in state %u", at[0], at[1],
               follow->now.state);
    suite_hold(suite, "T74", at[2] == follow->test_mode, "STATUS has the flags %02x, not %02x",
               at[2], follow->test_mode);
    suite_hold(suite, "T46",
               (at[3] == follow->locked && at[4] == follow->won) ||
                   (is_idle && at[3] == 0 && at[4] == 0),
               "STATUS has seats %02x locked and %02x won, not %02x and %02x", at[3], at[4],
               follow->locked, follow->won);
    suite_hold(suite, "T46",
               wire_get32(at + 5) == follow->rounds && wire_get32(at + 9) == follow->awards,
               "STATUS has %u round%s and %u awards, not %u and %u", wire_get32(at + 5),
               plural(wire_get32(at + 5)), wire_get32(at + 9), follow->rounds, follow->awards);
}

static unsigned known_state(struct suite *suite)
{
    return conform_terminal_of(suite)->now.state;
}

static bool begin(struct suite *suite, struct error *error)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);

    if (!conform_terminal_adopt(suite)) {
        error_set(error, ERROR_DEVICE, "%s: STATUS, or METERS, has no answer of a terminal",
                  suite->link->address);
        return false;
    }
    follow->was_test_mode = follow->test_mode;
    if (follow->now.state == TERMINAL_IDLE)
        return true;
    error_set(error, ERROR_DEVICE,
              "%s: the terminal is not idle but in state %u: end its round first, 'dealproof "
              "reset' does it",
              suite->link->address, follow->now.state);
    return false;
}

static const struct conform_kind terminal_kind = {
    .name = "terminal",
    .class = FRAME_TERMINAL,
    .size = sizeof(struct conform_terminal_follow),
    .begin = begin,
    .event = take_event,
    .status = take_status,
    .state = known_state,
    .entry = take_entry,
    .logged = end_log,
    .log_clause = log_clause,
    .status_clause = "T46",
    .mode = conform_terminal_mode,
    .restore = conform_terminal_restore,
    .widen = conform_terminal_widen,
};
REGISTER(conform_kinds, terminal_kind);
