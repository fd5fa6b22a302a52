/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bundle: the folder of a run in one archive, with what a stranger needs to check it in ten years
 * (rigs/EVIDENCE.md). It depends on the files in the folder and on this program alone: made twice
 * it is the same to the byte.
 */
#ifndef RIGS_EVIDENCE_BUNDLE_H
#define RIGS_EVIDENCE_BUNDLE_H

#include "rigs/evidence/manifest.h"

/* What VERIFY.md says in a bundle of this program. */
const char *bundle_verify_page(void);

struct bundle_options {
    const char *commit; /* that this program was built from; "unknown" */
    const char *folder; /* of a run, as --reports leaves it */
    const char *const
        *without;       /* names of files and folders whose content is withheld; up to NULL */
    const char *amends; /* a bundle that this one amends; NULL: none */
};

struct bundle_made {
    size_t files, withheld;
    uint64_t bytes;
    char digest[DIGEST_SIZE]; /* of its manifest */
    char others[256];         /* reports that another version or build has made otherwise */
};

/*
 * Writes the bundle, whole or not at all, and replaces nothing. ERROR_CONFIG: the folder is not one
 * of a run, or of one that goes on still, holds a link or a device, or `path` is there already.
 * ERROR_RULE: its journal or a report of it was altered, or a copy is not of the file that the
 * journal names.
 * ERROR_RIG: reading or writing failed.
 */
int bundle_make(const char *path, const struct bundle_options *options, struct bundle_made *made,
                struct error *error);

#endif
