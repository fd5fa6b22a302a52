/*
 * Recordings written: the header and the rounds of a .shoe file as rigs/FORMATS.md describes them.
 * What is the sheet's default is left out, so that a line says what it must. All memory is the
 * caller's; the sizes hold the longest line there can be.
 */
#ifndef RIGS_RECORDING_SHOE_WRITE_H
#define RIGS_RECORDING_SHOE_WRITE_H

#include <stddef.h>

#include "rigs/recording/shoe.h"

#define SHOE_LINE_SIZE 16384

/* Where a recording comes from; NULL where it is not known. Longer texts are cut. */
struct shoe_source {
    const char *recorded; /* the date */
    const char *device;
    const char *firmware;
    const char *by;
    const char *note;
};

/* Each writes a line with its newline and returns its length. Meters and Must Hit are all given. */
size_t shoe_write_header(char line[SHOE_LINE_SIZE], const struct shoe_header *header,
                         const struct shoe_source *source);

/* The keys are the regular ones, or those of a round that was cancelled before anything was paid.
 */
size_t shoe_write_round(char line[SHOE_LINE_SIZE], const struct game *game,
                        const struct shoe_round *round);

#endif
