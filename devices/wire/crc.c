/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/wire/frame.h"

/*
 * Sixteen bytes a step: slice k holds the CRC of each byte value followed by k zero bytes. A CRC is
 * linear, so a slice follows from its values for the eight single bits; the preprocessor spells it
 * out and nothing is computed at run time.
 */
#define PART(i, bit, value) ((i) & (bit) ? (value) : 0)
#define ENTRY(i, a, b, c, d, e, f, g, h)                                                           \
    (uint16_t)(PART(i, 1, a) ^ PART(i, 2, b) ^ PART(i, 4, c) ^ PART(i, 8, d) ^ PART(i, 16, e) ^    \
               PART(i, 32, f) ^ PART(i, 64, g) ^ PART(i, 128, h))
#define ENTRIES_4(i, ...)                                                                          \
    ENTRY(i, __VA_ARGS__), ENTRY((i) + 1, __VA_ARGS__), ENTRY((i) + 2, __VA_ARGS__),               \
        ENTRY((i) + 3, __VA_ARGS__)
#define ENTRIES_16(i, ...)                                                                         \
    ENTRIES_4(i, __VA_ARGS__), ENTRIES_4((i) + 4, __VA_ARGS__), ENTRIES_4((i) + 8, __VA_ARGS__),   \
        ENTRIES_4((i) + 12, __VA_ARGS__)
#define ENTRIES_64(i, ...)                                                                         \
    ENTRIES_16(i, __VA_ARGS__), ENTRIES_16((i) + 16, __VA_ARGS__),                                 \
        ENTRIES_16((i) + 32, __VA_ARGS__), ENTRIES_16((i) + 48, __VA_ARGS__)
#define SLICE(...)                                                                                 \
    {                                                                                              \
        ENTRIES_64(0, __VA_ARGS__), ENTRIES_64(64, __VA_ARGS__), ENTRIES_64(128, __VA_ARGS__),     \
            ENTRIES_64(192, __VA_ARGS__)                                                           \
    }

static const uint16_t slices[16][256] = {
    SLICE(0x1021, 0x2042, 0x4084, 0x8108, 0x1231, 0x2462, 0x48c4, 0x9188),
    SLICE(0x3331, 0x6662, 0xccc4, 0x89a9, 0x0373, 0x06e6, 0x0dcc, 0x1b98),
    SLICE(0x3730, 0x6e60, 0xdcc0, 0xa9a1, 0x4363, 0x86c6, 0x1dad, 0x3b5a),
    SLICE(0x76b4, 0xed68, 0xcaf1, 0x85c3, 0x1ba7, 0x374e, 0x6e9c, 0xdd38),
    SLICE(0xaa51, 0x4483, 0x8906, 0x022d, 0x045a, 0x08b4, 0x1168, 0x22d0),
    SLICE(0x45a0, 0x8b40, 0x06a1, 0x0d42, 0x1a84, 0x3508, 0x6a10, 0xd420),
    SLICE(0xb861, 0x60e3, 0xc1c6, 0x93ad, 0x377b, 0x6ef6, 0xddec, 0xabf9),
    SLICE(0x47d3, 0x8fa6, 0x0f6d, 0x1eda, 0x3db4, 0x7b68, 0xf6d0, 0xfd81),
    SLICE(0xeb23, 0xc667, 0x9cef, 0x29ff, 0x53fe, 0xa7fc, 0x5fd9, 0xbfb2),
    SLICE(0x6f45, 0xde8a, 0xad35, 0x4a4b, 0x9496, 0x390d, 0x721a, 0xe434),
    SLICE(0xd849, 0xa0b3, 0x5147, 0xa28e, 0x553d, 0xaa7a, 0x44d5, 0x89aa),
    SLICE(0x0375, 0x06ea, 0x0dd4, 0x1ba8, 0x3750, 0x6ea0, 0xdd40, 0xaaa1),
    SLICE(0x4563, 0x8ac6, 0x05ad, 0x0b5a, 0x16b4, 0x2d68, 0x5ad0, 0xb5a0),
    SLICE(0x7b61, 0xf6c2, 0xfda5, 0xeb6b, 0xc6f7, 0x9dcf, 0x2bbf, 0x577e),
    SLICE(0xaefc, 0x4dd9, 0x9bb2, 0x2745, 0x4e8a, 0x9d14, 0x2a09, 0x5412),
    SLICE(0xa824, 0x4069, 0x80d2, 0x1185, 0x230a, 0x4614, 0x8c28, 0x0871),
};

/* What the four bytes at `bytes`, followed by `slice` bytes, add to the CRC. */
static unsigned four(const uint8_t *bytes, unsigned slice)
{
    return slices[slice + 3][bytes[0]] ^ slices[slice + 2][bytes[1]] ^ slices[slice + 1][bytes[2]] ^
           slices[slice][bytes[3]];
}

/* The same for the first four of a step, into which the CRC so far goes. */
static unsigned first_four(const uint8_t *bytes, unsigned slice, unsigned crc)
{
    return slices[slice + 3][bytes[0] ^ crc >> 8] ^ slices[slice + 2][bytes[1] ^ (crc & 0xff)] ^
           slices[slice + 1][bytes[2]] ^ slices[slice][bytes[3]];
}

uint16_t frame_crc(const uint8_t *bytes, size_t count)
{
    unsigned crc = 0xffff;

    for (; count >= 16; bytes += 16, count -= 16)
        crc = first_four(bytes, 12, crc) ^ four(bytes + 4, 8) ^ four(bytes + 8, 4) ^
              four(bytes + 12, 0);
    for (; count >= 4; bytes += 4, count -= 4)
        crc = first_four(bytes, 0, crc);
    for (; count; bytes++, count--)
        crc = (crc << 8 & 0xffff) ^ slices[0][crc >> 8 ^ *bytes];
    return (uint16_t)crc;
}
