/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A public key as OpenSSH writes it, in a line "ssh-ed25519 AAAA… comment" and in a signature, and
 * whether a signature was made with its private half. Ed25519, which we sign with; RSA and ECDSA on
 * P-256, which tokens have. The computing is libhogweed's.
 */
#ifndef RIGS_EVIDENCE_KEYS_PUBLIC_KEY_H
#define RIGS_EVIDENCE_KEYS_PUBLIC_KEY_H

#include "hal/base/error.h"
#include "rigs/evidence/keys/blob.h"

#define KEY_BLOB_MAX         2112 /* of an RSA key of 16,384 bits with its exponent */
#define KEY_FINGERPRINT_SIZE 64

struct public_key {
    size_t size;
    uint8_t blob[KEY_BLOB_MAX];
};

/* A key as its bytes stand in a signature. ERROR_CONFIG: of a kind that is not known, or broken. */
int public_key_take(struct public_key *key, const struct blob_piece *piece, struct error *error);

/*
 * From the words of a line: `text` begins with the name of the kind, and the key follows.
 * ERROR_CONFIG as above.
 */
int public_key_parse(struct public_key *key, const char *text, struct error *error);

/* The first key of a file like id_ed25519.pub. ERROR_CONFIG; ERROR_RIG when reading fails. */
int public_key_load(struct public_key *key, const char *path, struct error *error);

bool public_key_same(const struct public_key *one, const struct public_key *other);

/* "ssh-ed25519"; for sentences. */
const char *public_key_kind(const struct public_key *key);

/* "SHA256:…", as ssh-keygen -l prints it. */
void public_key_fingerprint(const struct public_key *key, char text[KEY_FINGERPRINT_SIZE]);

/*
 * Whether `signature`, the name of an algorithm and what it made, is of this key over these bytes:
 * 0, ERROR_RULE when it is not, ERROR_CONFIG for an algorithm that is not of this key.
 */
int public_key_check(const struct public_key *key, const struct blob_piece *signature,
                     const void *bytes, size_t size, struct error *error);

#endif
