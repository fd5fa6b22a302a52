/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A recording while it is being made: NAME.shoe with what was dealt and played, NAME.expect with
 * what came of it. Until it is closed both are called NAME.shoe.part and NAME.expect.part; every
 * round is in both files, whole, or in neither, whatever fails: a disk that is full ends the
 * recording with the last round that fitted. The caller owns the recorder.
 */
#ifndef RIGS_RECORDING_RECORDER_H
#define RIGS_RECORDING_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "rigs/recording/write.h"

struct recorder;

struct recorder_options {
    bool force; /* files of these names are replaced */
    bool sync;  /* wait for the disk after every round, not only at the end */
};

/*
 * ERROR_CONFIG when the path is not NAME.shoe, or when one of the files is there already; ERROR_RIG
 * when it cannot be made. `*recorder` is NULL after a failure.
 */
int recorder_open(struct recorder **recorder, const char *path,
                  const struct recorder_options *options, struct error *error);

/* The header comes first, once. ERROR_RIG when it cannot be written. */
int recorder_header(struct recorder *recorder, const struct recording_header *header,
                    const struct recording_source *source, struct error *error);

/* One round and its line of the .expect file, newline included. After ERROR_RIG it is in neither.
 */
int recorder_round(struct recorder *recorder, const struct recording_round *round, const char *line,
                   size_t length, struct error *error);

uint64_t recorder_rounds(const struct recorder *recorder);

/*
 * Gives the files their names and frees the recorder; a recording without a round leaves no file.
 * ERROR_RIG says under which names they are left when that fails. NULL is allowed.
 */
int recorder_close(struct recorder *recorder, struct error *error);

#endif
