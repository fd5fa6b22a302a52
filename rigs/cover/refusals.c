/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

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

const struct cover_refusal cover_refusals[] = {
    {"is missing; every seat that plays must stake it", NULL,
     "a seat without a wager that it must make", NULL},
    {"is made by a decision, it cannot be staked", NULL, "a stake on what only a decision makes",
     NULL},
    {"must be exactly", NULL, "a progressive wager of another sum", has_progressive},
    {" must equal ", NULL, "a stake unlike the one that it must equal", has_equal},
    {"is missing; it is '", NULL, "a decision that is missing", NULL},
    {" is '", NULL, "a decision that the rules do not offer there", NULL},
    {"but no decision follows", "asks for at most", "a decision after the last one", NULL},
    {"but no bets", "plays without a bet", "a decision at a seat without bets", NULL},
    {"no seat has a bet", "bets is empty", "a round without bets", NULL},
    {"is dealt twice", NULL, "a card that is dealt twice", NULL},
    {" is missing: ", NULL, "a packet that is missing", NULL},
    {": expected ", NULL, "a packet of another size", NULL},
    {"is one too many", NULL, "a packet too many", NULL},
    {"cannot be dealt from", NULL, "more seats than a deck has cards for", NULL},
    {"cards were drawn, but", NULL, "a misdeal among draws before all have decided", has_draws},
    {"the draws would take", NULL, "draws that a deck has no cards for", has_draws},
    {"does not play in this round", NULL, "Must Hit for a seat that does not play", has_must_hit},
    {"has no paid progressive wager", NULL, "Must Hit for a seat without the wager", has_must_hit},
    {"cannot win in a ", NULL, "Must Hit in a round that was cancelled", has_must_hit},
    {"above its ceiling", NULL, "Must Hit that passes its ceiling without an award", has_must_hit},
    {"is due a meter, but the round was cancelled", NULL,
     "a meter won in a round that was cancelled", has_progressive},
    {"cannot take its share", NULL, "a meter that would pass what meters hold", has_progressive},
    {"they are late", NULL, "wagers that are laid into an open round", has_progressive},
    {"corrected between two awards", NULL, "a meter corrected between two awards", has_progressive},
    {"corrections of meters in a round", NULL, "more corrections than a round may have",
     has_progressive},
    {"at the last START ROUND", NULL, "a round started with other wagers than were bet",
     has_progressive},
};
_Static_assert(sizeof cover_refusals / sizeof cover_refusals[0] <= COVER_REFUSALS_MAX,
               "each has a number");
const unsigned cover_refusal_count = sizeof cover_refusals / sizeof cover_refusals[0];

/* Where in a sentence it shows; NULL: it does not. */
static const char *shows(const struct cover_refusal *refusal, const char *sentence)
{
    const char *at = strstr(sentence, refusal->part);

    return at || !refusal->other ? at : strstr(sentence, refusal->other);
}

/* What stands first is what was refused; the rest of the sentence explains it. */
int cover_refusal_find(const char *sentence)
{
    const char *first = NULL;
    int found = COVER_NONE;

    for (unsigned i = 0; i < cover_refusal_count; i++) {
        const char *at = shows(&cover_refusals[i], sentence);

        if (at && (!first || at < first)) {
            first = at;
            found = (int)i;
        }
    }
    return found;
}
