/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/shuffles/seek_numbers.h"

#include <string.h>

#include "hal/base/clones.h"

#define PRIME     2147483647u
#define LAG       31
#define NEAR      3
#define UNUSED    310
#define MIDDLE    397
#define COUNT_MAX (DECK_SIZE + SEEK_SKIPS)

/* a * b modulo 2^31 - 1, for a and b below it. */
static ALWAYS_INLINE uint32_t times(uint32_t a, uint32_t b)
{
    uint64_t product = (uint64_t)a * b;
    uint32_t sum = (uint32_t)(product & PRIME) + (uint32_t)(product >> 31);

    return sum >= PRIME ? sum - PRIME : sum;
}

struct jump {
    uint32_t multiplier, increment;
};

/* So many steps at once, by squaring. */
static struct jump jump_of(const struct weak_generator *generator, uint64_t steps)
{
    bool is_prime = generator->family == WEAK_PRIME;
    struct jump all = {1, 0};
    struct jump one = {(uint32_t)generator->multiplier, (uint32_t)generator->increment};

    for (; steps; steps >>= 1) {
        if (steps & 1 && is_prime)
            all.multiplier = times(all.multiplier, one.multiplier);
        else if (steps & 1)
            all = (struct jump){all.multiplier * one.multiplier,
                                all.increment * one.multiplier + one.increment};
        if (is_prime)
            one.multiplier = times(one.multiplier, one.multiplier);
        else
            one = (struct jump){one.multiplier * one.multiplier,
                                one.increment * one.multiplier + one.increment};
    }
    return all;
}

uint64_t seek_advance(const struct weak_generator *generator, uint64_t state, uint64_t steps)
{
    struct jump jump = jump_of(generator, steps);
    unsigned bits = generator->shift + generator->bits;

    if (generator->family == WEAK_PRIME)
        return times((uint32_t)state, jump.multiplier);
    return ((uint32_t)state * jump.multiplier + jump.increment) & ((UINT64_C(1) << bits) - 1);
}

void seek_cycle_start(struct seek_cycle *cycle, const struct weak_generator *generator,
                      uint64_t state)
{
    struct jump leap = jump_of(generator, SEEK_LEAP);

    cycle->generator = generator;
    cycle->multiplier = leap.multiplier;
    cycle->increment = leap.increment;
    for (unsigned i = 0; i < SEEK_LEAP; i++)
        cycle->states[i] = (uint32_t)seek_advance(generator, state, i + 1);
}

EACH_VECTOR_WIDTH
static void leap_power(struct seek_cycle *cycle, uint32_t *restrict numbers, size_t count)
{
    const uint32_t multiplier = cycle->multiplier, increment = cycle->increment;
    const uint32_t shift = cycle->generator->shift;
    const uint32_t mask = (uint32_t)(weak_range(cycle->generator) - 1);
    uint32_t states[SEEK_LEAP];

    memcpy(states, cycle->states, sizeof states);
    for (size_t i = 0; i < count; i += SEEK_LEAP)
        for (unsigned j = 0; j < SEEK_LEAP; j++) {
            numbers[i + j] = states[j] >> shift & mask;
            states[j] = states[j] * multiplier + increment;
        }
    memcpy(cycle->states, states, sizeof states);
}

EACH_VECTOR_WIDTH
static void leap_prime(struct seek_cycle *cycle, uint32_t *restrict numbers, size_t count)
{
    const uint32_t multiplier = cycle->multiplier;
    uint32_t states[SEEK_LEAP];

    memcpy(states, cycle->states, sizeof states);
    for (size_t i = 0; i < count; i += SEEK_LEAP)
        for (unsigned j = 0; j < SEEK_LEAP; j++) {
            numbers[i + j] = states[j];
            states[j] = times(states[j], multiplier);
        }
    memcpy(cycle->states, states, sizeof states);
}

void seek_cycle_numbers(struct seek_cycle *cycle, uint32_t *numbers, size_t count)
{
    if (cycle->generator->family == WEAK_PRIME)
        leap_prime(cycle, numbers, count);
    else
        leap_power(cycle, numbers, count);
}

EACH_VECTOR_WIDTH
static void seeded_xorshift(uint32_t seed, unsigned count, uint32_t *restrict numbers)
{
    uint32_t states[SEEK_LANES];

    for (unsigned lane = 0; lane < SEEK_LANES; lane++)
        states[lane] = seed + lane;
    for (; count > 0; count--, numbers += SEEK_LANES)
        for (unsigned lane = 0; lane < SEEK_LANES; lane++) {
            uint32_t word = states[lane];

            word ^= word << 13;
            word ^= word >> 17;
            word ^= word << 5;
            states[lane] = numbers[lane] = word;
        }
}

