/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recordings written: the header and the rounds of a .shoe file as rigs/FORMATS.md describes them.
 * What is the sheet's default is left out, so that a line says what it must. All memory is the
 * caller's; the sizes hold the longest line there can be.
 */
#ifndef RIGS_RECORDING_WRITE_H
#define RIGS_RECORDING_WRITE_H

#include <stddef.h>

#include "rigs/recording/format.h"

#define RECORDING_LINE_SIZE 16384

/* Where a recording comes from; NULL where it is not known. Longer texts are cut. */
struct recording_source {
    const char *recorded; /* the date */
    const char *device;
    const char *firmware;
    const char *by;
    const char *note;
    const char *decisions; /* who made them, where no player did: "policy plain" */
    const char *devices;   /* "emulated", "partly emulated"; NULL: real ones */
    const char *capture;   /* that was listened to; NULL: the devices were played with */
    const char *wagers;    /* whence they are known then */
    const char *mode;      /* "test": of the device that dealt, whose order may have been loaded */
};

/* Each writes a line with its newline and returns its length. Meters and Must Hit are all given. */
size_t recording_write_header(char line[RECORDING_LINE_SIZE], const struct recording_header *header,
                              const struct recording_source *source);

/* The keys are the regular ones, or those of a round that was cancelled before anything was paid.
 */
size_t recording_write_round(char line[RECORDING_LINE_SIZE], const struct game *game,
                             const struct recording_round *round);

#endif
