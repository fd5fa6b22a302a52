/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/flush_rush/flush_rush.h"

/* Two of one suit, then three. */
bool flush_rush_bets(const struct game_setup *setup, hand_t seen, unsigned stage)
{
    (void)setup;
    return flush_length(hand_flush(seen)) >= 2 + stage;
}
