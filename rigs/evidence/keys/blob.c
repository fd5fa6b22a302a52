/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/evidence/keys/blob.h"

#include <nettle/base64.h>
#include <string.h>

void blob_put(struct blob *blob, const void *bytes, size_t size)
{
    if (size > sizeof blob->bytes - blob->size) {
        blob->is_full = true;
        return;
    }
    if (size)
        memcpy(blob->bytes + blob->size, bytes, size);
    blob->size += size;
}

void blob_put_number(struct blob *blob, uint32_t number)
{
    const uint8_t bytes[] = {(uint8_t)(number >> 24), (uint8_t)(number >> 16),
                             (uint8_t)(number >> 8), (uint8_t)number};

    blob_put(blob, bytes, sizeof bytes);
}

void blob_put_string(struct blob *blob, const void *bytes, size_t size)
{
    blob_put_number(blob, (uint32_t)size);
    blob_put(blob, bytes, size);
}

void blob_put_text(struct blob *blob, const char *text)
{
    blob_put_string(blob, text, strlen(text));
}

bool blob_get(struct blob_cursor *cursor, size_t size, struct blob_piece *piece)
{
    if (size > cursor->left)
        return false;
    *piece = (struct blob_piece){cursor->at, size};
    cursor->at += size;
    cursor->left -= size;
    return true;
}

bool blob_get_number(struct blob_cursor *cursor, uint32_t *number)
{
    struct blob_piece piece;

    if (!blob_get(cursor, 4, &piece))
        return false;
    *number = (uint32_t)piece.bytes[0] << 24 | (uint32_t)piece.bytes[1] << 16 |
              (uint32_t)piece.bytes[2] << 8 | piece.bytes[3];
    return true;
}

bool blob_get_string(struct blob_cursor *cursor, struct blob_piece *piece)
{
    struct blob_cursor before = *cursor;
    uint32_t size;

    if (blob_get_number(cursor, &size) && blob_get(cursor, size, piece))
        return true;
    *cursor = before;
    return false;
}

bool blob_is(const struct blob_piece *piece, const char *text)
{
    return piece->size == strlen(text) && !memcmp(piece->bytes, text, piece->size);
}

bool blob_read_base64(struct blob *blob, const char *text, size_t length)
{
    struct base64_decode_ctx state;
    size_t size;

    *blob = (struct blob){.size = 0};
    if (BASE64_DECODE_LENGTH(length) > sizeof blob->bytes)
        return false;
    base64_decode_init(&state);
    if (!base64_decode_update(&state, &size, blob->bytes, length, text) ||
        !base64_decode_final(&state))
        return false;
    blob->size = size;
    return true;
}

void blob_write_base64(const void *bytes, size_t size, size_t width, char *text)
{
    char *end = text + BASE64_ENCODE_RAW_LENGTH(size);

    base64_encode_raw(text, size, bytes);
    *end = '\0';
    if (!width)
        return;
    for (char *line = text; line < end; line += width + 1) {
        char *after = line + width < end ? line + width : end;

        memmove(after + 1, after, (size_t)(end - after) + 1);
        *after = '\n';
        end++;
    }
}
