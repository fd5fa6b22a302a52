/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings of two sides, matched by their digests, and what the engine made of their rounds. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/history/diff.h"

/* One time that a recording was played. */
struct played {
    char path[HISTORY_SAID_SIZE], sha256[DIGEST_SIZE];
    unsigned repeat; /* how often its run had played it before */
    enum verdict verdict;
    unsigned char *settlements;
    size_t length;
    bool is_told; /* that it differs */
};

struct plays {
    struct played *items;
    size_t count, size;
    size_t first;     /* of the run that is read */
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
    *played = (struct played){.verdict = recording->verdict,
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

static int read_side(struct store *store, const struct history_side *side, struct plays *plays,
                     struct error *error)
{
    int status = 0;

    for (size_t i = 0; i < side->count && !status; i++) {
        plays->first = plays->count;
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

static struct played *find(const struct plays *plays, const struct played *like)
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

static bool compare(struct history_diff *diff, struct played *first, const struct played *second)
{
    char said[HISTORY_SAID_SIZE];
    size_t differ, round = compare_rounds(first, second, &differ);
    bool is_kept = true;

    if (first->is_told)
        return true;
    first->is_told = first->verdict != second->verdict || round;
    if (first->verdict != second->verdict)
        is_kept &= history_diff_add(diff, HISTORY_DIFF_VERDICT, first->path,
                                    verdict_name(first->verdict), verdict_name(second->verdict));
    if (!round)
        return is_kept;
    snprintf(said, sizeof said, "%zu of %zu rounds settled otherwise, first round %zu", differ,
             second->length / HISTORY_SETTLEMENT, round);
    return is_kept &
           history_diff_add(diff, HISTORY_DIFF_SETTLEMENT, first->path, "as recorded here", said);
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

static bool compare_all(struct history_diff *diff, struct plays plays[2])
{
    bool is_kept = true;

    for (size_t i = 0; i < plays[1].count; i++) {
        struct played *first = find(&plays[0], &plays[1].items[i]);

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
    if (!status && !compare_all(diff, plays))
        status = error_set(error, ERROR_RIG, "no memory to compare runs");
    free_plays(&plays[0]);
    free_plays(&plays[1]);
    return status;
}
