/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table and a round on it, as the oracle keeps them: plain values, wagers by their place in the
 * game's list, money in whole cents, meters in millionths of a dollar. Seats are 1 … SEATS; index 0
 * of an array over seats is unused. A round that breaks a rule carries a sentence in `error`.
 */
#ifndef TESTS_ORACLE_TABLE_H
#define TESTS_ORACLE_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tests/oracle/hands.h"

#define SEATS     7
#define WAGERS    5
#define METERS    5
#define PLAYS     3
#define DECK      52
#define LINES_MAX (SEATS * WAGERS)

#define MILLIONTHS_PER_CENT   10000
#define MILLIONTHS_PER_DOLLAR 1000000

enum game_name { FLUSH_RUSH, CHASE_THE_FLUSH, THREE_CARD_CATCH, THREE_CARD_POKER, GAMES };

enum { ANTE = 0 };
enum { BET_1 = 1, BET_2, ALL_OR_NOTHING };
enum { X_TRA = 1 };
enum { ALL_IN = 2, SAME_SUIT, STAX };
enum { PLAY = 2, NATURAL_PAIR_PLUS, PROGRESSIVE };
enum { POKER_PLAY = 1, PAIR_PLUS };

enum { STAR, SPADE, HEART, DIAMOND, MUST_HIT };

struct meter {
    const char *name;
    int64_t reseed;
    int64_t rate; /* hundredths of a per cent */
    int64_t value;
};

/* Everything about a game that is a plain list. */
struct game {
    const char *name;
    const char *wagers[WAGERS + 1]; /* in the order of a settlement */
    const char *by_decision;        /* names of wagers that nobody places before the deal */
    const char *tables[WAGERS];     /* letters of the paytables, the default first */
    int progressive;                /* which wager feeds the meters, or -1 */
    int hole_cards;
    int board_cards;
    bool dealer;
    bool qualifies;       /* the dealer has to, and a settlement says so */
    bool x_tra;           /* a seat must also stake its ante on the second wager */
    bool by_cards;        /* it may be dealt card by card */
    int side;             /* the wager that guests of an evening make beside the ante */
    const char *plays[5]; /* the legal ways to play, decisions between blanks */
    struct meter meters[METERS];
    int meter_count;
    const char *hands[11]; /* that the progressive wager pays */
};

extern const struct game oracle_games[GAMES];

struct table {
    const struct game *game;
    bool card_by_card;
    int burn;
    int decks; /* that take turns; how a round is settled does not depend on them */
    char paytable[WAGERS];
    bool ace_low;
    bool round_to_nearest;
    struct meter meters[METERS];
    int meter_count;
    bool must_hit; /* then the last meter is the Must Hit one */
    int64_t hit_by;
};

struct seat {
    bool in;
    int64_t stake[WAGERS]; /* 0: not made */
    char play[32];
    bool folded;
    struct card cards[4];
    int card_count;
    char hand[32];
    int64_t net[WAGERS];
    int64_t must_hit;
};

struct jackpot {
    int seat;
    int meter;
    int64_t pays;
};

/* One line of one paytable that decided a wager. */
struct decided {
    int wager;
    const char *line;
};

/* A meter that was set; 0 before the awards, 1 after them, 2 after the end of the round. */
struct correction {
    int meter;
    int stage;
    int64_t value;
};

struct round {
    int64_t number;
    struct seat seats[SEATS + 1];
    struct card dealt[DECK];
    int packets[DECK]; /* their sizes; each 1 when dealt card by card */
    int packet_count;
    bool cancelled;
    bool misdealt; /* it is void */
    int must_hit_seat;
    struct correction corrections[8];
    int correction_count;

    struct card board[4];
    int board_count;
    struct card burned[DECK];
    int burned_count;
    struct card dealer[4];
    int dealer_count;
    char dealer_hand[32];
    bool qualifies;
    struct jackpot jackpots[SEATS + 1];
    int jackpot_count;
    struct decided decided[LINES_MAX];
    int decided_count;
    char error[160];
};

__attribute__((format(printf, 2, 3))) void round_error(struct round *round, const char *format,
                                                       ...);

/* Notes which line of the wager's paytable decided it. */
void round_decided(struct round *round, int wager, const char *line);

/* Which seats and whether the dealer (index 0) take a fourth card in 3 Card Catch. */
void three_card_catch_draws(const struct table *table, const struct round *round,
                            bool draws[SEATS + 1]);

void flush_rush_settle(struct table *table, struct round *round);
void chase_the_flush_settle(struct table *table, struct round *round);
void three_card_catch_settle(struct table *table, struct round *round);
void three_card_poker_settle(struct table *table, struct round *round);

/* Awards a meter to a seat and returns what it pays, in cents. */
int64_t meter_pay(struct table *table, struct round *round, int seat, int meter);

/* END ROUND: contributions, then Must Hit. */
void meters_end_round(struct table *table, struct round *round);

/* A misdeal: the cards as far as they were dealt, and nothing is won or lost. */
void round_void(const struct table *table, struct round *round);

/* Deals the round out and settles it. After an error the table is as it was before. */
void round_settle(struct table *table, struct round *round);

#endif
