/*
 * How a model shuffles its deck. A shuffle permutes the cards in place and draws from a seeded
 * generator, so that the same seed deals the same cards on every machine.
 */
#ifndef DEVICES_SHUFFLE_H
#define DEVICES_SHUFFLE_H

#include <stddef.h>

#include "games/card.h"

/* xoshiro256**: its 256 bits of state can reach every one of the 52! orders, as 64 could not. */
struct shuffle_generator {
    uint64_t state[4];
};

void shuffle_seed(struct shuffle_generator *generator, uint64_t seed);

/* 0 … below - 1, each equally likely; `below` is not 0. */
uint32_t shuffle_below(struct shuffle_generator *generator, uint32_t below);

typedef void shuffle_fn(card_t *cards, size_t count, struct shuffle_generator *generator);

/* Every order equally likely. */
shuffle_fn shuffle_uniform;

#endif
