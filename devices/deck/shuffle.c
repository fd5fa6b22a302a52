/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/deck/shuffle.h"

#include <stdlib.h>
#include <string.h>

#define CUT_ONE_IN 5 /* gaps between neighbours, at which an overhand shuffle cuts */
#define MILLION    1000000u

void shuffle_uniform(card_t *cards, size_t count, struct shuffle_generator *generator)
{
    for (size_t i = count; i > 1; i--) {
        size_t other = shuffle_below(generator, (uint32_t)i);
        card_t card = cards[i - 1];

        cards[i - 1] = cards[other];
        cards[other] = card;
    }
}

/*
 * Gilbert, Shannon and Reeds: each place in the new order gets a card from the upper or the lower
 * packet at the toss of a coin, which also decides how many cards the upper packet has.
 */
static void riffle(card_t *cards, size_t count, struct shuffle_generator *generator)
{
    uint64_t lower = (uint64_t)shuffle_word(generator) << 32 | shuffle_word(generator);
    card_t old[DECK_SIZE];
    size_t from[2] = {0, count};

    memcpy(old, cards, count);
    lower &= (UINT64_C(1) << count) - 1;
    from[1] -= (size_t)__builtin_popcountll(lower);
    for (size_t i = 0; i < count; i++)
        cards[i] = old[from[lower >> i & 1]++];
}

/*
 * Diaconis, Fulman and Holmes: cards leave the bottom of the deck one by one for the top or the
 * bottom of the pile on some shelf, and the piles are put on each other. Read from its top, a pile
 * therefore has cards in their old order and then cards against it.
 */
static void shelve(card_t *cards, size_t count, uint32_t shelves,
                   struct shuffle_generator *generator)
{
    card_t old[DECK_SIZE];
    uint32_t place[DECK_SIZE];
    size_t end = 0;

    memcpy(old, cards, count);
    for (size_t i = 0; i < count; i++)
        place[i] = shuffle_below(generator, 2 * shelves);
    for (uint32_t half = 0; half < 2 * shelves && end < count; half++)
        for (size_t i = 0; i < count; i++) {
            size_t card = half & 1 ? count - 1 - i : i;

            if (place[card] == half)
                cards[end++] = old[card];
        }
}

/* Packets from the top of the deck, each on the one before. */
static void run_overhand(card_t *cards, size_t count, struct shuffle_generator *generator)
{
    card_t old[DECK_SIZE];
    size_t start = 0;

    memcpy(old, cards, count);
    for (size_t end = 1; end <= count; end++)
        if (end == count || shuffle_below(generator, CUT_ONE_IN) == 0) {
            memcpy(cards + count - end, old + start, end - start);
            start = end;
        }
}

static int by_card(const void *left, const void *right)
{
    return *(const card_t *)left - *(const card_t *)right;
}

/* The generator begins again, and so does the deck, or else only the moves would be repeated. */
static void repeat(struct shuffle *shuffle, card_t *cards, size_t count)
{
    if (shuffle->done == shuffle->method.amount) {
        shuffle_seed(&shuffle->generator, shuffle->seed);
        shuffle->done = 0;
    }
    qsort(cards, count, 1, by_card);
    shuffle_uniform(cards, count, &shuffle->generator);
}

static void keep_top(card_t *cards, size_t count, uint32_t chance,
                     struct shuffle_generator *generator)
{
    size_t kept = count && shuffle_below(generator, MILLION) < chance;

    shuffle_uniform(cards + kept, count - kept, generator);
}

void shuffle_start(struct shuffle *shuffle, struct shuffle_method method, uint64_t seed)
{
    shuffle->method = method;
    shuffle->seed = seed;
    shuffle->done = 0;
    shuffle_seed(&shuffle->generator, seed);
}

void shuffle_cards(struct shuffle *shuffle, card_t *cards, size_t count)
{
    uint32_t amount = shuffle->method.amount;

    switch (shuffle->method.kind) {
    case SHUFFLE_UNIFORM:
        shuffle_uniform(cards, count, &shuffle->generator);
        break;
    case SHUFFLE_RIFFLE:
        for (uint32_t i = 0; i < amount; i++)
            riffle(cards, count, &shuffle->generator);
        break;
    case SHUFFLE_SHELF:
        shelve(cards, count, amount, &shuffle->generator);
        break;
    case SHUFFLE_STUCK:
        repeat(shuffle, cards, count);
        break;
    case SHUFFLE_BIAS:
        keep_top(cards, count, amount, &shuffle->generator);
        break;
    case SHUFFLE_OVERHAND:
        for (uint32_t i = 0; i < amount; i++)
            run_overhand(cards, count, &shuffle->generator);
        break;
    }
    shuffle->done++;
}
