/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The hands that a live table was dealt, by the lines they come to, beside the exact laws of an
 * audit: of every round that of the first seat, and the dealer's. Only laws of dealt cards are
 * used, which no decision changes. Everything is judged together, after the last round.
 */
#ifndef RIGS_RUN_LINES_H
#define RIGS_RUN_LINES_H

#include "games/audit/audit.h"
#include "games/game.h"

/* Fewer rounds say nothing that somebody could rely on. */
#define RUN_LINES_MIN 100

/* Whose hands they are. */
enum run_line_hand { LINE_HAND_SEAT, LINE_HAND_DEALER, LINE_HANDS };

struct run_lines {
    const struct game *game; /* NULL: none was dealt */
    bool is_mixed;           /* rounds of several games: no law is that of all */
    uint32_t rounds;
    uint32_t seen[AUDIT_DEALT_MAX][LINE_HANDS][LINES_MAX]; /* by wager and line */
};

/* What is least likely of all that was counted. */
struct run_lines_found {
    unsigned tests; /* that could have been failed */
    double p;       /* of the least likely count, times the tests */
    char says[120];
};

/* A settled round that was dealt by chance alone. */
void run_lines_see(struct run_lines *lines, const struct game_setup *setup,
                   const struct settlement *settlement);

/* NULL, or why nothing can be said. */
const char *run_lines_unsaid(const struct run_lines *lines);

/* Where something can be: each count against the binomial law, corrected for their number. */
struct run_lines_found run_lines_judge(const struct run_lines *lines);

#endif
