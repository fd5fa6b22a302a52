/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which weak generator made these orders? Orders are kept as they are read; those that tell most
 * are looked for in the catalogue (devices/deck/weak.h), generator by generator, from the order
 * that went in and from a sorted deck; what is found predicts the orders after it. The chance that
 * a uniform shuffler's order is found as well is reckoned beforehand. The caller owns everything;
 * a search may be stopped from another thread.
 */
#ifndef RIGS_SHUFFLES_GENERATORS_H
#define RIGS_SHUFFLES_GENERATORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "games/shuffles/shuffles.h"
#include "rigs/shuffles/seek.h"

#define GENERATORS_KEPT_MAX  100000
#define GENERATORS_TRIES_MAX 2 /* orders that are looked for */
#define GENERATORS_COUNT_MAX 32
#define GENERATORS_CHANCE    1e-6 /* of a false hit, at most: else there are too few cards */
#define GENERATORS_GAP_MAX   1024 /* numbers between two shuffles that others may have drawn */

enum generators_start {
    GENERATORS_BEFORE, /* the order that went in, or that was dealt before in its place */
    GENERATORS_SORTED, /* 2c 3c … As, whatever went in */
    GENERATORS_STARTS
};

struct generators_order {
    uint64_t number; /* from 1, as they were read */
    unsigned known;  /* cards, from the top */
    unsigned deck;
    bool has_before;  /* below: it was told, */
    bool is_stand_in; /* or it is the one dealt before */
    card_t cards[DECK_SIZE];
    card_t before[DECK_SIZE];
};

struct generators_orders {
    struct generators_order *orders; /* the first of them */
    size_t count, room;
    uint64_t read;
    bool has_last[DECKS_MAX]; /* whole orders of each deck that were read last */
    card_t last[DECKS_MAX][DECK_SIZE];
};

/* One more, as shuffles_add() takes it; ERROR_RIG when memory is short. */
int generators_keep(struct generators_orders *orders, const struct shuffles_order *order,
                    struct error *error);
void generators_orders_free(struct generators_orders *orders);

/* What is looked for, and where. */
struct generators {
    const struct generators_orders *orders;
    bool entries[GENERATORS_COUNT_MAX * WEAK_MAPPINGS];
    unsigned jobs;
    atomic_bool stop;                                     /* ends a search, from another thread */
    void (*tick)(void *context, const struct seek *seek); /* as struct seek has it */
    void *context;
    int64_t from, to; /* within which machines were switched on, in milliseconds since 1970 */
    /* Filled by generators_choose(). */
    struct generators_target {
        size_t order;
        enum generators_start start;
        struct seek_target moved;
    } targets[GENERATORS_TRIES_MAX * GENERATORS_STARTS];
    size_t target_count;
    double chance;    /* that a uniform shuffler's order is found, at most */
    unsigned needed;  /* cards of a deal for that to be small enough */
    struct seek seek; /* that runs, or ran last */
};

/* All entries. */
void generators_init(struct generators *generators, const struct generators_orders *orders);

/* Leaves all entries out but those of names: "msvc", "lcg:down-modulo,lcg:up-modulo", "sort". */
int generators_take(struct generators *generators, const char *names, struct error *error);

/* Seeds of a generator that are tried: none where they are times and nobody knows when. */
void generators_seeds(const struct generators *generators, const struct weak_generator *generator,
                      uint64_t *first, uint64_t *seeds);

/* How many mappings of a generator are asked for. */
unsigned generators_mappings(const struct generators *generators, size_t generator);

/*
 * Which orders are looked for: the one that tells most and the first, which a generator that was
 * just seeded has made. False when too few cards are known of any.
 */
bool generators_choose(struct generators *generators);

struct generators_found {
    bool is_found;
    uint32_t entry;
    uint64_t seed;
    unsigned skipped;
    size_t order; /* of those that were kept, */
    enum generators_start start;
    size_t hits; /* of the same order; more than 1 cannot be told apart */
    /* The orders after it. */
    size_t right;     /* that were as predicted */
    unsigned gap;     /* numbers in between, before the last of them */
    bool is_broken;   /* the one after them was not, */
    bool is_unknown;  /* or nobody knows what went into it */
    bool is_reseeded; /* the one that was not comes from another seed of the same entry: */
    uint64_t reseed;
    bool has_next; /* what comes after the last order: */
    enum generators_start next_start;
    card_t next[DECK_SIZE];
};

/*
 * Tries all seeds of one generator, or for an estimate no more than `most` of them (0: all). 0
 * whether or not it is found, ERROR_ABORTED, ERROR_RIG.
 */
int generators_seek(struct generators *generators, size_t generator, uint64_t most,
                    struct generators_found *found, struct error *error);

/* Follows what was found through the orders after it. */
int generators_follow(struct generators *generators, struct generators_found *found,
                      struct error *error);

/* Whether it is known what an order would have begun with. */
bool generators_has_start(const struct generators_order *order, enum generators_start start);

/* Where the known cards of an order lay, if they began so. */
void generators_moved(const struct generators_order *order, enum generators_start start,
                      struct seek_target *moved);

/* Makes `seek` ready for all seeds of a generator that are tried, with nothing asked. */
void generators_ready(struct generators *generators, size_t generator);

/* "2023-11-14 22:13:20 UTC" where a seed may well be that time; else empty. */
#define GENERATORS_TIME_TEXT 32
void generators_time_text(const struct generators_found *found, char text[GENERATORS_TIME_TEXT]);

#endif
