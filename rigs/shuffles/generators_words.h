/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What was looked for and found among generators, in whole sentences for a terminal and a page
 * alike: they have no word of a device in them, nor anything that means something in HTML.
 */
#ifndef RIGS_SHUFFLES_GENERATORS_WORDS_H
#define RIGS_SHUFFLES_GENERATORS_WORDS_H

#include <stdio.h>

#include "rigs/shuffles/generators.h"

/* Which orders were looked for, from where, among how much, and the chance of a false hit. */
void generators_say_sought(const struct generators *generators, FILE *out);

/* What could not be looked for, and why; nothing where all could. */
void generators_say_left(const struct generators *generators, FILE *out);

/* The verdict: which entry made it with which seed, or that none did. */
void generators_say_found(const struct generators *generators, const struct generators_found *found,
                          FILE *out);

/* What became of the orders after it. */
void generators_say_followed(const struct generators *generators,
                             const struct generators_found *found, FILE *out);

/* What went into a shuffle, as a clause: "from the order that went in". */
const char *generators_start_words(const struct generators_order *order,
                                   enum generators_start start);

/* A page of its own. */
struct generators_page {
    const struct generators *generators;
    const struct generators_found *found;
    const char *device, *firmware, *from, *recorded, *digest; /* empty where it is not known */
    uint64_t recordings;
};
void generators_html_page(const struct generators_page *page, FILE *out);

#endif
