/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/history/rank.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

/* Ranks of both samples together, doubled so that shared ones are whole numbers. */
struct ranks {
    unsigned doubled[RANK_EXACT]; /* of all values, where there are few */
    double sum;                   /* of the second sample, not doubled */
    double ties;                  /* of t * t * t - t over all groups of t equal values */
};

/* Goes through both from the smallest on, a group of equal values at a time. */
static void find_ranks(const int64_t *first, size_t first_count, const int64_t *second,
                       size_t second_count, struct ranks *ranks)
{
    size_t i = 0, j = 0, before = 0;

    ranks->sum = ranks->ties = 0;
    while (i < first_count || j < second_count) {
        int64_t value =
            j == second_count || (i < first_count && first[i] < second[j]) ? first[i] : second[j];
        size_t from_first = i, from_second = j, group;
        double rank;

        while (i < first_count && first[i] == value)
            i++;
        while (j < second_count && second[j] == value)
            j++;
        group = i - from_first + j - from_second;
        rank = (double)before + ((double)group + 1) / 2;
        ranks->sum += rank * (double)(j - from_second);
        ranks->ties += pow((double)group, 3) - (double)group;
        for (size_t k = 0; k < group && before + k < RANK_EXACT; k++)
            ranks->doubled[before + k] = (unsigned)(2 * before + group + 1);
        before += group;
    }
}

/* The largest sum of doubled ranks that there can be. */
#define SUMS ((size_t)RANK_EXACT * (RANK_EXACT + 1) + 1)

/*
 * ways[taken * SUMS + sum]: in how many ways so many of the ranks looked at so far add up to that.
 * Returns the chance of a sum that is as far from the middle as the one that was found, or further.
 */
static double count_ways(const struct ranks *ranks, size_t all, size_t taken, double *ways)
{
    double middle = (double)taken * (double)(all + 1), found = fabs(2 * ranks->sum - middle);
    double far = 0, total = 0;

    ways[0] = 1;
    for (size_t i = 0; i < all; i++)
        for (size_t k = i + 1 < taken ? i + 1 : taken; k > 0; k--)
            for (size_t sum = SUMS; sum-- > ranks->doubled[i];)
                ways[k * SUMS + sum] += ways[(k - 1) * SUMS + sum - ranks->doubled[i]];
    for (size_t sum = 0; sum < SUMS; sum++) {
        double here = ways[taken * SUMS + sum];

        total += here;
        far += fabs((double)sum - middle) >= found - 1e-9 ? here : 0;
    }
    return far / total;
}

static double normal_p(const struct ranks *ranks, double first, double second)
{
    double all = first + second;
    double variance = first * second / 12 * (all + 1 - ranks->ties / (all * (all - 1)));
    double off = fabs(ranks->sum - second * (all + 1) / 2) - 0.5;

    return variance > 0 && off > 0 ? 2 * gsl_cdf_ugaussian_Q(off / sqrt(variance)) : 1;
}

bool rank_compare(const int64_t *first, size_t first_count, const int64_t *second,
                  size_t second_count, struct rank_result *result)
{
    size_t all = first_count + second_count;
    struct ranks ranks;

    find_ranks(first, first_count, second, second_count, &ranks);
    result->larger = (ranks.sum - (double)second_count * ((double)second_count + 1) / 2) /
                     ((double)first_count * (double)second_count);
    result->is_exact = all <= RANK_EXACT;
    if (result->is_exact) {
        double *ways = calloc((second_count + 1) * SUMS, sizeof *ways);

        if (!ways)
            return false;
        result->p = count_ways(&ranks, all, second_count, ways);
        free(ways);
    } else {
        result->p = normal_p(&ranks, (double)first_count, (double)second_count);
    }
    if (result->p > 1)
        result->p = 1;
    return true;
}

/* The smallest counts `count` times, the next one less, and none less than one before it. */
void rank_holm(double *p, size_t count)
{
    double least = 0;

    for (size_t done = 0; done < count; done++) {
        size_t next = count;

        /* Those that are done have the sign of minus, also a zero. */
        for (size_t i = 0; i < count; i++)
            if (!signbit(p[i]) && (next == count || p[i] < p[next]))
                next = i;
        least = fmax(least, fmin(1, p[next] * (double)(count - done)));
        p[next] = -least;
    }
    for (size_t i = 0; i < count; i++)
        p[i] = fabs(p[i]);
}
