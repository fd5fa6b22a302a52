/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of the terminal share: its state, what it tells (terminal_tell.c), its keys
   (terminal_keys.c), and requests of administrators (terminal.c). */
#ifndef SECOND_TERMINAL_STATE_H
#define SECOND_TERMINAL_STATE_H

#include "tests/second/ledger.h"
#include "tests/second/meters.h"
#include "tests/second/talk.h"

enum terminal_state { IDLE = 1, OPEN, CHOOSE, PENDING, CONFIRM, CODE, AMOUNT, SIGNED };

enum terminal_event {
    SCREEN_CHANGED = 0x40,
    LIGHTS_CHANGED,
    METERS_CHANGED,
    JACKPOT_PAID,
    MUST_HIT_PAID,
    SIGN_CHANGED,
    KEY_REFUSED,
    POWER_UP,
    MODE,
};

enum terminal_log {
    LOG_POWER_UP = 1,
    LOG_CONFIGURED,
    LOG_STARTED,
    LOG_CANCELLED,
    LOG_ENDED,
    LOG_CHOSEN,
    LOG_NONE,
    LOG_CANCEL_JACKPOT,
    LOG_ESC,
    LOG_WRONG,
    LOG_THIRD,
    LOG_AUTHORIZED,
    LOG_JACKPOT,
    LOG_MUST_HIT,
    LOG_CORRECTED,
    LOG_REFUSED,
    LOG_ADMIN,
    LOG_TEST_MODE,
    LOG_LOADED,
};

#define NO_LOAD 0xff

struct terminal {
    struct talk *talk;
    struct meters meters;
    struct ledger ledger;
    enum terminal_state state;
    bool test;
    uint8_t sensors;
    uint8_t locked;
    uint8_t won;
    uint8_t lights;
    uint8_t seat;
    uint8_t hand;
    uint8_t wrong_codes;
    uint32_t rounds;
    uint32_t awards;
    bool paid_this_round;
    bool sign_on;
    uint8_t sign_seat;
    uint8_t sign_meter;
    uint64_t sign_cents;
    uint8_t loaded_seat;
};

bool terminal_option(const struct terminal *t, const char *name);
bool terminal_lie(struct terminal *t, const char *name);

size_t terminal_put_screen(struct terminal *t, uint8_t *to);
size_t terminal_put_sign(const struct terminal *t, uint8_t *to);

void terminal_tell_screen(struct terminal *t);
void terminal_tell_lights(struct terminal *t);
void terminal_tell_meters(struct terminal *t);
void terminal_tell_sign(struct terminal *t);
void terminal_tell_award(struct terminal *t, uint8_t type, uint8_t hand, uint8_t meter,
                         uint64_t cents, uint8_t seat);

void terminal_show(struct terminal *t, uint8_t seat, uint8_t meter, uint64_t cents);

void terminal_back_to_open(struct terminal *t);

enum refusal terminal_key(struct terminal *t, const struct frame *request, struct frame *reply);

/* Pays what PAY JACKPOT and END ROUND pay (terminal_pay.c). */
void terminal_pay_jackpot(struct terminal *t);
void terminal_end_round(struct terminal *t);

#endif
