/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings of two sides, matched by their digests, and what the engine made of their rounds. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal/base/plural.h"
#include "rigs/history/diff.h"
#include "rigs/history/rates.h"

/* One time that a recording was played. */
struct played {
    char path[HISTORY_SAID_SIZE], sha256[DIGEST_SIZE];
    unsigned repeat; /* how often its run had played it before */
    size_t place;    /* among all of its side */
    enum verdict verdict;
    unsigned char *settlements;
    size_t length;
    bool is_cut; /* it passed as far as it went, which says nothing */
};

struct plays {
    struct played *items;
    size_t count, size;
    size_t first;     /* of the run that is read */
    bool is_cut;      /* that run */
    uint64_t unknown; /* without a digest: observed */
};

static int add(void *context, const struct history_recording *recording, int64_t others)
{
    struct plays *plays = context;
    struct played *played;

    (void)others;
    if (!recording->sha256) {
        plays->unknown++;
        return 0;
    }
    if (plays->count == plays->size) {
        size_t size = plays->size ? 2 * plays->size : 64;
        struct played *items = reallocarray(plays->items, size, sizeof *items);

        if (!items)
            return ERROR_RIG;
        plays->items = items;
        plays->size = size;
    }
    played = &plays->items[plays->count];
    *played = (struct played){.place = plays->count,
                              .verdict = recording->verdict,
                              .is_cut = plays->is_cut && (recording->verdict == VERDICT_PASS ||
                                                          recording->verdict == VERDICT_SKIPPED),
                              .settlements = malloc(recording->settlements.length + 1),
                              .length = recording->settlements.length};
    if (!played->settlements)
        return ERROR_RIG;
    if (played->length)
        memcpy(played->settlements, recording->settlements.data, played->length);
    snprintf(played->path, sizeof played->path, "%s", recording->path ? recording->path : "");
    snprintf(played->sha256, sizeof played->sha256, "%s", recording->sha256);
    for (size_t i = plays->count; i-- > plays->first && !played->repeat;)
        if (!strcmp(plays->items[i].sha256, played->sha256))
            played->repeat = plays->items[i].repeat + 1;
    plays->count++;
    return 0;
}

static int see_cut(void *context, const struct history_found *run)
{
    *(bool *)context = !run->is_complete;
    return 0;
}

static int read_side(struct store *store, const struct history_side *side, struct plays *plays,
                     struct error *error)
{
    int status = 0;

    for (size_t i = 0; i < side->count && !status; i++) {
        plays->first = plays->count;
        status = history_find(store, &(struct history_filter){.number = side->runs[i]}, see_cut,
                              &plays->is_cut, error);
        if (!status)
            status = history_recordings(store, side->runs[i], add, plays, error);
    }
    return status;
}

static void free_plays(struct plays *plays)
{
    for (size_t i = 0; i < plays->count; i++)
        free(plays->items[i].settlements);
    free(plays->items);
}

static const struct played *find(const struct plays *plays, const struct played *like)
{
    for (size_t i = 0; i < plays->count; i++)
        if (plays->items[i].repeat == like->repeat && !strcmp(plays->items[i].sha256, like->sha256))
            return &plays->items[i];
    return NULL;
}

/* Another content under the same name; NULL where there is none. */
static const struct played *find_name(const struct plays *plays, const struct played *like)
{
    for (size_t i = 0; i < plays->count; i++)
        if (*like->path && !strcmp(plays->items[i].path, like->path))
            return &plays->items[i];
    return NULL;
}

/* The first round that was settled otherwise, from 1, and how many; 0: none. */
static size_t compare_rounds(const struct played *first, const struct played *second,
                             size_t *differ)
{
    size_t length = first->length < second->length ? first->length : second->length, found = 0;

    *differ = 0;
    for (size_t at = 0; at + HISTORY_SETTLEMENT <= length; at += HISTORY_SETTLEMENT)
        if (memcmp(first->settlements + at, second->settlements + at, HISTORY_SETTLEMENT) != 0) {
            found = found ? found : at / HISTORY_SETTLEMENT + 1;
            ++*differ;
        }
    return found;
}

