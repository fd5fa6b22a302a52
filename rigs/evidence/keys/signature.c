/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/evidence/keys/signature.h"

#include <nettle/sha2.h>
#include <string.h>

#define KIND    "SSH SIGNATURE"
#define MAGIC   "SSHSIG" /* without its NUL */
#define VERSION 1

/* What the key signs: the digest of the message, and what it is meant for. */
static bool wrap(struct blob *blob, const char *namespace, const char *algorithm,
                 const void *message, size_t size)
{
    uint8_t digest[SHA512_DIGEST_SIZE];
    struct sha256_ctx sum256;
    struct sha512_ctx sum512;
    bool is_long = !strcmp(algorithm, "sha512");

    if (is_long) {
        sha512_init(&sum512);
        sha512_update(&sum512, size, message);
        sha512_digest(&sum512, SHA512_DIGEST_SIZE, digest);
    } else {
        sha256_init(&sum256);
        sha256_update(&sum256, size, message);
        sha256_digest(&sum256, SHA256_DIGEST_SIZE, digest);
    }
    blob_put(blob, MAGIC, strlen(MAGIC));
    blob_put_text(blob, namespace);
    blob_put_text(blob, ""); /* reserved */
    blob_put_text(blob, algorithm);
    blob_put_string(blob, digest, is_long ? SHA512_DIGEST_SIZE : SHA256_DIGEST_SIZE);
    return !blob->is_full;
}

int signature_make(const struct signer *signer, const char *namespace, const void *message,
                   size_t size, char text[ARMOUR_SIZE], struct error *error)
{
    struct blob wrapped = {.size = 0}, made, blob = {.size = 0};
    int status;

    wrap(&wrapped, namespace, "sha512", message, size);
    status = signer_sign(signer, wrapped.bytes, wrapped.size, &made, error);
    if (status)
        return status;
    blob_put(&blob, MAGIC, strlen(MAGIC));
    blob_put_number(&blob, VERSION);
    blob_put_string(&blob, signer->key.blob, signer->key.size);
    blob_put_text(&blob, namespace);
    blob_put_text(&blob, "");
    blob_put_text(&blob, "sha512");
    blob_put_string(&blob, made.bytes, made.size);
    if (blob.is_full)
        return error_set(error, ERROR_RIG, "the signature is longer than %d bytes", BLOB_MAX);
    armour_write(&blob, KIND, text);
    return 0;
}

struct parts {
    struct blob_piece key, namespace, algorithm, made;
};

static int take_apart(const struct blob *blob, struct parts *parts, struct error *error)
{
    struct blob_cursor cursor = {blob->bytes, blob->size};
    struct blob_piece magic, reserved;
    uint32_t version;

    if (!blob_get(&cursor, strlen(MAGIC), &magic) || !blob_is(&magic, MAGIC) ||
        !blob_get_number(&cursor, &version))
        return error_set(error, ERROR_CONFIG, "this is no signature of OpenSSH's format");
    if (version != VERSION)
        return error_set(error, ERROR_CONFIG,
                         "the signature is of version %u; only version %d is known", version,
                         VERSION);
    if (!blob_get_string(&cursor, &parts->key) || !blob_get_string(&cursor, &parts->namespace) ||
        !blob_get_string(&cursor, &reserved) || !blob_get_string(&cursor, &parts->algorithm) ||
        !blob_get_string(&cursor, &parts->made) || cursor.left)
        return error_set(error, ERROR_CONFIG,
                         "the signature is broken: it is cut or has more at "
                         "its end");
    return 0;
}

int signature_check(const char *text, const char *namespace, const void *message, size_t size,
                    struct public_key *by, const char **rest, struct error *error)
{
    struct blob blob, wrapped = {.size = 0};
    struct parts parts;
    bool is_long;
    int status;

    if (!armour_read(&blob, KIND, text, rest))
        return error_set(error, ERROR_CONFIG,
                         "something else than a whole signature, from '-----BEGIN " KIND
                         "-----' to its END, stands in it");
    status = take_apart(&blob, &parts, error);
    if (!status)
        status = public_key_take(by, &parts.key, error);
    if (status)
        return status;
    if (!blob_is(&parts.namespace, namespace))
        return error_set(error, ERROR_RULE,
                         "the signature was made for namespace '%.*s', not for '%s'",
                         parts.namespace.size < 40 ? (int)parts.namespace.size : 40,
                         (const char *)parts.namespace.bytes, namespace);
    is_long = blob_is(&parts.algorithm, "sha512");
    if (!is_long && !blob_is(&parts.algorithm, "sha256"))
        return error_set(error, ERROR_CONFIG,
                         "the signature's digest is neither sha512 nor sha256");
    wrap(&wrapped, namespace, is_long ? "sha512" : "sha256", message, size);
    return public_key_check(by, &parts.made, wrapped.bytes, wrapped.size, error);
}
