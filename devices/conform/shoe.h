/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the suite follows of a shoe. */
#ifndef DEVICES_CONFORM_SHOE_H
#define DEVICES_CONFORM_SHOE_H

#include "devices/conform/suite.h"
#include "devices/shoe/open/wire.h"
#include "devices/shoe/shoe.h"
#include "games/card.h"

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
