/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/audit/ratio.h"

#include <stdbool.h>
#include <string.h>

wide_t ratio_common_divisor(wide_t a, wide_t b)
{
    if (a < 0)
        a = -a;
    if (b < 0)
        b = -b;
    while (b) {
        wide_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

struct ratio ratio_reduce(struct ratio ratio)
{
    wide_t divisor = ratio_common_divisor(ratio.numerator, ratio.denominator);

    return ratio_make(ratio.numerator / divisor, ratio.denominator / divisor);
}

/* Reduced crosswise first, so that the products stay as small as they can be. */
struct ratio ratio_divide(struct ratio a, struct ratio b)
{
    struct ratio upper = ratio_reduce(ratio_make(a.numerator, b.numerator));
    struct ratio lower = ratio_reduce(ratio_make(b.denominator, a.denominator));

    return ratio_make(upper.numerator * lower.numerator, upper.denominator * lower.denominator);
}

struct ratio ratio_subtract(struct ratio a, struct ratio b)
{
    wide_t common;

    a = ratio_reduce(a);
    b = ratio_reduce(b);
    common = ratio_common_divisor(a.denominator, b.denominator);
    return ratio_reduce(
        ratio_make(a.numerator * (b.denominator / common) - b.numerator * (a.denominator / common),
                   a.denominator / common * b.denominator));
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

/* The greatest number whose square is not above, found bit by bit. */
static wide_t whole_root(wide_t square)
{
    wide_t root = 0;

    for (wide_t bit = (wide_t)1 << 62; bit; bit >>= 1)
        if ((root | bit) * (root | bit) <= square)
            root |= bit;
    return root;
}

/*
 * Four times the ratio is divided digit by digit, two for each decimal of its root: half of that
 * root, rounded up, is the nearest number to the root of the ratio.
 */
struct ratio ratio_root(struct ratio ratio)
{
    wide_t square = ratio.numerator / ratio.denominator, rest = ratio.numerator % ratio.denominator;
    wide_t scale = 1;

    for (unsigned i = 0; i < 2 * RATIO_DECIMALS_MAX; i++) {
        rest *= 10;
        square = square * 10 + rest / ratio.denominator;
        rest %= ratio.denominator;
        scale *= i % 2 ? 10 : 1;
    }
    square = 4 * square + 4 * rest / ratio.denominator;
    return ratio_make((whole_root(square) + 1) / 2, scale);
}
