/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/history/rates.h"

#include <math.h>

/* Ways that are equally likely differ by rounding alone. */
#define SAME 1e-7

/* The logarithm of the number of ways to choose so many. */
static double ways(size_t all, size_t chosen)
{
    int sign;

    return lgamma_r((double)all + 1, &sign) - lgamma_r((double)chosen + 1, &sign) -
           lgamma_r((double)(all - chosen) + 1, &sign);
}

double rates_compare(size_t first, size_t first_all, size_t second, size_t second_all)
{
    size_t both = first + second, least = both > second_all ? both - second_all : 0;
    size_t most = both < first_all ? both : first_all;
    double all = ways(first_all + second_all, both), p = 0;
    double found = ways(first_all, first) + ways(second_all, second) - all;

    for (size_t i = least; i <= most; i++) {
        double here = ways(first_all, i) + ways(second_all, both - i) - all;

        if (here <= found + SAME)
            p += exp(here);
    }
    return p < 1 ? p : 1;
}
