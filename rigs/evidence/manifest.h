/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The digests of all files of a bundle, in the format that sha256sum writes and checks with -c: a
 * line "DIGEST  NAME" for each, by the order of names. Whoever has the manifest can prove any of
 * them. A manifest owns its entries.
 */
#ifndef RIGS_EVIDENCE_MANIFEST_H
#define RIGS_EVIDENCE_MANIFEST_H

#include "rigs/evidence/tar.h"

#define MANIFEST_NAME    "MANIFEST"
#define MANIFEST_LARGEST ((size_t)TAR_MEMBERS_MAX * (DIGEST_DIGITS + 2 + TAR_NAME_SIZE))

/* What every bundle has besides. */
#define BUNDLE_JOURNAL   "run.journal"
#define BUNDLE_STATEMENT "statement.json"
#define BUNDLE_SBOM      "sbom.spdx.json"
#define BUNDLE_VERIFY    "VERIFY.md"

struct manifest_entry {
    char digest[DIGEST_SIZE];
    char name[TAR_NAME_SIZE];
};

struct manifest {
    size_t count, room;
    struct manifest_entry *entries;
};

/* Adds a file; the digest may be filled in later. NULL with ERROR_RIG when memory is short. */
struct manifest_entry *manifest_add(struct manifest *manifest, const char *name,
                                    struct error *error);
void manifest_free(struct manifest *manifest);

/* Brings the entries into the order of their names; ERROR_CONFIG when a name comes twice,
 * or is one of a file and of a folder. */
int manifest_sort(struct manifest *manifest, struct error *error);

const struct manifest_entry *manifest_find(const struct manifest *manifest, const char *name);

/* The bytes of its text, and the text with a NUL, to be freed; NULL when memory is short. */
size_t manifest_length(const struct manifest *manifest);
char *manifest_text(const struct manifest *manifest);

/* ERROR_RULE with the line for what is no such text, out of order, names a file twice, or
 * also as a folder. */
int manifest_read(struct manifest *manifest, const char *text, struct error *error);

#endif
