/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports of a run held, by their digests, against what this program makes of its journal. */
#ifndef RIGS_EVIDENCE_REPORTS_H
#define RIGS_EVIDENCE_REPORTS_H

#include "rigs/evidence/manifest.h"
#include "rigs/evidence/statement.h"
#include "rigs/report/report.h"

struct remade {
    size_t same;
    size_t left;     /* that another version or build has made otherwise */
    char names[256]; /* of those */
};

/*
 * One file by its digest. `is_own`: this very program is said to have made it; ERROR_RULE where it
 * makes something else.
 */
int remade_compare_one(const struct manifest *manifest, const char *name,
                       const char digest[DIGEST_SIZE], bool is_own, struct remade *remade,
                       struct error *error);

/* All reports that the manifest has, of a report read anywhere. ERROR_RIG: nobody can tell. */
int remade_reports(const struct manifest *manifest, const struct statement *ours,
                   struct report *report, struct remade *remade, struct error *error);

#endif
