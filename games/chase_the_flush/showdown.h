/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every three-card hand against every other over one board of four: how many dealer's hands that
 * share no card with it each of them beats and ties, and how many do not qualify. Hands are sorted
 * by their flush and counted by inclusion and exclusion on running counts per card and per pair of
 * cards, so that a board costs a few operations a hand instead of C(45,3) comparisons. A showdown
 * is a plain value of half a megabyte; nothing fails.
 */
#ifndef GAMES_CHASE_THE_FLUSH_SHOWDOWN_H
#define GAMES_CHASE_THE_FLUSH_SHOWDOWN_H

#include <stdint.h>

#include "games/hand.h"

/* Cards left beside the board, hands of three among them, dealer's hands against one of those. */
#define SHOWDOWN_CARDS   48
#define SHOWDOWN_HANDS   17296
#define SHOWDOWN_DEALERS 14190

/* Flushes of up to seven cards, as dense ranks. */
#define FLUSH_RANKS 5812

struct flush_ranks {
    uint16_t of_mask[8192];      /* of the cards of one suit; 0 beyond seven cards */
    uint8_t length[FLUSH_RANKS]; /* cards in the flush with that rank */
    uint16_t qualifies;          /* the lowest rank with which a dealer qualifies */
};

void flush_ranks_init(struct flush_ranks *ranks);

struct showdown_hand {
    uint16_t triple; /* its number among all three-card hands */
    uint16_t rank;   /* its flush with the board */
    uint16_t wins;   /* against the SHOWDOWN_DEALERS */
    uint16_t ties;
    uint16_t unqualified; /* dealer's hands that do not qualify */
};

/* A hand in the order of its rank, its cards numbered among those left beside the board. */
struct showdown_entry {
    uint8_t card[3];
    uint8_t wanted;
    uint16_t hand;
    uint16_t rank;
};

struct showdown {
    struct showdown_hand hands[SHOWDOWN_HANDS];
    struct showdown_entry dealt[SHOWDOWN_HANDS];
    struct showdown_entry sorted[SHOWDOWN_HANDS];
    uint16_t starts[FLUSH_RANKS];
};

/* Counts are filled in where `wanted`, indexed by the number of the hand, is not 0. */
void showdown_run(struct showdown *showdown, const struct flush_ranks *ranks, hand_t board,
                  const uint8_t *wanted);

#endif
