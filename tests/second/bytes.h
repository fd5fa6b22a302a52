/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Big-endian numbers in byte buffers, as every message of the open protocol has them. Nothing here
   can fail; the caller owns every buffer and has made room. */
#ifndef SECOND_BYTES_H
#define SECOND_BYTES_H

#include <stddef.h>
#include <stdint.h>

static inline void bytes_put(uint8_t *to, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        to[i] = (uint8_t)(value >> (8 * (size - 1 - i)));
}

static inline uint64_t bytes_get(const uint8_t *from, size_t size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++)
        value = value << 8 | from[i];
    return value;
}

#endif
