/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/power/flaws.h"

#include <string.h>

#define MILLION 1000000u

static bool happens(struct flawed *machine, double chance)
{
    return shuffle_below(&machine->generator, MILLION) < chance * MILLION;
}

static void put_at(card_t deck[DECK_SIZE], card_t card, unsigned place)
{
    card_t *at = memchr(deck, card, DECK_SIZE);

    *at = deck[place];
    deck[place] = card;
}

static void move(struct flawed *machine, card_t deck[DECK_SIZE], unsigned from, unsigned to)
{
    card_t card = deck[from];

    shuffle_uniform(deck, DECK_SIZE, &machine->generator);
    if (happens(machine, machine->amount))
        put_at(deck, card, to);
}

static void by_method(struct flawed *machine, card_t deck[DECK_SIZE], enum shuffle_kind kind)
{
    struct shuffle shuffle = {.method = {kind, (uint32_t)machine->amount},
                              .generator = machine->generator};

    shuffle_cards(&shuffle, deck, DECK_SIZE);
    machine->generator = shuffle.generator;
}

void flaw_none(struct flawed *machine, card_t deck[DECK_SIZE])
{
    shuffle_uniform(deck, DECK_SIZE, &machine->generator);
}

void flaw_riffles(struct flawed *machine, card_t deck[DECK_SIZE])
{
    by_method(machine, deck, SHUFFLE_RIFFLE);
}

void flaw_shelves(struct flawed *machine, card_t deck[DECK_SIZE])
{
    by_method(machine, deck, SHUFFLE_SHELF);
}

void flaw_stay(struct flawed *machine, card_t deck[DECK_SIZE])
{
    move(machine, deck, 0, 0);
}

void flaw_top(struct flawed *machine, card_t deck[DECK_SIZE])
{
    move(machine, deck, 0, 25);
}

void flaw_slot(struct flawed *machine, card_t deck[DECK_SIZE])
{
    move(machine, deck, 6, 39);
}

void flaw_near_slot(struct flawed *machine, card_t deck[DECK_SIZE])
{
    move(machine, deck, 6, 9);
}

void flaw_fixed(struct flawed *machine, card_t deck[DECK_SIZE])
{
    uint32_t which = shuffle_below(&machine->generator, (uint32_t)machine->amount);
    struct shuffle_generator fixed;

    shuffle_seed(&fixed, machine->seed * MILLION + which);
    shuffle_uniform(deck, DECK_SIZE, &fixed);
}

void flaw_stick(struct flawed *machine, card_t deck[DECK_SIZE])
{
    card_t above = card_make(RANK_EIGHT, SUIT_DIAMONDS), below = card_make(RANK_QUEEN, SUIT_CLUBS);
    const card_t *at;

    shuffle_uniform(deck, DECK_SIZE, &machine->generator);
    at = memchr(deck, above, DECK_SIZE);
    if (happens(machine, machine->amount) && at < deck + DECK_SIZE - 1)
        put_at(deck, below, (unsigned)(at - deck) + 1);
}

/* Packets that are never parted come into a uniform order. */
void flaw_clumps(struct flawed *machine, card_t deck[DECK_SIZE])
{
    card_t old[DECK_SIZE], packets[DECK_SIZE];
    unsigned start[DECK_SIZE + 1], count = 0, end = 0;

    memcpy(old, deck, DECK_SIZE);
    for (unsigned i = 0; i < DECK_SIZE; i++)
        if (!i || !happens(machine, machine->amount)) {
            packets[count] = (card_t)count;
            start[count++] = i;
        }
    start[count] = DECK_SIZE;
    shuffle_uniform(packets, count, &machine->generator);
    for (unsigned i = 0; i < count; i++)
        for (unsigned at = start[packets[i]]; at < start[packets[i] + 1]; at++)
            deck[end++] = old[at];
}

void flaw_favour(struct flawed *machine, card_t deck[DECK_SIZE])
{
    shuffle_uniform(deck, DECK_SIZE, &machine->generator);
    if (happens(machine, (machine->amount - 1.0 / DECK_SIZE) / (1 - 1.0 / DECK_SIZE)))
        put_at(deck, card_make(RANK_QUEEN, SUIT_HEARTS), 16);
}

void flaw_drift(struct flawed *machine, card_t deck[DECK_SIZE])
{
    shuffle_uniform(deck, DECK_SIZE, &machine->generator);
    for (unsigned i = 0; i < DECK_SIZE / 2; i++) {
        unsigned a = shuffle_below(&machine->generator, DECK_SIZE);
        unsigned b = shuffle_below(&machine->generator, DECK_SIZE);
        unsigned upper = a < b ? a : b, lower = a < b ? b : a;

        if (card_rank(deck[lower]) > card_rank(deck[upper]) && happens(machine, machine->amount))
            put_at(deck, deck[lower], upper);
    }
}