static bool compare(struct history_diff *diff, const struct played *first,
                    const struct played *second)
{
    char here[HISTORY_SAID_SIZE], said[HISTORY_SAID_SIZE];
    size_t differ, round = compare_rounds(first, second, &differ);
    bool is_kept = true;

    if (first->verdict != second->verdict)
        is_kept &= history_diff_add(diff, HISTORY_DIFF_VERDICT, first->path,
                                    verdict_name(first->verdict), verdict_name(second->verdict));
    if (!round)
        return is_kept;
    snprintf(said, sizeof said, "%zu of %zu round%s settled otherwise, first round %zu", differ,
             second->length / HISTORY_SETTLEMENT, plural(second->length / HISTORY_SETTLEMENT),
             round);
    snprintf(here, sizeof here, "%zu round%s settled", first->length / HISTORY_SETTLEMENT,
             plural(first->length / HISTORY_SETTLEMENT));
    return is_kept & history_diff_add(diff, HISTORY_DIFF_SETTLEMENT, first->path, here, said);
}

static bool tell_missing(struct history_diff *diff, const struct played *played,
                         const struct plays *others, bool is_first)
{
    const struct played *named = find_name(others, played);
    char here[HISTORY_SAID_SIZE], there[HISTORY_SAID_SIZE];

    if (played->repeat) /* it is the number of times that differs */
        return true;
    snprintf(here, sizeof here, "%.12s", played->sha256);
    snprintf(there, sizeof there, "%.12s: another content under the same name",
             named ? named->sha256 : "");
    if (!named)
        return history_diff_add(diff, HISTORY_DIFF_RECORDING, played->path, is_first ? here : NULL,
                                is_first ? NULL : here);
    return !is_first || history_diff_add(diff, HISTORY_DIFF_RECORDING, played->path, here, there);
}

/* All times that one side has played a recording. */
struct group {
    const struct played *items;
    size_t count;
};

static void say_verdicts(const size_t of[VERDICT_COUNT], size_t all, char said[HISTORY_SAID_SIZE])
{
    size_t length = 0;

    said[0] = '\0';
    for (unsigned verdict = 0; verdict < VERDICT_COUNT; verdict++)
        if (of[verdict])
            length += (size_t)snprintf(said + length, HISTORY_SAID_SIZE - length, "%s%zu of %zu %s",
                                       length ? ", " : "", of[verdict], all,
                                       verdict_name((enum verdict)verdict));
}

/* What a person or the bench ended, and what was cut off, is evidence of nothing. */
static bool is_judged(const struct played *played)
{
    return !played->is_cut &&
           (played->verdict == VERDICT_PASS || played->verdict == VERDICT_FAIL ||
            played->verdict == VERDICT_DEVICE || played->verdict == VERDICT_TIMEOUT);
}

static bool compare_verdicts(struct history_diff *diff, const struct group groups[2])
{
    size_t of[2][VERDICT_COUNT] = {{0}, {0}}, all[2] = {0, 0};
    char said[2][HISTORY_SAID_SIZE];

    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < groups[side].count; i++) {
            bool is_one = is_judged(&groups[side].items[i]);

            of[side][groups[side].items[i].verdict] += is_one;
            all[side] += is_one;
        }
        say_verdicts(of[side], all[side], said[side]);
    }
    if (!all[0] || !all[1])
        return true;
    return history_diff_rate(
        diff, HISTORY_DIFF_VERDICT, groups[0].items->path, said[0], said[1],
        of[0][VERDICT_PASS] * all[1] == of[1][VERDICT_PASS] * all[0],
        rates_compare(of[0][VERDICT_PASS], all[0], of[1][VERDICT_PASS], all[1]));
}

/* Whether both were settled in the same way as far as both went. */
static bool is_alike(const struct played *one, const struct played *other)
{
    size_t length = one->length < other->length ? one->length : other->length;

    return !memcmp(one->settlements, other->settlements, length);
}

static size_t count_alike(const struct group *group, const struct played *like)
{
    size_t count = 0;

    for (size_t i = 0; i < group->count; i++)
        count += is_alike(&group->items[i], like);
    return count;
}

/* Those that went less far are alike others that are not alike each other. */
static const struct played *find_longest(const struct group groups[2])
{
    const struct played *longest = groups[0].items;

    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < groups[side].count; i++)
            if (groups[side].items[i].length > longest->length)
                longest = &groups[side].items[i];
    return longest;
}

/* The one that most are settled like; of several the longest. */
static const struct played *find_usual(const struct group groups[2])
{
    const struct played *usual = find_longest(groups);
    size_t most = count_alike(&groups[0], usual) + count_alike(&groups[1], usual);

    if (most == groups[0].count + groups[1].count)
        return usual;
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < groups[side].count; i++) {
            const struct played *played = &groups[side].items[i];
            size_t alike = count_alike(&groups[0], played) + count_alike(&groups[1], played);

            if (alike > most || (alike == most && played->length > usual->length)) {
                most = alike;
                usual = played;
            }
        }
    return usual;
}

