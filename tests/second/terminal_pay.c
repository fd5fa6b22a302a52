/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/second/terminal_state.h"

#include "tests/second/cards.h"

/* Events of one step in one of six orders, each an order of the three events given. */
static void in_order(struct terminal *t, const char *option,
                     void (*const tell[3])(struct terminal *))
{
    static const uint8_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                         {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    uint64_t order = options_number(t->talk->options, option, 0) % 6;
    for (int i = 0; i < 3; i++)
        tell[orders[order][i]](t);
}

static uint64_t enter(struct terminal *t, uint8_t code, uint8_t hand, uint8_t meter, uint64_t cents,
                      uint64_t before, uint8_t seat)
{
    struct ledger_entry entry = {.time = talk_clock(t->talk),
                                 .code = code,
                                 .seat = seat,
                                 .hand = hand,
                                 .meter = meter,
                                 .cents = cents,
                                 .before = before};
    entry.after = meter == METERS_NONE ? 0 : t->meters.list[meter].value;
    if (terminal_lie(t, "ledger-missing"))
        return t->ledger.total;
    if (terminal_lie(t, "ledger-twice"))
        ledger_add(&t->ledger, &entry);
    uint64_t number = ledger_add(&t->ledger, &entry);
    talk_note(t->talk, code, seat, (uint16_t)number);
    return number;
}

static void award_paid(struct terminal *t)
{
    uint8_t meter = t->meters.hands[t->hand].meter;
    if (terminal_lie(t, "award-untold"))
        return;
    terminal_tell_award(t, JACKPOT_PAID, t->hand, meter, t->sign_cents, t->sign_seat);
    if (terminal_lie(t, "award-told-twice"))
        terminal_tell_award(t, JACKPOT_PAID, t->hand, meter, t->sign_cents, t->sign_seat);
}

static void meters_if_any(struct terminal *t)
{
    if (t->meters.hands[t->hand].meter != METERS_NONE)
        terminal_tell_meters(t);
}

void terminal_pay_jackpot(struct terminal *t)
{
    static void (*const tell[3])(struct terminal *) = {award_paid, meters_if_any,
                                                       terminal_tell_sign};
    uint8_t meter = t->meters.hands[t->hand].meter;
    uint64_t before = meter == METERS_NONE ? 0 : t->meters.list[meter].value;
    uint64_t cents = meters_due(&t->meters, t->hand);
    uint8_t seat = t->seat;
    if (terminal_lie(t, "award-a-cent-more"))
        cents++;
    if (terminal_lie(t, "award-to-another-seat"))
        seat = (uint8_t)(seat % 7 + 1);
    if (!terminal_lie(t, "award-not-paid")) {
        meters_pay(&t->meters, t->hand);
        t->awards++;
        if (terminal_lie(t, "award-paid-twice"))
            t->awards++;
        enter(t, LOG_JACKPOT, t->hand, meter, cents, before, seat);
    }
    t->won = (uint8_t)(t->won | 1u << t->seat);
    if (terminal_lie(t, "winner-may-win-again"))
        t->won = 0;
    t->paid_this_round = true;
    if (terminal_lie(t, "paid-round-can-be-cancelled"))
        t->paid_this_round = false;
    t->state = SIGNED;
    terminal_show(t, seat, meter, cents);
    if (terminal_lie(t, "sign-stays-dark"))
        t->sign_on = false;
    in_order(t, "paid-order", tell);
    if (terminal_lie(t, "sign-vanishes"))
        t->sign_on = false;
    if (terminal_lie(t, "sign-vanishes-told")) {
        t->sign_on = false;
        terminal_tell_sign(t);
    }
    if (terminal_lie(t, "sign-changes-amount")) {
        t->sign_cents += 100;
        terminal_tell_sign(t);
    }
}

/* Which of the locked seats gets Must Hit now; 0 nobody. */
static uint8_t must_hit_winner(struct terminal *t)
{
    const struct meter *meter = &t->meters.list[t->meters.must_hit];
    uint8_t loaded = t->loaded_seat;
    t->loaded_seat = NO_LOAD;
    if (terminal_lie(t, "must-hit-never"))
        return 0;
    if (loaded != NO_LOAD && loaded != 0 && (t->locked >> loaded & 1) != 0) {
        if (terminal_lie(t, "must-hit-other-seat"))
            return (uint8_t)(loaded % 7 + 1);
        return terminal_lie(t, "must-hit-lowest") ? (uint8_t)__builtin_ctz(t->locked) : loaded;
    }
    bool due =
        loaded == NO_LOAD ? meter->value >= t->meters.target : meter->value > t->meters.ceiling;
    if (!due && !terminal_lie(t, "must-hit-every-round"))
        return 0;
    if (terminal_lie(t, "must-hit-lowest"))
        return (uint8_t)__builtin_ctz(t->locked);
    if (terminal_lie(t, "must-hit-unlocked-seat"))
        return (uint8_t)__builtin_ctz(~t->locked & 0xfeu);
    unsigned nth =
        (unsigned)cards_chance(&t->meters.chance, (unsigned)__builtin_popcount(t->locked));
    for (uint8_t seat = 1; seat < 8; seat++)
        if ((t->locked >> seat & 1) != 0 && nth-- == 0)
            return seat;
    return 0;
}

static void pay_must_hit(struct terminal *t, uint8_t seat)
{
    uint8_t meter = t->meters.must_hit;
    uint64_t before = t->meters.list[meter].value;
    uint64_t cents = meters_pay_must_hit(&t->meters);
    t->awards++;
    enter(t, LOG_MUST_HIT, METERS_NONE, meter, cents, before, seat);
    terminal_show(t, seat, meter, cents);
    if (!terminal_lie(t, "must-hit-untold"))
        terminal_tell_award(t, MUST_HIT_PAID, METERS_NONE, meter, cents, seat);
    if (terminal_lie(t, "must-hit-twice"))
        terminal_tell_award(t, MUST_HIT_PAID, METERS_NONE, meter, cents, seat);
}

static void end_log(struct terminal *t)
{
    talk_note(t->talk, LOG_ENDED, t->locked, (uint16_t)t->rounds);
}

/* Adds the contributions and looks at Must Hit; true when that was paid. */
static bool settle_meters(struct terminal *t)
{
    bool late = !terminal_option(t, "end-log-early");
    if (!late)
        end_log(t);
    meters_contribute(&t->meters, t->locked);
    bool hit = false;
    if (t->meters.must_hit != METERS_NONE) {
        if (terminal_option(t, "meters-twice"))
            terminal_tell_meters(t);
        uint8_t seat = must_hit_winner(t);
        hit = seat != 0;
        if (hit)
            pay_must_hit(t, seat);
    }
    if (late)
        end_log(t);
    return hit;
}

void terminal_end_round(struct terminal *t)
{
    static void (*const tell[3])(struct terminal *) = {terminal_tell_meters, terminal_tell_lights,
                                                       terminal_tell_screen};
    bool hit = settle_meters(t);
    t->state = IDLE;
    t->seat = 0;
    t->hand = METERS_NONE;
    t->lights = terminal_lie(t, "lights-stay-on") ? t->lights : 0;
    if (!terminal_option(t, "won-until-start"))
        t->locked = t->won = 0;
    if (hit)
        terminal_tell_sign(t);
    in_order(t, "end-order", tell);
}
