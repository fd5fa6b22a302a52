/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Faults on purpose: a decorator over any pins that sticks and bounces, from a seeded generator.
 * The same seed and the same edges give the same faults. The decorator owns the pins that it wraps
 * and closes them with itself; it counts what it injected.
 */
#ifndef HAL_PINS_FAULT_H
#define HAL_PINS_FAULT_H

#include <stdint.h>

#include "hal/pins/pins.h"

/*
 * Values are logical. A stuck input tells no edges, a stuck output takes no writes. An edge that
 * bounces is followed by `bounce_edges` pairs of edges, there and back, at times spread over
 * `bounce_for`: contacts that bounce longer than the debouncer below was set for. The next true
 * edge of that pin ends its bouncing. Reads see the settled level.
 */
struct pin_faults {
    uint64_t seed;
    uint64_t stuck;      /* set of pins that keep the value they have when the faults begin */
    uint64_t stuck_high; /* set of pins stuck at 1 */
    uint64_t stuck_low;  /* set of pins stuck at 0 */
    uint32_t bounce;     /* chance of an edge to bounce, parts per million */
    unsigned bounce_edges;
    nanos_t bounce_for;
};

struct pin_fault_counts {
    uint64_t edges;     /* that arrived at the decorator */
    uint64_t bounced;   /* edges that were made to bounce */
    uint64_t injected;  /* edges added by that, whether or not the caller asked for such edges */
    uint64_t swallowed; /* edges of stuck inputs, and writes to stuck outputs */
};

/*
 * Owns `inner` from then on, and reads or writes the stuck pins once. On failure `inner` stays the
 * caller's: ERROR_CONFIG for pins that do not exist or are stuck twice, a chance over a million, a
 * bounce of no edges or no time; or what the pins themselves fail with.
 */
int fault_pins(struct pins **pins, struct pins *inner, const struct pin_faults *faults,
               struct error *error);

/* What was injected so far; lives as long as the pins. NULL if these are not pins with faults. */
const struct pin_fault_counts *fault_pins_counts(const struct pins *pins);

#endif
