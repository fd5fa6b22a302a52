/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The device that deals a recording: a shuffler by packets, or a shoe card by card. The rest of the
 * run knows it by this interface alone. For the files of the runner only; functions that return int
 * do so as those of rigs/run/round.h.
 */
#ifndef RIGS_RUN_DEALER_DEALER_H
#define RIGS_RUN_DEALER_DEALER_H

#include "rigs/run/round.h"

/* Takes one event of a device, of which nothing was asked: 1, 0 at the deadline, or an error. */
typedef int run_hear(struct run *run, nanos_t deadline, struct error *error);

struct run_dealer {
    enum device_class class;
    unsigned provides; /* what any of its class offers to prove checks with: enum check_need */
    /* Whether it can be told to deal so to these seats. NULL: it deals what a game has. */
    int (*can_deal)(const struct rig *rig, const struct game_setup *setup, seats_t seats,
                    struct error *error);
    /* Before the first round of a recording: at rest, in test mode where orders are loaded. */
    int (*start)(struct run *run, struct error *error);
    /* Deals the round into run->round.dealt, and checks how and what its log says of it. */
    int (*deal)(struct run *run, struct error *error);
    /* Brings it back to where a round begins. */
    int (*recover)(struct run *run, struct error *error);
    run_hear *hear;
    int (*test_mode)(struct run *run, bool on, struct error *error);
};

extern const struct run_dealer run_dealer_shuffler, run_dealer_shoe;

/* The device of a rig that deals like this, or NULL. */
const struct run_dealer *run_dealer_for(const struct rig *rig, const struct game_setup *setup);

/*
 * Whether it can be observed: only a shoe deals cards without being told how many, and somebody
 * must know which cards they are; ERROR_CONFIG.
 */
int run_dealer_check(const struct rig *rig, const struct game_setup *setup, struct error *error);
/* The sentence for a device whose cards nobody knows; ERROR_CONFIG. */
int run_dealer_unread(const struct run_dealer *dealer, struct error *error);

/*
 * Whether the device that deals like this, if there is one, can be told to deal so to these seats:
 * asked of its driver, before anything is opened. ERROR_CONFIG if not.
 */
int run_dealer_can_deal(const struct rig *rig, const struct game_setup *setup, seats_t seats,
                        struct error *error);

/* What follows is of the device that deals the recording. */
const struct bench_device *run_dealer_device(const struct run *run);

/* What it offers to prove checks with, as a set of enum check_need. */
unsigned run_dealer_provides(const struct run *run);

/* Leaves out what its log holds up to now, if it keeps one; nothing before the first round. */
int run_dealer_skip_log(struct run *run, struct error *error);

/* Takes all devices that deal out of the test mode that they were put into. */
int run_dealers_end(struct run *run, struct error *error);

/* What follows is of any device that keeps a log. */

/* Leaves out what the log holds up to now. */
int run_account_skip(struct run *run, struct run_account *account, struct device *device,
                     struct error *error);

/*
 * What the log says since it was read last, against what is due. An entry may be read before its
 * event has come: then the event is waited for.
 */
int run_account_check(struct run *run, struct run_account *account, struct device *device,
                      const char *name, run_hear *hear, struct error *error);

/* A number in a device's reply to STATUS. */
void run_check_status(struct run *run, const char *device, int64_t expected, int64_t got,
                      const char *why);

/* Asks for STATUS again, where there is one: while nothing was asked or told, it says the same. */
int run_ask_again(struct device *device, struct error *error);

/* What follows is shared by the devices that deal. */

/* Takes the events that waited in the device when it was opened, and those that are here. */
int run_dealer_hear_waiting(struct run *run, struct error *error);

/* Leaves out what its log holds up to now, at the start of a recording. */
int run_dealer_begin_log(struct run *run, struct error *error);

/* Its log must have this entry next. */
void run_dealer_logs(struct run *run, unsigned code, unsigned detail, int64_t value);

/* Settles whether orders are loaded and which mode the device must be in, from the one it is in. */
void run_dealer_choose_mode(struct run *run, bool in_test_mode);

/* What its log says of the round that was dealt; nothing of one in which the device failed. */
int run_dealer_check_log(struct run *run, struct error *error);

/* Its event says that test mode is on or off; before the first round nobody asks since when. */
void run_dealer_see_mode(struct run *run, bool is_on);

/* Whether the device says which mode it is in; `is_right` of what it has dealt. */
void run_dealer_check_mode(struct run *run, bool is_right);

/* It was switched off and on; before anything was dealt that does no harm to a round. */
void run_dealer_lost_power(struct run *run);

/* The order to load: the recorded deck, or what was dealt and then the rest from the deuces on. */
void run_dealer_order(const struct run *run, card_t deck[DECK_SIZE]);

/* That order as a stack of the round that comes, and what of it must be read:
 * rigs/run/dealer/stack.c. */
void run_dealer_stack(struct run *run, bool by_card, struct card_stack *stack);
/* Who has read a packet, or a card, NULL for the device; after the last round, how many that were.
 */
void run_dealer_see_witness(struct run *run, const char *witness, bool is_nodded);
void run_dealer_tell_read(struct run *run);

/* Adds a packet to what was dealt; more than a deck is not kept. */
void run_dealer_take(struct run *run, const card_t *cards, unsigned count);

/* The same of a packet whose cards nobody knows: it has those that were recorded there. */
void run_dealer_take_unknown(struct run *run);

/* So long the device is waited for, in milliseconds, or those who do its work. */
uint64_t run_dealer_patience(const struct run *run, enum run_timing timing, uint32_t limit);

/* How many steps of a deal one card at a time are taken: of a void round those recorded. */
size_t run_dealer_steps(const struct run *run, size_t count);

/*
 * How many cards are drawn after the first deal of `count` steps; checked with the recording. Of an
 * observed round the decisions are made here.
 */
int run_dealer_draws(struct run *run, const struct deal_step *steps, size_t count, unsigned *draws,
                     struct error *error);

/* Has every player decide, by the policy or by who is asked, of what the first steps dealt. */
int run_decide(struct run *run, const struct deal_step *steps, size_t count, struct error *error);

/*
 * Two decks that take turns: finds the one that the round is due to be dealt from; the one that the
 * next shuffle takes, 0 where that is not known or there is one deck; says which one is being
 * shuffled; that it was; and keeps the backs of cards before run_dealer_take() counts them, as the
 * device tells them or who stands at it. Where people are asked for a deck by its number, another
 * one is out of its turn even at first.
 */
void run_deck_begin(struct run *run);
void run_deck_named(struct run *run);
uint8_t run_deck_next(const struct run *run);
void run_deck_moves(struct run *run, uint8_t deck);
void run_deck_shuffled(struct run *run);
void run_deck_take(struct run *run, const card_t *cards, const uint8_t *backs, unsigned count);

#endif
