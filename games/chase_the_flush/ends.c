/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/chase_the_flush/ends.h"

void dealers_add(struct dealers *sum, struct dealers more)
{
    sum->high += more.high;
    sum->low += more.low;
}

void ends_add(struct ends *sum, const struct ends *more)
{
    dealers_add(&sum->losses, more->losses);
    for (unsigned group = 0; group < GROUPS; group++)
        dealers_add(&sum->wins[group], more->wins[group]);
    sum->ties += more->ties;
}

int64_t ends_sum(const struct ends *ends)
{
    int64_t sum = ends->losses.high + ends->losses.low;

    for (unsigned group = 0; group < GROUPS; group++)
        sum += ends->wins[group].high + ends->wins[group].low;
    return sum;
}

int64_t ends_value(const struct ends *ends, int64_t bet)
{
    int64_t value = -(bet + 2) * ends->losses.high - (bet + 1) * ends->losses.low;

    for (unsigned group = 0; group < GROUPS; group++)
        value += (bet + 1) * ends->wins[group].high + bet * ends->wins[group].low;
    return value;
}
