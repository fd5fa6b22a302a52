/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "tests/second/terminal_state.h"

#define CODE_RIGHT "4711"

enum key {
    START_ROUND = 1,
    CANCEL_ROUND,
    END_ROUND,
    SEAT,
    HAND,
    NONE,
    PENDING_JACKPOT,
    PAY_JACKPOT,
    CANCEL_JACKPOT,
    THE_CODE,
    ESC,
    OK,
};

enum reason {
    ACCEPTED,
    NOT_NOW,
    NO_SENSOR,
    NO_WAGER,
    HAS_WON,
    NO_HAND,
    WRONG_CODE,
    WRONG_THIRD,
    WAS_PAID,
};

static enum refusal check_argument(const uint8_t *key, size_t size)
{
    if (size == 0)
        return WRONG_LENGTH;
    if (key[0] < START_ROUND || key[0] > OK)
        return OUT_OF_RANGE;
    if (key[0] == THE_CODE) {
        if (size < 5 || size > 9)
            return WRONG_LENGTH;
        for (size_t i = 1; i < size; i++)
            if (key[i] < '0' || key[i] > '9')
                return OUT_OF_RANGE;
        return DONE;
    }
    bool has_argument = key[0] == SEAT || key[0] == HAND;
    if (size != (has_argument ? 2u : 1u))
        return WRONG_LENGTH;
    return key[0] == SEAT && (key[1] < 1 || key[1] > 7) ? OUT_OF_RANGE : DONE;
}

/* Moves on to a screen that no other event announces. */
static enum reason move(struct terminal *t, enum terminal_state state)
{
    t->state = state;
    terminal_tell_screen(t);
    return ACCEPTED;
}

static enum reason start_round(struct terminal *t)
{
    if (t->sensors == 0 && !terminal_lie(t, "starts-without-wager"))
        return NO_SENSOR;
    t->locked = t->sensors;
    if (terminal_lie(t, "locks-one-fewer"))
        t->locked &= (uint8_t)(t->locked - 1);
    if (terminal_lie(t, "locks-an-unpaid-seat"))
        t->locked |= (uint8_t)((~t->sensors & 0xfeu) & -(~t->sensors & 0xfeu));
    t->lights = t->locked;
    if (terminal_lie(t, "light-missing"))
        t->lights &= (uint8_t)(t->lights - 1);
    if (terminal_lie(t, "lights-all"))
        t->lights = 0xfe;
    if (terminal_option(t, "sensors-collected"))
        t->sensors = 0;
    t->won = 0;
    t->paid_this_round = false;
    t->rounds++;
    if (terminal_lie(t, "round-number-skips"))
        t->rounds++;
    talk_note(t->talk, LOG_STARTED, t->locked, (uint16_t)t->rounds);
    bool sign_was_on = t->sign_on;
    t->sign_on = t->sign_on && terminal_lie(t, "must-hit-sign-stays");
    terminal_back_to_open(t);
    if (terminal_option(t, "screen-first"))
        terminal_tell_screen(t);
    if (sign_was_on && !t->sign_on)
        terminal_tell_sign(t);
    terminal_tell_lights(t);
    if (!terminal_option(t, "screen-first"))
        terminal_tell_screen(t);
    return ACCEPTED;
}

static enum reason cancel_round(struct terminal *t)
{
    if (t->paid_this_round)
        return WAS_PAID;
    talk_note(t->talk, LOG_CANCELLED, t->locked, (uint16_t)t->rounds);
    if (terminal_lie(t, "cancelled-round-adds")) {
        meters_contribute(&t->meters, t->locked);
        terminal_tell_meters(t);
    }
    if (terminal_lie(t, "cancelled-round-adds-silently"))
        meters_contribute(&t->meters, t->locked);
    t->lights = 0;
    if (!terminal_option(t, "won-until-start"))
        t->locked = t->won = 0;
    if (terminal_option(t, "screen-first"))
        move(t, IDLE);
    terminal_tell_lights(t);
    return terminal_option(t, "screen-first") ? ACCEPTED : move(t, IDLE);
}

