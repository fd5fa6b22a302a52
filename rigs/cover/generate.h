/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recordings that nobody has played, with their expectations: so many random rounds of a game, or
 * as few as show every coverage point. The same job makes the same bytes. What a recording shows is
 * said by the engine that settles it; the generator only tries until it does.
 */
#ifndef RIGS_COVER_GENERATE_H
#define RIGS_COVER_GENERATE_H

#include "rigs/cover/book.h"

#define GENERATE_ROUNDS_MAX 1000000

struct generated {
    const char *name; /* "chase-the-flush-1", for a file */
    const char *shoe, *expect;
    size_t shoe_length, expect_length;
    uint64_t rounds;
};

struct generate_job {
    const struct game *game;
    uint64_t seed;
    uint64_t rounds; /* with `cover` the most in all, and 0 as many as it takes */
    bool cover;
    void *context;
    /* Called for each recording in turn; what it fails with ends the job. */
    int (*write)(void *context, const struct generated *generated, struct error *error);
};

/*
 * `page` is one of cover_book_game() for the game: it has what was seen. With `cover` several
 * recordings are made, and points that could not be shown are those that it lacks afterwards.
 * ERROR_RIG when memory is short.
 */
int generate_run(const struct generate_job *job, struct cover_game *page, struct error *error);

#endif
