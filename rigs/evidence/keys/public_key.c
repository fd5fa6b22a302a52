/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/evidence/keys/public_key.h"

#include <nettle/dsa.h>
#include <nettle/ecc-curve.h>
#include <nettle/ecdsa.h>
#include <nettle/eddsa.h>
#include <nettle/rsa.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <string.h>

#include "rigs/evidence/keys/key_file.h"

#define ED25519      "ssh-ed25519"
#define ECDSA        "ecdsa-sha2-nistp256"
#define RSA          "ssh-rsa"
#define RSA_LEAST    256 /* bytes of the modulus: 2,048 bits */
#define P256_SIZE    32
#define P256_POINT   (2 * P256_SIZE + 1)
#define UNCOMPRESSED 4

/* What a key consists of after the name of its kind. */
struct parts {
    struct blob_piece kind, first, second;
};

static int broken(const char *kind, struct error *error)
{
    return error_set(error, ERROR_CONFIG,
                     "the %s key is broken: its parts are not what they should "
                     "be",
                     kind);
}

static bool is_kind(const struct parts *parts)
{
    return blob_is(&parts->kind, ED25519) || blob_is(&parts->kind, ECDSA) ||
           blob_is(&parts->kind, RSA);
}

static bool is_whole(const struct parts *parts, size_t left)
{
    if (left)
        return false;
    if (blob_is(&parts->kind, ED25519))
        return parts->first.size == ED25519_KEY_SIZE;
    if (blob_is(&parts->kind, ECDSA))
        return blob_is(&parts->first, "nistp256") && parts->second.size == P256_POINT &&
               parts->second.bytes[0] == UNCOMPRESSED;
    return parts->first.size && parts->second.size >= RSA_LEAST;
}

static int take_apart(const struct blob_piece *blob, struct parts *parts, struct error *error)
{
    struct blob_cursor cursor = {blob->bytes, blob->size};

    *parts = (struct parts){.kind = {NULL, 0}};
    if (blob->size > KEY_BLOB_MAX || !blob_get_string(&cursor, &parts->kind))
        return broken("public", error);
    if (!is_kind(parts))
        return error_set(
            error, ERROR_CONFIG,
            "a key of kind '%.*s' cannot be used; it may be " ED25519 ", " ECDSA " or " RSA,
            parts->kind.size < 40 ? (int)parts->kind.size : 40, (const char *)parts->kind.bytes);
    if (!blob_get_string(&cursor, &parts->first) ||
        (!blob_is(&parts->kind, ED25519) && !blob_get_string(&cursor, &parts->second)) ||
        !is_whole(parts, cursor.left))
        return broken(blob_is(&parts->kind, RSA) ? RSA " (of at least 2,048 bits)" : "public",
                      error);
    return 0;
}

/* The key was taken apart before it was kept. */
static struct parts parts_of(const struct public_key *key)
{
    struct parts parts;

    take_apart(&(struct blob_piece){key->blob, key->size}, &parts, NULL);
    return parts;
}

int public_key_take(struct public_key *key, const struct blob_piece *piece, struct error *error)
{
    struct parts parts;
    int status = take_apart(piece, &parts, error);

    if (status)
        return status;
    key->size = piece->size;
    memcpy(key->blob, piece->bytes, piece->size);
    return 0;
}

int public_key_parse(struct public_key *key, const char *text, struct error *error)
{
    size_t kind = strcspn(text, " \t"), blanks = strspn(text + kind, " \t");
    const char *base64 = text + kind + blanks;
    struct blob blob;
    struct parts parts;
    int status;

    if (!blanks || !blob_read_base64(&blob, base64, strcspn(base64, " \t\r\n")))
        return error_set(error, ERROR_CONFIG,
                         "'%.40s' is no public key; it is written as '" ED25519 " AAAA…'", text);
    status = public_key_take(key, &(struct blob_piece){blob.bytes, blob.size}, error);
    if (status)
        return status;
    parts = parts_of(key);
    if (parts.kind.size != kind || memcmp(parts.kind.bytes, text, kind))
        return error_set(error, ERROR_CONFIG, "a key is called %.*s, and is of another kind",
                         kind < 40 ? (int)kind : 40, text);
    return 0;
}

int public_key_load(struct public_key *key, const char *path, struct error *error)
{
    char text[KEY_FILE_MAX];
    int status = key_file_read(path, false, text, error);

    if (!status)
        status = public_key_parse(key, text, error);
    if (status)
        error_prefix(error, "%.200s", path);
    return status;
}

bool public_key_same(const struct public_key *one, const struct public_key *other)
{
    return one->size == other->size && !memcmp(one->blob, other->blob, one->size);
}

const char *public_key_kind(const struct public_key *key)
{
    struct parts parts = parts_of(key);

    return blob_is(&parts.kind, ED25519) ? ED25519 : blob_is(&parts.kind, ECDSA) ? ECDSA : RSA;
}

void public_key_fingerprint(const struct public_key *key, char text[KEY_FINGERPRINT_SIZE])
{
    struct sha256_ctx sum;
    uint8_t digest[SHA256_DIGEST_SIZE];
    char base64[BLOB_BASE64_SIZE(SHA256_DIGEST_SIZE)];

    sha256_init(&sum);
    sha256_update(&sum, key->size, key->blob);
    sha256_digest(&sum, sizeof digest, digest);
    blob_write_base64(digest, sizeof digest, 0, base64);
    base64[strcspn(base64, "=")] = '\0';
    snprintf(text, KEY_FINGERPRINT_SIZE, "SHA256:%.50s", base64);
}