static enum reason choose_seat(struct terminal *t, uint8_t seat)
{
    if ((t->locked >> seat & 1) == 0 && !terminal_lie(t, "unlocked-seat-accepted"))
        return NO_WAGER;
    if ((t->won >> seat & 1) != 0)
        return HAS_WON;
    t->seat = seat;
    if (terminal_lie(t, "seat-beside"))
        t->seat = (uint8_t)(seat % 7 + 1);
    return move(t, CHOOSE);
}

static enum reason choose_hand(struct terminal *t, uint8_t hand)
{
    if (hand >= t->meters.hand_count)
        return NO_HAND;
    t->hand = hand;
    if (terminal_lie(t, "hand-beside"))
        t->hand = (uint8_t)(hand + 1u < t->meters.hand_count ? hand + 1 : 0);
    talk_note(t->talk, LOG_CHOSEN, t->seat, t->hand);
    if (terminal_lie(t, "amount-in-log"))
        talk_note(t->talk, LOG_CHOSEN, t->seat, (uint16_t)meters_due(&t->meters, t->hand));
    return move(t, terminal_lie(t, "skips-pending") ? CONFIRM : PENDING);
}

static enum reason leave(struct terminal *t, enum terminal_log way, const char *lie)
{
    talk_note(t->talk, (uint8_t)way, t->seat, t->hand);
    if (terminal_lie(t, lie)) {
        t->meters.list[0].value += METERS_A_CENT;
        terminal_tell_meters(t);
    }
    if (terminal_lie(t, "leaving-marks-the-seat"))
        t->won = (uint8_t)(t->won | 1u << t->seat);
    if (terminal_lie(t, "leaving-pays")) {
        terminal_pay_jackpot(t);
        terminal_back_to_open(t);
        terminal_tell_screen(t);
        return ACCEPTED;
    }
    if (terminal_lie(t, "leaving-changes-meter-silently"))
        t->meters.list[0].value++;
    terminal_back_to_open(t);
    return move(t, OPEN);
}

static void note_wrong(struct terminal *t, enum reason reason, bool before)
{
    bool twice = terminal_option(t, "wrong-code-logged-twice");
    if (!twice || before != terminal_option(t, "refused-then-wrong"))
        return;
    uint8_t state = reason == WRONG_THIRD ? OPEN : CODE;
    talk_note(t->talk, LOG_REFUSED, THE_CODE, (uint16_t)((unsigned)reason << 8 | state));
}

static enum reason wrong_code(struct terminal *t)
{
    t->wrong_codes++;
    if (terminal_lie(t, "wrong-code-uncounted"))
        t->wrong_codes--;
    unsigned limit = terminal_lie(t, "four-wrong-codes") ? 4 : 3;
    enum reason reason = t->wrong_codes < limit ? WRONG_CODE : WRONG_THIRD;
    note_wrong(t, reason, true);
    if (reason == WRONG_CODE || terminal_option(t, "third-logged-as-10"))
        talk_note(t->talk, LOG_WRONG, t->seat, t->wrong_codes);
    if (reason == WRONG_THIRD)
        talk_note(t->talk, LOG_THIRD, t->seat, t->hand);
    note_wrong(t, reason, false);
    if (reason == WRONG_THIRD)
        terminal_back_to_open(t);
    if (reason == WRONG_THIRD || !terminal_option(t, "wrong-code-no-screen"))
        terminal_tell_screen(t);
    return reason;
}

static enum reason enter_code(struct terminal *t, const uint8_t *code, size_t size)
{
    bool right = size == strlen(CODE_RIGHT) && memcmp(code, CODE_RIGHT, size) == 0;
    if (terminal_lie(t, "any-code"))
        right = true;
    if (terminal_lie(t, "right-code-refused"))
        right = false;
    if (!right && t->wrong_codes == 1 && terminal_lie(t, "second-code-accepted"))
        right = true;
    if (!right)
        return wrong_code(t);
    if (!terminal_option(t, "keeps-wrong-count"))
        t->wrong_codes = 0;
    bool tells = terminal_lie(t, "code-in-log");
    talk_note(t->talk, LOG_AUTHORIZED, t->seat, tells ? 4711 : t->hand);
    if (terminal_lie(t, "code-in-unknown-event"))
        talk_event(t->talk, 0x5c, code, size);
    return move(t, AMOUNT);
}

