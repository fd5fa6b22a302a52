/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wagers of an observed round that people are asked for. For the files of the runner only. */
#ifndef RIGS_RUN_WAGERS_H
#define RIGS_RUN_WAGERS_H

#include "rigs/run/round.h"

/*
 * Asks at the bench's desk which seats play and what each of them stakes; Enter is as in the round
 * before. Fills seats and bets of the round, which come as the first round would have them. 0, or
 * as desk_ask().
 */
int run_ask_wagers(struct run *run, struct round *round, struct error *error);

/* Whether a seat can make these stakes, and whatever its decisions make of them; ERROR_CONFIG. */
int observe_check_stakes(const struct game_setup *setup, const cents_t stakes[WAGERS_MAX],
                         struct error *error);

#endif
