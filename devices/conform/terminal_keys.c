/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys of a terminal: what each must do by the page, and whether it did. */
#include <stdio.h>

#include "devices/conform/terminal.h"
#include "hal/base/plural.h"

static const uint8_t ways[TERMINAL_STATES][TERMINAL_KEYS] = {
    [TERMINAL_IDLE] = {[TERMINAL_START_ROUND] = TERMINAL_OPEN},
    [TERMINAL_OPEN] = {[TERMINAL_SEAT] = TERMINAL_CHOOSE,
                       [TERMINAL_END_ROUND] = TERMINAL_IDLE,
                       [TERMINAL_CANCEL_ROUND] = TERMINAL_IDLE},
    [TERMINAL_CHOOSE] = {[TERMINAL_HAND] = TERMINAL_PENDING, [TERMINAL_NO_HAND] = TERMINAL_OPEN},
    [TERMINAL_PENDING] = {[TERMINAL_PENDING_JACKPOT] = TERMINAL_CONFIRM},
    [TERMINAL_CONFIRM] =
        {[TERMINAL_PAY_JACKPOT] = TERMINAL_CODE_ENTRY, [TERMINAL_CANCEL_JACKPOT] = TERMINAL_OPEN},
    [TERMINAL_CODE_ENTRY] = {[TERMINAL_CODE] = TERMINAL_AMOUNT, [TERMINAL_ESC] = TERMINAL_OPEN},
    [TERMINAL_AMOUNT] = {[TERMINAL_PAY_JACKPOT] = TERMINAL_SIGNED},
    [TERMINAL_SIGNED] = {[TERMINAL_OK] = TERMINAL_OPEN},
};

static const char *const state_clauses[] = {NULL, "T2", "T3", "T4", "T5", "T6", "T7", "T8", "T9"};
static const char *const key_clauses[] = {NULL,  "T10", "T11", "T12", "T13", "T14", "T15",
                                          "T16", "T17", "T18", "T19", "T20", "T21"};
static const char *const reason_clauses[] = {"T22", "T23", "T24", "T25", "T26",
                                             "T27", "T28", "T29", "T30"};

/* At least one where there are meters; how many is not told. */
static unsigned hand_count(const struct conform_terminal_follow *follow)
{
    if (follow->is_configured)
        return follow->config.hand_count;
    return follow->meter_count ? TERMINAL_HANDS_MAX : 0;
}

/* Why the key is refused; 0 where it is not. */
static unsigned reason_of(const struct conform_terminal_follow *follow, enum terminal_key key,
                          uint8_t argument, bool is_right)
{
    if (!ways[follow->now.state][key])
        return TERMINAL_WRONG_STATE;
    if (key == TERMINAL_START_ROUND && !follow->sensors)
        return TERMINAL_NO_WAGERS;
    if (key == TERMINAL_SEAT && !(follow->locked >> argument & 1))
        return TERMINAL_NO_WAGER;
    if (key == TERMINAL_SEAT && follow->won >> argument & 1)
        return TERMINAL_SEAT_PAID;
    if (key == TERMINAL_HAND && argument >= hand_count(follow))
        return TERMINAL_UNKNOWN_HAND;
    if (key == TERMINAL_CANCEL_ROUND && follow->won)
        return TERMINAL_ROUND_PAID;
    if (key == TERMINAL_CODE && !is_right)
        return follow->now.wrong < 2 ? TERMINAL_WRONG_CODE : TERMINAL_CODE_LOCKED;
    return 0;
}

static void clear_approval(struct conform_terminal_view *view)
{
    view->seat = view->wrong = 0;
    view->hand = TERMINAL_NONE;
    view->cents = 0;
}

static void start_round(struct suite *suite)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);

    follow->locked = follow->sensors;
    follow->won = 0;
    follow->rounds++;
    follow->now.lights = follow->locked;
    follow->now.sign_seat = 0;
    conform_terminal_expect(suite, TERMINAL_LOG_ROUND_STARTED, follow->locked, follow->rounds,
                            true);
}

/* Must Hit is paid by its rules: to a seat that was loaded, and never above its ceiling to nobody.
 */
