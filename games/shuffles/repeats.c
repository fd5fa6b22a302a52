/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/shuffles/repeats.h"

#include <stdlib.h>
#include <string.h>

/* Never more than half full. */
#define SLOTS_FIRST 1024
#define SLOTS_MOST  ((size_t)REPEATS_KEPT * 2)

struct slot {
    uint8_t count; /* 0: empty */
    uint8_t cards[DECK_SIZE];
};

struct repeats {
    uint64_t found;
    size_t kept;
    unsigned zeros; /* that a hash must begin with to be watched */
    size_t slot_count;
    struct slot *slots;
};

struct repeats *repeats_new(void)
{
    struct repeats *repeats = calloc(1, sizeof *repeats);

    if (!repeats)
        return NULL;
    repeats->slot_count = SLOTS_FIRST;
    repeats->slots = calloc(SLOTS_FIRST, sizeof *repeats->slots);
    if (repeats->slots)
        return repeats;
    free(repeats);
    return NULL;
}

void repeats_free(struct repeats *repeats)
{
    if (repeats)
        free(repeats->slots);
    free(repeats);
}

void repeats_clear(struct repeats *repeats)
{
    if (repeats->kept)
        memset(repeats->slots, 0, repeats->slot_count * sizeof *repeats->slots);
    repeats->found = 0;
    repeats->kept = 0;
    repeats->zeros = 0;
}

/* Every bit of the order reaches every bit of the hash. */
static uint64_t hash_of(const uint8_t *cards, size_t count)
{
    uint64_t words[DECK_SIZE / 8 + 1] = {0}, hash = count;

    memcpy(words, cards, count);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        hash = (hash ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    hash *= UINT64_C(0xbf58476d1ce4e5b9);
    return hash ^ hash >> 29;
}

static bool watched(const struct repeats *repeats, uint64_t hash)
{
    return !repeats->zeros || !(hash >> (64 - repeats->zeros));
}

static struct slot *find(struct repeats *repeats, uint64_t hash, const uint8_t *cards, size_t count)
{
    size_t at = hash % repeats->slot_count;

    while (repeats->slots[at].count && (repeats->slots[at].count != count ||
                                        memcmp(repeats->slots[at].cards, cards, count) != 0))
        at = (at + 1) % repeats->slot_count;
    return &repeats->slots[at];
}

static void put(struct repeats *repeats, struct slot *slot, const uint8_t *cards, size_t count)
{
    slot->count = (uint8_t)count;
    memcpy(slot->cards, cards, count);
    repeats->kept++;
}

/* Moves what is still watched into other slots; false when there is no memory for them. */
static bool rehash(struct repeats *repeats, size_t slot_count, unsigned zeros)
{
    struct repeats next = {.found = repeats->found, .zeros = zeros, .slot_count = slot_count};

    next.slots = calloc(slot_count, sizeof *next.slots);
    if (!next.slots)
        return false;
    for (size_t i = 0; i < repeats->slot_count; i++) {
        const struct slot *slot = &repeats->slots[i];
        uint64_t hash = slot->count ? hash_of(slot->cards, slot->count) : 0;

        if (slot->count && watched(&next, hash))
            put(&next, find(&next, hash, slot->cards, slot->count), slot->cards, slot->count);
    }
    free(repeats->slots);
    *repeats = next;
    return true;
}

/* At half full twice as many slots, or half as many orders; without memory for it, fewer orders. */
static void make_room(struct repeats *repeats)
{
    if (repeats->kept < repeats->slot_count / 2)
        return;
    if (repeats->slot_count < SLOTS_MOST &&
        rehash(repeats, repeats->slot_count * 2, repeats->zeros))
        return;
    rehash(repeats, repeats->slot_count, repeats->zeros + 1);
}

bool repeats_add(struct repeats *repeats, const uint8_t *cards, size_t count)
{
    uint64_t hash = hash_of(cards, count);
    struct slot *slot;

    if (!watched(repeats, hash))
        return false;
    slot = find(repeats, hash, cards, count);
    if (slot->count) {
        repeats->found++;
        return true;
    }
    put(repeats, slot, cards, count);
    make_room(repeats);
    return false;
}

uint64_t repeats_count(const struct repeats *repeats)
{
    return repeats->found;
}

double repeats_share(const struct repeats *repeats)
{
    return 1.0 / (double)((uint64_t)1 << repeats->zeros);
}
