/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys of the terminal: where each must lead, and what must be on the screen after it. */
#include <stdio.h>
#include <string.h>

#include "rigs/run/events.h"
#include "rigs/run/terminal.h"

void run_expect_log(struct run *run, enum terminal_log_code code, unsigned detail, int value)
{
    run_log_add(&run->round.log, code, detail, value);
}

/* Where a key leads by the protocol; 0 where it is not possible. */
static enum terminal_state leads_to(enum terminal_state state, enum terminal_key key)
{
    static const uint8_t next[TERMINAL_STATES][TERMINAL_KEYS] = {
        [TERMINAL_IDLE] = {[TERMINAL_START_ROUND] = TERMINAL_OPEN},
        [TERMINAL_OPEN] = {[TERMINAL_SEAT] = TERMINAL_CHOOSE,
                           [TERMINAL_END_ROUND] = TERMINAL_IDLE,
                           [TERMINAL_CANCEL_ROUND] = TERMINAL_IDLE},
        [TERMINAL_CHOOSE] =
            {[TERMINAL_HAND] = TERMINAL_PENDING, [TERMINAL_NO_HAND] = TERMINAL_OPEN},
        [TERMINAL_PENDING] = {[TERMINAL_PENDING_JACKPOT] = TERMINAL_CONFIRM},
        [TERMINAL_CONFIRM] = {[TERMINAL_PAY_JACKPOT] = TERMINAL_CODE_ENTRY,
                              [TERMINAL_CANCEL_JACKPOT] = TERMINAL_OPEN},
        [TERMINAL_CODE_ENTRY] = {[TERMINAL_CODE] = TERMINAL_AMOUNT, [TERMINAL_ESC] = TERMINAL_OPEN},
        [TERMINAL_AMOUNT] = {[TERMINAL_PAY_JACKPOT] = TERMINAL_SIGNED},
        [TERMINAL_SIGNED] = {[TERMINAL_OK] = TERMINAL_OPEN}};

    return (enum terminal_state)next[state][key];
}

/* Why a key must be refused, or 0; the state is then the one that it leads to. */
static int predict(struct run *run, const struct terminal_press *key)
{
    enum terminal_state next = leads_to(run->round.state, key->key);

    if (!next)
        return TERMINAL_WRONG_STATE;
    if (key->key == TERMINAL_START_ROUND && !run->round.sensed)
        return TERMINAL_NO_WAGERS;
    if (key->key == TERMINAL_SEAT && !(run->round.paid & seat_bit(key->seat)))
        return TERMINAL_NO_WAGER;
    if (key->key == TERMINAL_SEAT && run->round.won & seat_bit(key->seat))
        return TERMINAL_SEAT_PAID;
    if (key->key == TERMINAL_CANCEL_ROUND && run->round.won)
        return TERMINAL_ROUND_PAID;
    if (key->key == TERMINAL_SEAT)
        run->round.approving = key->seat;
    if (key->key == TERMINAL_HAND)
        run->round.hand = key->hand;
    if (next == TERMINAL_SIGNED)
        run->round.won |= seat_bit(run->round.approving);
    if (next == TERMINAL_IDLE)
        run->round.won = 0;
    run->round.state = next;
    return 0;
}

/* What a key that was accepted writes into the log. */
static void expect_entry(struct run *run, enum terminal_key key)
{
    unsigned seat = run->round.approving;

    switch (key) {
    case TERMINAL_START_ROUND:
        run_expect_log(run, TERMINAL_LOG_ROUND_STARTED, run->round.sensed, RUN_LOG_ANY);
        break;
    case TERMINAL_CANCEL_ROUND:
        run_expect_log(run, TERMINAL_LOG_ROUND_CANCELLED, run->round.sensed, RUN_LOG_ANY);
        break;
    case TERMINAL_END_ROUND:
        run_expect_log(run, TERMINAL_LOG_ROUND_ENDED, run->round.sensed, RUN_LOG_ANY);
        break;
    case TERMINAL_HAND:
        run_expect_log(run, TERMINAL_LOG_HAND_CHOSEN, seat, (int)run->round.hand);
        break;
    case TERMINAL_NO_HAND:
        run_expect_log(run, TERMINAL_LOG_HAND_UNDONE, seat, TERMINAL_NONE);
        break;
    case TERMINAL_CANCEL_JACKPOT:
        run_expect_log(run, TERMINAL_LOG_JACKPOT_CANCELLED, seat, (int)run->round.hand);
        break;
    case TERMINAL_ESC:
        run_expect_log(run, TERMINAL_LOG_CODE_ESCAPED, seat, (int)run->round.hand);
        break;
    case TERMINAL_CODE:
        run_expect_log(run, TERMINAL_LOG_AUTHORIZED, seat, (int)run->round.hand);
        break;
    case TERMINAL_PAY_JACKPOT:
        if (run->round.state == TERMINAL_SIGNED)
            run_expect_log(run, TERMINAL_LOG_JACKPOT_PAID, seat, RUN_LOG_ANY);
        break;
    default:
        break;
    }
}

