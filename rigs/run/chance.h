/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a device leaves to chance, over all rounds of a run: the orders that it shuffled itself, the
 * hands they came to, and to whom and when Must Hit went. Only counts are kept, whatever the number
 * of rounds. Each is judged once, after the last round, and a uniform device fails with a chance of
 * RUN_ALPHA at most.
 */
#ifndef RIGS_RUN_CHANCE_H
#define RIGS_RUN_CHANCE_H

#include "games/shuffles/shuffles.h"
#include "rigs/run/lines.h"
#include "rigs/run/round.h"

/*
 * A run is judged day after day, so far below what a single look with `shuffles` declares: of ten
 * thousand runs with an honest device one may fail.
 */
#define RUN_ALPHA 0.0001

/* Parts of the way from the reset value of Must Hit to its ceiling. */
#define RUN_PARTS 8

/* Awards of Must Hit. A part of the way is counted only by an award that surely was drawn in it. */
struct run_must_hit {
    uint32_t won[SEATS_MAX + 1][SEATS_MAX]; /* by how many were eligible, and which of them won */
    uint32_t seen;                          /* awards whose way began with the award before */
    uint32_t early[RUN_PARTS];              /* drawn before the end of this part */
    uint32_t late[RUN_PARTS];               /* drawn after its beginning */
    uint32_t within[RUN_PARTS];
    bool has_start; /* an award was seen: the meter has come from its reset value */
    micros_t start; /* where it stood after that award */
};

struct run_chance {
    struct shuffles *shuffles; /* NULL until a device has shuffled by itself */
    bool is_linked[DECKS_MAX]; /* the order of that deck before the next has been added */
    struct run_must_hit must_hit;
    struct run_lines lines; /* of observed rounds */
};

/* After a round, `status` being how it ended; ERROR_RIG when memory is short. */
int run_chance_see(struct run_chance *chance, const struct run *run, int status,
                   struct error *error);

/* An award of Must Hit that the terminal drew, before the meters of the run move on. */
void run_chance_see_must_hit(struct run_chance *chance, const struct run *run);

/* Fails, passes or skips the checks `shuffle`, `dealt-lines` and `must-hit-random`. */
void run_chance_judge(const struct run_chance *chance, struct check_book *book);

void run_chance_free(struct run_chance *chance);

#endif
