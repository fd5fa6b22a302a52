/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What an accumulator of shuffles holds, for games/shuffles/ alone: counts beside their exact
 * laws.
 */
#ifndef GAMES_SHUFFLES_COUNT_H
#define GAMES_SHUFFLES_COUNT_H

#include "games/shuffles/follow.h"
#include "games/shuffles/hands.h"
#include "games/shuffles/law.h"
#include "games/shuffles/pairs.h"
#include "games/shuffles/repeats.h"
#include "games/shuffles/shuffles.h"

/* The upper half, whose cards are looked for in the upper half of the next shuffle. */
#define UPPER_HALF (DECK_SIZE / 2)

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

/* Counted against the order before the last: decks may take turns that nobody tells apart. */
enum { LATER_KEPT, LATER_RISING, LATER_VALLEYS, LATER_PEAKS, LATER_FIXED, LATER_COUNT };

/* What each of them is, and the law it has. */
extern const enum shuffles_histogram shuffles_later[LATER_COUNT];

/* Worked out once; they stay when all orders are forgotten. */
struct shuffles_laws {
    double *chance[SHUFFLES_HISTOGRAMS];
    double same[DECK_SIZE + 1]; /* the chance that two orders of so many cards are the same */
    struct law_moments part[SEEN_COUNT][DECK_SIZE + 1]; /* by the number of cards seen */
    struct law_moments serial[DECK_SIZE + 1];
    struct law_moments trend[DECK_SIZE + 1];
};

struct shuffles {
    uint64_t count;
    uint64_t whole;
    uint64_t before;                 /* whole orders set against the order that went in */
    uint64_t previous;               /* whole orders set against the order dealt before them */
    uint64_t by_size[DECK_SIZE + 1]; /* orders that repeats are looked for among, by their cards */
    double repeats_due;              /* by chance, among those that are watched */
    shuffles_places places;          /* [place][card] */
    shuffles_places moved;           /* of whole orders: [place][place before] */
    shuffles_places neighbours;      /* [card][the card below it] */
    double neighbours_due;           /* of any two cards, in all orders */
    uint32_t stayed[DECK_SIZE];      /* how often the card at a place was there before */
    uint64_t *seen[SHUFFLES_HISTOGRAMS];
    uint64_t total[SHUFFLES_HISTOGRAMS];
    struct deviation part[SEEN_COUNT];
    struct deviation serial;
    struct deviation trend;
    struct shuffles_laws laws;
    struct pairs pairs;
    struct follow dealt;       /* orders that are not whole, or follow one that is not */
    struct follow dealt_later; /* the same against the order before the last */
    uint64_t later;            /* whole orders set against that */
    uint64_t later_seen[LATER_COUNT][DECK_SIZE + 1];
    struct hands hands;
    struct repeats *repeats;
    struct repeats *moves; /* shuffles that moved their cards as one before them did */
    uint64_t moves_known;
    struct known_order last[DECKS_MAX][2]; /* orders of a deck that were added last, and before */
};

/* One more value of what is counted in every whole order. */
void count_value(struct shuffles *shuffles, enum shuffles_histogram histogram, size_t value);

/*
 * An order against the one that went in, NULL when that is not known, or the orders of its deck
 * before it.
 */
void count_against(struct shuffles *shuffles, const struct known_order last[2],
                   const struct known_order *now, const struct known_order *before);

#endif
