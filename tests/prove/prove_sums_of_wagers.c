/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What seven seats have staked on the progressive wager is added up without overflow, seats that do
 * not play left out.
 *
 * Bound: any stakes from 0 to STAKE_MAX, any seats
 * Options: --unwind 9
 * Broken: games/jackpot.c s/seat <= SEATS_MAX; seat++)/seat < SEATS_MAX; seat++)/
 */
#include "games/jackpot.c"
#include "tests/prove/prove.h"

int main(void)
{
    const int wager = WAGERS_MAX - 1;
    struct round round;
    cents_t sum = 0;

    for (unsigned seat = 1; seat <= SEATS_MAX; seat++) {
        GIVEN(round.bets[seat][wager] >= 0 && round.bets[seat][wager] <= STAKE_MAX);
        if (round.seats >> seat & 1)
            sum += round.bets[seat][wager];
    }
    MUST(wagered(&round, wager) == sum);
    MUST(sum <= SEATS_MAX * STAKE_MAX);
}