static void take_must_hit(struct suite *suite)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);
    struct conform_terminal_award *award = &follow->award;
    bool is_over = follow->now.meters[follow->config.meter_count] > follow->config.must_hit.hit_by;
    bool is_hit = follow->is_loaded && follow->locked >> follow->loaded_seat & 1;
    const struct frame *event = NULL;

    suite_rest(suite, 300);
    for (unsigned i = 0; i < suite->event_count; i++)
        if (suite->events[i].type == TERMINAL_MUST_HIT_PAID)
            event = &suite->events[i];
    if (follow->is_loaded)
        suite_hold(suite, "T76", is_hit || is_over ? event != NULL : event == NULL,
                   "Must Hit was loaded for seat %u, seats %02x are locked, and it is %s",
                   follow->loaded_seat, follow->locked, event ? "paid" : "not paid");
    suite_hold(suite, "T43", event || !is_over, "Must Hit has passed its ceiling and is not paid");
    follow->is_loaded = false;
    if (!event)
        return;
    suite_hold(suite, "T43", follow->locked >> (event->payload[4] & 7) & 1,
               "Must Hit is paid to seat %u, which is not locked", event->payload[4]);
    if (is_hit)
        suite_hold(suite, "T76", event->payload[4] == follow->loaded_seat,
                   "Must Hit is paid to seat %u, and seat %u was loaded", event->payload[4],
                   follow->loaded_seat);
    *award =
        (struct conform_terminal_award){.code = TERMINAL_LOG_MUST_HIT_PAID,
                                        .seat = event->payload[4],
                                        .hand = TERMINAL_NONE,
                                        .meter = follow->config.meter_count,
                                        .cents = conform_terminal_must_hit_due(follow),
                                        .before = follow->now.meters[follow->config.meter_count]};
    conform_terminal_pay_must_hit(follow);
    award->after = follow->now.meters[follow->config.meter_count];
    follow->awards++;
    follow->now.sign_seat = award->seat;
    follow->now.sign_meter = award->meter;
    follow->now.sign_cents = award->cents;
    conform_terminal_expect(suite, TERMINAL_LOG_MUST_HIT_PAID, award->seat, follow->ledger, true);
    suite_hold(suite, "T45", true, " ");
    suite_hold(suite, "T44", true, " ");
}

static void end_round(struct suite *suite)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);

    conform_terminal_expect(suite, TERMINAL_LOG_ROUND_ENDED, follow->locked, follow->rounds, true);
    if (follow->is_configured) {
        conform_terminal_contribute(follow, (unsigned)__builtin_popcount(follow->locked));
        memcpy(follow->middle.meters, follow->now.meters, sizeof follow->now.meters);
        if (follow->config.must_hit.rate)
            take_must_hit(suite);
    }
    follow->now.lights = 0;
}

static void pay(struct suite *suite)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);
    uint8_t meter = follow->config.hands[follow->now.hand % TERMINAL_HANDS_MAX].meter;
    struct conform_terminal_award *award = &follow->award;

    *award = (struct conform_terminal_award){.code = TERMINAL_LOG_JACKPOT_PAID,
                                             .seat = follow->now.seat,
                                             .hand = follow->now.hand,
                                             .meter = meter,
                                             .cents = follow->now.cents};
    if (meter != TERMINAL_NONE) {
        award->before = follow->now.meters[meter];
        conform_terminal_pay(follow, meter);
        award->after = follow->now.meters[meter];
    }
    follow->awards++;
    follow->won |= (uint8_t)(1u << follow->now.seat);
    follow->now.sign_seat = award->seat;
    follow->now.sign_meter = meter;
    follow->now.sign_cents = award->cents;
    conform_terminal_expect(suite, TERMINAL_LOG_JACKPOT_PAID, award->seat, follow->ledger, true);
}

static void leave(struct suite *suite, uint8_t code)
{
    struct conform_terminal_view *now = &conform_terminal_of(suite)->now;

    conform_terminal_expect(suite, code, now->seat, now->hand, true);
    clear_approval(now);
}

