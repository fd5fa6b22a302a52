/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bundle that somebody else may have made: its archive, manifest and every digest in it are
 * checked before anything of it is used. The caller opens one and closes it.
 */
#ifndef RIGS_EVIDENCE_SEALED_H
#define RIGS_EVIDENCE_SEALED_H

#include "rigs/evidence/statement.h"

struct sealed {
    struct tar *tar;
    char *text; /* of the manifest, which signatures are over */
    size_t length;
    struct manifest manifest;
    size_t withheld;          /* files that are listed and not there */
    char digest[DIGEST_SIZE]; /* of the manifest */
};

/*
 * ERROR_CONFIG: this is no bundle. ERROR_RULE: it was altered; the sentence names the file.
 * ERROR_RIG: nobody can tell, since it cannot be read.
 */
int sealed_open(struct sealed *sealed, const char *path, struct error *error);
void sealed_close(struct sealed *sealed);

/*
 * Judges its journal, and holds the statement and the copies of files against it. `ours` is what
 * the journal says, to be freed by statement_free(). 1 when another version made the statement and
 * says it otherwise; else as sealed_open().
 */
int sealed_judge(const struct sealed *sealed, struct statement *ours, struct error *error);

#endif
