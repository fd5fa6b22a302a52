/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bill of materials in SPDX 2.3: which program made a bundle, by its digest and commit, and which
 * libraries the run was made with, as the journal has them.
 */
#ifndef RIGS_EVIDENCE_SBOM_H
#define RIGS_EVIDENCE_SBOM_H

#include "rigs/evidence/statement.h"

#define SBOM_SIZE 65536

/* That made a bundle. */
struct sbom_program {
    char version[32], commit[64], digest[DIGEST_SIZE];
};

/* This one; `commit` is what it was built from. ERROR_RIG when it cannot be read. */
int sbom_this_program(struct sbom_program *program, const char *commit, struct error *error);

/* The text with its newline; its length, or ERROR_CONFIG: there are too many libraries. */
int sbom_write(const struct statement *statement, const struct sbom_program *program,
               char text[SBOM_SIZE], struct error *error);

/* The program that such a text names. ERROR_RULE: it is none. */
int sbom_read(const char *text, struct sbom_program *program, struct error *error);

#endif
