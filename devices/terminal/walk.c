/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/terminal/walk.h"

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

/* A third one ends the approval. */
static int press_wrong_code(struct terminal_walk *walk)
{
    if (++walk->wrong_codes < TERMINAL_CODE_TRIES)
        return TERMINAL_WRONG_CODE;
    walk->state = TERMINAL_OPEN;
    return TERMINAL_CODE_LOCKED;
}

static uint8_t bit(unsigned seat)
{
    return (uint8_t)(1u << seat);
}

static int refusal(const struct terminal_walk *walk, const struct terminal_press *press)
{
    if (press->key == TERMINAL_START_ROUND && !walk->sensed)
        return TERMINAL_NO_WAGERS;
    if (press->key == TERMINAL_SEAT && !(walk->laid & bit(press->seat)))
        return TERMINAL_NO_WAGER;
    if (press->key == TERMINAL_SEAT && walk->won & bit(press->seat))
        return TERMINAL_SEAT_PAID;
    if (press->key == TERMINAL_CANCEL_ROUND && walk->won)
        return TERMINAL_ROUND_PAID;
    if (press->key == TERMINAL_HAND && press->hand >= walk->hands)
        return TERMINAL_UNKNOWN_HAND;
    return 0;
}

int terminal_walk_press(struct terminal_walk *walk, const struct terminal_press *press)
{
    enum terminal_state next = leads_to(walk->state, press->key);
    int why = next ? refusal(walk, press) : TERMINAL_WRONG_STATE;

    if (why)
        return why;
    if (press->key == TERMINAL_CODE && press->is_wrong)
        return press_wrong_code(walk);
    if (press->key == TERMINAL_SEAT) {
        walk->wrong_codes = 0;
        walk->approving = press->seat;
    }
    if (press->key == TERMINAL_HAND)
        walk->hand = press->hand;
    if (next == TERMINAL_SIGNED)
        walk->won |= bit(walk->approving);
    if (next == TERMINAL_IDLE)
        walk->won = 0;
    walk->state = next;
    return 0;
}
