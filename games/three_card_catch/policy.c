/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/three_card_catch/three_card_catch.h"

/* A queen or higher, or a pair or better. */
bool catch_bets(const struct game_setup *setup, hand_t seen, unsigned stage)
{
    (void)stage;
    return seen & HAND_LANES(0x1fffu >> RANK_QUEEN << RANK_QUEEN) ||
           (hand_count(seen) == 3 &&
            three_category(hand_three(seen, setup->ace_low)) >= THREE_PAIR);
}