static enum reason pay(struct terminal *t)
{
    if (t->state == CONFIRM)
        return move(t, terminal_lie(t, "no-code-asked") ? AMOUNT : CODE);
    if (terminal_option(t, "screen-first")) {
        terminal_pay_jackpot(t);
        terminal_tell_screen(t);
        return ACCEPTED;
    }
    terminal_pay_jackpot(t);
    return move(t, SIGNED);
}

static enum reason ok(struct terminal *t)
{
    if (terminal_lie(t, "code-in-sign"))
        talk_event(t->talk, SIGN_CHANGED, (const uint8_t *)"4711", 4);
    terminal_back_to_open(t);
    if (!terminal_lie(t, "sign-stays-after-ok")) {
        t->sign_on = false;
        terminal_tell_sign(t);
    }
    if (terminal_lie(t, "ok-changes-meter")) {
        t->meters.list[0].value++;
        terminal_tell_meters(t);
    }
    return move(t, OPEN);
}

static bool possible(const struct terminal *t, uint8_t key)
{
    static const uint16_t keys[] = {
        [IDLE] = 1u << START_ROUND,
        [OPEN] = 1u << SEAT | 1u << END_ROUND | 1u << CANCEL_ROUND,
        [CHOOSE] = 1u << HAND | 1u << NONE,
        [PENDING] = 1u << PENDING_JACKPOT,
        [CONFIRM] = 1u << PAY_JACKPOT | 1u << CANCEL_JACKPOT,
        [CODE] = 1u << THE_CODE | 1u << ESC,
        [AMOUNT] = 1u << PAY_JACKPOT,
        [SIGNED] = 1u << OK,
    };
    return (keys[t->state] >> key & 1) != 0;
}

static enum reason press(struct terminal *t, const uint8_t *key, size_t size)
{
    if (!possible(t, key[0]))
        return terminal_lie(t, "impossible-key-accepted") ? ACCEPTED : NOT_NOW;
    switch (key[0]) {
    case START_ROUND:
        return start_round(t);
    case CANCEL_ROUND:
        return cancel_round(t);
    case END_ROUND:
        terminal_end_round(t);
        return ACCEPTED;
    case SEAT:
        return choose_seat(t, key[1]);
    case HAND:
        return choose_hand(t, key[1]);
    case NONE:
        return leave(t, LOG_NONE, "none-changes-meter");
    case PENDING_JACKPOT:
        return move(t, CONFIRM);
    case PAY_JACKPOT:
        return pay(t);
    case CANCEL_JACKPOT:
        return leave(t, LOG_CANCEL_JACKPOT, "cancel-changes-meter");
    case THE_CODE:
        return enter_code(t, key + 1, size - 1);
    case ESC:
        return leave(t, LOG_ESC, "esc-changes-meter");
    default:
        return ok(t);
    }
}

static void refuse(struct terminal *t, uint8_t key, enum reason reason)
{
    bool is_code = reason == WRONG_CODE || reason == WRONG_THIRD;
    if (!is_code)
        talk_note(t->talk, LOG_REFUSED, key, (uint16_t)((unsigned)reason << 8 | t->state));
    uint8_t payload[3] = {key, (uint8_t)reason, (uint8_t)t->state};
    talk_event(t->talk, KEY_REFUSED, payload, sizeof payload);
    if (!is_code && terminal_option(t, "screen-after-refusal"))
        terminal_tell_screen(t);
}

enum refusal terminal_key(struct terminal *t, const struct frame *request, struct frame *reply)
{
    enum refusal refusal = check_argument(request->payload, request->size);
    if (refusal != DONE)
        return refusal;
    if (terminal_lie(t, "key-refused-in-vain"))
        return NOT_IN_THIS_STATE;
    if (terminal_lie(t, "key-not-executed"))
        goto told;
    enum reason reason = press(t, request->payload, request->size);
    if (reason != ACCEPTED && terminal_lie(t, "wrong-reason"))
        reason = reason == NOT_NOW ? NO_WAGER : NOT_NOW;
    if (reason != ACCEPTED)
        refuse(t, request->payload[0], reason);
    reply->payload[0] = (uint8_t)reason;
told:
    reply->payload[1] = (uint8_t)t->state;
    reply->size = 2;
    return DONE;
}
