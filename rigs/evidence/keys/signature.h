/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Signatures in OpenSSH's format (PROTOCOL.sshsig), so that stock ssh-keygen -Y verify checks ours
 * and we check those of ssh-keygen -Y sign. Texts are the caller's.
 */
#ifndef RIGS_EVIDENCE_KEYS_SIGNATURE_H
#define RIGS_EVIDENCE_KEYS_SIGNATURE_H

#include "rigs/evidence/keys/armour.h"
#include "rigs/evidence/keys/signer.h"

#define SIGNATURE_NAMESPACE_MAX 64

/*
 * A signature over the whole message in a namespace: the armoured text. Returns 0 or an error of
 * signer_sign().
 */
int signature_make(const struct signer *signer, const char *namespace, const void *message,
                   size_t size, char text[ARMOUR_SIZE], struct error *error);

/*
 * Checks the signature that a text begins with: 0, and by whose key it is; ERROR_RULE when it is
 * not over this message, or was made for another namespace; ERROR_CONFIG when it is no signature or
 * cannot be checked. `rest`, which may be NULL, is then the text behind it.
 */
int signature_check(const char *text, const char *namespace, const void *message, size_t size,
                    struct public_key *by, const char **rest, struct error *error);

#endif
