/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sieve of the search: which of SEEK_LANES seeds, or states of a cycle, may have made what a
 * check asks for. It lets no seed go that did. Rows of numbers are made by seek_rows_fill() first.
 */
#ifndef RIGS_SHUFFLES_SEEK_FILTER_H
#define RIGS_SHUFFLES_SEEK_FILTER_H

#include "rigs/shuffles/seek_plan.h"

/* What one thread works with; `rows` has seek_rows_width() bytes for each row of the plan. */
struct seek_work {
    const struct seek_plan *plan;
    uint32_t numbers[SEEK_BLOCK + SEEK_WINDOW + (DECK_SIZE + SEEK_SKIPS) * SEEK_LANES];
    uint8_t origins[SEEK_TRACKS_MAX][SEEK_FOLLOWED][SEEK_LANES];
    uint8_t rows[];
};

/* Makes the rows of the numbers that are there. */
void seek_rows_fill(struct seek_work *work);

/* Follows what must be followed for the lanes that begin `at` numbers from the first one. */
void seek_tracks_follow(struct seek_work *work, size_t at);

/* Fills a byte for each lane, which is not 0 where the check may be right; false if none is. */
bool seek_check_lanes(const struct seek_work *work, const struct seek_check *check, size_t at,
                      uint8_t lanes[SEEK_LANES]);

/* The rest of what the numbers can tell of one lane, before the model is asked. */
bool seek_check_lane(const struct seek_work *work, const struct seek_check *check,
                     const struct weak_mapping *mapping, size_t at);

#endif
