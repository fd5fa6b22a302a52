/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TESTS_ORACLE_KEYS_H
#define TESTS_ORACLE_KEYS_H

#include "tests/oracle/table.h"

/* Where the keys have brought the terminal; all after OPEN are in an approval. */
enum place { NO_ROUND, OPEN, CHOOSING, CHOSEN, ASKED, CODING, SHOWN, ON_SIGN };

struct pressing {
    const struct game *game;
    enum place at;
    enum { NOT_CLOSED, ENDED, CANCELLED } closed; /* by the last key that was taken */
    int bet;                                      /* seats with the progressive wager */
    int seat, wrong;                              /* of the approval */
    bool laid[SEATS + 1], paid[SEATS + 1], has_paid;
};

void keys_begin(const struct table *table, const struct round *round, struct pressing *pressing);
void keys_press(struct pressing *pressing, const char *key, struct round *round);

/* Whether the round was cancelled, and what is wrong with how it was closed. */
void keys_end(const struct pressing *pressing, struct round *round);

#endif
