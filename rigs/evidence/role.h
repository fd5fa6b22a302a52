/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who vouches for a bundle, and as what: a signature beside it, FILE.tar.performed.sig and so on.
 * It holds two blocks over the manifest: one that says that it was signed, which stock tools check,
 * and one that says it for this role, so that a file cannot be renamed into another role.
 */
#ifndef RIGS_EVIDENCE_ROLE_H
#define RIGS_EVIDENCE_ROLE_H

#include "rigs/evidence/keys/signature.h"
#include "rigs/evidence/keys/signers.h"
#include "rigs/evidence/sealed.h"

#define ROLE_NAMESPACE "dealproof"

enum role { ROLE_PERFORMED, ROLE_REVIEWED, ROLE_WITNESSED, ROLES };

/* "performed", "reviewed", "witnessed". */
extern const char *const role_names[ROLES];

/* -1 when it is none of them. */
int role_find(const char *name);

/*
 * Signs the manifest of the bundle at `path` and leaves the signature beside it. ERROR_CONFIG when
 * there is one of this role already, else as signer_sign().
 */
int role_sign(const struct sealed *sealed, const char *path, enum role role,
              const struct signer *signer, struct error *error);

/* Whose signatures count. */
struct role_trust {
    const struct signers *signers;
    const char *revoked; /* file of public keys; NULL: none */
    int64_t when;        /* seconds since 1970 */
};

/* What was found of one role. */
struct role_found {
    bool is_there;
    /*
     * 0: it counts. Else `error` has the reason: ERROR_RULE: it does not. ERROR_CONFIG: a list
     * cannot be used. ERROR_RIG: nobody can tell.
     */
    int status;
    struct error error;
    struct public_key key; /* where it could be read */
    bool has_key;
    char name[SIGNER_NAME_SIZE]; /* of who signed; "" where nobody knows */
    bool is_bound;               /* it was signed for this role, not only for this file's name */
};

/* Looks for the signature of a role beside the bundle. Without `trust` names stay unknown. */
void role_look(const struct sealed *sealed, const char *path, enum role role,
               const struct role_trust *trust, struct role_found *found);

#endif
