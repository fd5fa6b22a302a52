/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A recording for people: the table with its cards, what each seat staked, decided and won, round
 * by round, as text. Nothing is kept; errors of writing are the stream's.
 */
#ifndef RIGS_RECORDING_VIEW_H
#define RIGS_RECORDING_VIEW_H

#include <stdio.h>

#include "rigs/recording/format.h"

struct view_options {
    bool color; /* hearts and diamonds in red, and what is won or lost */
};

/* The game and what the recording says of its table. `line` is the header as it was written. */
void view_header(const struct recording_header *header, const struct json_value *line,
                 const struct view_options *options, FILE *out);

/* A round that was settled; the meters are those after it. */
void view_round(const struct recording_header *header, const struct recording_round *round,
                const struct settlement *settlement, const struct view_options *options, FILE *out);

/* A deck that nobody played with, as shufflers are judged by. */
void view_deck(const struct recording_round *round, const struct view_options *options, FILE *out);

/* A round that cannot be settled, and why; `number` is NULL where it cannot be read. */
void view_refused(const int64_t *number, const char *why, const struct view_options *options,
                  FILE *out);

#endif
