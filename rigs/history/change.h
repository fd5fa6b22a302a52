/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a series of values changes its level, by Pettitt's test: for every place the values before
 * it are compared by rank with those after it, and the place where they differ most is a change if
 * that is too much for chance. It assumes no law of the values, and one outlier is no change. What
 * is before and after a change is looked at again: half of the significance is for a part as a
 * whole, and a quarter for each of its two parts. Pure.
 */
#ifndef RIGS_HISTORY_CHANGE_H
#define RIGS_HISTORY_CHANGE_H

#include <stdbool.h>
#include <stddef.h>

/* Fewer values than these show no change. */
#define CHANGE_LEAST 8

struct change {
    size_t at;            /* the first value after it */
    double before, after; /* medians of the values around it, up to the changes next to it */
    double p;             /* of a difference as large anywhere in the part that was looked at */
};

/*
 * Finds up to `room` changes, in their order, at a significance that holds for all of them
 * together; returns how many.
 */
size_t change_find(const double *values, size_t count, double alpha, struct change *changes,
                   size_t room);

/* Whether so many values can show a change at all, however clear it is. */
bool change_can_show(size_t count, double alpha);

#endif
