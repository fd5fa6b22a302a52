/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which seed of a weak generator (devices/deck/weak.h) made an order: every seed is tried, on
 * several threads, by all the mappings that are asked for at once. Numbers are made and sifted in
 * vectors; whatever is left is tried by the model itself, so that a hit is never a mistake of the
 * sieve. Everything is the caller's; only memory and threads can fail.
 */
#ifndef RIGS_SHUFFLES_SEEK_H
#define RIGS_SHUFFLES_SEEK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/base/error.h"
#include "rigs/shuffles/seek_question.h"

#define SEEK_HITS_MAX 16
#define SEEK_JOBS_MAX 64

struct seek_hit {
    size_t question;
    uint64_t seed;    /* before the first number of the shuffle, */
    unsigned skipped; /* but for so many that were drawn and not used */
};

struct seek {
    const struct weak_generator *generator;
    struct seek_question questions[SEEK_QUESTIONS_MAX];
    size_t question_count;
    /*
     * Seeds from the first on; of a cycle (weak_is_cycle()) the states that follow each other from
     * 0, or of WEAK_PRIME 1, on, so that all of them stand for every state there is.
     */
    uint64_t first, seeds;
    unsigned jobs;
    bool is_first_enough;    /* one hit ends it; not for a cycle, whose seeds come in no order */
    const atomic_bool *stop; /* another thread's order to end it; NULL: there is none */
    /* Called now and then by the thread that runs it; NULL: nobody. */
    void (*tick)(void *context, const struct seek *seek);
    void *context;
    _Atomic uint64_t done; /* seeds that were tried, whole units */
    /* Found, by question and seed. */
    struct seek_hit hits[SEEK_HITS_MAX];
    size_t hit_count; /* may be more than were kept */
};

/* All seeds of a generator, nothing asked yet. */
void seek_init(struct seek *seek, const struct weak_generator *generator);

/* 0 when all were tried or one was found; ERROR_ABORTED after `stop`; ERROR_RIG. */
int seek_run(struct seek *seek, struct error *error);

/* Whether a seed makes a target, after `skipped` numbers, by the model. */
bool seek_makes(const struct weak_generator *generator, const struct seek_question *question,
                uint64_t seed, unsigned skipped);

#endif
