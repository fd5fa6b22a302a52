/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the suite follows of a shuffler: what the page says that it must be by now. */
#ifndef DEVICES_CONFORM_SHUFFLER_H
#define DEVICES_CONFORM_SHUFFLER_H

#include "devices/conform/suite.h"
#include "devices/shuffler/shuffler.h"
#include "games/card.h"

/* The numbers of the page, as this end reads it. */
enum conform_shuffler_request {
    SHUFFLER_PROGRAM = 0x10,
    SHUFFLER_SHUFFLE = 0x11,
    SHUFFLER_BUTTON = 0x12,
    SHUFFLER_RETURN_DECK = 0x13,
    SHUFFLER_TEST_MODE = 0x14,
    SHUFFLER_LOAD_ORDER = 0x15,
};

enum conform_shuffler_event {
    SHUFFLER_SHUFFLED = 0x40,
    SHUFFLER_PACKET_PRESENT = 0x41,
    SHUFFLER_PACKET_TAKEN = 0x42,
    SHUFFLER_FAULT = 0x43,
    SHUFFLER_FAULT_CLEARED = 0x44,
    SHUFFLER_TEST_MODE_CHANGED = 0x45,
    SHUFFLER_POWER_UP = 0x46,
    SHUFFLER_BUTTON_PRESSED = 0x47,
};

enum conform_shuffler_flag {
    SHUFFLER_FLAG_TEST_MODE = 1,
    SHUFFLER_FLAG_LOADED = 2, /* in SHUFFLED: the order was loaded, not shuffled */
};

#define SHUFFLER_NO_PACKET 0xff /* in the details of a fault: no packet was moving */

struct conform_shuffler_follow {
    uint8_t state, error;
    bool test_mode, was_test_mode;
    unsigned mode_changes; /* that are to be announced */
    uint8_t presented, taken;
    uint16_t shuffle;
    uint8_t program, packets, draws, burn;
    uint8_t sizes[DECK_SIZE];
    bool is_programmed; /* by this host, so that sizes are known */
    bool is_loaded;     /* an order waits for the next shuffle, */
    card_t order[DECK_SIZE];
    bool is_ordered; /* and is the deck's now */
    uint8_t dealt;
    uint64_t seen;                 /* set of the cards that were dealt, */
    bool is_followed;              /* of a deck whose SHUFFLED came here */
    struct frame present, last[8]; /* the packet at the exit; the last event of each type */
    bool is_lost;      /* the device did something at a time that nobody can be sure of */
    bool was_in_error; /* the requests of that state were tried */
    bool is_refused;   /* a deck was, and what the counters are then is open */
    uint8_t resume;    /* the state before the error */
    bool is_burn_late; /* the first packet was not the burn that was programmed */
    /* Version 2 */
    uint32_t whole;      /* number of the shuffle, which version 1 cuts to two bytes */
    uint8_t deck;        /* of the last SHUFFLED; 0: none came, or there is one deck */
    uint8_t loaded_deck; /* that LOAD ORDER was answered with, */
    bool has_loaded_deck;
    bool is_exchanged; /* the deck was given back: the next one is the other */
};

/* What is programmed, as PROGRAM has it, and what comes of it. */
struct conform_shuffler_program {
    const char *id, *what;
    uint8_t payload[10], size;
    uint8_t packets, draws; /* 0 packets: it is refused, */
    uint8_t refusal;        /* so */
    uint8_t sizes[8];
};

static inline struct conform_shuffler_follow *conform_shuffler_of(struct suite *suite)
{
    return suite->own;
}

/* shuffler.c: what STATUS tells is all that is known. */
void conform_shuffler_follow_status(struct conform_shuffler_follow *follow, const uint8_t *status);

/* shuffler_moves.c */
/* The requests of a state, each with the code of its refusal there; 0: it is possible. */
struct conform_shuffler_refusals {
    uint8_t state;
    uint8_t codes[6]; /* PROGRAM, SHUFFLE, GREEN BUTTON, RETURN DECK, TEST MODE, LOAD ORDER */
};

/* As suite_ask(); what the device does not know is not offered. */
int conform_shuffler_load(struct suite *suite);
void conform_shuffler_refuse_all_in(struct suite *suite,
                                    const struct conform_shuffler_refusals *refusals);
/* SHUFFLE and what follows until the deck is ready; false where it never is. */
bool conform_shuffler_shuffle(struct suite *suite);
/* The button, and all packets that follow; false where that did not come to an end. */
bool conform_shuffler_deal(struct suite *suite);
/* RETURN DECK in a state where it is possible. */
void conform_shuffler_give_back(struct suite *suite);
/* To idle, whatever has happened; false where that takes somebody. */
bool conform_shuffler_recover(struct suite *suite);

/* shuffler_steps.c: what is tried. */
void conform_shuffler_try_idle(struct suite *suite);
void conform_shuffler_try_programs(struct suite *suite);
void conform_shuffler_try_round(struct suite *suite);
void conform_shuffler_try_shuffles(struct suite *suite);
int conform_shuffler_mode(struct suite *suite, bool on);
void conform_shuffler_restore(struct suite *suite);
/* Sends a program, and follows what counts then. */
void conform_shuffler_send(struct suite *suite, const struct conform_shuffler_program *program);
/* A whole round of it: all packets, a draw, and back. */
void conform_shuffler_play(struct suite *suite, const struct conform_shuffler_program *program,
                           bool is_loaded);

/* shuffler_second.c: version 2. */
void conform_shuffler_narrow(struct suite *suite, struct frame *frame);
void conform_shuffler_widen(struct suite *suite, struct frame *request);

#endif
