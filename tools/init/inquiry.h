/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One thing that `dealproof init` wants to know: said by an option, answered at the desk, or, where
 * nobody is asked, what is sure. For the files of the command alone.
 */
#ifndef TOOLS_INIT_INQUIRY_H
#define TOOLS_INIT_INQUIRY_H

#include "tools/init/init.h"

/* What is asked about one thing; check() as in struct question, of an answer that is not empty. */
struct inquiry {
    const char *option;    /* by which it can be said beforehand, for sentences */
    const char *given;     /* by that option; NULL: it was not */
    const char *suggested; /* for an empty answer; NULL: there is none that is sure */
    char text[DESK_TEXT_SIZE];
    int (*check)(const struct init *init, enum device_class class, const char *answer,
                 struct error *error);
    enum device_class class;
    const struct init *init;
};

/*
 * Fills in the answer, which check() has allowed. ERROR_CONFIG when an option has a wrong one, or
 * none is sure and nobody is asked; otherwise as desk_ask().
 */
int init_inquire(const struct init *init, struct inquiry *inquiry, char answer[DESK_ANSWER_SIZE],
                 struct error *error);

/* ERROR_CONFIG: the answer is none of those. */
int init_none_of(const char *answer, const char *known, struct error *error);

/*
 * What the machines are, one after the other: each device, the lines and readers of those that need
 * them, decks, codes, the wiring of the seats, and whether a deck is stacked.
 */
int init_ask_machines(struct init *init, struct error *error);

#endif
