/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a model shuffles its deck: evenly, or with the flaws of machines and hands
 * (devices/SHUFFLES.md has each of them exactly). A shuffle permutes the cards in place, from the
 * order that went in, and draws from a seeded generator. The caller owns the state; only the
 * reading of a method's text can fail.
 */
#ifndef DEVICES_DECK_SHUFFLE_H
#define DEVICES_DECK_SHUFFLE_H

#include <stddef.h>

#include "devices/deck/generator.h"
#include "devices/deck/weak.h"
#include "games/card.h"
#include "hal/base/error.h"

#define SHUFFLE_METHOD_TEXT WEAK_ENTRY_TEXT /* of the longest method, with its end */

enum shuffle_kind {
    SHUFFLE_UNIFORM,
    SHUFFLE_RIFFLE,
    SHUFFLE_SHELF,
    SHUFFLE_STUCK,
    SHUFFLE_BIAS,
    SHUFFLE_OVERHAND,
    SHUFFLE_MOVES,
    SHUFFLE_SLOT,
    SHUFFLE_STICK,
    SHUFFLE_WEAK,
};

struct shuffle_method {
    enum shuffle_kind kind;
    /* Riffles, shelves, orders, passes, permutations, parts per million, an entry of the catalogue
     * (devices/deck/weak.h); 0 of a uniform one. */
    uint32_t amount;
};

/* "riffle:7", of `length` characters; ERROR_CONFIG with a sentence that says what there is. */
int shuffle_method_parse(const char *text, size_t length, struct shuffle_method *method,
                         struct error *error);
void shuffle_method_text(const struct shuffle_method *method, char text[SHUFFLE_METHOD_TEXT]);

/* A machine that shuffles by one method. All zero but for a seeded generator is a uniform one. */
struct shuffle {
    struct shuffle_method method;
    uint64_t seed;
    uint32_t done; /* shuffles since the machine began, or began again */
    struct shuffle_generator generator;
    struct weak_state weak; /* of a weak generator, which goes on from shuffle to shuffle */
};

void shuffle_start(struct shuffle *shuffle, struct shuffle_method method, uint64_t seed);

/* At most DECK_SIZE cards, none twice. */
void shuffle_cards(struct shuffle *shuffle, card_t *cards, size_t count);

/* Every order equally likely. */
void shuffle_uniform(card_t *cards, size_t count, struct shuffle_generator *generator);

#endif
