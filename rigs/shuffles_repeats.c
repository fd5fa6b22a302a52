#include "rigs/shuffles_repeats.h"

#include <stdlib.h>
#include <string.h>

/* Never more than half full. */
#define SLOTS ((size_t)REPEATS_KEPT * 2)

struct slot {
    uint8_t count; /* 0: empty */
    uint8_t cards[DECK_SIZE];
};

struct repeats {
    uint64_t found;
    size_t kept;
    unsigned zeros; /* that a hash must begin with to be watched */
    struct slot slots[SLOTS];
};

struct repeats *repeats_new(void)
{
    return calloc(1, sizeof(struct repeats));
}

void repeats_free(struct repeats *repeats)
{
    free(repeats);
}

/* Slots that nothing was put into are not touched: they may never have been given any memory. */
void repeats_clear(struct repeats *repeats)
{
    for (size_t i = 0; i < SLOTS && repeats->kept; i++)
        if (repeats->slots[i].count) {
            repeats->slots[i].count = 0;
            repeats->kept--;
        }
    repeats->found = 0;
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
    size_t at = hash % SLOTS;

    while (repeats->slots[at].count && (repeats->slots[at].count != count ||
                                        memcmp(repeats->slots[at].cards, cards, count) != 0))
        at = (at + 1) % SLOTS;
    return &repeats->slots[at];
}

static void put(struct repeats *repeats, struct slot *slot, const uint8_t *cards, size_t count)
{
    slot->count = (uint8_t)count;
    memcpy(slot->cards, cards, count);
    repeats->kept++;
}

/* Puts everything that is still watched in again; without memory for that, nothing is dropped. */
static void watch_half(struct repeats *repeats)
{
    struct slot *all = malloc(sizeof repeats->slots);

    if (!all)
        return;
    memcpy(all, repeats->slots, sizeof repeats->slots);
    memset(repeats->slots, 0, sizeof repeats->slots);
    repeats->kept = 0;
    repeats->zeros++;
    for (size_t i = 0; i < SLOTS; i++) {
        uint64_t hash = all[i].count ? hash_of(all[i].cards, all[i].count) : 0;

        if (all[i].count && watched(repeats, hash))
            put(repeats, find(repeats, hash, all[i].cards, all[i].count), all[i].cards,
                all[i].count);
    }
    free(all);
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
    if (repeats->kept < REPEATS_KEPT)
        put(repeats, slot, cards, count);
    if (repeats->kept == REPEATS_KEPT)
        watch_half(repeats);
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