/* The first round in which any of them was settled otherwise, from 1. */
static size_t find_other(const struct group groups[2], const struct played *usual)
{
    size_t first = SIZE_MAX;

    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < groups[side].count; i++) {
            const struct played *played = &groups[side].items[i];
            size_t differ, round = compare_rounds(usual, played, &differ);

            first = round && round < first ? round : first;
        }
    return first;
}

static bool compare_settlements(struct history_diff *diff, const struct group groups[2])
{
    const struct played *usual = find_usual(groups);
    size_t alike[2] = {count_alike(&groups[0], usual), count_alike(&groups[1], usual)};
    size_t all[2] = {groups[0].count, groups[1].count};
    char first[HISTORY_SAID_SIZE], second[HISTORY_SAID_SIZE];
    bool is_same = alike[0] * all[1] == alike[1] * all[0];

    snprintf(first, sizeof first, "%zu of %zu settled as usual", alike[0], all[0]);
    snprintf(second, sizeof second,
             "%zu of %zu settled as usual; round %zu is the first that is not", alike[1], all[1],
             is_same ? 0 : find_other(groups, usual));
    return history_diff_rate(diff, HISTORY_DIFF_SETTLEMENT, groups[0].items->path, first, second,
                             is_same, rates_compare(alike[0], all[0], alike[1], all[1]));
}

static int by_digest(const void *a, const void *b)
{
    const struct played *first = a, *second = b;
    int order = strcmp(first->sha256, second->sha256);

    return order ? order : (first->place > second->place) - (first->place < second->place);
}

/* Those that have the digest of the first of them. */
static struct group group_at(const struct plays *plays, size_t at)
{
    struct group group = {plays->items + at, 0};

    while (at + group.count < plays->count &&
           !strcmp(group.items[group.count].sha256, group.items->sha256))
        group.count++;
    return group;
}

/* Of several runs: how often something came of a recording, not in which run. */
static bool compare_rates(struct history_diff *diff, struct plays plays[2])
{
    size_t at[2] = {0, 0};
    bool is_kept = true;

    for (int side = 0; side < 2; side++)
        if (plays[side].count)
            qsort(plays[side].items, plays[side].count, sizeof *plays[side].items, by_digest);
    while (at[0] < plays[0].count || at[1] < plays[1].count) {
        const struct group groups[2] = {group_at(&plays[0], at[0]), group_at(&plays[1], at[1])};
        int order = !groups[0].count   ? 1
                    : !groups[1].count ? -1
                                       : strcmp(groups[0].items->sha256, groups[1].items->sha256);

        if (order) {
            is_kept &= tell_missing(diff, groups[order > 0].items, &plays[order < 0], order < 0);
        } else {
            diff->compared++;
            is_kept &= compare_verdicts(diff, groups) && compare_settlements(diff, groups);
        }
        at[0] += order <= 0 ? groups[0].count : 0;
        at[1] += order >= 0 ? groups[1].count : 0;
    }
    return is_kept;
}

static bool compare_all(struct history_diff *diff, struct plays plays[2])
{
    bool is_kept = true;

    for (size_t i = 0; i < plays[1].count; i++) {
        const struct played *first = find(&plays[0], &plays[1].items[i]);

        diff->compared += first != NULL;
        is_kept &= first ? compare(diff, first, &plays[1].items[i])
                         : tell_missing(diff, &plays[1].items[i], &plays[0], false);
    }
    for (size_t i = 0; i < plays[0].count; i++)
        if (!find(&plays[1], &plays[0].items[i]))
            is_kept &= tell_missing(diff, &plays[0].items[i], &plays[1], true);
    return is_kept;
}

int history_diff_recordings(struct store *store, const struct history_side sides[2],
                            struct history_diff *diff, struct error *error)
{
    struct plays plays[2] = {{.count = 0}, {.count = 0}};
    int status;

    error_set(error, ERROR_RIG, "no memory to compare runs");
    status = read_side(store, &sides[0], &plays[0], error);
    if (!status)
        status = read_side(store, &sides[1], &plays[1], error);
    if (!status && !(history_diff_is_many(sides) ? compare_rates : compare_all)(diff, plays))
        status = error_set(error, ERROR_RIG, "no memory to compare runs");
    free_plays(&plays[0]);
    free_plays(&plays[1]);
    return status;
}
