/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Somebody at a desk who answers what is asked from a list, or as a function says, and remembers
 * the questions. An answer that is refused is followed by the next one. Who has no answer any more
 * leaves.
 */
#ifndef TESTS_SUPPORT_PERSON_H
#define TESTS_SUPPORT_PERSON_H

#include "games/card.h"
#include "hal/desk/desk.h"

#define PERSON_KEPT 256 /* questions and refusals */

struct person {
    struct desk *desk;
    const char *const *answers; /* up to a NULL; NULL: `answer` is asked for them */
    const char *(*answer)(struct person *person, const struct desk_open *question);
    void *context; /* of `answer` */
    /* Of person_deals(): the cards in hand, the bottom one first, and the seed of the next shuffle.
     */
    card_t deck[DECK_SIZE];
    unsigned left;
    uint64_t seed;
    unsigned nodded, typed; /* packets, or lines of a shoe */
    char said[DESK_ANSWER_SIZE];
    unsigned asked, refused;
    enum question_kind kinds[PERSON_KEPT];
    char texts[PERSON_KEPT][DESK_TEXT_SIZE];
    char refusals[PERSON_KEPT][ERROR_TEXT_SIZE];
};

/* Makes a desk and sits down at it; the struct says before how answers are found. */
void person_sit(struct person *person);
void person_rise(struct person *person);

/*
 * For `answer`: has a deck, which is shuffled or stacked as the questions say, deals from its top
 * and says what comes: a nod where that is as recorded.
 */
const char *person_deals(struct person *person, const struct desk_open *question);

#endif
