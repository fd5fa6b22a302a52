/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The last decision of Chase the Flush, board by board. There are 204 million hands with their
 * boards; on most boards a flush tells those to bet on from those to fold, and on the others cards
 * that a dealer cannot have decide between hands that are near it. Pure; nothing fails.
 */
#ifndef GAMES_CHASE_THE_FLUSH_RIVER_H
#define GAMES_CHASE_THE_FLUSH_RIVER_H

#include "games/chase_the_flush/records.h"

/*
 * Of the canonical board with that number first the lowest flush to bet with, then the hands that
 * are to be played otherwise than it says. Classes of hands that were bet on before the flop do not
 * come here.
 */
void chase_river(const struct chase_plan *plan, const bool *is_bet_on, unsigned board,
                 struct chase_scratch *scratch, audit_row_fn row, void *context);

#endif
