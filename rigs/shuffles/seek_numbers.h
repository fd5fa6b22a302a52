/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers of weak generators in vectors: those of a cycle one after the other, those of other
 * generators for SEEK_LANES seeds side by side. The same numbers as the models', which a test holds
 * them to. The caller owns everything; nothing fails.
 */
#ifndef RIGS_SHUFFLES_SEEK_NUMBERS_H
#define RIGS_SHUFFLES_SEEK_NUMBERS_H

#include "rigs/shuffles/seek_plan.h"

#define SEEK_LEAP 16 /* states of a cycle that step together */

/* SEEK_LEAP states of a cycle in a row, and what takes each of them SEEK_LEAP further. */
struct seek_cycle {
    const struct weak_generator *generator;
    uint32_t multiplier, increment;
    uint32_t states[SEEK_LEAP];
};

/* The state of a cycle that comes `steps` after another. */
uint64_t seek_advance(const struct weak_generator *generator, uint64_t state, uint64_t steps);

/* Numbers begin with the one that comes after `state`. */
void seek_cycle_start(struct seek_cycle *cycle, const struct weak_generator *generator,
                      uint64_t state);

/* The next `count` numbers, a multiple of SEEK_LEAP. */
void seek_cycle_numbers(struct seek_cycle *cycle, uint32_t *numbers, size_t count);

/* The i-th number of the seeds that follow each other from `seed` on stands at i * SEEK_LANES. */
void seek_seeded_numbers(const struct weak_generator *generator, uint64_t seed, unsigned count,
                         uint32_t *numbers);

#endif
