/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What sources with mutants inside are compiled with: which mutant is alive? */
#ifndef TESTS_MUTATE_MUTANT_H
#define TESTS_MUTATE_MUTANT_H

extern int mutant_alive; /* its number, or 0 */

/* Notes that it was asked about, where nothing is alive; returns 0. */
int mutant_reached(int number);

static inline int mutant(int number)
{
    return mutant_alive ? number == mutant_alive : mutant_reached(number);
}

#endif
