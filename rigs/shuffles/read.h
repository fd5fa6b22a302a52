/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recordings as orders to be judged: the whole deck of a round where it is known, else the cards
 * that were dealt before anybody decided, since what comes later depends on the cards. Recordings
 * are read one after the other in constant memory. All must be of one device: orders of two are no
 * sample of either.
 */
#ifndef RIGS_SHUFFLES_READ_H
#define RIGS_SHUFFLES_READ_H

#include <stdbool.h>
#include <stdint.h>

#include "games/shuffles/shuffles.h"
#include "hal/base/digest.h"
#include "hal/base/error.h"
#include "rigs/recording/format.h"
#include "rigs/recording/paytables.h"
#include "rigs/shuffles/generators.h"

struct shuffles_reader {
    struct shuffles *shuffles;         /* where the orders go */
    const struct paytables *paytables; /* NULL: those of the sheets alone */
    struct generators_orders *kept;    /* where they are kept as well; NULL: nowhere */
    int stop;                          /* when readable, reading ends; -1 for none */
    /* Filled by shuffles_read(), 0 at first. */
    uint64_t recordings;
    uint8_t deck;              /* of two, that was dealt last in this recording; 0: none was */
    bool is_linked[DECKS_MAX]; /* the next order of that deck follows from the last of it here: no
                                  deal of it broke off in between */
    char name[256];            /* of the first recording */
    char device[RECORDING_SOURCE_SIZE];
    char firmware[RECORDING_SOURCE_SIZE];
    char first[RECORDING_SOURCE_SIZE]; /* dates they were recorded on; empty where none says it */
    char last[RECORDING_SOURCE_SIZE];
    uint64_t undated;         /* recordings that do not say it */
    char digest[DIGEST_SIZE]; /* of the first recording */
    struct digest digests;    /* of a list of all of them, as sha256sum writes it */
};

/*
 * Adds the orders of one more recording, read from a descriptor that stays open; `name` is for the
 * sentences. ERROR_CONFIG, with file and line, for whatever is no order, or of another device;
 * ERROR_RIG when reading fails or memory is short; ERROR_ABORTED after `stop`.
 */
int shuffles_read(struct shuffles_reader *reader, int input, const char *name, struct error *error);

/*
 * What `sha256sum RECORDING` prints of one recording, and `sha256sum RECORDINGS | sha256sum` of
 * several in the order they were read in; empty when there was none. To be asked once.
 */
void shuffles_read_digest(struct shuffles_reader *reader, char digest[DIGEST_SIZE]);

/* "2026-01-31", "2026-01-30 to 2026-02-02", "2026-01-31; 2 recordings do not say when". */
#define SHUFFLES_DATES_SIZE (2 * RECORDING_SOURCE_SIZE + 64)
void shuffles_read_dates(const struct shuffles_reader *reader, char dates[SHUFFLES_DATES_SIZE]);

#endif
