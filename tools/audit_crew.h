/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The threads that do an audit, and the bar that shows how far they are. Nothing is left running
 * when a call returns.
 */
#ifndef TOOLS_AUDIT_CREW_H
#define TOOLS_AUDIT_CREW_H

#include <stdbool.h>
#include <stddef.h>

#include "games/audit/audit.h"

/*
 * Audits one game with at most `jobs` threads, 1 to JOBS_MAX, fewer where memory or the system
 * allows no more; the entries are the same for any number. With `progress` a bar is drawn on
 * standard error.
 */
int audit_crew_run(const struct audit_request *request, unsigned jobs, bool progress,
                   struct audit_entry entries[static AUDIT_ENTRIES_MAX], size_t *count,
                   struct error *error);

#endif
