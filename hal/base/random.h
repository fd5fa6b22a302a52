/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A small seeded generator (splitmix64) for faults that can be replayed: the same seed gives the
 * same numbers on every machine. The caller owns the state; any value is a good seed. And bytes
 * that nobody can have known before.
 */
#ifndef HAL_BASE_RANDOM_H
#define HAL_BASE_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/base/error.h"

static inline uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

/* True that many times in a million. Draws one number whatever the chance. */
static inline bool random_chance(uint64_t *state, uint32_t parts_per_million)
{
    return (random_next(state) >> 32) * 1000000 >> 32 < parts_per_million;
}

/* Bytes of the kernel's generator. ERROR_RIG where it has none. */
int random_fresh(void *bytes, size_t count, struct error *error);

#endif
