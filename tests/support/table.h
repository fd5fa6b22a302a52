/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table for tests: one setup with its meters and one round at a time, written in words. Anything
 * a test writes wrongly is a failed assertion of that test.
 */
#ifndef TESTS_SUPPORT_TABLE_H
#define TESTS_SUPPORT_TABLE_H

#include "games/game.h"

struct table {
    struct game_setup setup;
    struct meters meters;
    struct round round;
    struct settlement result;
    struct error error;
};

/* The sheet's defaults, meters at their reseed values, no round yet. */
void table_open(struct table *table, const struct game *game);

void table_choose(struct table *table, const char *wager, const char *paytable);

/* Clears the round; the meters stay as they are. */
void table_clear(struct table *table);

/* One seat's stakes and decisions: "ante 1000 x-tra 1000", "check bet". */
void table_seat(struct table *table, unsigned seat, const char *bets, const char *decisions);

/* Packets as they were delivered: "As Ks 2d, 9h 9c 9d"; in cards mode each card is its own. */
void table_deal(struct table *table, const char *packets);

/* game_settle, then game_settle_meters: 0, or the error's code. */
int table_settle(struct table *table);

/* The result of a wager; a failed assertion when the seat did not make it. */
cents_t table_net(const struct table *table, unsigned seat, const char *wager);

/* A meter of the table by name. */
micros_t table_meter(const struct table *table, const char *name);

/* "As Ks 2d" as a hand. */
uint64_t table_hand(const char *cards);

/* Whether settling fails with ERROR_RULE and a sentence that holds `words`. */
bool table_refuses(struct table *table, const char *words);

/* Seat 3 of Chase the Flush with every wager it can place, legal in every way and ready to settle.
 */
struct table table_chase(void);

/* A number below `bound`, the same sequence for the same starting state. */
unsigned table_random(uint64_t *state, unsigned bound);

/* A legal round with `seats` seats, random in everything else, into the table. */
void table_random_round(struct table *table, unsigned seats, uint64_t *state);

#endif
