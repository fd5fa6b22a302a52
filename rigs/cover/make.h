/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rounds that nobody has played: seats, stakes, cards and decisions at random, and legal. The same
 * random state makes the same round. Cards can be drawn towards something: from one suit, a run,
 * few ranks, so that what a shuffle brings once in millions of rounds comes up soon. What came of
 * it is for the engine to say.
 */
#ifndef RIGS_COVER_MAKE_H
#define RIGS_COVER_MAKE_H

#include "rigs/cover/see.h"
#include "rigs/recording/write.h"

#define MAKE_KEYS_SIZE 4096

/* A round on its way into a recording; keys are JSON, and empty where they are the regular ones. */
struct made_round {
    struct recording_round recorded;
    char keys[MAKE_KEYS_SIZE];
    const char *extra_play; /* decisions of a seat that does not play, as JSON; NULL: none */
};

/* Below `limit`, which is not 0. */
unsigned make_random(uint64_t *random, unsigned limit);

/* Any round; `towards`: its cards are drawn towards something. */
void make_round(const struct game_setup *setup, uint64_t *random, bool towards,
                struct made_round *made);

/* Makes it a misdeal that breaks off somewhere; nobody decides what no card has reached. */
void make_void(const struct game_setup *setup, uint64_t *random, struct made_round *made);

/*
 * Keys for a round that was settled: all that won are paid, from the right to the left, and on the
 * way keys are pressed that must be refused, those first that `seen` does not have.
 */
void make_keys(const struct cover_points *points, const struct settlement *settlement,
               const struct meters *meters, const struct cover_set *seen, uint64_t *random,
               struct made_round *made);

/* Its line of the recording, with its newline; the length. */
size_t make_line(const struct game *game, const struct made_round *made,
                 char line[RECORDING_LINE_SIZE + MAKE_KEYS_SIZE]);

/* Makes a legal round one that the rules refuse in this way; false: it cannot be had of this one.
 */
bool make_refused(const struct cover_table_state *state, unsigned refusal, uint64_t *random,
                  struct made_round *made);

#endif
