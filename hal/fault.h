/*
 * Faults on purpose: decorators over any link or pins that damage what passes, from a seeded
 * generator. The same seed and the same traffic give the same faults. A decorator owns what it
 * wraps and closes it with itself; it counts what it injected.
 */
#ifndef HAL_FAULT_H
#define HAL_FAULT_H

#include <stdint.h>

#include "hal/link/link.h"
#include "hal/pins/pins.h"

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
