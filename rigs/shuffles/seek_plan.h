/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the search looks at before it tries a seed by the model: of most mappings the order tells
 * which numbers were drawn, and two of them are looked at; where swaps hide them the cards of two
 * places are followed back; of keys the first few are compared. Made once, constant afterwards.
 */
#ifndef RIGS_SHUFFLES_SEEK_PLAN_H
#define RIGS_SHUFFLES_SEEK_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "rigs/shuffles/seek_question.h"

#define SEEK_LANES      64   /* seeds that are looked at together */
#define SEEK_BLOCK      2048 /* states of a cycle whose numbers are made together */
#define SEEK_WINDOW     64   /* numbers after a state that its shuffle may take, and some more */
#define SEEK_SKIPS      2 /* of a generator that was just seeded: none or one number was not used */
#define SEEK_FOLLOWED   2
#define SEEK_KEYS       6
#define SEEK_ROWS_MAX   1024
#define SEEK_CHECKS_MAX (SEEK_QUESTIONS_MAX * SEEK_SKIPS)
#define SEEK_TRACKS_MAX (WEAK_MAPPINGS * SEEK_SKIPS)

_Static_assert(SEEK_KNOWN_MIN >= SEEK_KEYS && SEEK_KNOWN_MIN >= SEEK_FOLLOWED,
               "the sieve looks at cards that are known");

/*
 * Numbers of the same step of all lanes, made to be below n. Of a cycle a row has the numbers of a
 * whole block, and the steps are places in it.
 */
struct seek_row {
    enum weak_reduction reduction;
    uint32_t n;
    unsigned step;
};

/* Swaps of a place with one that is drawn, in their order. */
struct seek_track {
    const struct weak_mapping *mapping;
    unsigned skipped, steps;
    uint8_t place[WEAK_DRAWS_MAX];
    size_t drawn[WEAK_DRAWS_MAX]; /* where the lanes of the number begin, from the first row on */
};

enum seek_way { SEEK_BY_DRAWS, SEEK_BY_TRACK, SEEK_BY_KEYS };

struct seek_check {
    size_t question;
    unsigned skipped;
    enum seek_way way;
    /* By draws: two of them, and all that are known. */
    size_t drawn[2];
    uint8_t wanted[2];
    unsigned draws;
    uint8_t draw[WEAK_DRAWS_MAX];
    /* By track: where the cards of the first places come from. */
    unsigned track;
    uint8_t origin[SEEK_FOLLOWED];
    /* By keys: the steps of keys that go up, or down. */
    unsigned keys;
    uint8_t key[DECK_SIZE];
    bool descends;
};

struct seek_plan {
    const struct weak_generator *generator;
    bool is_cycle;
    unsigned numbers; /* that are made of each seed */
    struct seek_row rows[SEEK_ROWS_MAX];
    size_t row_count;
    struct seek_track tracks[SEEK_TRACKS_MAX];
    size_t track_count;
    struct seek_check checks[SEEK_CHECKS_MAX];
    size_t check_count;
};

void seek_plan(struct seek_plan *plan, const struct weak_generator *generator,
               const struct seek_question *questions, size_t count);

/* Bytes of a row. */
size_t seek_rows_width(const struct seek_plan *plan);

#endif