int run_press(struct run *run, const struct terminal_press *key, struct error *error)
{
    struct error why;
    int expected = predict(run, key);
    int refusal = terminal_key(run->bench->terminal, key, &why);
    char name[TERMINAL_KEY_TEXT];

    if (refusal < 0) {
        if (error)
            *error = why;
        return refusal;
    }
    run_tell_key(run, key, refusal);
    run->round.refused += refusal != 0;
    if (refusal)
        run_expect_log(run, TERMINAL_LOG_KEY_REFUSED, key->key,
                       refusal << 8 | (int)run->round.state);
    else
        expect_entry(run, key->key);
    check_number(run->book, CHECK_KEY_REFUSALS, key->seat,
                 terminal_key_name(key, &run->recording.terminal, name), expected, refusal,
                 refusal ? why.text : "the terminal accepted the key");
    return 0;
}

static void check_screen(struct run *run, const struct terminal_screen *screen)
{
    check_number(run->book, CHECK_KEY_REFUSALS, 0, NULL, run->round.state, screen->state,
                 "state of the terminal after the key");
    if (run->round.state >= TERMINAL_CHOOSE)
        check_number(run->book, CHECK_KEY_REFUSALS, run->round.approving, NULL,
                     run->round.approving, screen->seat, "seat on the screen");
    if (run->round.state < TERMINAL_AMOUNT)
        check_number(run->book, CHECK_AMOUNT_HIDDEN, screen->seat, NULL, 0, screen->amount_shown,
                     "the amount is on the screen before the code was entered");
}

/* Money on the screen, then on the sign, in an approval key by key. */
static int check_money(struct run *run, const struct terminal_screen *screen, struct error *error)
{
    unsigned seat = run->round.approving, hand = run->round.hand;
    struct meters before = run->round.live;
    cents_t pays = run_pay_hand(run, hand);
    int status;

    if (run->round.state == TERMINAL_AMOUNT) {
        run->round.live = before;
        check_number(run->book, CHECK_JACKPOTS, seat, run->recording.terminal.hands[hand].name,
                     pays, (int64_t)screen->cents, "cents that the terminal shows");
        return 0;
    }
    run_expect_sign(run, seat, run->recording.terminal.hands[hand].meter, pays);
    status = run_check_sign(run, "on the sign", error);
    if (!status)
        status = run_check_award(run, seat, hand, pays, error);
    return status ? status
                  : run_check_meters(run, &run->round.live,
                                     run->recording.terminal.hands[hand].meter != TERMINAL_NONE,
                                     "after PAY JACKPOT", error);
}

/* A recorded key of an approval: "hand" alone is the hand that the engine sees. */
static void complete_key(const struct run *run, struct terminal_press *key)
{
    if (key->key == TERMINAL_HAND && key->hand == TERMINAL_NONE && key->seat) {
        int hand = run_winning_hand(run, key->seat);

        key->hand = hand < 0 ? 0 : (uint8_t)hand;
    }
    if (key->key == TERMINAL_CODE)
        snprintf(key->code, sizeof key->code, "%s", run->bench->rig->devices.terminal->code);
}

int run_press_recorded(struct run *run, struct terminal_press *key, struct error *error)
{
    enum terminal_state before = run->round.state;
    struct terminal_screen screen;
    int status;

    complete_key(run, key);
    status = run_press(run, key, error);
    if (!status)
        status = terminal_screen(run->bench->terminal, &screen, error);
    if (status)
        return status;
    check_screen(run, &screen);
    if (run->round.state == before || screen.state != run->round.state)
        return 0;
    if (run->round.state == TERMINAL_AMOUNT || run->round.state == TERMINAL_SIGNED)
        return check_money(run, &screen, error);
    if (before != TERMINAL_SIGNED)
        return 0;
    run_expect_sign(run, 0, 0, 0);
    return run_check_sign(run, "after OK", error);
}
