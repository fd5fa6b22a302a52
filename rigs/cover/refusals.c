/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/cover/points.h"

static bool has_progressive(const struct game *game)
{
    return game->meter_count != 0;
}

static bool has_must_hit(const struct game *game)
{
    return game->meter_count && game->meter_count < METERS_MAX;
}

static bool has_equal(const struct game *game)
{
    for (unsigned i = 0; i < game->wager_count; i++)
        if (game->wagers[i].equal_to != NO_WAGER)
            return true;
    return false;
}

static bool has_draws(const struct game *game)
{
    return game->draws;
}

const struct cover_refusal cover_refusals[REFUSALS] = {
    [REFUSED_WAGER_MISSING] = {"a seat without a wager that it must make", NULL},
    [REFUSED_STAKE_DECIDED] = {"a stake on what only a decision makes", NULL},
    [REFUSED_STAKE_FIXED] = {"a progressive wager of another sum", has_progressive},
    [REFUSED_STAKE_UNEQUAL] = {"a stake unlike the one that it must equal", has_equal},
    [REFUSED_DECISION_MISSING] = {"a decision that is missing", NULL},
    [REFUSED_DECISION_WRONG] = {"a decision that the rules do not offer there", NULL},
    [REFUSED_DECISION_AFTER] = {"a decision after the last one", NULL},
    [REFUSED_DECISION_WITHOUT_BETS] = {"a decision at a seat without bets", NULL},
    [REFUSED_NO_BETS] = {"a round without bets", NULL},
    [REFUSED_CARD_TWICE] = {"a card that is dealt twice", NULL},
    [REFUSED_PACKET_MISSING] = {"a packet that is missing", NULL},
    [REFUSED_PACKET_SIZE] = {"a packet of another size", NULL},
    [REFUSED_PACKET_AFTER] = {"a packet too many", NULL},
    [REFUSED_SEATS] = {"more seats than a deck has cards for", NULL},
    [REFUSED_DRAW_UNDECIDED] = {"a misdeal among draws before all have decided", has_draws},
    [REFUSED_DRAWS] = {"draws that a deck has no cards for", has_draws},
    [REFUSED_MUST_HIT_SEAT] = {"Must Hit for a seat that does not play", has_must_hit},
    [REFUSED_MUST_HIT_UNPAID] = {"Must Hit for a seat without the wager", has_must_hit},
    [REFUSED_MUST_HIT_CANCELLED] = {"Must Hit in a round that was cancelled", has_must_hit},
    [REFUSED_MUST_HIT_CEILING] = {"Must Hit that passes its ceiling without an award",
                                  has_must_hit},
    [REFUSED_METER_CANCELLED] = {"a meter won in a round that was cancelled", has_progressive},
    [REFUSED_METER_FULL] = {"a meter that would pass what meters hold", has_progressive},
    [REFUSED_WAGERS_LATE] = {"wagers that are laid into an open round", has_progressive},
    [REFUSED_CORRECTED_BETWEEN] = {"a meter corrected between two awards", has_progressive},
    [REFUSED_CORRECTED_OFTEN] = {"more corrections than a round may have", has_progressive},
    [REFUSED_STARTED_OTHERWISE] = {"a round started with other wagers than were bet",
                                   has_progressive},
};
