/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/audit/ratio.h"

#include <stdbool.h>
#include <string.h>

static wide_t greatest_common_divisor(wide_t a, wide_t b)
{
    if (a < 0)
        a = -a;
    while (b) {
        wide_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

struct ratio ratio_reduce(struct ratio ratio)
{
    wide_t divisor = greatest_common_divisor(ratio.numerator, ratio.denominator);

    return ratio_make(ratio.numerator / divisor, ratio.denominator / divisor);
}

/* Reduced crosswise first, so that the products stay as small as they can be. */
struct ratio ratio_divide(struct ratio a, struct ratio b)
{
    struct ratio upper = ratio_reduce(ratio_make(a.numerator, b.numerator));
    struct ratio lower = ratio_reduce(ratio_make(b.denominator, a.denominator));

    return ratio_make(upper.numerator * lower.numerator, upper.denominator * lower.denominator);
}

size_t ratio_format(struct ratio ratio, unsigned decimals, char text[RATIO_TEXT_SIZE])
{
    char reversed[RATIO_TEXT_SIZE];
    bool negative = ratio.numerator < 0;
    wide_t scaled = negative ? -ratio.numerator : ratio.numerator;
    size_t count = 0, length = 0;

    for (unsigned i = 0; i < decimals; i++)
        scaled *= 10;
    scaled = (scaled + ratio.denominator / 2) / ratio.denominator;
    if (negative && scaled)
        text[length++] = '-';
    do {
        if (decimals && count == decimals)
            reversed[count++] = '.';
        reversed[count++] = (char)('0' + (int)(scaled % 10));
        scaled /= 10;
    } while (scaled || count <= decimals);
    while (count)
        text[length++] = reversed[--count];
    text[length] = '\0';
    return length;
}
