/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rounds of a table that was only listened to: a deal that was heard, with what nobody hears. No
 * line carries the stakes and the decisions of the players; the caller gives them for all rounds,
 * or has them noted round by round. What was heard goes before what was given, and a round that
 * cannot be told whole is refused with the reason. The caller owns everything.
 */
#ifndef RIGS_LISTEN_ROUNDS_H
#define RIGS_LISTEN_ROUNDS_H

#include "games/policy.h"
#include "rigs/listen/deals.h"
#include "rigs/recording/format.h"

/* What somebody wrote down at the table: JSON Lines with `round`, `bets` and `play`. */
struct listen_notes;

/* ERROR_CONFIG with file and line. `*notes` is NULL after a failure; listen_notes_free takes NULL.
 */
int listen_notes_read(struct listen_notes **notes, const char *path,
                      const struct recording_header *header, struct error *error);
void listen_notes_free(struct listen_notes *notes);

struct listen_table {
    const struct recording_header *header;
    const struct listen_notes *notes; /* NULL: what follows counts */
    seats_t seats;                    /* that play; 0: those whose wagers are heard */
    cents_t stakes[WAGERS_MAX];       /* of each of them */
    enum policy policy;
    uint64_t seed;
};

/* The opening meters, where they are heard before a deal. ERROR_CONFIG where they are other ones.
 */
int listen_open_meters(const struct heard *heard, struct meters *meters, struct error *error);

/* Makes the round of a deal. ERROR_RULE: it cannot be told, and why. */
int listen_round(const struct listen_table *table, const struct deal *deal, struct round *round,
                 struct error *error);

/* The name of the first meter that is not as it was heard; NULL when all are. */
const char *listen_differing_meter(const struct heard *heard, const struct meters *meters);

#endif
