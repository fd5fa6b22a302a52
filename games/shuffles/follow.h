/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Orders beside one that came before them, where of one of the two only the first cards are known:
 * which neighbours are neighbours still, which place's card came to which place. What can be known
 * depends on how many cards are, so that numbers of cards are counted too. Nothing fails.
 */
#ifndef GAMES_SHUFFLES_FOLLOW_H
#define GAMES_SHUFFLES_FOLLOW_H

#include "games/shuffles/shuffles.h"

/* The first cards of an order, as dense card numbers. */
struct known_order {
    uint8_t cards[DECK_SIZE];
    size_t count; /* 0: nothing is known of it */
};

struct follow {
    uint64_t count;
    uint32_t sizes[DECK_SIZE + 1][DECK_SIZE + 1]; /* orders, [cards before][cards now] */
    uint64_t kept[DECK_SIZE];                     /* orders by the neighbours they kept */
    shuffles_places moved;                        /* [place][place before] */
};

/* Where each of the cards lay before, FOLLOW_UNKNOWN where that was not seen. */
#define FOLLOW_UNKNOWN 64
size_t follow_moves(const struct known_order *before, const struct known_order *now,
                    uint8_t moved[DECK_SIZE]);

void follow_add(struct follow *follow, const struct known_order *before,
                const struct known_order *now);

/* The law of neighbours kept for all these orders: that of one of them, chosen evenly. */
void follow_law(const struct follow *follow, double chance[DECK_SIZE]);

/* In how many orders the card of each place before could have been seen at each place. */
void follow_totals(const struct follow *follow, shuffles_places *totals);

/*
 * The chance that two shuffles move all cards alike that are seen before and after, and that these
 * are at least `least`.
 */
double follow_same(unsigned before, unsigned now, unsigned least);

#endif
