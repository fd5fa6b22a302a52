/*
 * How many shuffles it should take to find out each flawed way of shuffling, from its exact law
 * (devices/SHUFFLES.md) and one statistic that shows it. Pure; nothing fails.
 */
#ifndef RIGS_SHUFFLES_THEORY_H
#define RIGS_SHUFFLES_THEORY_H

#include <stdint.h>

#include "devices/shuffle.h"

/* Not found with any number that somebody would deal. */
#define SHUFFLES_THEORY_NEVER UINT64_MAX

/*
 * The fewest whole shuffles, with what went in, of which a test of that statistic at `alpha`, for
 * either side, finds the flaw with chance `power`. A uniform shuffle has no flaw.
 */
uint64_t shuffles_theory(const struct shuffle_method *method, double alpha, double power);

#endif
