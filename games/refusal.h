/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the rules refuse: the reason of an error (hal/base/error.h) of those who check a round
 * against them, the engine or whoever reads the round before it. An error of a round without one
 * refuses no play: what was read is no round at all, or one that no table could have seen.
 */
#ifndef GAMES_REFUSAL_H
#define GAMES_REFUSAL_H

enum refusal {
    REFUSED_NOT,           /* no rule has refused it */
    REFUSED_WAGER_MISSING, /* one that every seat must make */
    REFUSED_STAKE_DECIDED, /* on what only a decision makes */
    REFUSED_STAKE_FIXED,
    REFUSED_STAKE_UNEQUAL,
    REFUSED_DECISION_MISSING,
    REFUSED_DECISION_WRONG,
    REFUSED_DECISION_AFTER, /* the last one */
    REFUSED_DECISION_WITHOUT_BETS,
    REFUSED_NO_BETS,
    REFUSED_CARD_TWICE,
    REFUSED_PACKET_MISSING,
    REFUSED_PACKET_SIZE,
    REFUSED_PACKET_AFTER, /* the last one */
    REFUSED_SEATS,        /* more than a deck has cards for */
    REFUSED_DRAW_UNDECIDED,
    REFUSED_DRAWS, /* more than a deck has cards for */
    REFUSED_MUST_HIT_SEAT,
    REFUSED_MUST_HIT_UNPAID,
    REFUSED_MUST_HIT_CANCELLED,
    REFUSED_MUST_HIT_CEILING,
    REFUSED_METER_CANCELLED,
    REFUSED_METER_FULL,
    REFUSED_WAGERS_LATE,
    REFUSED_CORRECTED_BETWEEN, /* two awards */
    REFUSED_CORRECTED_OFTEN,
    REFUSED_STARTED_OTHERWISE, /* with other wagers than were bet */
    REFUSED_CEILING_AGAIN,     /* passed by what a Must Hit award leaves */
    REFUSED_LIMIT,             /* of the table, which is a rig's */
    REFUSALS
};

#endif
