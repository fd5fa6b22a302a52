/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a bundle has beside its journal and can be made again: the reports, the bill of materials
 * and VERIFY.md. Held against what this program makes of the journal, also where their content is
 * withheld. Nothing is kept.
 */
#ifndef RIGS_EVIDENCE_REMADE_H
#define RIGS_EVIDENCE_REMADE_H

#include "rigs/evidence/reports.h"
#include "rigs/evidence/sealed.h"

/*
 * `ours` is what sealed_judge() made of the journal, which `journal` is a path of. ERROR_RULE: a
 * file is not what this program makes, and this very program is said to have made it. ERROR_RIG:
 * nobody can tell.
 */
int remade_compare(const struct sealed *sealed, const struct statement *ours, const char *journal,
                   struct remade *remade, struct error *error);

#endif
