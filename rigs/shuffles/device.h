/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole orders straight from the shuffler of a bench: each is shuffled and dealt to its last card
 * in packets of four; then the deck goes back. The bench stays the caller's and must outlive it;
 * nothing is allocated. What the device does wrong, a fault that it reports included, is
 * ERROR_DEVICE with the number of the shuffle; a device that says nothing for too long is
 * ERROR_TIMEOUT.
 */
#ifndef RIGS_SHUFFLES_DEVICE_H
#define RIGS_SHUFFLES_DEVICE_H

#include <stdint.h>

#include "games/card.h"
#include "hal/base/error.h"
#include "rigs/bench/bench.h"

/* How the cards that were dealt lie when they go back into the device. */
enum shuffles_returned {
    SHUFFLES_RETURNED_UNKNOWN,
    SHUFFLES_RETURNED_DEALT,    /* the first card that was dealt is on top again */
    SHUFFLES_RETURNED_REVERSED, /* the last one is */
};

struct shuffles_device {
    struct bench *bench;
    enum shuffles_returned returned;
    uint64_t count; /* orders dealt */
    unsigned deck;  /* of those that take turns, that was dealt last, from 0 */
    card_t order[DECK_SIZE];
    card_t last[DECKS_MAX][DECK_SIZE]; /* orders of each deck that were dealt last */
    card_t before[DECK_SIZE];          /* what went into that shuffle, */
    bool has_before; /* where that is known: not of the first, nor from unknown returns */
};

/*
 * Programs the device. ERROR_CONFIG when the rig has no shuffler, ERROR_DEVICE when it is not at
 * rest or in test mode.
 */
int shuffles_device_start(struct shuffles_device *device, struct bench *bench,
                          enum shuffles_returned returned, struct error *error);

/* One more order, into the struct. After a failure it holds nothing that can be used. */
int shuffles_device_deal(struct shuffles_device *device, struct error *error);

/* Says that all cards are back in the device, as they must be before the next order. */
int shuffles_device_return(struct shuffles_device *device, struct error *error);

/*
 * After the last order: ERROR_DEVICE when the shuffler is another one than at the start, or was put
 * into test mode.
 */
int shuffles_device_end(struct shuffles_device *device, struct error *error);

#endif
