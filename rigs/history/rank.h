/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether two samples differ, by the rank sum of Wilcoxon, Mann and Whitney: no law of the values
 * is assumed, and one that is far out counts no more than another that is just beyond. Values that
 * are equal share their rank. Up to RANK_EXACT values p is exact, by counting every way in which
 * the ranks could have fallen to the two; beyond that by the normal law, with the variance that
 * ties leave and half a rank for continuity. The values must be independent of each other. Pure;
 * fails only without memory.
 */
#ifndef RIGS_HISTORY_RANK_H
#define RIGS_HISTORY_RANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RANK_EXACT 60

struct rank_result {
    /* The chance that a value of the second is larger than one of the first, a tie being half of
     * that: 0.5 is no difference. */
    double larger;
    double p; /* of a difference at least as large, either way; 1 when nothing differs */
    bool is_exact;
};

/* Samples of one value at least, sorted, the smallest first; false when memory is short. */
bool rank_compare(const int64_t *first, size_t first_count, const int64_t *second,
                  size_t second_count, struct rank_result *result);

/* Holm's correction of `count` p-values in place, in the order that they have. */
void rank_holm(double *p, size_t count);

#endif
