/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/history/diff.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/history/rank.h"

const char *history_kind_name(enum history_kind kind)
{
    static const char *const names[HISTORY_DIFF_KINDS] = {
        [HISTORY_DIFF_FACT] = "fact",       [HISTORY_DIFF_DEVICE] = "device",
        [HISTORY_DIFF_CHECK] = "check",     [HISTORY_DIFF_RECORDING] = "recording",
        [HISTORY_DIFF_VERDICT] = "verdict", [HISTORY_DIFF_SETTLEMENT] = "settlement"};

    return names[kind];
}

const char *history_side_say(const struct history_side *side, char said[HISTORY_SIDE_SIZE])
{
    char unverified[48] = "", cut_off[48] = "", left[64] = "", same[64] = "";

    if (side->unverified)
        snprintf(unverified, sizeof unverified, ", NOT VERIFIED");
    if (side->cut_off && side->count == 1)
        snprintf(cut_off, sizeof cut_off, ", cut off");
    else if (side->cut_off)
        snprintf(cut_off, sizeof cut_off, ", %zu of them cut off", side->cut_off);
    if (side->left_unverified)
        snprintf(left, sizeof left, "; %zu that %s not verify left out", side->left_unverified,
                 side->left_unverified == 1 ? "does" : "do");
    if (side->left_same)
        snprintf(same, sizeof same, "; %zu with the lines of another left out", side->left_same);
    snprintf(said, HISTORY_SIDE_SIZE, "%zu run%s%s%s%s%s", side->count, side->count == 1 ? "" : "s",
             unverified, cut_off, left, same);
    return said;
}

static int no_memory(struct error *error)
{
    return error_set(error, ERROR_RIG, "no memory to compare runs");
}

bool history_diff_add(struct history_diff *diff, enum history_kind kind, const char *what,
                      const char *first, const char *second)
{
    struct history_difference *item;

    if (diff->count == diff->size) {
        size_t size = diff->size ? 2 * diff->size : 16;
        struct history_difference *items = reallocarray(diff->items, size, sizeof *items);

        if (!items)
            return false;
        diff->items = items;
        diff->size = size;
    }
    item = &diff->items[diff->count++];
    *item = (struct history_difference){.kind = kind};
    snprintf(item->what, sizeof item->what, "%s", what);
    snprintf(item->first, sizeof item->first, "%s", first ? first : "-");
    snprintf(item->second, sizeof item->second, "%s", second ? second : "-");
    return true;
}

bool history_diff_rate(struct history_diff *diff, enum history_kind kind, const char *what,
                       const char *first, const char *second, bool is_same, double p)
{
    diff->rates++;
    if (is_same)
        return true;
    if (!history_diff_add(diff, kind, what, first, second))
        return false;
    diff->items[diff->count - 1].is_tested = true;
    diff->items[diff->count - 1].p = p;
    return true;
}

bool history_diff_is_many(const struct history_side sides[2])
{
    return sides[0].is_many || sides[1].is_many || sides[0].count > 1 || sides[1].count > 1;
}

static bool is_same(const char *first, const char *second)
{
    return first && second ? !strcmp(first, second) : first == second;
}

/* What is kept of a run while the other is looked at. */
struct facts {
    char *verdict, *rig, *rig_sha256, *version, *clock;
    struct history_device *devices;
    size_t device_count;
    bool is_short;
};

static char *copy(struct facts *facts, const char *text)
{
    char *copied = text ? strdup(text) : NULL;

    facts->is_short |= text && !copied;
    return copied;
}

static int keep_facts(void *context, const struct history_found *run)
{
    struct facts *facts = context;

    facts->verdict = copy(facts, run->verdict);
    facts->rig = copy(facts, run->rig);
    facts->rig_sha256 = copy(facts, run->rig_sha256);
    facts->version = copy(facts, run->version);
    facts->clock = copy(facts, run->clock);
    facts->devices = calloc(run->device_count + 1, sizeof *facts->devices);
    facts->is_short |= !facts->devices;
    for (size_t i = 0; facts->devices && i < run->device_count; i++) {
        const struct history_device *from = &run->devices[i];

        facts->devices[facts->device_count++] =
            (struct history_device){.name = copy(facts, from->name),
                                    .driver = copy(facts, from->driver),
                                    .address = copy(facts, from->address),
                                    .model = copy(facts, from->model),
                                    .serial = copy(facts, from->serial),
                                    .firmware = copy(facts, from->firmware),
                                    .digest = copy(facts, from->digest)};
    }
    return 0;
}

