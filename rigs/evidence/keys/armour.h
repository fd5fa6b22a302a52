/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Base64 between "-----BEGIN KIND-----" and "-----END KIND-----", as OpenSSH keeps keys and
 * signatures. */
#ifndef RIGS_EVIDENCE_KEYS_ARMOUR_H
#define RIGS_EVIDENCE_KEYS_ARMOUR_H

#include "rigs/evidence/keys/blob.h"

/*
 * What such a block holds, which the text begins with; false when it does not, or the block is
 * broken. `rest`, which may be NULL, is then what follows the block and its line break.
 */
bool armour_read(struct blob *blob, const char *kind, const char *text, const char **rest);

#define ARMOUR_SIZE (BLOB_BASE64_SIZE(BLOB_MAX) + 128)
/* Returns the length of the text. */
size_t armour_write(const struct blob *blob, const char *kind, char text[ARMOUR_SIZE]);

#endif
