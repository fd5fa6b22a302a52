/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The same numbers from the same seed on every machine, for tests and measurements. The state is
 * the caller's, one integer; any value of it is a seed.
 */
#ifndef TESTS_SUPPORT_SEEDED_H
#define TESTS_SUPPORT_SEEDED_H

#include <stdint.h>

#include "games/hand.h"

/* splitmix64 */
static inline uint64_t seeded_next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* 0 … below - 1, evenly enough for any number that a card table knows. */
static inline unsigned seeded_below(uint64_t *state, unsigned below)
{
    return (unsigned)((seeded_next(state) >> 32) * below >> 32);
}

static inline hand_t seeded_hand(uint64_t *state, unsigned count)
{
    hand_t hand = 0;

    while (hand_count(hand) < count)
        hand |= hand_card(card_from_index(seeded_below(state, DECK_SIZE)));
    return hand;
}

#endif
