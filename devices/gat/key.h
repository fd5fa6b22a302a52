/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The key of a digest and the digest itself: HMAC-SHA1, computed by libnettle. On the line a key is
 * text; whether it stands for its characters or, as hexadecimal digits, for other bytes is not
 * published, so that a key knows both forms (devices/GAT.md).
 */
#ifndef DEVICES_GAT_KEY_H
#define DEVICES_GAT_KEY_H

#include <nettle/hmac.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/base/error.h"

#define GAT_TEXT_MAX     249 /* bytes of the text of a special function */
#define GAT_KEY_MAX      200 /* bytes of a key on the line: names need room, too */
#define GAT_DIGEST_BYTES SHA1_DIGEST_SIZE
#define GAT_DIGEST_SIZE  (2 * GAT_DIGEST_BYTES + 1) /* lower-case hexadecimal digits and a NUL */

struct gat_key {
    char text[2 * GAT_KEY_MAX + 1]; /* as a person writes it, in UTF-8 */
    bool is_hex;                    /* the text is digits, which stand for bytes */
    uint8_t bytes[GAT_KEY_MAX];     /* of HMAC */
    size_t size;
};

/* ERROR_CONFIG for a key that is empty, too long, or cannot be sent: TAB and other controls. */
int gat_key_text(struct gat_key *key, const char *text, struct error *error);

/* The same of hexadecimal digits, two a byte. */
int gat_key_hex(struct gat_key *key, const char *digits, struct error *error);

/* A key of 40 hexadecimal digits out of 20 bytes, which is one in either way. */
#define GAT_KEY_RANDOM 20
void gat_key_random(struct gat_key *key, const uint8_t bytes[GAT_KEY_RANDOM], bool is_hex);

/* Whether both come to the same on the line and in HMAC. */
bool gat_key_same(const struct gat_key *a, const struct gat_key *b);

/*
 * Text in UTF-8 as Latin-1: how many bytes it took, or -1 when a character is not in it, or there
 * is no room.
 */
int gat_latin1(const char *text, uint8_t *bytes, size_t size);

struct gat_hmac {
    struct hmac_sha1_ctx state;
};

void gat_hmac_begin(struct gat_hmac *hmac, const uint8_t *key, size_t size);
void gat_hmac_add(struct gat_hmac *hmac, const void *bytes, size_t count);
void gat_hmac_end(struct gat_hmac *hmac, char digest[GAT_DIGEST_SIZE]);

/* Of a regular file. ERROR_CONFIG when it is none or cannot be opened, ERROR_RIG when reading
 * fails. */
int gat_hmac_file(const struct gat_key *key, const char *path, char digest[GAT_DIGEST_SIZE],
                  struct error *error);

/* Whether a text is a digest in hexadecimal digits, of either case; then `digest` is it. */
bool gat_digest_read(const char *text, char digest[GAT_DIGEST_SIZE]);

#endif