static bool check_ed25519(const struct parts *parts, const struct blob_piece *made,
                          const void *bytes, size_t size)
{
    return made->size == ED25519_SIGNATURE_SIZE &&
           ed25519_sha512_verify(parts->first.bytes, size, bytes, made->bytes);
}

static bool check_point(const struct parts *parts, const struct dsa_signature *pair,
                        const uint8_t digest[SHA256_DIGEST_SIZE])
{
    struct ecc_point point;
    bool is_right;
    mpz_t x, y;

    ecc_point_init(&point, nettle_get_secp_256r1());
    nettle_mpz_init_set_str_256_u(x, P256_SIZE, parts->second.bytes + 1);
    nettle_mpz_init_set_str_256_u(y, P256_SIZE, parts->second.bytes + 1 + P256_SIZE);
    is_right =
        ecc_point_set(&point, x, y) && ecdsa_verify(&point, SHA256_DIGEST_SIZE, digest, pair);
    mpz_clear(x);
    mpz_clear(y);
    ecc_point_clear(&point);
    return is_right;
}

/* Both numbers of the pair are at most 33 bytes: a zero stands before one that looks negative. */
static bool check_ecdsa(const struct parts *parts, const struct blob_piece *made,
                        const uint8_t digest[SHA256_DIGEST_SIZE])
{
    struct blob_cursor cursor = {made->bytes, made->size};
    struct blob_piece r, s;
    struct dsa_signature pair;
    bool is_right;

    if (!blob_get_string(&cursor, &r) || !blob_get_string(&cursor, &s) || cursor.left ||
        r.size > P256_SIZE + 1 || s.size > P256_SIZE + 1)
        return false;
    dsa_signature_init(&pair);
    nettle_mpz_set_str_256_u(pair.r, r.size, r.bytes);
    nettle_mpz_set_str_256_u(pair.s, s.size, s.bytes);
    is_right = check_point(parts, &pair, digest);
    dsa_signature_clear(&pair);
    return is_right;
}

static bool check_rsa(const struct parts *parts, const struct blob_piece *made, bool is_long,
                      const void *bytes, size_t size)
{
    struct rsa_public_key key;
    struct sha256_ctx sum256;
    struct sha512_ctx sum512;
    mpz_t number;
    bool is_right;

    rsa_public_key_init(&key);
    nettle_mpz_set_str_256_u(key.e, parts->first.size, parts->first.bytes);
    nettle_mpz_set_str_256_u(key.n, parts->second.size, parts->second.bytes);
    nettle_mpz_init_set_str_256_u(number, made->size, made->bytes);
    sha256_init(&sum256);
    sha512_init(&sum512);
    sha256_update(&sum256, size, bytes);
    sha512_update(&sum512, size, bytes);
    is_right = rsa_public_key_prepare(&key) && (is_long ? rsa_sha512_verify(&key, &sum512, number)
                                                        : rsa_sha256_verify(&key, &sum256, number));
    mpz_clear(number);
    rsa_public_key_clear(&key);
    return is_right;
}

static void digest_of(const void *bytes, size_t size, uint8_t digest[SHA256_DIGEST_SIZE])
{
    struct sha256_ctx sum;

    sha256_init(&sum);
    sha256_update(&sum, size, bytes);
    sha256_digest(&sum, SHA256_DIGEST_SIZE, digest);
}

int public_key_check(const struct public_key *key, const struct blob_piece *signature,
                     const void *bytes, size_t size, struct error *error)
{
    struct parts parts = parts_of(key);
    struct blob_cursor cursor = {signature->bytes, signature->size};
    struct blob_piece algorithm, made;
    uint8_t digest[SHA256_DIGEST_SIZE];
    bool is_right;

    if (!blob_get_string(&cursor, &algorithm) || !blob_get_string(&cursor, &made) || cursor.left)
        return error_set(error, ERROR_CONFIG,
                         "the signature is broken: its parts are not what "
                         "they should be");
    digest_of(bytes, size, digest);
    if (blob_is(&parts.kind, ED25519) && blob_is(&algorithm, ED25519))
        is_right = check_ed25519(&parts, &made, bytes, size);
    else if (blob_is(&parts.kind, ECDSA) && blob_is(&algorithm, ECDSA))
        is_right = check_ecdsa(&parts, &made, digest);
    else if (blob_is(&parts.kind, RSA) &&
             (blob_is(&algorithm, "rsa-sha2-256") || blob_is(&algorithm, "rsa-sha2-512")))
        is_right = check_rsa(&parts, &made, blob_is(&algorithm, "rsa-sha2-512"), bytes, size);
    else
        return error_set(error, ERROR_CONFIG, "a signature by '%.*s' cannot be of a key of kind %s",
                         algorithm.size < 40 ? (int)algorithm.size : 40,
                         (const char *)algorithm.bytes, public_key_kind(key));
    return is_right ? 0 : error_set(error, ERROR_RULE, "the signature is not of what was signed");
}
