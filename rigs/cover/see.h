/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What one round of a recording exercises: the round is settled by the engine, its keys are walked
 * as a terminal must take them, and what came up is a set of coverage points. Pure but for the
 * meters and decks, which go on from round to round in a struct of the caller's.
 */
#ifndef RIGS_COVER_SEE_H
#define RIGS_COVER_SEE_H

#include "rigs/cover/points.h"
#include "rigs/recording/format.h"

/* A set of points. */
struct cover_set {
    uint64_t word[COVER_POINTS_MAX / 64];
};

static inline bool cover_has(const struct cover_set *set, unsigned point)
{
    return set->word[point / 64] >> point % 64 & 1;
}

/* COVER_NONE is no point, and adding it nothing. */
static inline void cover_add(struct cover_set *set, int point)
{
    if (point >= 0)
        set->word[point / 64] |= UINT64_C(1) << point % 64;
}

/* Whether `more` has what `set` has not. */
bool cover_is_new(const struct cover_set *set, const struct cover_set *more);
void cover_join(struct cover_set *set, const struct cover_set *more);
unsigned cover_count(const struct cover_set *set);

/* A recording on its way. */
struct cover_table_state {
    const struct cover_points *points;
    struct recording_header header; /* its meters are those before the next round */
    uint8_t deck;                   /* that was dealt last, of two */
};

/*
 * Adds to `set` what a round shows. ERROR_RULE when the rules refuse it: that is what it shows
 * then, and the meters stand still.
 */
int cover_see(struct cover_table_state *state, const struct recording_round *round,
              struct cover_set *set, struct error *error);

/* A line that could not be read as a round: only which rule has refused it, if one has. */
void cover_see_refusal(const struct cover_points *points, const struct error *why,
                       struct cover_set *set);

/* False: no round of a recording with this header can show it. True: one may. */
bool cover_may_show(const struct cover_points *points, const struct recording_header *header,
                    unsigned point);

/* How many decisions of a seat its cards and the community's have reached: less in a misdeal. */
unsigned cover_decided(const struct game *game, const struct round *round,
                       const struct settlement *settlement, unsigned seat);

/* Seats that have won the progressive wager: cash, or a meter. */
seats_t cover_winners(const struct cover_points *points, const struct settlement *settlement,
                      const struct round *round);

/* The keys of a round that was settled, as recorded or the regular ones. */
void cover_see_keys(const struct cover_table_state *state, const struct recording_round *round,
                    const struct settlement *settlement, struct cover_set *set);

#endif
