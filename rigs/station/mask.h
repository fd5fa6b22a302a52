/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of the journal without the cards that were not dealt yet. */
#ifndef RIGS_STATION_MASK_H
#define RIGS_STATION_MASK_H

#include "hal/base/json.h"

/* Writes a `round` line with `dealt` and `play` of `played` as null; a line that is no JSON is
   written as null itself. */
void mask_round(struct json_reader *reader, const char *line, size_t length, struct json_text *out);

/*
 * Writes a line that follows it with `prev` as null. That digest depends on the cards: who tries
 * all that they can be would find them by it.
 */
void mask_previous(const char *line, size_t length, struct json_text *out);

#endif
