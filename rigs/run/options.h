/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a caller of the runner asks for and is told: plain values, whose texts live as long as the
 * call that hands them over.
 */
#ifndef RIGS_RUN_OPTIONS_H
#define RIGS_RUN_OPTIONS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "games/card.h"
#include "games/paid.h"
#include "rigs/checks/book.h"
#include "rigs/checks/verdict.h"
#include "rigs/journal/journal.h"

struct recording_place; /* rigs/recording/files.h */

/* How one round ended. */
struct runner_round {
    const char *recording;
    int64_t number;
    enum verdict verdict;
    const char *why; /* a sentence, or NULL */
    unsigned passed; /* checks */
    unsigned failed;
};

/* What is waited for, on a real clock. */
struct run_wait {
    const char *what;   /* "packet", as a journal has it */
    const char *device; /* that will tell of it */
    uint64_t limit_ms;  /* 0: as long as it takes */
    unsigned try;       /* to open a device that went away, from 1; 0: nothing is opened */
};

/* Cards that have come, on a real clock. */
struct run_cards {
    int64_t round;
    const char *to; /* "seat 3", "dealer", "board", "burned", or "drawn" after a decision */
    const card_t *cards;
    unsigned count;
};

/* Functions may be NULL; all are called by the thread that plays. */
struct runner_options {
    struct journal *journal;             /* NULL: none is written */
    const struct recording_place *place; /* of the recordings; NULL: the disk */
    bool fail_fast;                      /* stop after the first round that does not pass */
    const atomic_bool *stop;             /* when true, stop before the next round; NULL: never */
    void *context;
    void (*round_ended)(void *context, const struct runner_round *round);
    /* Of round 0: after the last one. */
    void (*check_failed)(void *context, const char *recording, int64_t round,
                         const struct check_result *result);
    /* Somebody at the table is to do something now: "draw 9 cards from the shoe". */
    void (*asked)(void *context, const char *what);
    /* Something is waited for; NULL when it is not any more. */
    void (*awaited)(void *context, const struct run_wait *wait);
    /* Cards lie where they were dealt. */
    void (*dealt)(void *context, const struct run_cards *cards);
};

/* Verdicts of rounds, and the checks behind them. */
struct runner_counts {
    uint64_t rounds;
    uint64_t verdicts[VERDICT_COUNT];
    struct check_counts checks;
    uint64_t failed_after; /* checks of no round, after the last one */
    struct paid paid;      /* by the settlements of what was dealt */
};

#endif
