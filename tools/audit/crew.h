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

/* Sees the finished work before it goes: 0, or an error. */
typedef int audit_crew_done(void *context, const struct audit_part *total,
                            const struct audit_entry *entries, size_t count, struct error *error);

struct audit_crew {
    unsigned jobs;         /* threads at most, 1 to JOBS_MAX */
    bool progress;         /* a bar is drawn on standard error */
    audit_crew_done *done; /* NULL: nobody */
    void *context;
};

/*
 * Audits one game with its threads, fewer where memory or the system allows no more; the entries
 * are the same for any number.
 */
int audit_crew_run(const struct audit_request *request, const struct audit_crew *crew,
                   struct audit_entry entries[static AUDIT_ENTRIES_MAX], size_t *count,
                   struct error *error);

#endif
