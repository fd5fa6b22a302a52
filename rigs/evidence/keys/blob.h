/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bytes as OpenSSH's keys and signatures are made of them: numbers of four bytes, texts with their
 * length before them, and all of it as base64 in a text. A blob is a buffer of its owner's; one
 * that became too long says so at its end and not at each step. Nothing here allocates.
 */
#ifndef RIGS_EVIDENCE_KEYS_BLOB_H
#define RIGS_EVIDENCE_KEYS_BLOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BLOB_MAX 8192 /* of a key, a signature, a message of an agent */

struct blob {
    size_t size;
    bool is_full; /* something did not fit, and the rest is worthless */
    uint8_t bytes[BLOB_MAX];
};

void blob_put(struct blob *blob, const void *bytes, size_t size);
void blob_put_number(struct blob *blob, uint32_t number);
/* With its length before it. */
void blob_put_string(struct blob *blob, const void *bytes, size_t size);
void blob_put_text(struct blob *blob, const char *text);

/* What is left to read of bytes that somebody else keeps. */
struct blob_cursor {
    const uint8_t *at;
    size_t left;
};

/* A piece of them. */
struct blob_piece {
    const uint8_t *bytes;
    size_t size;
};

/* False when so much is not there; nothing is taken then. */
bool blob_get(struct blob_cursor *cursor, size_t size, struct blob_piece *piece);
bool blob_get_number(struct blob_cursor *cursor, uint32_t *number);
bool blob_get_string(struct blob_cursor *cursor, struct blob_piece *piece);

bool blob_is(const struct blob_piece *piece, const char *text);

/* False when the text is no base64, or too long. Blanks and line breaks are passed over. */
bool blob_read_base64(struct blob *blob, const char *text, size_t length);

/*
 * The bytes of base64 with their NUL, for so many bytes; in lines of `width` characters, each with
 * its line break, or without any if it is 0.
 */
#define BLOB_BASE64_SIZE(size) ((size)*2 + 8)
void blob_write_base64(const void *bytes, size_t size, size_t width, char *text);

#endif
