/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The catalogue: its tables, the names of its entries, and whether the tables are right. */
#include "devices/deck/weak.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SEEDS_32 UINT64_C(0x100000000)
#define SEEDS_31 UINT64_C(0x80000000)
#define KNUTH    UINT64_C(6364136223846793005)
#define JAVA     UINT64_C(0x5DEECE66D)

/*
 * Where the state has bits above those of its numbers, which never come down, seeds that differ in
 * these alone are one.
 */
static const struct weak_generator generators[] = {
    {"lcg", "1664525 s + 1013904223 of a shuffler taken apart in public; Numerical Recipes",
     WEAK_POWER, 0x19660d, 0x3c6ef35f, 32, 0, 32, .seeds = SEEDS_32,
     .vector = {0, {0x3c6ef35f, 0x47502932, 0xd1ccf6e9}}},
    {"ansi-c", "rand() as the C standard shows it", WEAK_POWER, 1103515245, 12345, 32, 16, 15,
     .seeds = SEEDS_31, .vector = {1, {16838, 5758, 10113}}},
    {"glibc-type0", "rand() of glibc with a state of 8 bytes", WEAK_POWER, 1103515245, 12345, 31, 0,
     31, .seeds = SEEDS_31, .vector = {1, {1103527590, 377401575, 662824084}}},
    {"msvc", "rand() of Microsoft's C library", WEAK_POWER, 214013, 2531011, 32, 16, 15,
     .seeds = SEEDS_31, .vector = {1, {41, 18467, 6334}}},
    {"borland-c", "rand() of Borland C", WEAK_POWER, 22695477, 1, 32, 16, 15, .seeds = SEEDS_31,
     .vector = {1, {346, 130, 10982}}},
    {"delphi", "Random of Turbo Pascal and Delphi", WEAK_POWER, 134775813, 1, 32, 0, 32,
     .seeds = SEEDS_32, .vector = {0, {1, 134775814, 3698175007}}},
    {"vb6", "Rnd of Visual Basic 6", WEAK_POWER, 0x43fd43fd, 0xc39ec3, 24, 0, 24, .seeds = 1 << 24,
     .vector = {327680, {11837123, 8949370, 9722709}}},
    {"minstd", "16807 s of Park and Miller 1988, minstd_rand0", WEAK_PRIME, 16807, .bits = 31,
     .first = 1, .seeds = SEEDS_31 - 2, .vector = {1, {16807, 282475249, 1622650073}}},
    {"minstd2", "48271 s of Park and Miller 1993, minstd_rand", WEAK_PRIME, 48271, .bits = 31,
     .first = 1, .seeds = SEEDS_31 - 2, .vector = {1, {48271, 182605794, 1291394886}}},
    {"xorshift32", "Marsaglia 2003, shifts 13, 17, 5", WEAK_XORSHIFT, .bits = 32, .first = 1,
     .seeds = SEEDS_32 - 1, .vector = {2463534242, {723471715, 2497366906, 2064144800}}},
    {"musl", "rand() of musl", WEAK_POWER, KNUTH, 1, 64, 33, 31, .start = SEEDS_32 - 1,
     .seeds = SEEDS_32, .vector = {1, {0, 740882966, 1616430695}}},
    {"newlib", "rand() of newlib", WEAK_POWER, KNUTH, 1, 64, 32, 31, .seeds = SEEDS_32,
     .vector = {1, {1481765933, 1085377743, 1270216262}}},
    {"glibc", "rand() and random() of glibc", WEAK_ADDITIVE, .bits = 31, .first = 1,
     .seeds = SEEDS_32 - 1, .vector = {1, {1804289383, 846930886, 1681692777}}},
    {"mt19937", "Mersenne Twister seeded with 32 bits, as mt19937 of C++", WEAK_TWISTER, .bits = 32,
     .seeds = SEEDS_32, .vector = {5489, {3499211612, 581869302, 3890346734}}},
    {"java", "java.util.Random seeded with the time", WEAK_POWER, JAVA, 11, 48, 17, 31,
     .mask = JAVA, .seeds = UINT64_C(1) << 48, .by_millisecond = true,
     .vector = {42, {1562431130, 117392763, 1467211248}}},
};

