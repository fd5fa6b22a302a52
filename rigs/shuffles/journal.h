/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The orders in a journal that a shuffler made itself, found while its lines are read: the cards
 * that were dealt before anybody decided, since what comes later depends on them. Rounds whose
 * order was loaded are none of them. Of emulated devices, which start anew with each recording,
 * only the first recording counts: the others would repeat it. The caller owns the struct, which
 * starts as zeros but for `take` and its context; nothing here fails.
 */
#ifndef RIGS_SHUFFLES_JOURNAL_H
#define RIGS_SHUFFLES_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "games/shuffles/shuffles.h"
#include "rigs/journal/judge.h"

#define SHUFFLES_JOURNAL_GAME_SIZE 48

struct shuffles_journal {
    /* Called with each order; false: it was none, and the next is not related to it. */
    bool (*take)(void *context, const struct shuffles_order *order);
    void *context;
    /* Found so far. */
    uint64_t left; /* rounds that no order could be taken from */
    /* Its own. */
    bool is_virtual;
    uint64_t recordings;
    char game[SHUFFLES_JOURNAL_GAME_SIZE];
    bool begun;             /* the shuffler has shuffled and no round was settled since */
    bool own;               /* that order is its own */
    unsigned deck;          /* of two that take turns, from 0 */
    bool has_deck;          /* it was told which one */
    bool is_mixed;          /* and then another one: the order is of neither */
    bool linked[DECKS_MAX]; /* the order of that deck before it has been added */
    card_t cards[DECK_SIZE];
    size_t count;
};

/* Takes a line of the journal, every one from the first. */
void shuffles_journal_see(struct shuffles_journal *journal, const struct journal_line *line);

/* The name of the device that shuffles. */
#define SHUFFLES_JOURNAL_DEVICE "shuffler"

#endif
