/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a search for seeds is asked: orders, and the mappings that may have made them. */
#ifndef RIGS_SHUFFLES_SEEK_QUESTION_H
#define RIGS_SHUFFLES_SEEK_QUESTION_H

#include <stdint.h>

#include "devices/deck/weak.h"

#define SEEK_QUESTIONS_MAX 64
#define SEEK_KNOWN_MIN     7 /* cards of an order: what the sieve looks at */

/* What came out: where the cards of the first places came from, from the top and 0. */
struct seek_target {
    uint8_t moved[DECK_SIZE];
    unsigned known; /* places, at least SEEK_KNOWN_MIN */
};

/* One mapping that may have made one target. */
struct seek_question {
    const struct weak_mapping *mapping;
    const struct seek_target *target;
};

#endif
