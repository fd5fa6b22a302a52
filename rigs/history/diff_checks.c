/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks of two sides. Failures in one run come together: one card that is misread fails ten
 * checks. So between many runs each run is one value, the share of a check that failed in it, and
 * the two sides are compared by the ranks of these.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/history/diff.h"
#include "rigs/history/rank.h"

#define SHARE 1e15 /* of all */

/* A check by name, and what became of it on each side. */
struct summed {
    char name[HISTORY_NAME_SIZE];
    struct history_counts counts[2];
    int64_t *shares[2]; /* of each run that made it */
    size_t runs[2];
};

struct sums {
    struct summed *items;
    size_t count;
    int side;
};

static struct summed *find(struct sums *sums, const char *name)
{
    struct summed *items;

    for (size_t i = 0; i < sums->count; i++)
        if (!strcmp(sums->items[i].name, name))
            return &sums->items[i];
    items = reallocarray(sums->items, sums->count + 1, sizeof *items);
    if (!items)
        return NULL;
    sums->items = items;
    items[sums->count] = (struct summed){.runs = {0, 0}};
    snprintf(items[sums->count].name, HISTORY_NAME_SIZE, "%s", name);
    return &items[sums->count++];
}

static int add_check(void *context, const struct history_check *check)
{
    struct sums *sums = context;
    struct summed *summed = find(sums, check->name);
    int64_t made = check->counts.passed + check->counts.failed, *shares;
    struct history_counts *counts;

    if (!summed)
        return ERROR_RIG;
    counts = &summed->counts[sums->side];
    counts->passed += check->counts.passed;
    counts->failed += check->counts.failed;
    counts->skipped += check->counts.skipped;
    if (!made)
        return 0;
    shares = reallocarray(summed->shares[sums->side], summed->runs[sums->side] + 1, sizeof *shares);
    if (!shares)
        return ERROR_RIG;
    summed->shares[sums->side] = shares;
    shares[summed->runs[sums->side]++] =
        (int64_t)llround((double)check->counts.failed / (double)made * SHARE);
    return 0;
}

static const char *say_counts(const struct summed *summed, int side, bool is_many,
                              char said[HISTORY_SAID_SIZE])
{
    const struct history_counts *counts = &summed->counts[side];
    int length;

    if (!counts->passed && !counts->failed) {
        snprintf(said, HISTORY_SAID_SIZE, "%s", counts->skipped ? "skipped" : "not made");
        return said;
    }
    length = snprintf(said, HISTORY_SAID_SIZE, "%" PRId64 " of %" PRId64 " failed", counts->failed,
                      counts->passed + counts->failed);
    if (is_many)
        snprintf(said + length, HISTORY_SAID_SIZE - (size_t)length, " in %zu run%s",
                 summed->runs[side], summed->runs[side] == 1 ? "" : "s");
    return said;
}

static int by_size(const void *a, const void *b)
{
    int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;

    return (first > second) - (first < second);
}

static double share_of(const struct history_counts *counts)
{
    return (double)counts->failed / (double)(counts->passed + counts->failed);
}

static bool compare_rates(struct history_diff *diff, struct summed *summed, const char *first,
                          const char *second)
{
    bool is_same = share_of(&summed->counts[0]) == share_of(&summed->counts[1]);
    struct rank_result result;

    for (int side = 0; side < 2; side++)
        qsort(summed->shares[side], summed->runs[side], sizeof *summed->shares[side], by_size);
    return rank_compare(summed->shares[0], summed->runs[0], summed->shares[1], summed->runs[1],
                        &result) &&
           history_diff_rate(diff, HISTORY_DIFF_CHECK, summed->name, first, second,
                             is_same && result.p == 1, result.p);
}

/* A check that passed on both sides, however often, is no difference. */
static bool compare(struct history_diff *diff, struct summed *summed, bool is_many)
{
    char first[HISTORY_SAID_SIZE], second[HISTORY_SAID_SIZE];

    say_counts(summed, 0, is_many, first);
    say_counts(summed, 1, is_many, second);
    if (!summed->runs[0] != !summed->runs[1])
        return history_diff_add(diff, HISTORY_DIFF_CHECK, summed->name, first, second);
    if (!summed->counts[0].failed && !summed->counts[1].failed)
        return true;
    if (is_many)
        return compare_rates(diff, summed, first, second);
    return summed->counts[0].failed == summed->counts[1].failed ||
           history_diff_add(diff, HISTORY_DIFF_CHECK, summed->name, first, second);
}

int history_diff_checks(struct store *store, const struct history_side sides[2],
                        struct history_diff *diff, struct error *error)
{
    struct sums sums = {.count = 0};
    bool is_many = history_diff_is_many(sides);
    int status = 0;

    error_set(error, ERROR_RIG, "no memory to compare runs");
    for (sums.side = 0; sums.side < 2; sums.side++)
        for (size_t i = 0; i < sides[sums.side].count && !status; i++)
            status = history_checks(store, sides[sums.side].runs[i], add_check, &sums, error);
    for (size_t i = 0; i < sums.count && !status; i++)
        if (!compare(diff, &sums.items[i], is_many))
            status = error_set(error, ERROR_RIG, "no memory to compare runs");
    for (size_t i = 0; i < sums.count; i++) {
        free(sums.items[i].shares[0]);
        free(sums.items[i].shares[1]);
    }
    free(sums.items);
    return status;
}
