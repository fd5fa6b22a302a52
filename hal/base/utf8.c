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
