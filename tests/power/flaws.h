/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Machines with a flaw, for tests/power/: each puts a deck into a new order, from the order that
 * went in. Everything is drawn from the machine's own seeded generator.
 */
#ifndef TESTS_POWER_FLAWS_H
#define TESTS_POWER_FLAWS_H

#include "devices/deck/shuffle.h"

struct flawed {
    double amount; /* a chance, or how many */
    uint64_t seed;
    struct shuffle_generator generator;
};

typedef void flaw_fn(struct flawed *machine, card_t deck[DECK_SIZE]);

flaw_fn flaw_none;
flaw_fn flaw_riffles;   /* amount: riffles */
flaw_fn flaw_shelves;   /* amount: shelves */
flaw_fn flaw_stay;      /* with that chance the top card stays */
flaw_fn flaw_top;       /* with that chance the top card goes to place 26 */
flaw_fn flaw_slot;      /* with that chance the card of place 7 goes to place 40 */
flaw_fn flaw_near_slot; /* with that chance the card of place 7 goes to place 10 */
flaw_fn flaw_fixed;     /* one of that many permutations of whatever went in */
flaw_fn flaw_stick;     /* with that chance Qc lies right below 8d */
flaw_fn flaw_clumps;    /* each pair of neighbours stays together with that chance */
flaw_fn flaw_favour;    /* Qh lies at place 17 with that chance, and not 1 in 52 */
flaw_fn flaw_drift;     /* of 26 pairs of places, high cards go above low ones with that chance */

#endif
