/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A recording of shuffles alone: a header that says where they come from, then for each its number,
 * the order that came out and, where it is known, the order that went in (rigs/FORMATS.md). Lines
 * are written one by one, whole or not at all, so that whatever ends the recording leaves a file
 * that can be read.
 */
#ifndef RIGS_SHUFFLES_RECORD_H
#define RIGS_SHUFFLES_RECORD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "games/card.h"
#include "hal/base/digest.h"
#include "hal/base/error.h"

struct shuffles_record {
    int fd;
    const char *path;  /* the caller's */
    off_t size;        /* of whole lines */
    struct digest sum; /* of them */
    unsigned decks;
};

/* Texts that are NULL are left out, but for the game's. */
struct shuffles_source {
    const char *game;     /* whose hands the orders may be judged by */
    const char *recorded; /* a date */
    const char *device;
    const char *firmware;
    const char *by;
    const char *note;
    unsigned decks; /* that take turns; 0 is 1 */
};

/* ERROR_CONFIG: the file is there and `replace` is not set, ERROR_RIG: it cannot be made. */
int shuffles_record_open(struct shuffles_record *record, const char *path, bool replace,
                         const struct shuffles_source *source, struct error *error);

/*
 * Of one of the decks that take turns, from 0. `before` may be NULL. After ERROR_RIG the file ends
 * with the line before this one.
 */
int shuffles_record_add(struct shuffles_record *record, uint64_t number, unsigned deck,
                        const card_t order[DECK_SIZE], const card_t *before, struct error *error);

/* Waits until the disk has it; ERROR_RIG when it will not. The digest is that of all its lines. */
int shuffles_record_close(struct shuffles_record *record, char digest[DIGEST_SIZE],
                          struct error *error);

#endif
