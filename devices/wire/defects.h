/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Defects that a model can be given, and their text form: "jam@packet:3", or "silent-test" for one
 * that is always there. A model has a table of kinds, in the order of an enum of its own, and keeps
 * the defects that were added; it asks here whether one shows.
 */
#ifndef DEVICES_WIRE_DEFECTS_H
#define DEVICES_WIRE_DEFECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/base/error.h"

#define DEFECTS_MAX 16 /* that one model takes */

struct defect_kind {
    const char *name;
    const char *unit; /* what its number counts; NULL: it is always there and has none */
    uint32_t first, last;
};

struct defect_table {
    const char *noun; /* "a shuffler" */
    const struct defect_kind *kinds;
    size_t count;
};

struct defect {
    unsigned kind; /* its place in the table */
    uint32_t at;   /* 0 for one that is always there */
    bool shown;    /* it has made a difference */
    bool is_given; /* what it is about was given away once */
};

struct defects {
    struct defect list[DEFECTS_MAX];
    unsigned count;
};

/* ERROR_CONFIG with a sentence that lists the table, or says what the number may be. */
int defect_parse(const struct defect_table *table, const char *spec, struct defect *defect,
                 struct error *error);

/* Also ERROR_CONFIG for more than DEFECTS_MAX. */
int defects_add(struct defects *defects, const struct defect_table *table, const char *spec,
                struct error *error);

/* One of that kind from the first to the last place that has not shown yet; NULL: none. */
struct defect *defects_find(struct defects *defects, unsigned kind, uint64_t first, uint64_t last);

/* Whether there is one, which has shown then. */
bool defects_show(struct defects *defects, unsigned kind, uint64_t first, uint64_t last);

/* Whether there is one at that place, also if it has shown before. */
bool defects_hold(struct defects *defects, unsigned kind, uint64_t at);

bool defects_have_shown(const struct defects *defects);

#endif
