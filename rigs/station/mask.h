/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of the journal without what tells of cards that were not dealt yet. */
#ifndef RIGS_STATION_MASK_H
#define RIGS_STATION_MASK_H

#include "hal/base/json.h"

/* What is written as null. Who tries all cards that there can be would find them by a digest that
   depends on them. */
enum mask {
    MASK_PREVIOUS = 1 << 0, /* `prev`: that digest is of lines with cards, or with a digest */
    MASK_FILE = 1 << 1,     /* the digests of a `recording` line, of all its rounds */
    MASK_PLAYED = 1 << 2,   /* `played` of a `round` line but its number, wagers and deck */
};

/* Writes a line of that kind without it; one that is no such JSON is written as null itself. */
void mask_line(struct json_reader *reader, unsigned mask, const char *line, size_t length,
               struct json_text *out);

/* The same of a line of any other kind, which has only `prev` to hide. */
void mask_previous(const char *line, size_t length, struct json_text *out);

#endif
