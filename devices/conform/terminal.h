/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the suite follows of a terminal. What it shows is kept as it was before a request, between,
 * and as it must be after it: an event may tell each of them, in this order and never backwards.
 */
#ifndef DEVICES_CONFORM_TERMINAL_H
#define DEVICES_CONFORM_TERMINAL_H

#include "devices/conform/suite.h"
#include "devices/terminal/terminal.h"

#define TERMINAL_EXPECTED   24
#define TERMINAL_CHALLENGES 8

/* The numbers of the page, as this end reads it. */
enum conform_terminal_request {
    TERMINAL_KEY = 0x10,
    TERMINAL_SENSORS = 0x11,
    TERMINAL_METERS = 0x12,
    TERMINAL_SIGN = 0x13,
    TERMINAL_LIGHTS = 0x14,
    TERMINAL_SCREEN = 0x15,
    TERMINAL_CONFIGURE = 0x16,
    TERMINAL_CORRECT = 0x17,
    TERMINAL_LEDGER = 0x18,
    TERMINAL_TEST_MODE = 0x19,
    TERMINAL_LOAD_MUST_HIT = 0x1a,
    TERMINAL_CONFIGURATION = 0x1b, /* version 2 */
    TERMINAL_CHALLENGE = 0x1c,     /* version 2 */
};

enum conform_terminal_message {
    TERMINAL_SCREEN_CHANGED = 0x40,
    TERMINAL_LIGHTS_CHANGED = 0x41,
    TERMINAL_METERS_CHANGED = 0x42,
    TERMINAL_JACKPOT_PAID = 0x43,
    TERMINAL_MUST_HIT_PAID = 0x44,
    TERMINAL_SIGN_CHANGED = 0x45,
    TERMINAL_KEY_REFUSED = 0x46,
    TERMINAL_POWER_UP = 0x47,
    TERMINAL_TEST_MODE_CHANGED = 0x48,
};

struct conform_terminal_view {
    uint8_t state, seat, hand, wrong;
    uint64_t cents; /* on the screen in states 7 and 8 */
    uint8_t lights;
    uint8_t sign_seat, sign_meter; /* seat 0: no award is shown */
    uint64_t sign_cents;
    uint64_t meters[TERMINAL_METERS_MAX];
};

enum conform_terminal_channel { ON_SCREEN, ON_LIGHTS, ON_METERS, ON_SIGN, TERMINAL_CHANNELS };

/* An entry that the log must have, or may. */
struct conform_terminal_expected {
    uint8_t code, detail;
    uint32_t value; /* of which version 1 tells 16 bits */
    bool is_required;
};

struct conform_terminal_award {
    uint8_t code; /* 0: none is due */
    uint8_t seat, hand, meter;
    uint64_t cents, before, after;
    bool is_told;
};

struct conform_terminal_follow {
    struct conform_terminal_view before, middle, now;
    unsigned phase[TERMINAL_CHANNELS]; /* 0 before, 1 between, 2 now: told last */
    bool is_told[TERMINAL_CHANNELS];
    bool is_quiet; /* a request after which events are not asked for */
    uint8_t meter_count, must_hit;
    char names[TERMINAL_METERS_MAX][TERMINAL_METER_NAME_MAX + 1];
    bool test_mode, was_test_mode;
    unsigned mode_changes;
    bool mode_asked; /* TEST MODE was, so that it may be told */
    uint8_t locked, won, sensors;
    uint32_t rounds, awards, ledger; /* the number of the next entry */
    uint8_t refused[3];              /* what KEY REFUSED must tell */
    unsigned refusals;
    struct conform_terminal_award award;
    struct conform_terminal_expected expected[TERMINAL_EXPECTED];
    unsigned expected_count;
    uint64_t booked_millis; /* of the log's last entry about money */
    nanos_t asked_at;
    bool is_configured; /* by this host */
    struct terminal_config config;
    bool is_loaded; /* LOAD MUST HIT */
    uint8_t loaded_seat;
    struct frame last_entry; /* of the ledger, which stays as it is */
    uint32_t last_number;
    bool is_lost; /* the terminal is not where it should be */
    /* Version 2 */
    uint8_t challenges[TERMINAL_CHALLENGES][WIRE_PROOF_SIZE]; /* the last ones, */
    unsigned challenge_count;                                 /* of so many */
    struct frame proved; /* the last request that had a proof */
};

