/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Debouncing as the kernel does it, for where the kernel is not asked to: a level counts once it
 * has stood for the whole period, and the edge then bears the time at which it was believed, not
 * that of the contact's first touch. Works on the times of the edges alone, so that the same edges
 * give the same result however late they are read. The caller owns the struct; nothing fails.
 */
#ifndef HAL_PINS_DEBOUNCE_H
#define HAL_PINS_DEBOUNCE_H

#include <stdbool.h>

#include "hal/clock.h"

struct debounce {
    nanos_t period; /* 0: every edge counts */
    bool level;     /* the one that counts */
    bool latest;    /* the one the line has */
    nanos_t settles;
};

void debounce_start(struct debounce *debounce, nanos_t period, bool level);

/* The line took that level at that time; times do not go back. Settle what is older first. */
void debounce_edge(struct debounce *debounce, bool level, nanos_t time);

/* When the line's latest level will count, or NEVER if it already does. */
static inline nanos_t debounce_due(const struct debounce *debounce)
{
    return debounce->latest == debounce->level ? NEVER : debounce->settles;
}

/* Whether a new level has come to count at or before that time; `at` is when. */
bool debounce_settle(struct debounce *debounce, nanos_t until, nanos_t *at);

#endif
