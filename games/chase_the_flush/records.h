/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the units of an audit of Chase the Flush find: for every canonical flop and hand how
 * showdowns end, over all boards that can follow. Nothing fails but for memory.
 */
#ifndef GAMES_CHASE_THE_FLUSH_RECORDS_H
#define GAMES_CHASE_THE_FLUSH_RECORDS_H

#include "games/audit/audit.h"
#include "games/audit/suits.h"
#include "games/chase_the_flush/ends.h"
#include "games/chase_the_flush/showdown.h"

#define SPLITS     6
#define FLOPS      1176
#define LATER      1081 /* turns and rivers after a flop */
#define PAIR_COUNT 1326

struct chase_plan {
    struct audit_request request;
    struct flush_ranks ranks;
    struct triples triples;
    struct suit_class boards[QUAD_CLASSES];
    struct suit_class flops[PAIR_CLASSES];
    uint8_t flop_of_pair[PAIR_COUNT];
    uint32_t first_record[PAIR_CLASSES];         /* of a flop */
    uint16_t record[PAIR_CLASSES][TRIPLE_COUNT]; /* of a hand: RECORD_BITS */
    uint32_t record_count;
};

/* What is known of a flop and a hand: all showdowns, those that are played to the end, folds. */
struct flop_hand {
    hand_t flop, held;
    unsigned class; /* of the hand */
    int64_t flops;  /* that it stands for, with their hands */
    struct ends all, called;
    int64_t folds; /* deals of the board */
};

/*
 * The two cards after the flop bring a hand to three groups of flushes at most, the first of which
 * is known of its record. Losses and wins are struct dealers, packed: no record has more than 24
 * times LATER times SHOWDOWN_DEALERS of them, which is below 2^29.
 */
#define RECORD_WINS 3

struct record {
    int64_t losses;
    int64_t wins[RECORD_WINS];
    int64_t folded_losses; /* of those, where folding is better */
    int64_t folded_wins;
    int64_t folds; /* deals of the board where it is */
};

/* Hands whose findings are added together, few enough to stay in the nearest cache. */
#define BLOCK 512

/* Where the hands on a board go when two of its cards are the flop. */
struct split {
    const uint16_t *reordered;
    const uint16_t *record;
    struct record *records;
};

/* How one hand on one board ends. */
struct found {
    int64_t losses, wins;
    int64_t folds; /* deals; 0: it plays */
    uint16_t triple;
    uint16_t group;
};

struct chase_scratch {
    struct showdown showdown;
    struct split splits[SPLITS];
    unsigned count;
    struct found found[BLOCK];
};

/* One hand on one board, that stands for `weight` deals, against all dealer's hands. */
struct found chase_play_hand(const struct flush_ranks *ranks, const struct showdown_hand *hand,
                             int64_t weight);

/* The members of a struct audit_method; the scratch is a struct chase_scratch. */
void *chase_plan_new(const struct audit_request *request);
size_t chase_plan_sums(const void *opaque);
void chase_unit(const void *opaque, size_t index, void *opaque_scratch, int64_t *sums);

/* Every class of hands on every canonical flop. */
typedef void (*flop_hand_fn)(void *context, const struct flop_hand *hand);

void chase_each_flop_hand(const struct chase_plan *plan, const int64_t *sums, flop_hand_fn call,
                          void *context);

#endif
