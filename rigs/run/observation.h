/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is to be observed, and who is told of it. The caller keeps it until the observation ends. */
#ifndef RIGS_RUN_OBSERVATION_H
#define RIGS_RUN_OBSERVATION_H

#include "games/policy.h"
#include "rigs/bench/bench.h"
#include "rigs/recording/format.h"

/* A stake that is not the usual one; 0: the wager is not made. */
struct observe_bet {
    const char *wager;
    cents_t cents;
};

struct observation {
    const char *header; /* the table as the first line of a recording; the rig's where silent */
    seats_t seats;      /* that play; 0: those with a wager on a sensor, or all */
    const struct observe_bet *bets;
    size_t bet_count;
    enum policy policy;
    bool asks_wagers;      /* people are asked who plays for what, at the bench's desk */
    bool asks;             /* the players decide, at the bench's desk; otherwise the policy does */
    uint32_t answer_limit; /* milliseconds for each answer, then the policy's counts; 0: none */
    bool keeps_meters;     /* the terminal is not set up: its meters are the opening ones */
    uint64_t seed;         /* of the random policy */
    uint64_t rounds;       /* 0: until stopped */
    uint32_t pause;        /* milliseconds for the people at the table, from the first wager on */
    void *context;
    /*
     * Told of the device that deals and of the table as it opens, then of each round that came to
     * its end, with its settlement as a line of an .expect file. Both may be NULL; what they fail
     * with ends the observation.
     */
    int (*opened)(void *context, const struct bench_device *dealing,
                  const struct recording_header *header, struct error *error);
    int (*settled)(void *context, const struct round *round, const char *line, size_t length,
                   struct error *error);
};

#endif
