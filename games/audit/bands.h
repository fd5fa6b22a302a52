/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What so many independent rounds should show: the net result of a wager and the hits of a line,
 * each between bounds that 90, 95 and 99 of 100 such runs keep. Below a band lies at most half of
 * what is left out, and above it as well. Hits follow the binomial law. The law of a sum of rounds
 * is that of one round, transformed, raised to the power of their number and transformed back;
 * where that would take too much room the normal law stands for it, and the band says so.
 */
#ifndef GAMES_AUDIT_BANDS_H
#define GAMES_AUDIT_BANDS_H

#include <stdbool.h>
#include <stdint.h>

#include "games/audit/law.h"
#include "hal/base/error.h"

#define BAND_LEVELS 3
#define ROUNDS_MAX  UINT64_C(1000000000)

/* 90, 95, 99 per cent. */
extern const unsigned band_levels[BAND_LEVELS];

struct bands {
    double expected;
    int64_t low[BAND_LEVELS], high[BAND_LEVELS]; /* both within */
    bool is_exact;
};

/* Of the sum of the net results, in steps of the law; ERROR_RIG when memory has run out. */
int bands_of_net(struct bands *bands, const struct audit_law *law, uint64_t rounds,
                 struct error *error);

/* Of the rounds in which something with that chance comes up. */
void bands_of_hits(struct bands *bands, struct ratio chance, uint64_t rounds);

#endif
