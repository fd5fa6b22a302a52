/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/report/figures.h"

#include <stdlib.h>
#include <string.h>

#include "games/money.h"
#include "rigs/checks/book.h"

/* Where there are more values than points, every second one is given up. */
static void add_value(struct report_meter *meter, int64_t value)
{
    if (meter->seen++ % meter->stride)
        return;
    if (meter->count == REPORT_POINTS) {
        for (size_t i = 0; i < REPORT_POINTS / 2; i++)
            meter->values[i] = meter->values[2 * i];
        meter->count = REPORT_POINTS / 2;
        meter->stride *= 2;
    }
    meter->values[meter->count++] = value;
}

/* Of the recording that is read, whose meters these are; NULL when there are too many. */
static struct report_meter *find_meter(struct report_recording *recording,
                                       struct report_meter *meters, const char *name)
{
    struct report_meter *meter;

    for (size_t i = 0; i < recording->meter_count; i++)
        if (!strcmp(meters[i].name, name))
            return &meters[i];
    if (recording->meter_count == REPORT_METERS)
        return NULL;
    meter = &meters[recording->meter_count++];
    snprintf(meter->name, sizeof meter->name, "%s", name);
    meter->stride = 1;
    return meter;
}

bool report_meters_see(struct report *report, const struct json_value *values)
{
    struct report_meter **meters;

    if (!report->recording_count || report->recording_count > REPORT_CURVES)
        return true;
    meters = &report->meters[report->recording_count - 1];
    if (!*meters && json_count(values))
        *meters = calloc(REPORT_METERS, sizeof **meters);
    if (!*meters && json_count(values))
        return false;
    report->last.meters = *meters;
    JSON_EACH (value, values) {
        struct report_meter *meter = find_meter(&report->last, *meters, value->key);
        micros_t micros;

        if (meter && json_is(value, JSON_KIND_STRING) && !micros_parse(value->text, &micros, NULL))
            add_value(meter, micros);
    }
    return true;
}

static size_t bucket_of(nanos_t took)
{
    size_t bucket = 0;

    while (bucket + 1 < REPORT_BUCKETS && took >= report_bucket_start(bucket + 1))
        bucket++;
    return bucket;
}

static struct report_timing *find_timing(struct report *report, const char *name, nanos_t limit)
{
    struct report_timing *timing;

    for (size_t i = 0; i < report->timing_count; i++)
        if (report->timings[i].limit == limit && !strcmp(report->timings[i].name, name))
            return &report->timings[i];
    if (report->timing_count == REPORT_TIMINGS)
        return NULL;
    timing = &report->timings[report->timing_count++];
    snprintf(timing->name, sizeof timing->name, "%s", name);
    timing->limit = limit;
    return timing;
}

/* What people have taken is kept apart from what the machine has. */
void report_timing_see(struct report *report, const struct json_value *fields)
{
    nanos_t took = json_int(json_member(fields, "took"));
    nanos_t limit = json_int(json_member(fields, "limit"));
    struct report_timing *timing;
    char name[sizeof timing->name];

    snprintf(name, sizeof name, "%.30s%s", report_text(fields, "name"),
             strcmp(report_text(fields, "by"), "hand") != 0 ? "" : " by hand");
    timing = took < 0 ? NULL : find_timing(report, name, limit > 0 ? limit : 0);
    if (!timing)
        return;
    timing->buckets[bucket_of(took)]++;
    timing->late += limit > 0 && took > limit && bucket_of(took) == bucket_of(limit);
    if (!timing->count++ || took > timing->slowest) {
        timing->slowest = took;
        timing->slowest_round = report->round_count - 1;
    }
}

struct report_check *report_check_find(struct report *report, const char *name)
{
    struct report_check *check;

    for (size_t i = 0; i < report->check_count; i++)
        if (!strcmp(report->checks[i].name, name))
            return &report->checks[i];
    if (report->check_count == REPORT_CHECKS)
        return NULL;
    check = &report->checks[report->check_count++];
    snprintf(check->name, sizeof check->name, "%s", name);
    return check;
}

static void see_passes(struct report *report, const struct json_value *names,
                       struct report_tally *round)
{
    JSON_EACH (count, names) {
        struct report_check *check = report_check_find(report, count->key);

        if (check && json_int(count) > 0) {
            check->passed += (uint64_t)json_int(count);
            *(round ? &round->passed : &report->passed) += json_int(count);
        }
    }
}

/* A check of no round; false when memory is short. */
static bool see_after(struct report *report, struct report_check *check,
                      const struct json_value *fields)
{
    check->failed++;
    report->failed++;
    report->verdict = verdict_worse(report->verdict, VERDICT_FAIL);
    if (report->after_count == REPORT_AFTER)
        return true;
    report->after[report->after_count] = json_keep(fields);
    return report->after[report->after_count++];
}

static void see_failure(const struct report *report, struct report_check *check)
{
    size_t round = report->round_count ? report->round_count - 1 : 0;

    if (!check->rounds)
        check->first = round;
    check->rounds += !check->rounds || check->last != round;
    check->last = round;
    check->failed++;
}

/* That no round has asked for it is no reason where another recording has had one. */
static void see_reason(struct report_check *check, const char *why)
{
    if (!*check->why || strcmp(why, CHECK_UNASKED) != 0)
        snprintf(check->why, sizeof check->why, "%s", why);
}

bool report_check_see(struct report *report, const struct json_value *fields,
                      struct report_tally *round)
{
    const char *result = report_text(fields, "result");
    struct report_check *check;

    if (!strcmp(result, "pass")) {
        see_passes(report, json_member(fields, "names"), round);
        return true;
    }
    check = report_check_find(report, report_text(fields, "name"));
    if (!check)
        return true;
    if (!strcmp(result, "fail")) {
        if (!round)
            return see_after(report, check, fields);
        see_failure(report, check);
        round->failed++;
    } else {
        check->skipped++;
        ++*(round ? &round->skipped : &report->skipped);
        see_reason(check, report_text(fields, "why"));
    }
    return true;
}
