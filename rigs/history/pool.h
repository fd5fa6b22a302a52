/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The orders that one shuffler made by itself, of all its runs together: what no single run has
 * enough of. Runs that do not verify are left out, and so are orders that repeat those of another
 * run card by card, as runs in virtual time with the same seed do, also where one is longer.
 * Whoever looks after each run, and stops when it pleases, must not blame a good machine more often
 * than declared: each run, and each time that one was resumed, is one look at most, and the
 * significance is spent over them (rigs/shuffles/looks.h).
 */
#ifndef RIGS_HISTORY_POOL_H
#define RIGS_HISTORY_POOL_H

#include "games/shuffles/shuffles.h"
#include "rigs/history/run.h"
#include "rigs/history/store/store.h"

struct history_pooled {
    uint64_t runs;            /* that the orders are of */
    uint64_t looks;           /* that there could be so far */
    uint64_t orders;          /* that were added */
    uint64_t unknown;         /* rounds whose order nobody knows */
    uint64_t repeated;        /* recordings that repeat another, left out */
    uint64_t repeated_orders; /* of recordings in virtual time that begin as another, left out */
    uint64_t unverified;      /* runs, left out */
    char first[32], last[32];
    char firmware[128]; /* its versions, each once */
};

/*
 * Adds all orders of the machine, with that firmware or with any. ERROR_CONFIG where there are
 * none. Errors as store_ask().
 */
int history_pool(struct store *store, const char *serial, const char *firmware,
                 struct shuffles *shuffles, struct history_pooled *pooled, struct error *error);

#endif