static void free_facts(struct facts *facts)
{
    free(facts->verdict);
    free(facts->rig);
    free(facts->rig_sha256);
    free(facts->version);
    free(facts->clock);
    for (size_t i = 0; i < facts->device_count; i++) {
        struct history_device *device = &facts->devices[i];
        char *const texts[] = {device->name,   device->driver,   device->address, device->model,
                               device->serial, device->firmware, device->digest};

        for (size_t j = 0; j < sizeof texts / sizeof texts[0]; j++)
            free(texts[j]);
    }
    free(facts->devices);
}

/* By name; where a run in shards had several of that name, the one with the serial number too. */
static const struct history_device *find_device(const struct facts *facts,
                                                const struct history_device *like, bool by_serial)
{
    for (size_t i = 0; i < facts->device_count; i++) {
        const struct history_device *device = &facts->devices[i];

        if (!strcmp(device->name, like->name) &&
            (!by_serial || is_same(device->serial, like->serial)))
            return device;
    }
    return NULL;
}

static bool has_several(const struct facts *facts, const char *name)
{
    size_t count = 0;

    for (size_t i = 0; i < facts->device_count; i++)
        count += !strcmp(facts->devices[i].name, name);
    return count > 1;
}

static bool tell_device(struct history_diff *diff, const struct history_device *device,
                        bool is_first, bool by_serial)
{
    char what[HISTORY_SAID_SIZE];

    snprintf(what, sizeof what, "%.60s%s%.120s", device->name, by_serial ? " " : "",
             by_serial && device->serial ? device->serial : "");
    return history_diff_add(diff, HISTORY_DIFF_DEVICE, what, is_first ? "takes part" : NULL,
                            is_first ? NULL : "takes part");
}

static bool compare_device(struct history_diff *diff, const struct history_device *first,
                           const struct history_device *second)
{
    const struct {
        const char *what, *first, *second;
    } fields[] = {{"driver", first->driver, second->driver},
                  {"address", first->address, second->address},
                  {"model", first->model, second->model},
                  {"serial", first->serial, second->serial},
                  {"firmware", first->firmware, second->firmware},
                  {"digest of the firmware", first->digest, second->digest}};
    bool is_kept = true;

    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        char what[HISTORY_SAID_SIZE];

        snprintf(what, sizeof what, "%.100s %s", first->name, fields[i].what);
        if (!is_same(fields[i].first, fields[i].second))
            is_kept &= history_diff_add(diff, HISTORY_DIFF_DEVICE, what, fields[i].first,
                                        fields[i].second);
    }
    return is_kept;
}

static bool compare_devices(struct history_diff *diff, const struct facts *first,
                            const struct facts *second)
{
    bool is_kept = true;

    for (size_t i = 0; i < first->device_count; i++) {
        const struct history_device *device = &first->devices[i];
        bool by_serial = has_several(first, device->name) || has_several(second, device->name);
        const struct history_device *other = find_device(second, device, by_serial);

        is_kept &= other ? compare_device(diff, device, other)
                         : tell_device(diff, device, true, by_serial);
    }
    for (size_t i = 0; i < second->device_count; i++) {
        const struct history_device *device = &second->devices[i];
        bool by_serial = has_several(first, device->name) || has_several(second, device->name);

        if (!find_device(first, device, by_serial))
            is_kept &= tell_device(diff, device, false, by_serial);
    }
    return is_kept;
}

/* Of single runs. */
static int compare_facts(struct store *store, const struct history_side sides[2],
                         struct history_diff *diff, struct error *error)
{
    struct facts facts[2] = {{.is_short = false}, {.is_short = false}};
    int status = 0;

    if (history_diff_is_many(sides))
        return 0;
    for (int i = 0; i < 2 && !status; i++)
        status = history_find(store, &(struct history_filter){.number = sides[i].runs[0]},
                              keep_facts, &facts[i], error);
    if (!status) {
        const struct {
            const char *what, *first, *second;
        } texts[] = {{"verdict", facts[0].verdict, facts[1].verdict},
                     {"clock", facts[0].clock, facts[1].clock},
                     {"rig", facts[0].rig, facts[1].rig},
                     {"content of the rig file", facts[0].rig_sha256, facts[1].rig_sha256},
                     {"version of dealproof", facts[0].version, facts[1].version}};
        bool is_kept = !facts[0].is_short && !facts[1].is_short;

        for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
            if (!is_same(texts[i].first, texts[i].second))
                is_kept &= history_diff_add(diff, HISTORY_DIFF_FACT, texts[i].what, texts[i].first,
                                            texts[i].second);
        is_kept &= compare_devices(diff, &facts[0], &facts[1]);
        status = is_kept ? 0 : no_memory(error);
    }
    free_facts(&facts[0]);
    free_facts(&facts[1]);
    return status;
}