static const struct weak_mapping mappings[] = {
    {"down-modulo",
     "last place down, with one from the top to it, by remainder",
     WEAK_DOWN,
     WEAK_MODULO,
     {22, 6, 32}},
    {"down-high",
     "last place down, with one from the top to it, by high bits",
     WEAK_DOWN,
     WEAK_HIGH,
     {42, 37, 18}},
    {"up-modulo",
     "top place on, with it or one below, by remainder",
     WEAK_UP,
     WEAK_MODULO,
     {41, 6, 36}},
    {"up-high",
     "top place on, with it or one below, by high bits",
     WEAK_UP,
     WEAK_HIGH,
     {0, 29, 11}},
    {"rise-modulo",
     "second place on, with it or one above, by remainder",
     WEAK_RISE,
     WEAK_MODULO,
     {12, 1, 9}},
    {"rise-high",
     "second place on, with it or one above, by high bits",
     WEAK_RISE,
     WEAK_HIGH,
     {25, 17, 35}},
    {"sattolo-modulo",
     "last place down, with one above it, by remainder",
     WEAK_SATTOLO,
     WEAK_MODULO,
     {14, 11, 18}},
    {"sattolo-high",
     "last place down, with one above it, by high bits",
     WEAK_SATTOLO,
     WEAK_HIGH,
     {1, 14, 33}},
    {"naive-modulo",
     "every place with any place, by remainder",
     WEAK_NAIVE,
     WEAK_MODULO,
     {41, 8, 22}},
    {"naive-high", "every place with any place, by high bits", WEAK_NAIVE, WEAK_HIGH, {5, 29, 13}},
    {"pick-modulo",
     "a card out of those left, to the bottom of those taken, by remainder",
     WEAK_PICK,
     WEAK_MODULO,
     {41, 5, 35}},
    {"pick-high",
     "a card out of those left, to the bottom of those taken, by high bits",
     WEAK_PICK,
     WEAK_HIGH,
     {0, 29, 10}},
    {"sort", "sorted by numbers, the smallest on top", WEAK_SORT, WEAK_KEYS, {0, 23, 24}},
    {"sort-down", "sorted by numbers, the largest on top", WEAK_SORT_DOWN, WEAK_KEYS, {20, 42, 43}},
};

#define GENERATORS (sizeof generators / sizeof generators[0])
_Static_assert(sizeof mappings / sizeof mappings[0] == WEAK_MAPPINGS, "an entry is one number");

#define VECTOR_SEED 1

const struct weak_generator *weak_generator_at(size_t i)
{
    return i < GENERATORS ? &generators[i] : NULL;
}

const struct weak_mapping *weak_mapping_at(size_t i)
{
    return i < WEAK_MAPPINGS ? &mappings[i] : NULL;
}

const struct weak_generator *weak_entry_generator(uint32_t entry)
{
    return weak_generator_at(entry / WEAK_MAPPINGS);
}

const struct weak_mapping *weak_entry_mapping(uint32_t entry)
{
    return weak_mapping_at(entry % WEAK_MAPPINGS);
}

void weak_entry_text(uint32_t entry, char text[WEAK_ENTRY_TEXT])
{
    snprintf(text, WEAK_ENTRY_TEXT, "%s:%s", weak_entry_generator(entry)->name,
             weak_entry_mapping(entry)->name);
}

bool weak_entry_find(const char *text, size_t length, uint32_t *entry)
{
    for (uint32_t i = 0; i < GENERATORS * WEAK_MAPPINGS; i++) {
        char known[WEAK_ENTRY_TEXT];

        weak_entry_text(i, known);
        if (strlen(known) == length && !memcmp(known, text, length)) {
            *entry = i;
            return true;
        }
    }
    return false;
}

/* Hull and Dobell: all states are one cycle of a modulus that is a power of two. */
static bool goes_round(const struct weak_generator *generator)
{
    return generator->family != WEAK_POWER || !weak_is_cycle(generator) ||
           (generator->multiplier % 4 == 1 && generator->increment % 2 == 1);
}

int weak_generator_check(const struct weak_generator *generator, struct error *error)
{
    struct weak_state state;

    weak_seed(generator, generator->vector.seed, &state);
    for (unsigned i = 0; i < WEAK_VECTOR; i++) {
        uint32_t number = weak_next(generator, &state);

        if (number != generator->vector.numbers[i])
            return error_set(error, ERROR_RIG,
                             "the catalogue is wrong: number %u of generator %s with seed %" PRIu64
                             " is %" PRIu32 ", and was published as %" PRIu32,
                             i + 1, generator->name, generator->vector.seed, number,
                             generator->vector.numbers[i]);
    }
    if (!goes_round(generator))
        return error_set(error, ERROR_RIG,
                         "the catalogue is wrong: the states of generator %s are not one cycle",
                         generator->name);
    return 0;
}

int weak_mapping_check(const struct weak_mapping *mapping, struct error *error)
{
    const struct weak_generator *msvc = generators;
    struct weak_state state;
    card_t places[DECK_SIZE];

    while (strcmp(msvc->name, "msvc") != 0)
        msvc++;
    for (unsigned i = 0; i < DECK_SIZE; i++)
        places[i] = (card_t)i;
    weak_seed(msvc, VECTOR_SEED, &state);
    weak_shuffle(msvc, mapping, &state, places, DECK_SIZE);
    for (unsigned i = 0; i < WEAK_VECTOR; i++)
        if (places[i] != mapping->vector[i])
            return error_set(error, ERROR_RIG,
                             "the catalogue is wrong: mapping %s of msvc with seed %d puts the "
                             "card of place %u on place %u, and should put that of place %u there",
                             mapping->name, VECTOR_SEED, places[i] + 1u, i + 1,
                             mapping->vector[i] + 1u);
    return 0;
}

int weak_check(struct error *error)
{
    int status = 0;

    for (size_t i = 0; i < GENERATORS && !status; i++)
        status = weak_generator_check(&generators[i], error);
    for (size_t i = 0; i < WEAK_MAPPINGS && !status; i++)
        status = weak_mapping_check(&mappings[i], error);
    return status;
}
