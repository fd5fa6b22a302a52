/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orders of the numbers of weak generators. */
#include <string.h>

#include "devices/deck/weak.h"

uint32_t weak_below(const struct weak_generator *generator, enum weak_reduction reduction,
                    uint32_t number, uint32_t n)
{
    if (reduction == WEAK_MODULO && !(generator->by_millisecond && !(n & (n - 1))))
        return number % n;
    return (uint32_t)((uint64_t)number * n / weak_range(generator));
}

size_t weak_draws(const struct weak_mapping *mapping, size_t count)
{
    bool has_all = mapping->procedure == WEAK_NAIVE || mapping->reduction == WEAK_KEYS;

    return has_all || !count ? count : count - 1;
}

static void swap(card_t *cards, size_t i, size_t j)
{
    card_t card = cards[i];

    cards[i] = cards[j];
    cards[j] = card;
}

/* The card at `from` goes up to `to`, and those between move down by one. */
static void raise(card_t *cards, size_t from, size_t to)
{
    card_t card = cards[from];

    memmove(cards + to + 1, cards + to, from - to);
    cards[to] = card;
}

static void sort(const struct weak_generator *generator, struct weak_state *state, bool descends,
                 card_t *cards, size_t count)
{
    uint32_t keys[DECK_SIZE];

    for (size_t i = 0; i < count; i++) {
        uint32_t number = weak_next(generator, state), key = descends ? ~number : number;
        size_t to = i;

        for (; to && keys[to - 1] > key; to--)
            keys[to] = keys[to - 1];
        keys[to] = key;
        raise(cards, i, to);
    }
}

/* The i-th step of a shuffle that takes a number below n for it. */
static void step(enum weak_procedure procedure, card_t *cards, size_t count, size_t i, size_t drawn)
{
    switch (procedure) {
    case WEAK_DOWN:
    case WEAK_SATTOLO:
        swap(cards, count - 1 - i, drawn);
        break;
    case WEAK_UP:
        swap(cards, i, i + drawn);
        break;
    case WEAK_RISE:
        swap(cards, i + 1, drawn);
        break;
    case WEAK_NAIVE:
        swap(cards, i, drawn);
        break;
    case WEAK_PICK:
        raise(cards, i + drawn, i);
        break;
    case WEAK_SORT:
    case WEAK_SORT_DOWN:
        break;
    }
}

size_t weak_choices(const struct weak_mapping *mapping, size_t count, size_t i)
{
    switch (mapping->procedure) {
    case WEAK_RISE:
        return i + 2;
    case WEAK_SATTOLO:
        return count - 1 - i;
    case WEAK_NAIVE:
        return count;
    default:
        return count - i;
    }
}

void weak_shuffle(const struct weak_generator *generator, const struct weak_mapping *mapping,
                  struct weak_state *state, card_t *cards, size_t count)
{
    size_t draws = weak_draws(mapping, count);

    if (mapping->reduction == WEAK_KEYS) {
        sort(generator, state, mapping->procedure == WEAK_SORT_DOWN, cards, count);
        return;
    }
    for (size_t i = 0; i < draws; i++) {
        uint32_t n = (uint32_t)weak_choices(mapping, count, i);

        step(mapping->procedure, cards, count, i,
             weak_below(generator, mapping->reduction, weak_next(generator, state), n));
    }
}