/* Of one name; a side that has none of it has a count of 0. */
static void time_one(const struct history_spread *first, const struct history_spread *second,
                     struct history_timed *timed, bool *is_short)
{
    const struct history_spread *named = first->count ? first : second;
    struct rank_result result;

    *timed = (struct history_timed){.by_hand = named->by_hand,
                                    .first_count = first->count,
                                    .second_count = second->count,
                                    .first_median = history_spread_median(first),
                                    .second_median = history_spread_median(second),
                                    .is_tested = first->count && second->count,
                                    .p = 1,
                                    .larger = 0.5};
    snprintf(timed->name, sizeof timed->name, "%s", named->name);
    if (!timed->is_tested)
        return;
    if (!rank_compare(first->took, first->count, second->took, second->count, &result)) {
        *is_short = true;
        return;
    }
    timed->larger = result.larger;
    timed->p = result.p;
    timed->is_exact = result.is_exact;
}

/* Names that both sides have are corrected for together. */
static bool correct(struct history_diff *diff)
{
    double *p = calloc(diff->timed_count + 1, sizeof *p);
    size_t count = 0;

    if (!p)
        return false;
    for (size_t i = 0; i < diff->timed_count; i++)
        if (diff->timed[i].is_tested)
            p[count++] = diff->timed[i].p;
    rank_holm(p, count);
    count = 0;
    for (size_t i = 0; i < diff->timed_count; i++) {
        if (diff->timed[i].is_tested)
            diff->timed[i].p = p[count++];
        diff->timed_that_differ += history_timed_differs(&diff->timed[i]);
    }
    free(p);
    return true;
}

static int compare_timings(struct store *store, const struct history_side sides[2],
                           struct history_diff *diff, struct error *error)
{
    static const struct history_spread none = {.count = 0};
    struct history_spreads spreads[2] = {{.items = NULL}, {.items = NULL}};
    bool is_short = false;
    int status = 0;

    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < sides[side].count && !status; i++)
            status = history_spreads_of_run(store, sides[side].runs[i], &spreads[side], error);
    if (!status) {
        diff->timed = calloc(spreads[0].count + spreads[1].count + 1, sizeof *diff->timed);
        is_short = !diff->timed;
    }
    for (size_t i = 0; diff->timed && i < spreads[0].count; i++) {
        const struct history_spread *first = &spreads[0].items[i];
        const struct history_spread *second =
            history_spread_find(&spreads[1], first->name, first->by_hand);

        time_one(first, second ? second : &none, &diff->timed[diff->timed_count++], &is_short);
    }
    for (size_t i = 0; diff->timed && i < spreads[1].count; i++) {
        const struct history_spread *second = &spreads[1].items[i];

        if (!history_spread_find(&spreads[0], second->name, second->by_hand))
            time_one(&none, second, &diff->timed[diff->timed_count++], &is_short);
    }
    history_spreads_free(&spreads[0]);
    history_spreads_free(&spreads[1]);
    if (!status && (is_short || !correct(diff)))
        status = no_memory(error);
    return status;
}

bool history_timed_differs(const struct history_timed *timed)
{
    return timed->is_tested && timed->p < HISTORY_DIFF_ALPHA;
}

bool history_difference_differs(const struct history_difference *difference)
{
    return !difference->is_tested || difference->p < HISTORY_DIFF_ALPHA;
}

/* All rates are corrected for together; those that are the same have a p of 1. */
static bool correct_rates(struct history_diff *diff)
{
    double *p = calloc(diff->rates + 1, sizeof *p);
    size_t count = 0;

    if (!p)
        return false;
    for (size_t i = 0; i < diff->rates; i++)
        p[i] = 1;
    for (size_t i = 0; i < diff->count; i++)
        if (diff->items[i].is_tested)
            p[count++] = diff->items[i].p;
    rank_holm(p, diff->rates);
    count = 0;
    for (size_t i = 0; i < diff->count; i++) {
        if (diff->items[i].is_tested)
            diff->items[i].p = p[count++];
        diff->that_differ += history_difference_differs(&diff->items[i]);
    }
    free(p);
    return true;
}

int history_diff(struct store *store, const struct history_side sides[2], struct history_diff *diff,
                 struct error *error)
{
    int status;

    *diff = (struct history_diff){.count = 0};
    status = compare_facts(store, sides, diff, error);
    if (!status)
        status = history_diff_checks(store, sides, diff, error);
    if (!status)
        status = history_diff_recordings(store, sides, diff, error);
    if (!status)
        status = compare_timings(store, sides, diff, error);
    if (!status && !correct_rates(diff))
        status = no_memory(error);
    return status;
}

void history_diff_free(struct history_diff *diff)
{
    free(diff->items);
    free(diff->timed);
    *diff = (struct history_diff){.count = 0};
}
