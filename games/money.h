/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Money is integer cents; a meter is integer millionths of a dollar. Nothing here, and nothing
 * that pays anybody, is floating point. Amounts are bounded far below the range of int64_t, so
 * that no sum of a round can wrap.
 */
#ifndef GAMES_MONEY_H
#define GAMES_MONEY_H

#include <stddef.h>
#include <stdint.h>

#include "hal/base/error.h"

typedef int64_t cents_t;
typedef int64_t micros_t;

#define MICROS_PER_CENT   10000
#define MICROS_PER_DOLLAR 1000000

/* The largest stake the program accepts, $1,000,000, and the largest meter, $1,000,000,000. */
#define STAKE_MAX ((cents_t)100000000)
#define METER_MAX ((micros_t)1000000000 * MICROS_PER_DOLLAR)

/* Rates are basis points: a hundred per cent. */
#define RATE_MAX 10000

/* "10000.00" or "10000" or "0.000001"; ERROR_CONFIG for anything else, signs and blanks included.
 */
int micros_parse(const char *text, micros_t *value, struct error *error);

/* Whole per cent with at most two decimals, "1.25", as basis points. */
int rate_parse(const char *text, int32_t *basis_points, struct error *error);

#define MICROS_TEXT_SIZE 24

/* Dollars with six decimals, "10000.100000"; returns the length. */
size_t micros_format(micros_t value, char text[MICROS_TEXT_SIZE]);

#endif
