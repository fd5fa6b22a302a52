/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/history/change.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pettitt's K, and where: U(t) counts pairs across t that rise, less those that fall. */
static double largest(const double *values, size_t count, size_t *at)
{
    double sum = 0, most = 0;

    for (size_t t = 0; t + 1 < count; t++) {
        for (size_t j = 0; j < count; j++)
            sum += (values[t] < values[j]) - (values[t] > values[j]);
        if (fabs(sum) > most) {
            most = fabs(sum);
            *at = t + 1;
        }
    }
    return most;
}

/* Pettitt's own bound, which is above the true chance where that is small. */
static double chance(double k, size_t count)
{
    double n = (double)count, p = 2 * exp(-6 * k * k / (n * n * n + n * n));

    return p < 1 ? p : 1;
}

bool change_can_show(size_t count, double alpha)
{
    return count >= CHANGE_LEAST &&
           chance((double)(count / 2) * (double)(count - count / 2), count) < alpha / 2;
}

struct search {
    const double *values;
    struct change *changes;
    size_t count, room;
};

/* Half of the significance is for this part as a whole, and the rest for what is inside of it. */
static void look(struct search *search, size_t from, size_t to, double alpha)
{
    size_t at = 0;
    double k, p;

    if (to - from < CHANGE_LEAST)
        return;
    k = largest(search->values + from, to - from, &at);
    p = chance(k, to - from);
    if (!at || !(p < alpha / 2))
        return;
    look(search, from, from + at, alpha / 4);
    if (search->count < search->room)
        search->changes[search->count++] = (struct change){.at = from + at, .p = p};
    look(search, from + at, to, alpha / 4);
}

static int by_size(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;

    return (first > second) - (first < second);
}

/* NAN without memory: the level is for people, and what changed stays found. */
static double median(const double *values, size_t count)
{
    double *sorted = malloc(count * sizeof *sorted), middle;

    if (!sorted)
        return NAN;
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_size);
    middle = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
    free(sorted);
    return middle;
}

size_t change_find(const double *values, size_t count, double alpha, struct change *changes,
                   size_t room)
{
    struct search search = {.values = values, .changes = changes, .room = room};

    look(&search, 0, count, alpha);
    for (size_t i = 0; i < search.count; i++) {
        size_t from = i ? changes[i - 1].at : 0, at = changes[i].at;
        size_t to = i + 1 < search.count ? changes[i + 1].at : count;

        changes[i].before = median(values + from, at - from);
        changes[i].after = median(values + at, to - at);
    }
    return search.count;
}
