/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/three_card_poker/three_card_poker.h"

/* Queen-six-four or better: what optimal play bets as well. */
bool poker_bets(const struct game_setup *setup, hand_t seen, unsigned stage)
{
    (void)setup;
    (void)stage;
    return hand_count(seen) == 3 &&
           poker_three(seen) >= (1u << RANK_QUEEN | 1u << RANK_SIX | 1u << RANK_FOUR);
}
