/*
 * The deal of a round from a shoe, card by card, and what it shares with the deal by a shuffler.
 * For the files of the runner only.
 */
#ifndef RIGS_RUN_CARDS_H
#define RIGS_RUN_CARDS_H

#include "rigs/run/round.h"

int run_cards_start(struct run *run, struct error *error);
int run_cards(struct run *run, struct error *error);
int run_cards_recover(struct run *run, struct error *error);

/* Whether recorded orders are to be loaded into a device that can be. */
bool run_may_load(const struct run *run);

/* The order to load: the recorded deck, or what was dealt and then the rest from the deuces on. */
void run_deck(const struct run *run, card_t deck[DECK_SIZE]);

/* Adds a packet to what was dealt; more than a deck is not kept. */
void run_take_cards(struct run *run, const card_t *cards, unsigned count);

/* How many cards are drawn after the first deal of `count` steps; checked with the recording. */
unsigned run_draws(struct run *run, const struct deal_step *steps, size_t count);

#endif
