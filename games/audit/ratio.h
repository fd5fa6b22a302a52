/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exact fractions, and their decimals by integer division: the same digits on every machine. The
 * caller keeps numerator and denominator below 2^90, far above what any audit adds up; what roots
 * are taken of may reach 2^120, as long as it is worth less than 2^50.
 */
#ifndef GAMES_AUDIT_RATIO_H
#define GAMES_AUDIT_RATIO_H

#include <stddef.h>

typedef __int128 wide_t;

struct ratio {
    wide_t numerator;
    wide_t denominator; /* above 0 */
};

static inline struct ratio ratio_make(wide_t numerator, wide_t denominator)
{
    return (struct ratio){numerator, denominator};
}

static inline struct ratio ratio_negate(struct ratio ratio)
{
    return ratio_make(-ratio.numerator, ratio.denominator);
}

/* Of both without their signs; 0 and a number have that number. */
wide_t ratio_common_divisor(wide_t a, wide_t b);

/* Divided by the greatest common divisor. */
struct ratio ratio_reduce(struct ratio ratio);

/* a / b, for b above 0. */
struct ratio ratio_divide(struct ratio a, struct ratio b);

/* a - b, reduced. */
struct ratio ratio_subtract(struct ratio a, struct ratio b);

#define RATIO_DECIMALS_MAX 10
#define RATIO_TEXT_SIZE    64

/*
 * Decimals rounded half away from zero, "-0.0374928918"; nothing that rounds to zero has a sign.
 * Returns the length.
 */
size_t ratio_format(struct ratio ratio, unsigned decimals, char text[RATIO_TEXT_SIZE]);

/* The square root of a ratio that is not negative, to RATIO_DECIMALS_MAX decimals, rounded so. */
struct ratio ratio_root(struct ratio ratio);

#endif
