/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a table has paid, by whose money it is: the chip tray pays what wagers win at odds and the
 * fixed pays of a progressive wager, meters pay jackpots and Must Hit. Stakes that come back are no
 * pay, nor is anything of a round that is void. Sums are whole cents and stop at PAID_MOST.
 */
#ifndef GAMES_PAID_H
#define GAMES_PAID_H

#include "games/game.h"

#define PAID_MOST INT64_MAX

struct paid {
    cents_t tray;
    cents_t meters;
    uint64_t voided; /* rounds */
};

/* One wager: what it won beyond its stake; a progressive one is gone, so all that it brings. */
void paid_wager(struct paid *paid, bool is_progressive, cents_t net, cents_t stake);

/* A meter's pay; a jackpot's is in the net of its wager as well, that of Must Hit is not. */
void paid_award(struct paid *paid, bool is_in_net, cents_t pays);

/* Adds a round that was settled with its meters. */
void paid_round(struct paid *paid, const struct game *game, const struct round *round,
                const struct settlement *settlement);

/* Adds what `more` has and `before` had not yet. */
void paid_since(struct paid *paid, const struct paid *more, const struct paid *before);

/* "$12.34", or "more than" that where the sum is at its end; the text. */
#define PAID_TEXT_SIZE 48
const char *paid_text(cents_t cents, char text[PAID_TEXT_SIZE]);

#endif
