/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes a failing case as small as it can be while it fails in the same way, by delta debugging:
 * what comes before and after the round that fails, other rounds, defects of the rig's
 * emulated devices, the burn, seats, wagers, decisions, keys, cards, fields of
 * the header. The same case comes out the same. Nothing is ever made larger, and what is left when
 * a budget is used up is the smallest that failed so far.
 */
#ifndef RIGS_MINIMISE_MINIMISE_H
#define RIGS_MINIMISE_MINIMISE_H

#include "rigs/minimise/trial.h"

void minimise(struct trials *trials, struct failing_case *failing);

/* Its parts, each of which says whether it has made anything smaller. */
bool minimise_before(struct trials *trials, struct failing_case *failing);
bool minimise_rounds(struct trials *trials, struct failing_case *failing);
bool minimise_faults(struct trials *trials, struct failing_case *failing);
bool minimise_burn(struct trials *trials, struct failing_case *failing);
bool minimise_round(struct trials *trials, struct failing_case *failing, size_t index);

/* After a trial that failed so: what came after the round in which it did was not even played. */
void minimise_after(const struct trials *trials, struct failing_case *failing);

/*
 * The rig with every number of a defect that is greater than `by` lowered by that, or with all
 * greater ones at `number`; the caller's. NULL: it has none, or memory is short.
 */
char *minimise_lowered(const char *rig, uint64_t by);
char *minimise_numbered(const char *rig, uint64_t number);

/* Says in the header that nobody dealt what was changed, and what it was made of. */
void minimise_source(struct trials *trials, struct failing_case *failing);

/*
 * The header without one of its fields, and with `more` behind the others: "", or a field with a
 * comma before it. The caller's; NULL when memory is short or a line would be too long.
 */
char *minimise_header_without(const struct json_value *header, const char *key, const char *more);

/*
 * The line of a round with so many cards fewer burned off its top; the caller's. NULL: nothing was
 * dealt in it, it is no round of the recording and stays as it is, or memory is short.
 */
char *minimise_line_burning(struct trials *trials, const struct failing_case *failing, size_t index,
                            unsigned fewer);

/* The rig without any defect; the caller's. NULL: it has none, or memory is short. */
char *minimise_sound(const char *rig);

/*
 * Puts a line in the place of a round's, and a rig in that of the case's where it is not NULL, if
 * it still fails so; takes both.
 */
bool minimise_try_line(struct trials *trials, struct failing_case *failing, size_t index,
                       char *line, char *rig);

#endif
