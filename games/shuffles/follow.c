/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/shuffles/follow.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <string.h>

#include "games/shuffles/law.h"

size_t follow_moves(const struct known_order *before, const struct known_order *now,
                    uint8_t moved[DECK_SIZE])
{
    uint8_t place[DECK_SIZE];
    size_t seen = 0;

    memset(place, FOLLOW_UNKNOWN, sizeof place);
    for (size_t i = 0; i < before->count; i++)
        place[before->cards[i]] = (uint8_t)i;
    for (size_t i = 0; i < now->count; i++) {
        moved[i] = place[now->cards[i]];
        seen += moved[i] != FOLLOW_UNKNOWN;
    }
    return seen;
}

void follow_add(struct follow *follow, const struct known_order *before,
                const struct known_order *now)
{
    uint8_t moved[DECK_SIZE];
    unsigned kept = 0;

    follow_moves(before, now, moved);
    for (size_t i = 0; i < now->count; i++) {
        if (moved[i] == FOLLOW_UNKNOWN)
            continue;
        follow->moved[i][moved[i]]++;
        kept += i && moved[i] == moved[i - 1] + 1;
    }
    follow->kept[kept]++;
    follow->sizes[before->count][now->count]++;
    follow->count++;
}

/*
 * Sums of independent values are spread no wider than as many values of their mean law (Hoeffding
 * 1963, theorem 4: drawing with replacement spreads more than drawing without).
 */
void follow_law(const struct follow *follow, double chance[DECK_SIZE])
{
    double law[DECK_SIZE];

    memset(chance, 0, DECK_SIZE * sizeof *chance);
    for (unsigned before = 1; before <= DECK_SIZE; before++)
        for (unsigned now = 1; now <= DECK_SIZE; now++) {
            if (!follow->sizes[before][now])
                continue;
            law_successions_seen(DECK_SIZE, before, now, law);
            for (unsigned k = 0; k < DECK_SIZE; k++)
                chance[k] += law[k] * follow->sizes[before][now] / (double)follow->count;
        }
}

/* Summed up from the last place, where only whole orders count. */
void follow_totals(const struct follow *follow, shuffles_places *totals)
{
    for (unsigned now = DECK_SIZE; now-- > 0;)
        for (unsigned before = DECK_SIZE; before-- > 0;) {
            uint32_t more = follow->sizes[before + 1][now + 1];

            if (now + 1 < DECK_SIZE)
                more += (*totals)[now + 1][before];
            if (before + 1 < DECK_SIZE)
                more += (*totals)[now][before + 1];
            if (now + 1 < DECK_SIZE && before + 1 < DECK_SIZE)
                more -= (*totals)[now + 1][before + 1];
            (*totals)[now][before] = more;
        }
}

double follow_same(unsigned before, unsigned now, unsigned least)
{
    double sum = 0;

    for (unsigned seen = least; seen <= before && seen <= now; seen++) {
        double chance = gsl_ran_hypergeometric_pdf(seen, before, DECK_SIZE - before, now);

        if (chance > 0)
            sum += exp(2 * log(chance) - gsl_sf_lnchoose(before, seen) -
                       gsl_sf_lnchoose(now, seen) - gsl_sf_lnfact(seen));
    }
    return sum;
}
