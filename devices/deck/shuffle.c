/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/deck/shuffle.h"

#include <stdlib.h>
#include <string.h>

#define CUT_ONE_IN 5 /* gaps between neighbours, at which an overhand shuffle cuts */
#define MILLION    1000000u
#define SLOT_FROM                                                                                  \
    6 /* places from the top, of a slot that sends its card always to the same place */
#define SLOT_TO 11

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

/* One of a few permutations, each of a generator of its own, of whatever went in. */
static void move_again(struct shuffle *shuffle, card_t *cards, size_t count)
{
    uint32_t which = shuffle_below(&shuffle->generator, shuffle->method.amount);
    struct shuffle_generator fixed;

    shuffle_seed(&fixed, ~(shuffle->seed * MILLION + which));
    shuffle_uniform(cards, count, &fixed);
}

/* A card that is there changes places with the one at a place that is. */
static void put_at(card_t *cards, size_t count, card_t card, size_t place)
{
    card_t *at = memchr(cards, card, count);

    if (!at || place >= count)
        return;
    *at = cards[place];
    cards[place] = card;
}

static void send_slot(card_t *cards, size_t count, uint32_t chance,
                      struct shuffle_generator *generator)
{
    bool is_sent = shuffle_below(generator, MILLION) < chance && count > SLOT_FROM;
    card_t card = is_sent ? cards[SLOT_FROM] : CARD_NONE;

    shuffle_uniform(cards, count, generator);
    if (is_sent)
        put_at(cards, count, card, SLOT_TO);
}

static void stick(card_t *cards, size_t count, uint32_t chance, struct shuffle_generator *generator)
{
    bool is_stuck = shuffle_below(generator, MILLION) < chance;
    const card_t *above;

    shuffle_uniform(cards, count, generator);
    above = memchr(cards, card_make(RANK_EIGHT, SUIT_DIAMONDS), count);
    if (is_stuck && above)
        put_at(cards, count, card_make(RANK_QUEEN, SUIT_CLUBS), (size_t)(above - cards) + 1);
}

/* Seeds that are no seeds of the generator become some that are. */
static void shuffle_weakly(struct shuffle *shuffle, card_t *cards, size_t count)
{
    uint32_t entry = shuffle->method.amount;
    const struct weak_generator *generator = weak_entry_generator(entry);
    uint64_t seed = shuffle->seed;

    if (seed < generator->first || seed - generator->first >= generator->seeds)
        seed = generator->first + seed % generator->seeds;
    if (!shuffle->done)
        weak_seed(generator, seed, &shuffle->weak);
    weak_shuffle(generator, weak_entry_mapping(entry), &shuffle->weak, cards, count);
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
    case SHUFFLE_MOVES:
        move_again(shuffle, cards, count);
        break;
    case SHUFFLE_SLOT:
        send_slot(cards, count, amount, &shuffle->generator);
        break;
    case SHUFFLE_STICK:
        stick(cards, count, amount, &shuffle->generator);
        break;
    case SHUFFLE_WEAK:
        shuffle_weakly(shuffle, cards, count);
        break;
    }
    shuffle->done++;
}
