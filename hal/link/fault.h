/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Faults on purpose: a decorator over any link that damages what passes, from a seeded generator.
 * The same seed and the same traffic give the same faults. The decorator owns the link that it
 * wraps and closes it with itself; it counts what it injected.
 */
#ifndef HAL_LINK_FAULT_H
#define HAL_LINK_FAULT_H

#include <stdint.h>

#include "hal/link/link.h"

/*
 * Chances are per byte, in parts per million; 0 is never. What happens to the nth byte of a
 * direction depends on the seed, the direction and n alone, however the stream is cut into reads
 * and writes. Splits and merges are faults of reads. A byte that is dropped suffers nothing else.
 */
struct link_faults {
    uint64_t seed;
    uint32_t flip; /* one bit of the byte */
    uint32_t drop;
    uint32_t duplicate;
    uint32_t delay; /* the stream stands still for `delay_by` before this byte */
    nanos_t delay_by;
    uint32_t split;     /* a read ends after this byte */
    uint32_t merge;     /* a read does not end with this byte if more comes in LINK_MERGE_WAIT */
    uint64_t cut_after; /* bytes in both directions, then the link is gone; 0 is never. A link
                           that was opened again is cut again after as many */
};

/* The latency timer of the commonest USB serial adapter. */
#define LINK_MERGE_WAIT (16 * NANOS_PER_MILLI)

/* `bytes` are those that arrived at the decorator, in both directions. */
struct link_fault_counts {
    uint64_t bytes, flipped, dropped, duplicated, delayed, split, merged, cut;
};

/* Owns `inner` from then on; ERROR_CONFIG for a chance over a million, or a delay that is
 * negative or longer than an hour. */
int fault_link(struct link **link, struct link *inner, const struct link_faults *faults,
               struct error *error);

/* What was injected so far; lives as long as the link. NULL if this is not a link with faults. */
const struct link_fault_counts *fault_link_counts(const struct link *link);

#endif
