/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The inside of the terminal's model, shared by its files and nobody else: what it remembers, what
 * is wrong with it, and who does what. Nothing here allocates; time is always told.
 */
#ifndef DEVICES_TERMINAL_OPEN_DEVICE_H
#define DEVICES_TERMINAL_OPEN_DEVICE_H

#include "devices/terminal/open/wire.h"
#include "devices/wire/defects.h"
#include "devices/wire/log.h"
#include "devices/wire/peer.h"
#include "hal/link/model.h"

#define TERMINAL_LOG_SIZE    1024 /* entries kept; older ones are overwritten */
#define TERMINAL_LEDGER_SIZE 256

struct terminal_ledger_record {
    uint64_t millis;
    uint8_t code, seat, hand, meter;
    uint64_t cents, before, after;
    char reason[TERMINAL_REASON_MAX + 1];
};

/* A code of digits, filled up with zero bytes so that all of them compare alike. */
struct terminal_secret {
    char digits[TERMINAL_CODE_MAX];
};

/* Non-volatile. */
struct terminal_memory {
    struct terminal_config config;
    uint64_t meters[TERMINAL_METERS_MAX]; /* Must Hit after the others */
    uint64_t target;                      /* of Must Hit; it leaves the device only by being hit */
    uint64_t random;
    uint8_t state, seat, hand, wrong_codes;
    uint8_t locked, paid; /* sets of seats */
    uint64_t amount;      /* cents, authorized, which may be none; 0 until then */
    uint8_t sign_seat, sign_meter;
    uint64_t sign_cents;
    uint32_t rounds, awards;
    bool test_mode, must_hit_loaded;
    uint8_t loaded_seat;
    uint32_t logged, booked; /* entries ever written */
    struct log_chain chain;  /* of the log, where version 2 is spoken */
    struct log_entry log[TERMINAL_LOG_SIZE];
    struct terminal_ledger_record ledger[TERMINAL_LEDGER_SIZE];
};

enum terminal_defect {
    DEFECT_UNPLUG,
    DEFECT_POWER,
    DEFECT_DARK,
    DEFECT_LIT,
    DEFECT_WRONG_METER,
    DEFECT_NO_CONTRIBUTION,
    DEFECT_BY_SENSORS,
    DEFECT_WRONG_SIGN,
    DEFECT_EARLY_AMOUNT,
    DEFECT_EARLY_SIGN,
    DEFECT_FLICKER,
    DEFECT_LATE_MUST_HIT,
    DEFECT_ACCEPTS,
    DEFECT_REFUSES,
    DEFECT_LEFT_LIT,
    DEFECT_GOES_DARK,
    DEFECT_FALSE_LIGHTS,
    DEFECT_MICRO,
    DEFECT_FALSE_METERS,
    DEFECT_FALSE_STEP,
    DEFECT_CANCEL_ADDS,
    DEFECT_WRONG_SEAT,
    DEFECT_SIGN_STAYS,
    DEFECT_FALSE_SIGN,
    DEFECT_WRONG_AWARD,
    DEFECT_TWO_SEATS,
    DEFECT_WRONG_LEDGER,
    DEFECT_FALSE_BEFORE,
    DEFECT_FALSE_AFTER,
    DEFECT_FALSE_HAND,
    DEFECT_STRANGER,
    DEFECT_SILENT_TEST,
    DEFECT_UNLOGGED,
    DEFECT_MISLOGGED,
    DEFECT_ANY_CODE,
    DEFECT_ANY_ADMIN,
    DEFECT_FALSE_SCREEN,
    DEFECT_FALSE_REFUSAL,
    DEFECT_FALSE_STATE,
    DEFECT_PRETENDS,
    DEFECT_UNTOLD_SIGN,
    DEFECT_FALSE_WON,
    DEFECT_RENAMES,
    DEFECT_TWICE,
    DEFECT_REWRITES,
    DEFECT_REWRITES_FIRST,
    DEFECT_FALSE_ROUNDS,
    DEFECT_SIGN_FADES,
    DEFECT_MUST_HIT_FADES,
    DEFECT_WAY_OUT_ADDS,
    DEFECT_WAY_OUT_BOOKS,
    DEFECT_WAY_OUT_SIGNS,
    DEFECT_UNCONFIGURED,
    DEFECT_SKIP,
    DEFECT_FOUND_RESEED,
    DEFECT_FOUND_RATE,
    DEFECT_UNBOOKED,
    DEFECT_FALSE_CONFIGURED,
    DEFECT_FALSE_CORRECTION,
    DEFECT_WRONG_CORRECTION,
    DEFECT_LOWEST_SEAT,
    DEFECT_EVERY_ROUND,
    DEFECT_AT_CEILING,
    DEFECT_FALSE_SIGN_METER,
    DEFECT_FALSE_PLACE,
    DEFECT_FALSE_AWARDS,
    DEFECT_FALSE_CODE,
    DEFECT_FALSE_TIME,
    DEFECT_TOLD_TWICE,
    DEFECT_UNLOGGED_MODE,
    DEFECT_ENDS_SILENTLY,
    DEFECT_TALKS,
    DEFECT_WAVERS,
    DEFECT_LEDGER_STANDS,
    DEFECT_PARTS,
    DEFECT_FIDGETS,
    DEFECT_SIGN_FLICKERS,
    DEFECT_SAME_CHALLENGE,
    DEFECT_REPLAYS,
    DEFECT_FALSE_CONFIG,
    DEFECT_LOG,                                  /* the first of LOG_DEFECTS */
    DEFECT_PEER = DEFECT_LOG + LOG_DEFECT_COUNT, /* the first of PEER_DEFECTS */
};

