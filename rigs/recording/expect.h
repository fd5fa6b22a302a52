/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Expectations: one settlement as a line of an .expect file, written in a fixed order of fields,
 * and compared with such a line field by field whatever its order and spacing. All memory is the
 * caller's. rigs/FORMATS.md describes the line.
 */
#ifndef RIGS_RECORDING_EXPECT_H
#define RIGS_RECORDING_EXPECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "games/game.h"
#include "games/meter.h"
#include "hal/base/error.h"

/* More than the longest line: seven seats, every wager and meter, 52 burned cards. */
#define EXPECT_LINE_SIZE 8192

/* Writes a settlement with the meters after it, newline included; returns the length. */
size_t expect_write(char line[EXPECT_LINE_SIZE], const struct game *game,
                    const struct settlement *settlement, const struct meters *meters);

/* The line of a round that cannot be settled; a NULL number is written as null. */
size_t expect_write_error(char line[EXPECT_LINE_SIZE], const int64_t *number, const char *sentence);

/* Where two lines can differ: in a whole part of them, or in one value. */
enum expect_place {
    EXPECT_ROUND,      /* its number; nothing else is compared then */
    EXPECT_MISSING,    /* a line that was expected did not come */
    EXPECT_UNEXPECTED, /* a line came that was not expected */
    EXPECT_ERROR,      /* the sentence of a round that cannot be settled */
    EXPECT_BOARD,
    EXPECT_BURNED,
    EXPECT_DEALER,
    EXPECT_DEALER_CARDS,
    EXPECT_DEALER_HAND,
    EXPECT_DEALER_QUALIFIES,
    EXPECT_DEALER_OTHER, /* a field of the dealer that there is not; `name` */
    EXPECT_SEATS,
    EXPECT_SEAT, /* `name`: its number, or what stands there instead */
    EXPECT_SEAT_CARDS,
    EXPECT_SEAT_HAND,
    EXPECT_SEAT_WAGER, /* `name`: of the wager, or "total" */
    EXPECT_JACKPOTS,
    EXPECT_JACKPOT, /* `name`: its number, from 1 */
    EXPECT_METERS,
    EXPECT_METER, /* `name` */
    EXPECT_OTHER  /* a field that there is not; `name` */
};

/* Room for a value as JSON; the beginning of a longer one stands there as a string. */
#define EXPECT_VALUE_SIZE 400

struct expect_difference {
    enum expect_place place;
    char round[80]; /* its number, or what stands there; and its line, where that says more */
    unsigned seat;  /* 0 where it is of none */
    char name[64];  /* where the place says so */
    char expected[EXPECT_VALUE_SIZE]; /* empty where there is none */
    char got[EXPECT_VALUE_SIZE];
};

/*
 * Compares a line of an .expect file with the line that came out. Returns how many differences
 * there are, the first `size` of them in `differences`, or ERROR_RULE when a line is not JSON,
 * ERROR_RIG when memory is short. An
 * expected error is met by any sentence that contains it.
 */
int expect_compare(const char *expected, size_t expected_length, const char *got, size_t got_length,
                   struct expect_difference *differences, size_t size, struct error *error);

/* "round 3, seat 2, x-tra: expected 5 cents, got 6 cents"; returns the text. */
#define EXPECT_TEXT_SIZE 1024
const char *expect_describe(const struct expect_difference *difference,
                            char text[EXPECT_TEXT_SIZE]);

#endif
