/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The complete table of optimal play as comma-separated values: one line for every decision with
 * its cards, what both choices are worth in antes, and the better one.
 */
#ifndef TOOLS_AUDIT_DECISIONS_H
#define TOOLS_AUDIT_DECISIONS_H

#include <stdbool.h>

#include "games/audit/audit.h"

/* Of every table of the main game; what is there is left alone unless it is to be replaced. */
int audit_decisions_write(const struct audit_part *total, const struct audit_entry *entries,
                          size_t count, const char *path, bool replace, struct error *error);

#endif
