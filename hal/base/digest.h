/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SHA-256 digests as the journal carries them: 64 lower-case hexadecimal digits and a NUL. The
 * computing is libnettle's. Only the digest of a file can fail.
 */
#ifndef HAL_BASE_DIGEST_H
#define HAL_BASE_DIGEST_H

#include <nettle/sha2.h>
#include <stddef.h>

#include "hal/base/error.h"

#define DIGEST_DIGITS 64
#define DIGEST_SIZE   (DIGEST_DIGITS + 1)

void digest_bytes(const void *bytes, size_t length, char digest[DIGEST_SIZE]);

/* The same piece by piece. */
struct digest {
    struct sha256_ctx state;
};

void digest_begin(struct digest *sum);
void digest_add(struct digest *sum, const void *bytes, size_t length);
void digest_end(struct digest *sum, char digest[DIGEST_SIZE]);

/* ERROR_CONFIG when the file cannot be opened, ERROR_RIG when reading it fails. */
int digest_file(const char *path, char digest[DIGEST_SIZE], struct error *error);

#endif
