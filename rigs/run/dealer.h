/*
 * The device that deals a recording: a shuffler by packets, or a shoe card by card. The rest of the
 * run knows it by this interface alone. For the files of the runner only; functions that return int
 * do so as those of rigs/run/round.h.
 */
#ifndef RIGS_RUN_DEALER_H
#define RIGS_RUN_DEALER_H

#include "rigs/run/round.h"

struct run_dealer {
    const char *device; /* "shuffler" */
    /* What it offers to prove checks with, as a set of enum check_need. */
    unsigned (*provides)(const struct bench *bench);
    /* Before the first round of a recording: at rest, in test mode where orders are loaded. */
    int (*start)(struct run *run, struct error *error);
    /* Deals the round into run->round.dealt, and checks how and what its log says of it. */
    int (*deal)(struct run *run, struct error *error);
    /* Brings it back to where a round begins. */
    int (*recover)(struct run *run, struct error *error);
    /* Leaves out what its log holds up to now. */
    int (*skip_log)(struct run *run, struct error *error);
    /* Out of test mode again, where it was put into it by start(). */
    int (*end)(struct run *run, struct error *error);
};

extern const struct run_dealer run_dealer_shuffler, run_dealer_shoe;

/* The device of a bench that deals like this, or NULL. */
const struct run_dealer *run_dealer_for(const struct bench *bench, const struct game_setup *setup);

/* Whether a rig has what is observed to deal like this; ERROR_CONFIG otherwise. */
int run_dealer_check(const struct rig *rig, const struct game_setup *setup, struct error *error);

/* Takes all devices that deal out of the test mode that they were put into. */
int run_dealers_end(struct run *run, struct error *error);

/* What follows is shared by the devices that deal. */

/*
 * Settles whether orders are loaded and which mode the device must be in, from the one that it is
 * in; true when it is to be put into test mode.
 */
bool run_dealer_choose_mode(struct run *run, bool can_load, bool in_test_mode);

/* Whether the device says which mode it is in; `is_right` of what it has dealt. */
void run_dealer_check_mode(struct run *run, bool is_right);

/* It was switched off and on; before anything was dealt that does no harm to a round. */
void run_dealer_lost_power(struct run *run);

/* The order to load: the recorded deck, or what was dealt and then the rest from the deuces on. */
void run_dealer_order(const struct run *run, card_t deck[DECK_SIZE]);

/* Adds a packet to what was dealt; more than a deck is not kept. */
void run_dealer_take(struct run *run, const card_t *cards, unsigned count);

/* How many cards are drawn after the first deal of `count` steps; checked with the recording. */
unsigned run_dealer_draws(struct run *run, const struct deal_step *steps, size_t count);

#endif
