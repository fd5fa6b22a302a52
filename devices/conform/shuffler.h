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
    uint8_t program, packets, draws;
    uint8_t sizes[DECK_SIZE];
    bool is_programmed; /* by this host, so that sizes are known */
    bool is_loaded;     /* an order waits for the next shuffle, */
    card_t order[DECK_SIZE];
    bool is_ordered; /* and is the deck's now */
    uint8_t dealt;
    uint64_t seen;                 /* set of the cards that were dealt */
    struct frame present, last[8]; /* the packet at the exit; the last event of each type */
    bool is_lost;      /* the device did something at a time that nobody can be sure of */
    bool was_in_error; /* the requests of that state were tried */
    bool is_refused;   /* a deck was, and what the counters are then is open */
    uint8_t resume;    /* the state before the error */
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

#endif
