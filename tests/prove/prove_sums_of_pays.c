/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sums of what a table has paid are exact, or stand at their end and say so: they never wrap and
 * never turn negative, whatever a wager or a meter brings.
 *
 * Bound: any sums so far, any 64-bit result, stake and pay; a wager and an award after each other
 * Broken: games/paid.c s/pays < paid->tray ? pays : paid->tray/pays/
 */
#include "games/paid.c"
#include "tests/prove/prove.h"

static cents_t least(__int128 a, __int128 b)
{
    return (cents_t)(a < b ? a : b);
}

/* A table's sums beside those of a round are added up as they are. */
static void prove_since(struct paid paid, struct paid before)
{
    struct paid all = before;

    paid_since(&all, &paid, &(struct paid){0});
    MUST(all.tray == least((__int128)before.tray + paid.tray, PAID_MOST));
    MUST(all.meters == least((__int128)before.meters + paid.meters, PAID_MOST));
}

int main(void)
{
    struct paid paid, before;
    cents_t net, stake, pays;
    bool is_progressive, is_in_net;
    __int128 brings;

    GIVEN(paid.tray >= 0 && paid.meters >= 0);
    GIVEN(stake >= 0);
    before = paid;
    paid_wager(&paid, is_progressive, net, stake);
    brings = is_progressive ? (__int128)net + stake : net;
    MUST(paid.tray == (brings > 0 ? least(before.tray + brings, PAID_MOST) : before.tray));
    MUST(paid.meters == before.meters);
    prove_since(paid, before);

    before = paid;
    paid_award(&paid, is_in_net, pays);
    MUST(paid.tray >= 0 && paid.tray <= before.tray);
    MUST(paid.meters == least((__int128)before.meters + (pays > 0 ? pays : 0), PAID_MOST));
}
