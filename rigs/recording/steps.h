/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The keys of a round as a terminal takes them, and the steps among them that are none: what lies
 * on the bet sensors, and the correction of a meter by an administrator. For the reader of
 * recordings and for those who play them.
 */
#ifndef RIGS_RECORDING_STEPS_H
#define RIGS_RECORDING_STEPS_H

#include "devices/terminal/walk.h"
#include "games/game.h"
#include "rigs/recording/format.h"

/* "wagers:1,4": from now on wagers lie there; "wagers:" is nowhere. False for any other text. */
bool recording_step_wagers(const char *text, seats_t *seats);

/*
 * "correct-meter:star=10000.10": 1 with the meter and its value, 0 for any other text, or
 * ERROR_RULE where there is no such meter or it cannot have that value.
 */
int recording_step_correction(const char *text, const struct meters *meters,
                              struct correction *correction, struct error *error);

/* The keys of a round as they are read, one after the other. */
struct recording_steps {
    const struct wager *wager; /* the progressive one; NULL: the game has none, nor keys */
    seats_t paid;              /* seats that made the progressive wager, by the bets */
    seats_t locked;            /* seats where one lay at the last START ROUND */
    struct terminal_walk walk; /* where the keys have led to */
    enum terminal_key closed;  /* END ROUND or CANCEL ROUND, whichever was taken last; 0: none */
    bool has_paid;             /* since START ROUND */
    bool is_fixed;             /* a meter was corrected after an award: no other may follow */
};

struct recording_steps recording_steps_begin(const struct game *game, const struct round *round);

/*
 * A key that there is, or a step; corrections are added to the round. ERROR_RULE for wagers in a
 * round that is open, a hand that the terminal has not, a round that was ended and is started
 * again, a correction between two awards, or one that cannot be.
 */
int recording_steps_take(struct recording_steps *steps, const char *key,
                         const struct meters *meters, struct round *round, struct error *error);

/*
 * Says whether the round was cancelled. ERROR_RULE where its keys leave it open, never start it
 * although there are wagers, end it with other wagers than were bet, or end it though it is void.
 */
int recording_steps_end(const struct recording_steps *steps, bool is_void, struct round *round,
                        struct error *error);

/*
 * Whether a table of so many seats has those that the round is played at, and those where wagers
 * lie among its keys. ERROR_CONFIG names the round and the first seat that it has not.
 */
int recording_check_seats(const struct recording_round *round, unsigned seats, struct error *error);

#endif