/* States of more than 32 bits. */
EACH_VECTOR_WIDTH
static void seeded_power(const struct weak_generator *generator, uint64_t seed, unsigned count,
                         uint32_t *restrict numbers)
{
    const uint64_t multiplier = generator->multiplier, increment = generator->increment;
    const uint32_t shift = generator->shift, mask = (uint32_t)(weak_range(generator) - 1);
    uint64_t states[SEEK_LANES];

    for (unsigned lane = 0; lane < SEEK_LANES; lane++) {
        struct weak_state state;

        weak_seed(generator, seed + lane, &state);
        states[lane] = state.number;
    }
    for (; count > 0; count--, numbers += SEEK_LANES)
        for (unsigned lane = 0; lane < SEEK_LANES; lane++) {
            states[lane] = states[lane] * multiplier + increment;
            numbers[lane] = (uint32_t)(states[lane] >> shift) & mask;
        }
}

/* A signed seed, and its words modulo 2^31 - 1. */
EACH_VECTOR_WIDTH
static void seed_additive(uint32_t seed, uint32_t (*restrict words)[SEEK_LANES])
{
    for (unsigned lane = 0; lane < SEEK_LANES; lane++) {
        uint32_t word = seed + lane;

        words[0][lane] = word;
        /* 2^31 is 1 more than the prime: what a negative seed is modulo it. */
        word = word >> 31 ? (word & PRIME) + PRIME - 1 : word;
        word = word >= PRIME ? word - PRIME : word;
        words[1][lane] = times(word, 16807);
    }
    for (unsigned i = 2; i < LAG; i++)
        for (unsigned lane = 0; lane < SEEK_LANES; lane++)
            words[i][lane] = times(words[i - 1][lane], 16807);
}

EACH_VECTOR_WIDTH
static void add_words(uint32_t *restrict oldest, const uint32_t *restrict near)
{
    for (unsigned lane = 0; lane < SEEK_LANES; lane++)
        oldest[lane] += near[lane];
}

EACH_VECTOR_WIDTH
static void halve_words(uint32_t *restrict numbers, const uint32_t *restrict words)
{
    for (unsigned lane = 0; lane < SEEK_LANES; lane++)
        numbers[lane] = words[lane] >> 1;
}

static void seeded_additive(uint32_t seed, unsigned count, uint32_t *numbers)
{
    uint32_t words[LAG][SEEK_LANES];
    unsigned at = NEAR;

    seed_additive(seed, words);
    for (unsigned i = 0; i < UNUSED + count; i++, at = at + 1 == LAG ? 0 : at + 1) {
        add_words(words[at], words[at < NEAR ? at + LAG - NEAR : at - NEAR]);
        if (i >= UNUSED)
            halve_words(numbers + (size_t)(i - UNUSED) * SEEK_LANES, words[at]);
    }
}

/* Only the words that the first numbers are made of: from the first on, and from the middle on. */
EACH_VECTOR_WIDTH
static void seed_twister(uint32_t seed, unsigned count, uint32_t (*restrict first)[SEEK_LANES],
                         uint32_t (*restrict middle)[SEEK_LANES])
{
    uint32_t words[SEEK_LANES];

    for (unsigned lane = 0; lane < SEEK_LANES; lane++)
        words[lane] = seed + lane;
    memcpy(first[0], words, sizeof words);
    for (uint32_t i = 1; i < MIDDLE + count; i++) {
        for (unsigned lane = 0; lane < SEEK_LANES; lane++)
            words[lane] = 1812433253 * (words[lane] ^ words[lane] >> 30) + i;
        if (i <= count)
            memcpy(first[i], words, sizeof words);
        else if (i >= MIDDLE)
            memcpy(middle[i - MIDDLE], words, sizeof words);
    }
}

EACH_VECTOR_WIDTH
static void seeded_twister(uint32_t seed, unsigned count, uint32_t *restrict numbers)
{
    uint32_t first[COUNT_MAX + 1][SEEK_LANES], middle[COUNT_MAX][SEEK_LANES];

    seed_twister(seed, count, first, middle);
    for (unsigned i = 0; i < count; i++, numbers += SEEK_LANES)
        for (unsigned lane = 0; lane < SEEK_LANES; lane++) {
            uint32_t word = (first[i][lane] & 0x80000000) | (first[i + 1][lane] & 0x7fffffff);

            word = middle[i][lane] ^ word >> 1 ^ (-(word & 1) & 0x9908b0df);
            word ^= word >> 11;
            word ^= word << 7 & 0x9d2c5680;
            word ^= word << 15 & 0xefc60000;
            numbers[lane] = word ^ word >> 18;
        }
}

void seek_seeded_numbers(const struct weak_generator *generator, uint64_t seed, unsigned count,
                         uint32_t *numbers)
{
    switch (generator->family) {
    case WEAK_POWER:
    case WEAK_PRIME:
        seeded_power(generator, seed, count, numbers);
        break;
    case WEAK_XORSHIFT:
        seeded_xorshift((uint32_t)seed, count, numbers);
        break;
    case WEAK_ADDITIVE:
        seeded_additive((uint32_t)seed, count, numbers);
        break;
    case WEAK_TWISTER:
        seeded_twister((uint32_t)seed, count, numbers);
        break;
    }
}
