/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/chase_the_flush/chase_the_flush.h"

/* Three of one suit, then four, then what would qualify a dealer. */
bool chase_bets(const struct game_setup *setup, hand_t seen, unsigned stage)
{
    flush_t flush = hand_flush(seen);

    (void)setup;
    return stage < 2 ? flush_length(flush) >= 3 + stage : chase_qualifies(flush);
}
