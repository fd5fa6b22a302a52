/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The deals of a table that was only listened to: what was heard of its devices, message after
 * message, put together deal by deal. A deal is what came out of the shuffler between two
 * shuffles, or of the shoe from one deck; with it goes what the terminal and the bet sensors told
 * of its round. Nothing is guessed: what was not heard, or contradicts itself, is said in the deal.
 * The caller owns the struct, which is ready for use with `ended` and `context` set.
 */
#ifndef RIGS_LISTEN_DEALS_H
#define RIGS_LISTEN_DEALS_H

#include "devices/listen/message.h"
#include "games/game.h"

#define DEAL_WHY_SIZE 128

struct deal {
    uint64_t number;     /* from 1, those that cannot be used or were not heard included */
    uint64_t missed;     /* shuffles right before it that were not heard */
    bool is_count_known; /* no deal can have been missed: the number is what a person counts */
    enum deal_mode mode;
    card_t cards[DECK_SIZE];
    uint8_t card_count;
    uint8_t sizes[PACKETS_MAX]; /* of packets; each 1 in single cards */
    uint8_t packets;
    bool is_in_test_mode; /* the device says that it was */
    bool has_wagers;      /* whose wagers lay at START ROUND is known: */
    seats_t wagers;
    bool is_started, is_ended, is_cancelled; /* by the keys of a terminal */
    uint8_t must_hit;                        /* the seat that won it, or 0 */
    bool has_before, has_after;              /* the meters are known before and after it */
    struct heard before, after;
    char why[DEAL_WHY_SIZE]; /* it cannot be used; "" otherwise */
};

struct deals {
    /* What it fails with ends the listening. */
    int (*ended)(void *context, const struct deal *deal, struct error *error);
    void *context;

    bool is_open; /* a deal has begun */
    struct deal deal;
    uint64_t count;
    bool has_last, is_anew; /* a deck had this number; since then its line has begun anew */
    uint16_t last;
    uint64_t missed;              /* decks since the deal that was told last */
    bool has_gap;                 /* something may have been missed since then */
    bool is_count_lost;           /* how many deals there were is not known any more */
    char next_why[DEAL_WHY_SIZE]; /* the deal to come cannot be used */
    bool knows_wagers;            /* somebody has told of wagers */
    seats_t laid;                 /* where they lie now */
    bool is_started;              /* the round of the deal to come, */
    seats_t wagers;               /* with these */
    bool has_meters;
    struct heard meters; /* as last heard */
};

/* What was heard next. Returns 0, or what `ended` failed with. */
int deals_hear(struct deals *deals, const struct heard *heard, struct error *error);

/*
 * Something was said that was not heard, or that cannot be: the deal it falls into cannot be used.
 * Of the device that deals it may have been a whole deal, unless numbers show that it was none; of
 * another it may as well belong to the deal to come.
 */
void deals_miss(struct deals *deals, bool is_dealing, const char *why);

/* What was heard last is not what it ought to be: its deal cannot be used. */
void deals_spoil(struct deals *deals, const char *why);

/* The line of the device that deals has begun anew, as when it is another one. */
void deals_renew(struct deals *deals);

/* Nothing more will be heard: the last deal has ended. */
int deals_end(struct deals *deals, struct error *error);

#endif