struct terminal_device {
    struct model model;
    struct peer peer;
    struct wire_identity identity;
    struct terminal_secret code, admin;
    uint8_t challenge[WIRE_PROOF_SIZE]; /* version 2: the last one, */
    bool is_challenged;                 /* and it is not used up */
    uint64_t challenges;                /* given so far */
    struct terminal_memory memory;
    uint8_t sensors;             /* wagers that lie on them, with or without power */
    struct defects defects;      /* kinds are enum terminal_defect */
    uint64_t frames, keys, told; /* frames of the host, keys, events: that defects count */
    uint64_t stated;             /* replies to STATUS, likewise */
    uint8_t left_lit;            /* seats whose lights stay after the round */
    bool is_dark;                /* the lights of the round have gone out */
    bool power_fails;
    bool has_history;
    bool is_chatty;         /* tells what has not changed, as it may */
    bool resets;            /* CONFIGURE puts the sign out and counts rounds and awards from 0 */
    nanos_t now, signed_at; /* of the last request, of the last award on the sign */
};

/* defect.c: what can be wrong with this device. */
extern const struct defect_table terminal_defects;

/* bank.c: exact meters. What is due is in cents. */
void terminal_bank_open(struct terminal_memory *memory);
void terminal_bank_set(struct terminal_memory *memory, unsigned meter, uint64_t value);
uint64_t terminal_bank_due(const struct terminal_memory *memory, unsigned meter);
uint64_t terminal_bank_hand_due(const struct terminal_memory *memory); /* of the chosen hand */
void terminal_bank_pay(struct terminal_memory *memory, unsigned meter);
void terminal_bank_contribute(struct terminal_memory *memory, unsigned wagers);
bool terminal_bank_must_hit_due(const struct terminal_memory *memory);
bool terminal_bank_must_hit_over(const struct terminal_memory *memory);
unsigned terminal_bank_draw_seat(struct terminal_memory *memory, uint8_t seats);

/* book.c: log and ledger. A note about money is an entry of both. */
void terminal_note(struct terminal_device *device, enum terminal_log_code code, uint8_t detail,
                   unsigned value, nanos_t now);
void terminal_book(struct terminal_device *device, const struct terminal_ledger_record *record,
                   nanos_t now);
/* 0 when there is no such entry. */
size_t terminal_ledger_reply(const struct terminal_memory *memory, uint32_t number, uint8_t *reply);

/* show.c: what the device says of itself, as replies and as events. */
size_t terminal_screen_layout(struct terminal_device *device, uint8_t *bytes);
size_t terminal_meters_layout(struct terminal_device *device, uint8_t *bytes);
size_t terminal_sign_layout(struct terminal_device *device, uint8_t *bytes);
/* The host has asked for it. */
void terminal_sign_asked(struct terminal_device *device);
uint8_t terminal_lit(struct terminal_device *device);
void terminal_say(struct terminal_device *device, uint8_t message, const uint8_t *bytes,
                  size_t size, nanos_t now);
void terminal_say_screen(struct terminal_device *device, uint8_t message, nanos_t now);
void terminal_say_meters(struct terminal_device *device, nanos_t now);
void terminal_say_sign(struct terminal_device *device, nanos_t now);
void terminal_say_lights(struct terminal_device *device, nanos_t now);
void terminal_say_award(struct terminal_device *device, const struct terminal_ledger_record *record,
                        nanos_t now);

/* rounds.c: keys. */
struct terminal_pressed {
    enum terminal_key key;
    uint8_t number; /* of a seat or a hand */
    struct terminal_secret code;
    const uint8_t *proof; /* version 2: instead of the code */
};

/* The state that a key leads to, or 0 where it is refused. */
enum terminal_state terminal_next_state(enum terminal_state state, enum terminal_key key);
/* 0, or the enum terminal_refusal. */
unsigned terminal_press(struct terminal_device *device, const struct terminal_pressed *pressed,
                        nanos_t now);

/* admin.c: what needs the administrator's code. Return 0 or the enum wire_refusal. */
bool terminal_secret_parse(struct terminal_secret *secret, const char *digits, size_t length);
/* Takes the same time whatever the digits are. */
bool terminal_secret_equal(const struct terminal_secret *a, const struct terminal_secret *b);
/* Version 2: a challenge, and whether a proof is that of a code; it uses the challenge up. */
void terminal_challenge(struct terminal_device *device, uint8_t *reply);
bool terminal_is_proof(struct terminal_device *device, const struct terminal_secret *secret,
                       const uint8_t *proof, uint8_t type, const uint8_t *payload, size_t size);
size_t terminal_configuration_reply(struct terminal_device *device, uint8_t *reply);
void terminal_configured(struct terminal_device *device, const struct terminal_config *config,
                         nanos_t now);
unsigned terminal_admin_configure(struct terminal_device *device, const uint8_t *payload,
                                  size_t size, nanos_t now);
unsigned terminal_admin_correct(struct terminal_device *device, const uint8_t *payload, size_t size,
                                nanos_t now);

#endif
