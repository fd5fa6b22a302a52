/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file of approved digests (rigs/FORMATS.md): what the components of a device come to under one
 * key, and who says so. approved_load() reads it strictly; errors are ERROR_CONFIG with file and
 * line. The caller frees it.
 */
#ifndef RIGS_AUTHENTICATE_APPROVED_H
#define RIGS_AUTHENTICATE_APPROVED_H

#include "devices/gat/document.h"

#define APPROVED_TEXT_SIZE 129

struct approved_component {
    char name[GAT_NAME_SIZE];
    char version[APPROVED_TEXT_SIZE]; /* "" where none is given */
    char digest[GAT_DIGEST_SIZE];
};

struct approved {
    char by[APPROVED_TEXT_SIZE];
    char device[APPROVED_TEXT_SIZE]; /* "" likewise, and so the next two */
    char date[APPROVED_TEXT_SIZE];
    char note[APPROVED_TEXT_SIZE];
    struct gat_key key;
    struct approved_component list[GAT_COMPONENTS_MAX];
    unsigned count;
};

/* `*approved` is NULL after a failure. */
int approved_load(const char *path, struct approved **approved, struct error *error);
void approved_free(struct approved *approved);

/* NULL when there is none of that name. */
const struct approved_component *approved_find(const struct approved *approved, const char *name);

#endif
