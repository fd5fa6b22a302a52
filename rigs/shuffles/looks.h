/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a look at shuffles may use of the significance while they still come. Whoever looks again
 * and again, and stops when it pleases, would blame good machines far more often than declared. So
 * a tenth of the significance is for looks before the end, divided evenly among one look after each
 * declared round, and nine tenths are for the end. Where no number of rounds was declared every
 * round may be the last: after n of them a look has 1 / (n (n + 1)) of all, which adds up to 1. By
 * Bonferroni's inequality all looks together blame a uniform shuffler no more often than declared,
 * however they hang together. Pure; nothing fails.
 */
#ifndef RIGS_SHUFFLES_LOOKS_H
#define RIGS_SHUFFLES_LOOKS_H

#include <stdint.h>

/* How far the run is that the orders come from. */
enum shuffles_stage {
    SHUFFLES_ALL,      /* there is nothing to come */
    SHUFFLES_COMING,   /* it goes on */
    SHUFFLES_CUT_SHORT /* it has ended before all declared rounds were dealt */
};

#define SHUFFLES_LOOKS_SHARE 0.1

/* The significance of a look after `dealt` of `declared` rounds; 0 declared: none were. */
double shuffles_look(double alpha, enum shuffles_stage stage, uint64_t declared, uint64_t dealt);

#endif
