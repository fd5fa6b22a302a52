/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Weak generators that machines and programs are known to shuffle by, and the ways to make an order
 * of their numbers: the catalogue that `dealproof shuffles --generators` searches, each entry with
 * its model (devices/SHUFFLES.md). An entry is a generator and a mapping, "msvc:down-modulo". The
 * tables are constant and the caller owns all state; only a name that is not there can fail, or a
 * table that is wrong.
 */
#ifndef DEVICES_DECK_WEAK_H
#define DEVICES_DECK_WEAK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "games/card.h"
#include "hal/base/error.h"

enum weak_family {
    WEAK_POWER,    /* s = multiplier * s + increment modulo 2^state_bits */
    WEAK_PRIME,    /* s = multiplier * s modulo 2^31 - 1 */
    WEAK_XORSHIFT, /* s ^= s << 13, s ^= s >> 17, s ^= s << 5 */
    WEAK_ADDITIVE, /* r[i] = r[i-3] + r[i-31], what glibc calls TYPE_3 */
    WEAK_TWISTER,  /* the Mersenne Twister, 19937 */
};

#define WEAK_VECTOR 3

struct weak_generator {
    const char *name;
    const char *what;
    enum weak_family family;
    uint64_t multiplier, increment;
    uint8_t state_bits;
    uint8_t shift, bits; /* a number is so many bits of the state, above the lowest `shift` */
    uint64_t start;      /* the state before the first number is seed + start, of 32 bits, */
    uint64_t mask;       /* with these bits changed */
    uint64_t first;      /* seeds that differ from each other: first … first + seeds - 1 */
    uint64_t seeds;
    bool by_millisecond; /* a seed is a time, in milliseconds since 1970: all are too many */
    /* Published numbers: the first ones of a seed. */
    struct {
        uint64_t seed;
        uint32_t numbers[WEAK_VECTOR];
    } vector;
};

/* How a number of the generator becomes one below n. */
enum weak_reduction {
    WEAK_MODULO, /* number % n; of Java, whose nextInt() does, high where n is a power of two */
    WEAK_HIGH,   /* number * n / how many numbers there are, rounded down */
    WEAK_KEYS,   /* not at all: cards are sorted by them */
};

enum weak_procedure {
    WEAK_DOWN,      /* places from the last to the second, with any place from the top to it */
    WEAK_UP,        /* places from the top on, with it or any place below it */
    WEAK_RISE,      /* places from the second on, with it or any place above it */
    WEAK_SATTOLO,   /* as down, but never with itself */
    WEAK_NAIVE,     /* every place from the top on, with any place */
    WEAK_PICK,      /* a card is taken out of those left and put below those taken before */
    WEAK_SORT,      /* the smallest key on top, */
    WEAK_SORT_DOWN, /* the largest; of equal keys the card that was above, in both */
};

struct weak_mapping {
    const char *name;
    const char *what;
    enum weak_procedure procedure;
    enum weak_reduction reduction;
    /* Where the first cards of an order come from that msvc made with seed 1. */
    uint8_t vector[WEAK_VECTOR];
};

#define WEAK_MAPPINGS    14
#define WEAK_ENTRY_TEXT  32 /* of the longest entry, with its end */
#define WEAK_DRAWS_MAX   DECK_SIZE
#define WEAK_STATE_WORDS 624

/* The i-th of the tables; NULL after the last. */
const struct weak_generator *weak_generator_at(size_t i);
const struct weak_mapping *weak_mapping_at(size_t i);

/* An entry by its number, generator * WEAK_MAPPINGS + mapping. */
const struct weak_generator *weak_entry_generator(uint32_t entry);
const struct weak_mapping *weak_entry_mapping(uint32_t entry);
void weak_entry_text(uint32_t entry, char text[WEAK_ENTRY_TEXT]);

/* Reads "msvc:down-modulo" of `length` characters; false when there is no such entry. */
bool weak_entry_find(const char *text, size_t length, uint32_t *entry);

/*
 * Whether a row gives the numbers, or the order, that it says it does, and whether its states are
 * one cycle where the search goes along it: 0, or ERROR_RIG with a sentence that names the row.
 */
int weak_generator_check(const struct weak_generator *generator, struct error *error);
int weak_mapping_check(const struct weak_mapping *mapping, struct error *error);

/* Every row of both tables. */
int weak_check(struct error *error);

/* How many numbers there are: from 0, or of WEAK_PRIME from 1, on. */
uint64_t weak_range(const struct weak_generator *generator);

/* The state is one number of 32 bits at most, so that all states lie on one cycle. */
bool weak_is_cycle(const struct weak_generator *generator);

struct weak_state {
    uint64_t number; /* of families with one */
    uint32_t words[WEAK_STATE_WORDS];
    uint32_t at; /* the next of the words */
};

void weak_seed(const struct weak_generator *generator, uint64_t seed, struct weak_state *state);
uint32_t weak_next(const struct weak_generator *generator, struct weak_state *state);

/* A number of the generator as one below n, which is at least 1. */
uint32_t weak_below(const struct weak_generator *generator, enum weak_reduction reduction,
                    uint32_t number, uint32_t n);

/* Shuffles at most DECK_SIZE cards with the numbers that come next. */
void weak_shuffle(const struct weak_generator *generator, const struct weak_mapping *mapping,
                  struct weak_state *state, card_t *cards, size_t count);

/* Numbers that a shuffle of so many cards takes, and what the i-th of them is made to be below. */
size_t weak_draws(const struct weak_mapping *mapping, size_t count);
size_t weak_choices(const struct weak_mapping *mapping, size_t count, size_t i);

#endif
