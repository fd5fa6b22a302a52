/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the suite follows of a shoe. */
#ifndef DEVICES_CONFORM_SHOE_H
#define DEVICES_CONFORM_SHOE_H

#include "devices/conform/suite.h"
#include "devices/shoe/shoe.h"
#include "games/card.h"

/* The numbers of the page, as this end reads it. */
enum conform_shoe_request {
    SHOE_LOCK = 0x10,
    SHOE_TEST_MODE = 0x11,
    SHOE_LOAD_ORDER = 0x12,
};

enum conform_shoe_message {
    SHOE_CARD = 0x40,
    SHOE_CUT_CARD = 0x41,
    SHOE_STAND_BY = 0x42,
    SHOE_FAULT = 0x43,
    SHOE_FAULT_CLEARED = 0x44,
    SHOE_TEST_MODE_CHANGED = 0x45,
    SHOE_POWER_UP = 0x46,
    SHOE_LOCK_CHANGED = 0x47,
};

enum conform_shoe_flag {
    SHOE_FLAG_TEST_MODE = 1,
    SHOE_FLAG_LOADED = 2,  /* the order of this deck was loaded */
    SHOE_FLAG_OUTSIDE = 4, /* in CARD: it was drawn although the shoe was locked or in error */
};

struct conform_shoe_follow {
    bool is_locked, was_locked;
    uint8_t error;
    bool test_mode, was_test_mode;
    unsigned mode_changes, lock_changes; /* that are to be announced */
    bool lock_told;                      /* what LOCK was told last */
    unsigned stand_bys;                  /* that are to follow a request */
    bool is_loading;                     /* the next deck has the order that was loaded */
    bool is_loaded, is_ordered;          /* the deck in it */
    uint8_t drawn;
    uint16_t number;
    uint32_t whole; /* version 2: all of it; 0: it is not known */
    unsigned decks; /* that went in */
    card_t order[DECK_SIZE];
    uint8_t order_count;
    uint64_t seen; /* set of the cards drawn from this deck */
    struct frame last_card;
    unsigned cards;  /* drawn in all */
    unsigned wanted; /* cards to wait for */
    bool was_in_error;
};

static inline struct conform_shoe_follow *conform_shoe_of(struct suite *suite)
{
    return suite->own;
}

enum shoe_state conform_shoe_follow_state(const struct conform_shoe_follow *follow);

/* shoe_steps.c: what is tried. */
void conform_shoe_try_locked(struct suite *suite);
void conform_shoe_try_load(struct suite *suite);
void conform_shoe_try_draw(struct suite *suite);
int conform_shoe_mode(struct suite *suite, bool on);
void conform_shoe_restore(struct suite *suite);

#endif
