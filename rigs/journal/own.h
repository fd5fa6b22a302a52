/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is of each run its own, however alike two of them are: numbers and digests of lines, times,
 * and when, where, by which program and by which command line it was played. Who compares journals
 * by what they mean passes it over; rigs/JOURNAL.md has the same list. `timings` are among it, but
 * their limits are the rig's.
 */
#ifndef RIGS_JOURNAL_OWN_H
#define RIGS_JOURNAL_OWN_H

#include "rigs/journal/judge.h"

/* The fields of a line of that kind, NULL at the end. */
const char *const *journal_own_fields(enum journal_kind kind);

#endif