static inline struct conform_terminal_follow *conform_terminal_of(struct suite *suite)
{
    return suite->own;
}

/* terminal_shown.c */
extern const char *const conform_terminal_events[], *const conform_terminal_names[];
bool conform_terminal_is_approved(unsigned state);
/* Whether a payload shows that view; how many codes were wrong is exact in state 6 only. */
bool conform_terminal_shows(const struct conform_terminal_follow *follow,
                            const struct conform_terminal_view *view,
                            enum conform_terminal_channel channel, const uint8_t *payload,
                            size_t size);

/* terminal.c, and terminal_shown.c */
/* A request begins whose outcome is to be told. */
void conform_terminal_begin(struct suite *suite);
void conform_terminal_expect(struct suite *suite, uint8_t code, uint8_t detail, unsigned value,
                             bool is_required);
/* Everything that it shows, once all is told; what it really shows counts from then on. */
void conform_terminal_check(struct suite *suite);
/* What it says of itself is all that is known; false where it cannot be read. */
bool conform_terminal_adopt(struct suite *suite);
bool conform_terminal_read_meters(struct suite *suite, bool adopts);
void conform_terminal_read_ledger(struct suite *suite);

/* terminal_money.c */
size_t conform_terminal_put_config(const struct terminal_config *config, const char *code,
                                   uint8_t *payload);
void conform_terminal_contribute(struct conform_terminal_follow *follow, unsigned wagers);
uint64_t conform_terminal_due(const struct conform_terminal_follow *follow, unsigned hand);
void conform_terminal_pay(struct conform_terminal_follow *follow, unsigned meter);
uint64_t conform_terminal_must_hit_due(const struct conform_terminal_follow *follow);
void conform_terminal_pay_must_hit(struct conform_terminal_follow *follow);

/* terminal_keys.c */
/* A key, and what follows from it; false where it was not as it must be. */
bool conform_terminal_key(struct suite *suite, enum terminal_key key, uint8_t argument);
bool conform_terminal_code(struct suite *suite, const char *digits, bool is_right);
void conform_terminal_sense(struct suite *suite, uint8_t seats);
/* To idle by the ways that there are. */
void conform_terminal_leave(struct suite *suite);

/* terminal_admin.c */
bool conform_terminal_may_alter(struct suite *suite);
struct terminal_config conform_terminal_make_config(enum terminal_rounding rounding,
                                                    bool has_must_hit);
/* CONFIGURE, and everything that follows from it. */
bool conform_terminal_configure(struct suite *suite, const struct terminal_config *config);
void conform_terminal_try_wrong_admin(struct suite *suite);
/* One award from the seat to OK; the sign shows it all the while. */
bool conform_terminal_win(struct suite *suite, uint8_t seat, uint8_t hand);

/* terminal_second.c */
void conform_terminal_widen(struct suite *suite, struct frame *request);

/* terminal_steps.c */
bool conform_terminal_set_mode(struct suite *suite, bool on);
/* A code that is not the right one. */
const char *conform_terminal_wrong_code(const char *right);
/* Every key that is not possible in this state. */
void conform_terminal_refuse_others(struct suite *suite);
/* To a state of an approval for that seat and hand; false where it was not reached. */
bool conform_terminal_approve(struct suite *suite, uint8_t seat, uint8_t hand, unsigned state);
void conform_terminal_hold_secret(struct suite *suite, const char *code);
/* Back to idle where a step has lost its way; what that brings is not judged. */
void conform_terminal_recover(struct suite *suite);
void conform_terminal_try_idle(struct suite *suite);
void conform_terminal_try_keys(struct suite *suite);
void conform_terminal_try_codes(struct suite *suite);
void conform_terminal_try_configure(struct suite *suite);
void conform_terminal_try_awards(struct suite *suite);
void conform_terminal_try_must_hit(struct suite *suite);
int conform_terminal_mode(struct suite *suite, bool on);
void conform_terminal_restore(struct suite *suite);

#endif
