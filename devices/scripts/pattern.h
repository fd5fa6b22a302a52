/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lua's patterns, matched in a bounded number of steps. Lua's own matcher does not look at the
 * bounds of a script, and some patterns take it longer than the age of the bench. Pure; the subject
 * and the pattern are the caller's and must last as long as the captures are used.
 */
#ifndef DEVICES_SCRIPTS_PATTERN_H
#define DEVICES_SCRIPTS_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PATTERN_CAPTURES 32
#define PATTERN_DEPTH    200 /* of repeated items and captures within each other */

/* Lengths of captures that are none. */
#define PATTERN_UNCLOSED (-1)
#define PATTERN_POSITION (-2)

struct pattern {
    const char *subject, *subject_end;
    const char *text, *text_end; /* of the pattern, without its anchor */
    int64_t steps;               /* left; below 0 they were not enough */
    unsigned depth;
    const char *mistake; /* in the pattern; NULL: none was met */
    unsigned count;      /* of captures */
    struct {
        const char *start;
        ptrdiff_t length;
    } captures[PATTERN_CAPTURES];
};

void pattern_begin(struct pattern *pattern, const char *subject, size_t length, const char *text,
                   size_t size, int64_t steps);

/*
 * Where a match that begins exactly there ends; NULL when there is none, when the pattern is
 * mistaken, or when the steps were not enough. Captures are those of the match.
 */
const char *pattern_match(struct pattern *pattern, const char *from);

#endif
