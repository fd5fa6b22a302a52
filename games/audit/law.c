/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/audit/law.h"

#include <string.h>

void law_init(struct audit_law *law, int64_t per)
{
    memset(law, 0, sizeof *law);
    law->per = per;
}

void law_add(struct audit_law *law, int64_t net, wide_t deals)
{
    unsigned at = 0;

    while (at < law->count && law->outcome[at].net < net)
        at++;
    if (at < law->count && law->outcome[at].net == net) {
        law->outcome[at].deals += deals;
        return;
    }
    if (!deals || law->count == LAW_MAX)
        return;
    memmove(&law->outcome[at + 1], &law->outcome[at], (law->count - at) * sizeof law->outcome[0]);
    law->outcome[at] = (struct audit_outcome){net, deals};
    law->count++;
}

void law_reduce(struct audit_law *law)
{
    wide_t step = law->per, common = 0;

    for (unsigned i = 0; i < law->count; i++) {
        step = ratio_common_divisor(law->outcome[i].net, step);
        common = ratio_common_divisor(law->outcome[i].deals, common);
    }
    law->per /= (int64_t)step;
    for (unsigned i = 0; i < law->count; i++) {
        law->outcome[i].net /= (int64_t)step;
        law->outcome[i].deals /= common;
    }
}

wide_t law_deals(const struct audit_law *law)
{
    wide_t deals = 0;

    for (unsigned i = 0; i < law->count; i++)
        deals += law->outcome[i].deals;
    return deals;
}

struct ratio law_mean(const struct audit_law *law)
{
    wide_t sum = 0;

    if (!law->count)
        return ratio_make(0, 1);
    for (unsigned i = 0; i < law->count; i++)
        sum += law->outcome[i].deals * law->outcome[i].net;
    return ratio_reduce(ratio_make(sum, law_deals(law) * law->per));
}

/* The numerator of the mean is small beside the deals, and so are the squares' sums. */
struct ratio law_variance(const struct audit_law *law)
{
    struct audit_law least = *law;
    wide_t deals, sum = 0, squares = 0;

    if (!law->count)
        return ratio_make(0, 1);
    law_reduce(&least);
    deals = law_deals(&least);
    for (unsigned i = 0; i < least.count; i++) {
        const struct audit_outcome *outcome = &least.outcome[i];

        sum += outcome->deals * outcome->net;
        squares += outcome->deals * outcome->net * outcome->net;
    }
    return ratio_reduce(
        ratio_divide(ratio_reduce(ratio_make(deals * squares - sum * sum, deals * deals)),
                     ratio_make((wide_t)least.per * least.per, 1)));
}
