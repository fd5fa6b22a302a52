/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whose keys count: a file in OpenSSH's allowed-signers format, and one of public keys that count
 * no more. A list belongs to who loads it.
 */
#ifndef RIGS_EVIDENCE_KEYS_SIGNERS_H
#define RIGS_EVIDENCE_KEYS_SIGNERS_H

#include "rigs/evidence/keys/public_key.h"

#define SIGNER_NAME_SIZE 128

struct signers;

/*
 * Lines "ann@lab namespaces=\"dealproof\" ssh-ed25519 AAAA… comment"; empty ones and those that
 * begin with # are passed over. ERROR_CONFIG with the line for what cannot be used: an option that
 * is not known, a certificate authority, a key of another kind. ERROR_RIG when reading fails.
 */
int signers_load(struct signers **signers, const char *path, struct error *error);
void signers_free(struct signers *signers);

/*
 * Who has that key, for that namespace, at that time (seconds since 1970; 0: it is not known, and a
 * line with limits of time does not count): 0 and the name, ERROR_RULE with the reason if nobody
 * has.
 */
int signers_find(const struct signers *signers, const struct public_key *key, const char *namespace,
                 int64_t when, char name[SIGNER_NAME_SIZE], struct error *error);

/* YYYYMMDD or YYYYMMDDHHMM[SS], with a Z for universal time, in seconds since 1970. 0: it is none.
 */
int64_t signers_time(const char *text, size_t length);

/* Whether a file of public keys, one a line, has this one: 1, 0, or an error as above. */
int signers_revoked(const char *path, const struct public_key *key, struct error *error);

#endif
