/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many shuffles it should take to find out each flawed way of shuffling, from its exact law
 * (devices/SHUFFLES.md) and one statistic that shows it. Pure; nothing fails.
 */
#ifndef RIGS_SHUFFLES_THEORY_H
#define RIGS_SHUFFLES_THEORY_H

#include <stdint.h>

#include "devices/deck/shuffle.h"

/* More shuffles than anybody deals would be needed. */
#define SHUFFLES_THEORY_NEVER UINT64_MAX

/* Most tests ask two, of the mean and of the shape; each has half of what the test has. */
#define SHUFFLES_THEORY_QUESTIONS 2

/*
 * The fewest whole shuffles, with what went in, of which a test of that statistic at `alpha` for
 * each question, for either side, finds the flaw with chance `power`. A uniform shuffle has none.
 */
uint64_t shuffles_theory(const struct shuffle_method *method, double alpha, double power);

/*
 * The distance in total variation between the law of one shuffle and the uniform one: the most that
 * the chances of anything differ. NAN where nobody has a law for it.
 */
double shuffles_theory_distance(const struct shuffle_method *method);

#endif
