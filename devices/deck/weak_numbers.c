/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The numbers of weak generators, one by one. */
#include "devices/deck/weak.h"

#define PRIME  2147483647
#define LAG    31 /* words of glibc's generator */
#define NEAR   3
#define UNUSED 310 /* numbers that it throws away first */
#define MIDDLE 397 /* of the Mersenne Twister */

uint64_t weak_range(const struct weak_generator *generator)
{
    return generator->family == WEAK_PRIME ? PRIME : UINT64_C(1) << generator->bits;
}

bool weak_is_cycle(const struct weak_generator *generator)
{
    return generator->family == WEAK_PRIME ||
           (generator->family == WEAK_POWER && generator->state_bits <= 32);
}

/* Words by 16807 times the one before, modulo 2^31 - 1, as a signed seed goes into it. */
static void seed_additive(uint32_t seed, struct weak_state *state)
{
    int64_t word = seed ? (int32_t)seed : 1; /* as srand() has it */

    state->words[0] = (uint32_t)word;
    for (unsigned i = 1; i < LAG; i++) {
        word = word * 16807 % PRIME;
        if (word < 0)
            word += PRIME;
        state->words[i] = (uint32_t)word;
    }
    state->at = NEAR;
}

static uint32_t next_additive(struct weak_state *state)
{
    uint32_t at = state->at;

    state->words[at] += state->words[at < NEAR ? at + LAG - NEAR : at - NEAR];
    state->at = at + 1 == LAG ? 0 : at + 1;
    return state->words[at] >> 1;
}

static void seed_twister(uint32_t seed, struct weak_state *state)
{
    state->words[0] = seed;
    for (uint32_t i = 1; i < WEAK_STATE_WORDS; i++) {
        uint32_t last = state->words[i - 1];

        state->words[i] = 1812433253 * (last ^ last >> 30) + i;
    }
    state->at = 0;
}

static uint32_t next_twister(struct weak_state *state)
{
    uint32_t at = state->at, next = at + 1 == WEAK_STATE_WORDS ? 0 : at + 1;
    uint32_t middle = at + MIDDLE < WEAK_STATE_WORDS ? at + MIDDLE : at + MIDDLE - WEAK_STATE_WORDS;
    uint32_t word = (state->words[at] & 0x80000000) | (state->words[next] & 0x7fffffff);

    word = state->words[middle] ^ word >> 1 ^ (word & 1 ? 0x9908b0df : 0);
    state->words[at] = word;
    state->at = next;
    word ^= word >> 11;
    word ^= word << 7 & 0x9d2c5680;
    word ^= word << 15 & 0xefc60000;
    return word ^ word >> 18;
}

static uint64_t low_bits(unsigned bits)
{
    return bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
}

void weak_seed(const struct weak_generator *generator, uint64_t seed, struct weak_state *state)
{
    switch (generator->family) {
    case WEAK_POWER:
        state->number = generator->by_millisecond ? seed : (uint32_t)(seed + generator->start);
        state->number = (state->number ^ generator->mask) & low_bits(generator->state_bits);
        break;
    case WEAK_PRIME:
    case WEAK_XORSHIFT:
        state->number = seed;
        break;
    case WEAK_ADDITIVE:
        seed_additive((uint32_t)seed, state);
        for (unsigned i = 0; i < UNUSED; i++)
            next_additive(state);
        break;
    case WEAK_TWISTER:
        seed_twister((uint32_t)seed, state);
        break;
    }
}

uint32_t weak_next(const struct weak_generator *generator, struct weak_state *state)
{
    uint32_t word;

    switch (generator->family) {
    case WEAK_POWER:
        state->number = (state->number * generator->multiplier + generator->increment) &
                        low_bits(generator->state_bits);
        return (uint32_t)(state->number >> generator->shift & low_bits(generator->bits));
    case WEAK_PRIME:
        state->number = state->number * generator->multiplier % PRIME;
        return (uint32_t)state->number;
    case WEAK_XORSHIFT:
        word = (uint32_t)state->number;
        word ^= word << 13;
        word ^= word >> 17;
        word ^= word << 5;
        state->number = word;
        return word;
    case WEAK_ADDITIVE:
        return next_additive(state);
    case WEAK_TWISTER:
        break;
    }
    return next_twister(state);
}
