/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/shuffles/order.h"

/* Bit i is set where the card at place i + 1 came from below the card at place i. */
static uint64_t ascents(const uint8_t *row, unsigned cards)
{
    uint64_t bits = 0;

    for (unsigned i = 0; i + 1 < cards; i++)
        bits |= (uint64_t)(row[i] < row[i + 1]) << i;
    return bits;
}

static uint64_t low_bits(unsigned count)
{
    return ((uint64_t)1 << count) - 1;
}

static unsigned count_bits(uint64_t bits)
{
    return (unsigned)__builtin_popcountll(bits);
}

unsigned order_pairs_kept(const uint8_t *moved, unsigned cards)
{
    unsigned kept = 0;

    for (unsigned i = 0; i + 1 < cards; i++)
        kept += moved[i] + 1 == moved[i + 1];
    return kept;
}

unsigned order_rising(const uint8_t *moved, unsigned cards)
{
    uint8_t place[64];

    for (unsigned i = 0; i < cards; i++)
        place[moved[i]] = (uint8_t)i;
    return cards - count_bits(ascents(place, cards));
}

unsigned order_valleys(const uint8_t *moved, unsigned cards)
{
    uint64_t up = ascents(moved, cards);

    return cards < 3 ? 0 : count_bits(~up & up >> 1 & low_bits(cards - 2));
}

unsigned order_peaks(const uint8_t *moved, unsigned cards)
{
    uint64_t up = ascents(moved, cards);

    return cards < 3 ? 0 : count_bits(up & ~up >> 1 & low_bits(cards - 2));
}

unsigned order_fixed_points(const uint8_t *moved, unsigned cards)
{
    unsigned fixed = 0;

    for (unsigned i = 0; i < cards; i++)
        fixed += moved[i] == i;
    return fixed;
}

unsigned order_cycles(const uint8_t *moved, unsigned cards)
{
    uint64_t left = low_bits(cards);
    unsigned cycles = 0;

    for (; left; cycles++)
        for (unsigned i = (unsigned)__builtin_ctzll(left); left >> i & 1; i = moved[i])
            left &= ~((uint64_t)1 << i);
    return cycles;
}

unsigned order_displacement(const uint8_t *moved, unsigned cards)
{
    unsigned sum = 0;

    for (unsigned i = 0; i < cards; i++)
        sum += moved[i] > i ? moved[i] - i : 0;
    return sum;
}

/* The nearest of `left` below or above `card` in the old order, which is not among them itself. */
static unsigned next_down(uint64_t left, unsigned card)
{
    return card + (unsigned)__builtin_ctzll(left >> card);
}

static unsigned next_up(uint64_t left, unsigned card)
{
    return 63 - (unsigned)__builtin_clzll(left & low_bits(card));
}

unsigned order_guessed_next(const uint8_t *moved, unsigned cards)
{
    uint64_t left = low_bits(cards);
    unsigned right = 0, guess = 0;

    for (unsigned i = 0; i < cards; i++) {
        unsigned card = moved[i];

        right += guess == card;
        left &= ~((uint64_t)1 << card);
        if (left)
            guess = next_down(left, left >> card ? card : 0);
    }
    return right;
}

unsigned order_guessed_along(const uint8_t *moved, unsigned cards)
{
    uint64_t left = low_bits(cards);
    unsigned right = 0, guess = 0;

    for (unsigned i = 0; i < cards; i++) {
        unsigned card = moved[i];
        int down = !i || moved[i - 1] < card;

        right += guess == card;
        left &= ~((uint64_t)1 << card);
        if (!left)
            break;
        if (down ? !(left >> card) : !(left & low_bits(card)))
            down = !down;
        guess = down ? next_down(left, card) : next_up(left, card);
    }
    return right;
}
