/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/evidence/keys/signer.h"

#include <nettle/eddsa.h>
#include <string.h>
#include <unistd.h>

#include "rigs/evidence/keys/armour.h"
#include "rigs/evidence/keys/key_file.h"

#define KIND  "OPENSSH PRIVATE KEY"
#define MAGIC "openssh-key-v1" /* with its NUL */

/* A private key of nettle's is the seed; OpenSSH keeps the public half behind it. */
#define SECRET_SIZE (ED25519_KEY_SIZE + ED25519_KEY_SIZE)

static int broken(struct error *error)
{
    return error_set(error, ERROR_CONFIG, "the private key is broken");
}

/* The part that would be encrypted: a number twice, then the key. */
static int take_secret(struct signer *signer, struct blob_piece part, struct error *error)
{
    struct blob_cursor cursor = {part.bytes, part.size};
    struct blob_piece kind, half, secret;
    uint8_t public_half[ED25519_KEY_SIZE];
    uint32_t once, again;
    struct blob blob = {.size = 0};

    if (!blob_get_number(&cursor, &once) || !blob_get_number(&cursor, &again) || once != again ||
        !blob_get_string(&cursor, &kind))
        return broken(error);
    if (!blob_is(&kind, "ssh-ed25519"))
        return error_set(error, ERROR_CONFIG,
                         "this is a key of kind '%.*s'; one in a file must be ssh-ed25519 "
                         "(ssh-keygen -t ed25519), others sign through --agent",
                         kind.size < 40 ? (int)kind.size : 40, (const char *)kind.bytes);
    if (!blob_get_string(&cursor, &half) || !blob_get_string(&cursor, &secret) ||
        half.size != ED25519_KEY_SIZE || secret.size != SECRET_SIZE)
        return broken(error);
    memcpy(signer->seed, secret.bytes, sizeof signer->seed);
    ed25519_sha512_public_key(public_half, signer->seed);
    if (memcmp(public_half, half.bytes, sizeof public_half))
        return broken(error);
    blob_put_text(&blob, "ssh-ed25519");
    blob_put_string(&blob, public_half, sizeof public_half);
    return public_key_take(&signer->key, &(struct blob_piece){blob.bytes, blob.size}, error);
}

static int take_key(struct signer *signer, const struct blob *blob, struct error *error)
{
    struct blob_cursor cursor = {blob->bytes, blob->size};
    struct blob_piece magic, cipher, derivation, options, half, secret;
    uint32_t count;

    if (!blob_get(&cursor, sizeof MAGIC, &magic) || memcmp(magic.bytes, MAGIC, sizeof MAGIC) ||
        !blob_get_string(&cursor, &cipher) || !blob_get_string(&cursor, &derivation) ||
        !blob_get_string(&cursor, &options) || !blob_get_number(&cursor, &count) || count != 1 ||
        !blob_get_string(&cursor, &half) || !blob_get_string(&cursor, &secret))
        return broken(error);
    if (!blob_is(&cipher, "none"))
        return error_set(error, ERROR_CONFIG,
                         "this key has a pass phrase: give it to an agent (ssh-add) and sign with "
                         "--agent");
    return take_secret(signer, secret, error);
}

int signer_open_file(struct signer *signer, const char *path, struct error *error)
{
    char text[KEY_FILE_MAX];
    struct blob blob = {.size = 0};
    int status = key_file_read(path, true, text, error);

    *signer = (struct signer){.agent = -1};
    if (!status && !armour_read(&blob, KIND, text, NULL))
        status = error_set(error, ERROR_CONFIG,
                           "this is no private key as ssh-keygen writes it ('-----BEGIN " KIND
                           "-----')");
    if (!status)
        status = take_key(signer, &blob, error);
    if (status)
        error_prefix(error, "%.200s", path);
    explicit_bzero(text, sizeof text);
    explicit_bzero(&blob, sizeof blob);
    if (status)
        signer_close(signer);
    return status;
}

int signer_open_agent(struct signer *signer, const char *path, struct error *error)
{
    struct public_key wanted;
    int status = path ? public_key_load(&wanted, path, error) : 0;

    *signer = (struct signer){.agent = -1};
    if (!status)
        status = agent_connect(&signer->agent, error);
    if (!status)
        status = agent_find(signer->agent, path ? &wanted : NULL, &signer->key, error);
    if (status)
        signer_close(signer);
    return status;
}

void signer_close(struct signer *signer)
{
    if (signer->agent >= 0)
        close(signer->agent);
    explicit_bzero(signer, sizeof *signer);
    signer->agent = -1;
}

int signer_sign(const struct signer *signer, const void *bytes, size_t size, struct blob *signature,
                struct error *error)
{
    uint8_t made[ED25519_SIGNATURE_SIZE];
    struct blob_piece of_key = {signer->key.blob, signer->key.size}, kind, half;
    struct blob_cursor cursor = {of_key.bytes, of_key.size};

    *signature = (struct blob){.size = 0};
    if (signer->agent >= 0)
        return agent_sign(signer->agent, &signer->key, bytes, size, signature, error);
    blob_get_string(&cursor, &kind);
    blob_get_string(&cursor, &half);
    ed25519_sha512_sign(half.bytes, signer->seed, size, bytes, made);
    blob_put_text(signature, "ssh-ed25519");
    blob_put_string(signature, made, sizeof made);
    return 0;
}
