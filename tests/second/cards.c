/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/second/cards.h"

#include <string.h>

bool cards_valid(uint8_t card)
{
    return card >> 4 < 4 && (card & 0x0f) < 13;
}

bool cards_distinct(const uint8_t *cards, size_t count)
{
    bool seen[256] = {false};
    for (size_t i = 0; i < count; i++) {
        if (!cards_valid(cards[i]) || seen[cards[i]])
            return false;
        seen[cards[i]] = true;
    }
    return true;
}

void cards_fresh(uint8_t deck[CARDS_DECK])
{
    for (unsigned i = 0; i < CARDS_DECK; i++)
        deck[i] = (uint8_t)(i / 13 * 16 + i % 13);
}

static uint64_t next_chance(uint64_t *chance)
{
    *chance += 0x9e3779b97f4a7c15;
    uint64_t value = *chance;
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
    value = (value ^ value >> 27) * 0x94d049bb133111eb;
    return value ^ value >> 31;
}

uint64_t cards_chance(uint64_t *chance, uint64_t limit)
{
    uint64_t even = UINT64_MAX - UINT64_MAX % limit;
    uint64_t value = next_chance(chance);
    while (value >= even)
        value = next_chance(chance);
    return value % limit;
}

void cards_shuffle(uint8_t deck[CARDS_DECK], uint64_t *chance)
{
    for (size_t i = CARDS_DECK; i > 1; i--) {
        size_t other = (size_t)cards_chance(chance, i);
        uint8_t card = deck[i - 1];
        deck[i - 1] = deck[other];
        deck[other] = card;
    }
}

void cards_to_top(uint8_t deck[CARDS_DECK], const uint8_t *cards, size_t count)
{
    uint8_t rest[CARDS_DECK];
    size_t left = 0;
    for (size_t i = 0; i < CARDS_DECK; i++)
        if (memchr(cards, deck[i], count) == NULL)
            rest[left++] = deck[i];
    memcpy(deck, cards, count);
    memcpy(deck + count, rest, CARDS_DECK - count);
}