/* What an accepted key does. */
static void follow_key(struct suite *suite, enum terminal_key key, uint8_t argument)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);
    struct conform_terminal_view *now = &follow->now;
    unsigned state = now->state;

    switch (key) {
    case TERMINAL_START_ROUND:
        start_round(suite);
        break;
    case TERMINAL_CANCEL_ROUND:
        conform_terminal_expect(suite, TERMINAL_LOG_ROUND_CANCELLED, follow->locked, follow->rounds,
                                true);
        now->lights = 0;
        break;
    case TERMINAL_END_ROUND:
        end_round(suite);
        break;
    case TERMINAL_SEAT:
        now->seat = argument;
        break;
    case TERMINAL_HAND:
        now->hand = argument;
        conform_terminal_expect(suite, TERMINAL_LOG_HAND_CHOSEN, now->seat, argument, true);
        break;
    case TERMINAL_NO_HAND:
        leave(suite, TERMINAL_LOG_HAND_UNDONE);
        break;
    case TERMINAL_CANCEL_JACKPOT:
        leave(suite, TERMINAL_LOG_JACKPOT_CANCELLED);
        break;
    case TERMINAL_ESC:
        leave(suite, TERMINAL_LOG_CODE_ESCAPED);
        break;
    case TERMINAL_CODE:
        conform_terminal_expect(suite, TERMINAL_LOG_AUTHORIZED, now->seat, now->hand, true);
        now->cents = conform_terminal_due(follow, now->hand);
        break;
    case TERMINAL_PAY_JACKPOT:
        if (state == TERMINAL_AMOUNT)
            pay(suite);
        break;
    case TERMINAL_OK:
        clear_approval(now);
        now->sign_seat = 0;
        break;
    default:
        break;
    }
    now->state = ways[state][key];
}

/* What a refused key does: it is logged, and a wrong code is counted. */
static void follow_refusal(struct suite *suite, enum terminal_key key, unsigned reason)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);
    struct conform_terminal_view *now = &follow->now;
    bool is_code = reason == TERMINAL_WRONG_CODE || reason == TERMINAL_CODE_LOCKED;

    if (is_code)
        now->wrong++;
    if (is_code)
        conform_terminal_expect(suite, TERMINAL_LOG_CODE_WRONG, now->seat, now->wrong,
                                reason == TERMINAL_WRONG_CODE);
    if (reason == TERMINAL_CODE_LOCKED) {
        conform_terminal_expect(suite, TERMINAL_LOG_CODE_LOCKED, now->seat, now->hand, true);
        clear_approval(now);
        now->state = TERMINAL_OPEN;
    }
    conform_terminal_expect(suite, TERMINAL_LOG_KEY_REFUSED, (uint8_t)key, reason << 8 | now->state,
                            !is_code);
    follow->refused[0] = (uint8_t)key;
    follow->refused[1] = (uint8_t)reason;
    follow->refused[2] = now->state;
    follow->refusals = 1;
}

/* A request that had to be said again may have met a loss of power. */
static bool has_lost_power(struct suite *suite)
{
    if (suite->asked_times < 2)
        return false;
    suite_rest(suite, 500);
    for (unsigned i = 0; i < suite->event_count; i++)
        if (suite->events[i].type == TERMINAL_POWER_UP)
            return true;
    return false;
}

/* The key had done its work, or had not yet; what the repeated one did is not asked. */
static void follow_loss(struct suite *suite, enum terminal_key key, unsigned state)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);

    for (unsigned i = 0; i < suite->event_count; i++) {
        const struct frame *event = &suite->events[i];

        if (event->type != TERMINAL_POWER_UP)
            continue;
        suite_power_up(suite);
        suite_hold(suite, "T84", event->size == 4 || event->size == 12,
                   "POWER UP has %u byte%s, not those of SCREEN", event->size, plural(event->size));
        suite_hold(suite, "T87",
                   event->payload[0] == state || event->payload[0] == follow->now.state,
                   "POWER UP tells state %u, and key %u leads from %u to %u", event->payload[0],
                   key, follow->now.state, state);
        suite_hold(suite, "T88", true, " ");
        suite_hold(suite, "T90", true, " ");
    }
    suite->is_old = true;
    suite_judge(suite);
    suite_read_log(suite);
    conform_terminal_adopt(suite);
    suite->is_old = false;
}

