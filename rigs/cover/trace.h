/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The statements of the rule sheets (games/trace.txt, built in) with the coverage points that show
 * them: a recording exercises a statement when all of its points were seen. Statements without
 * points are of devices, people or papers; what is dealt and played does not change them.
 */
#ifndef RIGS_COVER_TRACE_H
#define RIGS_COVER_TRACE_H

#include <stddef.h>

#include "hal/base/error.h"
#include "rigs/cover/points.h"

struct cover_statement {
    const char *name;   /* "Chase letter 86" */
    const char *text;   /* in our words */
    const char *game;   /* of its points: "chase-the-flush"; "" where it has none */
    const char *points; /* "POINT; POINT" */
};

struct cover_trace {
    char *copy;
    struct cover_statement *statements;
    size_t count;
};

/* ERROR_RIG when memory is short. */
int cover_trace_open(struct cover_trace *trace, struct error *error);
void cover_trace_close(struct cover_trace *trace);

/*
 * The points of a statement one after the other: `at` starts at NULL. COVER_NONE after the last,
 * and for a name that is no point of the game, which is then in `name`.
 */
int cover_trace_point(const struct cover_statement *statement, const struct cover_points *points,
                      const char **at, char name[COVER_NAME_SIZE]);

#endif
