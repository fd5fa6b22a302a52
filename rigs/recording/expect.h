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

/* One place where two lines differ. */
struct difference {
    char where[96];     /* "round 3, seat 2, x-tra" */
    char expected[160]; /* values as JSON; "nothing" where there is none */
    char got[160];
};

/*
 * Compares a line of an .expect file with the line that came out. Returns how many differences
 * there are, the first `size` of them in `differences`, or ERROR_RULE when a line is not JSON,
 * ERROR_RIG when memory is short. An
 * expected error is met by any sentence that contains it.
 */
int expect_compare(const char *expected, size_t expected_length, const char *got, size_t got_length,
                   struct difference *differences, size_t size, struct error *error);

#endif
