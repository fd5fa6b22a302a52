/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who signs: an Ed25519 key in a file as ssh-keygen writes it, or one that an ssh-agent keeps, also
 * on a token. The caller opens one and closes it; a key of a file is wiped from memory then.
 */
#ifndef RIGS_EVIDENCE_KEYS_SIGNER_H
#define RIGS_EVIDENCE_KEYS_SIGNER_H

#include "rigs/evidence/keys/public_key.h"

struct signer {
    struct public_key key;
    uint8_t seed[32]; /* of a key in a file */
    int agent;        /* a socket; -1: the key is the seed */
};

/*
 * The key of a file. ERROR_CONFIG when it is none, of another kind, has a pass phrase (an agent can
 * ask for that), or others can read it.
 */
int signer_open_file(struct signer *signer, const char *path, struct error *error);

/*
 * A key of the agent behind SSH_AUTH_SOCK: the one of the public key in `path`, or, if that is
 * NULL, the only one that it has. ERROR_CONFIG when there is no agent or no such key, ERROR_RIG
 * when it does not answer as one.
 */
int signer_open_agent(struct signer *signer, const char *path, struct error *error);

void signer_close(struct signer *signer);

/*
 * Signs these bytes: `signature` gets the name of the algorithm and what it made. ERROR_CONFIG when
 * the agent refuses (a person has said no, a token is locked), ERROR_RIG when it is gone.
 */
int signer_sign(const struct signer *signer, const void *bytes, size_t size, struct blob *signature,
                struct error *error);

/* For signer.c: agent.c. */
int agent_connect(int *agent, struct error *error);
int agent_find(int agent, const struct public_key *wanted, struct public_key *found,
               struct error *error);
int agent_sign(int agent, const struct public_key *key, const void *bytes, size_t size,
               struct blob *signature, struct error *error);

#endif