/* Sends a key with its payload, and follows it. */
static bool press(struct suite *suite, const uint8_t *payload, size_t size, bool is_right)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);
    enum terminal_key key = (enum terminal_key)payload[0];
    uint8_t argument = size > 1 ? payload[1] : 0;
    unsigned reason = reason_of(follow, key, argument, is_right), state = follow->now.state;
    bool holds;
    int status;

    conform_terminal_begin(suite);
    status = suite_ask(suite, TERMINAL_KEY, payload, size);
    if (suite->broken)
        return false;
    if (has_lost_power(suite)) {
        follow_loss(suite, key, reason ? state : ways[state][key]);
        return false;
    }
    if (!suite_hold(suite, "T47", status == 0 && suite->reply.size == 2,
                    "KEY %u is refused with %d, or its reply has %u byte%s", key, status,
                    suite->reply.size, plural(suite->reply.size)))
        return false;
    holds = suite_hold(suite, reason ? reason_clauses[reason] : state_clauses[state],
                       suite->reply.payload[0] == reason,
                       "key %u in state %u has the reason %u, and not %u", key, state,
                       suite->reply.payload[0], reason);
    suite_hold(suite, reason ? "T22" : key_clauses[key], holds,
               "key %u in state %u has the reason %u, and not %u", key, state,
               suite->reply.payload[0], reason);
    if (!reason && key != TERMINAL_END_ROUND) {
        struct frame reply;

        frame_copy(&reply, &suite->reply);
        suite_hold(suite, "C9",
                   suite_repeat(suite) == 0 && suite->reply.payload[0] == reply.payload[0],
                   "key %u is said again under its number, and answered otherwise", key);
        suite->reply = reply;
    }
    if (reason)
        follow_refusal(suite, key, reason);
    else
        follow_key(suite, key, argument);
    suite_hold(suite, "T58", suite->reply.payload[1] == follow->now.state,
               "the reply to key %u has the state %u, and it must be %u", key,
               suite->reply.payload[1], follow->now.state);
    conform_terminal_check(suite);
    return holds && !suite->broken;
}

bool conform_terminal_key(struct suite *suite, enum terminal_key key, uint8_t argument)
{
    const uint8_t payload[] = {(uint8_t)key, argument};
    bool has_argument = key == TERMINAL_SEAT || key == TERMINAL_HAND;

    return press(suite, payload, has_argument ? 2 : 1, false);
}

bool conform_terminal_code(struct suite *suite, const char *digits, bool is_right)
{
    uint8_t payload[1 + TERMINAL_CODE_MAX] = {TERMINAL_CODE};
    size_t length = strlen(digits);

    memcpy(payload + 1, digits, length);
    return press(suite, payload, length + 1, is_right);
}

void conform_terminal_sense(struct suite *suite, uint8_t seats)
{
    if (suite_done(suite, "T48", TERMINAL_SENSORS, &seats, 1, 0, "SENSORS"))
        conform_terminal_of(suite)->sensors = seats;
}

void conform_terminal_leave(struct suite *suite)
{
    static const uint8_t out[TERMINAL_STATES] = {
        [TERMINAL_CHOOSE] = TERMINAL_NO_HAND,         [TERMINAL_PENDING] = TERMINAL_PENDING_JACKPOT,
        [TERMINAL_CONFIRM] = TERMINAL_CANCEL_JACKPOT, [TERMINAL_CODE_ENTRY] = TERMINAL_ESC,
        [TERMINAL_AMOUNT] = TERMINAL_PAY_JACKPOT,     [TERMINAL_SIGNED] = TERMINAL_OK,
        [TERMINAL_OPEN] = TERMINAL_CANCEL_ROUND};

    for (unsigned i = 0; i < 12 && !suite->broken; i++) {
        uint8_t state = 0, key;

        if (suite_ask(suite, TERMINAL_SCREEN, NULL, 0) == 0)
            state = suite->reply.payload[0];
        if (state <= TERMINAL_IDLE || state >= TERMINAL_STATES)
            return;
        key = out[state];
        if (suite_ask(suite, TERMINAL_KEY, &key, 1) == 0 && suite->reply.payload[0] &&
            state == TERMINAL_OPEN) {
            key = TERMINAL_END_ROUND;
            suite_ask(suite, TERMINAL_KEY, &key, 1);
        }
    }
}
