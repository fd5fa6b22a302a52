/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/base/utf8.h"

#include <stdint.h>
#include <string.h>

size_t utf8_sequence(const unsigned char *text, size_t left)
{
    /* The least value of each length: what is below it has been written too long. */
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = text[0] < 0x80    ? 1
                    : text[0] < 0xc2  ? 0
                    : text[0] < 0xe0  ? 2
                    : text[0] < 0xf0  ? 3
                    : text[0] <= 0xf4 ? 4
                                      : 0;
    uint32_t value = length < 2 ? text[0] : text[0] & (0x7fu >> length);

    if (!length || length > left)
        return 0;
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (text[i] & 0x3fu);
    }
    if (value < least[length] || (value >= 0xd800 && value < 0xe000) || value > 0x10ffff)
        return 0;
    return length;
}

size_t utf8_length(const unsigned char *text, size_t left)
{
    size_t length = utf8_sequence(text, left);

    return length == 3 && text[0] == 0xef && text[1] == 0xbf && text[2] >= 0xbe ? 0 : length;
}

bool utf8_is_valid(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t left = strlen(text);

    while (left) {
        size_t length = utf8_sequence(at, left);

        if (!length)
            return false;
        at += length;
        left -= length;
    }
    return true;
}

unsigned utf8_code(const unsigned char *text, size_t length)
{
    static const unsigned char leading[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    unsigned code = text[0] & leading[length];

    for (size_t i = 1; i < length; i++)
        code = code << 6 | (text[i] & 0x3fU);
    return code;
}

bool utf8_is_invisible(const unsigned char *text, size_t length)
{
    static const struct {
        unsigned first, last;
    } ranges[] = {{0xad, 0xad},     {0x61c, 0x61c},   {0x180e, 0x180e},
                  {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},
                  {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f}};
    unsigned code = length > 1 ? utf8_code(text, length) : 0;

    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return true;
    return false;
}
