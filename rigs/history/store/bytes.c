/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/history/store/bytes.h"

#include <stdlib.h>
#include <string.h>

bool history_bytes_add(struct history_bytes *bytes, const void *data, size_t length)
{
    size_t wanted = bytes->size ? bytes->size : 256;
    unsigned char *grown;

    while (wanted - bytes->length < length)
        wanted *= 2;
    if (wanted != bytes->size) {
        grown = realloc(bytes->data, wanted);
        if (!grown)
            return false;
        bytes->data = grown;
        bytes->size = wanted;
    }
    memcpy(bytes->data + bytes->length, data, length);
    bytes->length += length;
    return true;
}

bool history_bytes_add_number(struct history_bytes *bytes, int64_t number)
{
    unsigned char eight[8];

    for (unsigned i = 0; i < 8; i++)
        eight[i] = (unsigned char)((uint64_t)number >> 8 * i);
    return history_bytes_add(bytes, eight, sizeof eight);
}

int64_t history_bytes_number(const unsigned char *data)
{
    uint64_t number = 0;

    for (unsigned i = 0; i < 8; i++)
        number |= (uint64_t)data[i] << 8 * i;
    return (int64_t)number;
}
