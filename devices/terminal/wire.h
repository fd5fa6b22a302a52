/*
 * Numbers that both ends of the terminal's part of the open wire protocol use; what they mean is in
 * devices/PROTOCOL.md, "Terminal (class 4)". Layouts are not here: each end has its own reading of
 * the page.
 */
#ifndef DEVICES_TERMINAL_WIRE_H
#define DEVICES_TERMINAL_WIRE_H

#include "devices/wire/wire.h"

#define TERMINAL_SEATS      7    /* 1 … 7; a set of seats has bit n for seat n */
#define TERMINAL_NONE       0xff /* in the place of a hand or a meter: there is none */
#define TERMINAL_CODE_MIN   4    /* digits of an authorization or administrator code */
#define TERMINAL_CODE_MAX   8
#define TERMINAL_REASON_MAX 48 /* characters of the reason of a correction */

enum terminal_request {
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
};

enum terminal_message {
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

/* What the terminal waits for. */
enum terminal_state {
    TERMINAL_IDLE = 1,   /* START ROUND */
    TERMINAL_OPEN,       /* a seat, or the end of the round */
    TERMINAL_CHOOSE,     /* the hand of the seat, or None: the first way out */
    TERMINAL_PENDING,    /* PENDING JACKPOT */
    TERMINAL_CONFIRM,    /* PAY JACKPOT, or CANCEL JACKPOT: the second way out */
    TERMINAL_CODE_ENTRY, /* the authorization code, or ESC: the third way out */
    TERMINAL_AMOUNT,     /* PAY JACKPOT, "pay the agreed sum" */
    TERMINAL_SIGNED,     /* OK, once the player has been paid what the sign shows */
    TERMINAL_STATES,
};

enum terminal_key {
    TERMINAL_START_ROUND = 1,
    TERMINAL_CANCEL_ROUND,
    TERMINAL_END_ROUND,
    TERMINAL_SEAT, /* with its number */
    TERMINAL_HAND, /* with its number */
    TERMINAL_NO_HAND,
    TERMINAL_PENDING_JACKPOT,
    TERMINAL_PAY_JACKPOT,
    TERMINAL_CANCEL_JACKPOT,
    TERMINAL_CODE, /* with its digits */
    TERMINAL_ESC,
    TERMINAL_OK,
    TERMINAL_KEYS,
};

/* Why a key was refused. */
enum terminal_refusal {
    TERMINAL_WRONG_STATE = 1,
    TERMINAL_NO_WAGERS,    /* START ROUND without any */
    TERMINAL_NO_WAGER,     /* the seat has none in this round */
    TERMINAL_SEAT_PAID,    /* the seat's wager has won already */
    TERMINAL_UNKNOWN_HAND, /* not in the list of hands */
    TERMINAL_WRONG_CODE,   /* once or twice: try again */
    TERMINAL_CODE_LOCKED,  /* wrong for the third time: the jackpot is not awarded */
    TERMINAL_ROUND_PAID,   /* a round that has paid a jackpot can only be ended */
    TERMINAL_REFUSALS,
};

#define TERMINAL_CODE_TRIES 3

/* Codes of the log. Entries about money name an entry of the ledger. */
enum terminal_log_code {
    TERMINAL_LOG_POWER_UP = 1,
    TERMINAL_LOG_CONFIGURED,
    TERMINAL_LOG_ROUND_STARTED,
    TERMINAL_LOG_ROUND_CANCELLED,
    TERMINAL_LOG_ROUND_ENDED,
    TERMINAL_LOG_HAND_CHOSEN,
    TERMINAL_LOG_HAND_UNDONE,
    TERMINAL_LOG_JACKPOT_CANCELLED,
    TERMINAL_LOG_CODE_ESCAPED,
    TERMINAL_LOG_CODE_WRONG,
    TERMINAL_LOG_CODE_LOCKED,
    TERMINAL_LOG_AUTHORIZED,
    TERMINAL_LOG_JACKPOT_PAID,
    TERMINAL_LOG_MUST_HIT_PAID,
    TERMINAL_LOG_CORRECTED,
    TERMINAL_LOG_KEY_REFUSED,
    TERMINAL_LOG_ADMINISTRATOR_REFUSED,
    TERMINAL_LOG_TEST_MODE,
    TERMINAL_LOG_MUST_HIT_LOADED,
    TERMINAL_LOG_CODES,
};

#endif
