/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What recordings have exercised so far, game by game: which points were seen, and in which round
 * of which recording first. The book owns its memory; paths of recordings stay the caller's and
 * must outlive it.
 */
#ifndef RIGS_COVER_BOOK_H
#define RIGS_COVER_BOOK_H

#include <stdio.h>

#include "rigs/cover/see.h"
#include "rigs/cover/trace.h"

struct cover_first {
    const char *recording;
    int64_t round;
};

struct cover_game {
    struct cover_points points;
    struct cover_set seen;
    struct cover_first first[COVER_POINTS_MAX];
    uint64_t recordings, rounds;
    struct cover_game *next; /* in the order in which they came */
};

struct cover_book {
    struct cover_game *games;
    uint64_t unread; /* lines that are no round */
    /* Hears why, with the recording and the line; NULL: nobody does. */
    void (*complain)(const void *context, const struct error *why);
    const void *context;
};

void cover_book_clear(struct cover_book *book);

/* The page of a game, made if there is none; NULL when memory is short. */
struct cover_game *cover_book_game(struct cover_book *book, const struct game *game);

/* What a round has shown. */
void cover_book_enter(struct cover_game *page, const struct cover_set *set, const char *recording,
                      int64_t round);

/*
 * Reads a whole recording. ERROR_CONFIG when it cannot be used, ERROR_RIG when reading or memory
 * fails. Rounds that the rules refuse are no error here, and a deck that nobody played with is no
 * round. A line that cannot be read is none either: it is complained of and counted, and the rest
 * is read.
 */
int cover_book_read(struct cover_book *book, const char *path, const struct paytables *paytables,
                    int stop, struct error *error);

/* Points of a game that were never seen. */
unsigned cover_book_missed(const struct cover_game *page);

/* How many statements about the game have points, and how many had all of theirs seen. */
struct cover_rules {
    unsigned statements, exercised;
};
struct cover_rules cover_book_rules(const struct cover_game *page, const struct cover_trace *trace);

/* For people: what was never seen, or with `all` every point and where it was seen first. */
void cover_book_write_text(const struct cover_book *book, const struct cover_trace *trace, bool all,
                           FILE *out);
void cover_book_write_json(const struct cover_book *book, const struct cover_trace *trace,
                           FILE *out);

#endif
