/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ending of a noun that is counted: "1 byte", "2 bytes". For every room. */
#ifndef HAL_BASE_PLURAL_H
#define HAL_BASE_PLURAL_H

#include <stdint.h>

static inline const char *plural(uintmax_t count)
{
    return count == 1 ? "" : "s";
}

/* "1 entry", "2 entries" */
static inline const char *plural_y(uintmax_t count)
{
    return count == 1 ? "y" : "ies";
}

#endif
