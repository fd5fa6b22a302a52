/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether two shares differ, by Fisher's exact test: of all ways in which as many could have fallen
 * to two sides of these sizes, the chance of one that is no likelier than what was found. Exact for
 * any counts, also the smallest. What is counted must be independent of each other. Pure.
 */
#ifndef RIGS_HISTORY_RATES_H
#define RIGS_HISTORY_RATES_H

#include <stddef.h>

/* `first` of `first_all`, and `second` of `second_all`. 1 where a side has none. */
double rates_compare(size_t first, size_t first_all, size_t second, size_t second_all);

#endif
