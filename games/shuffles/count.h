/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What an accumulator of shuffles holds, for games/shuffles/ alone: counts beside their exact
 * laws.
 */
#ifndef GAMES_SHUFFLES_COUNT_H
#define GAMES_SHUFFLES_COUNT_H

#include "games/shuffles/hands.h"
#include "games/shuffles/law.h"
#include "games/shuffles/repeats.h"
#include "games/shuffles/shuffles.h"

/* The upper half, whose cards are looked for in the upper half of the next shuffle. */
#define UPPER_HALF (DECK_SIZE / 2)

/* Ranks centred, so that they add up to 0: -6 … 6. */
#define RANK_MIDDLE 6

/*
 * What was counted of orders that are not whole: how far it lay off its mean in all, and the
 * variance of that.
 */
struct deviation {
    uint64_t count;
    double sum;
    double variance;
};

/* Counted in cards that are not whole decks as well. */
enum { SEEN_SUIT, SEEN_RANK, SEEN_OVERLAP, SEEN_COUNT };

struct shuffles {
    uint64_t count;
    uint64_t whole;
    uint64_t before;                 /* whole orders set against the order that went in */
    uint64_t previous;               /* whole orders set against the order dealt before them */
    uint64_t by_size[DECK_SIZE + 1]; /* orders that repeats are looked for among, by their cards */
    double same[DECK_SIZE + 1];      /* the chance that two orders of so many cards are the same */
    double repeats_due;              /* by chance, among those that are watched */
    shuffles_places places;          /* [place][card] */
    uint32_t stayed[DECK_SIZE];      /* how often the card at a place was there before */
    uint64_t *seen[SHUFFLES_HISTOGRAMS];
    double *chance[SHUFFLES_HISTOGRAMS];
    uint64_t total[SHUFFLES_HISTOGRAMS];
    struct deviation part[SEEN_COUNT];
    struct deviation serial;
    struct law_moments part_law[SEEN_COUNT][DECK_SIZE + 1]; /* by the number of cards seen */
    struct law_moments serial_law[DECK_SIZE + 1];
    struct hands hands;
    struct repeats *repeats;
    uint8_t last[DECK_SIZE]; /* the order added last, as dense card numbers */
    size_t last_count;       /* 0: there is none */
};

#endif
