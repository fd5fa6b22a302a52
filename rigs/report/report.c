/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/report/report.h"

#include <string.h>

#include "rigs/checks/check.h"

const char *report_round_verdict(const struct report_round *round)
{
    return round->judged ? verdict_name(round->verdict) : "cut off";
}

bool report_round_failed(const struct report_round *round)
{
    return !round->judged || round->verdict > VERDICT_PASS;
}

struct report_round report_round_at(const struct report *report, size_t index)
{
    struct report_round round = {.judged = false};

    report_store_at(report->rounds, index, &round);
    return round;
}

struct report_recording report_recording_at(const struct report *report, size_t index)
{
    struct report_recording recording = {.fields = NULL};

    if (index + 1 == report->recording_count)
        return report->last;
    report_store_at(report->recordings, index, &recording);
    return recording;
}

const struct json_value *report_round_line(const struct report *report,
                                           const struct report_round *round, size_t *at)
{
    const char *line, *newline;

    if (!round->lines || *at >= round->length)
        return NULL;
    line = round->lines + *at;
    newline = memchr(line, '\n', round->length - *at);
    *at += (size_t)(newline - line) + 1;
    return json_read(report->json, line, (size_t)(newline - line), NULL);
}

const struct json_value *report_round_failure(const struct report *report,
                                              const struct report_round *round, size_t *at)
{
    const struct json_value *line;

    while ((line = report_round_line(report, round, at)))
        if (!strcmp(report_text(line, "kind"), journal_kind_name(JOURNAL_CHECK)) &&
            !strcmp(report_text(line, "result"), "fail"))
            return line;
    return NULL;
}

const char *report_build(const struct report *report, char text[REPORT_BUILD_SIZE])
{
    snprintf(text, REPORT_BUILD_SIZE, "%s", report_text(report->start, "build"));
    return text;
}

const char *report_realtime(const struct report *report, char text[REPORT_REALTIME_SIZE])
{
    const struct json_value *priority = json_member(report->start, "realtime");

    text[0] = '\0';
    if (json_is(priority, JSON_KIND_INTEGER))
        snprintf(text, REPORT_REALTIME_SIZE, "%jd", (intmax_t)json_int(priority));
    return text;
}

const char *report_part(const struct report *report)
{
    const char *shard = report_text(report->start, "shard");

    return report->journal_count > 1 || !strcmp(shard, "1/1") ? "" : shard;
}

const char *report_text(const struct json_value *object, const char *key)
{
    const char *text = json_chars(json_member(object, key));

    return text ? text : "";
}

void report_operators(const struct report *report, FILE *out, report_writer *write)
{
    for (size_t i = 0; i < report->operator_count; i++) {
        fputs(i ? ", " : "", out);
        write(out, i < REPORT_OPERATORS ? report->operators[i] : "others");
    }
}

static bool is_unproven(const struct report_check *check)
{
    return check->skipped && !check->passed && !check->failed;
}

/* Whether one above it has the same reason. */
static bool is_named(const struct report *report, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (is_unproven(&report->checks[i]) &&
            !strcmp(report->checks[i].why, report->checks[at].why))
            return true;
    return false;
}

bool report_unproven(const struct report *report, size_t index, char text[REPORT_UNPROVEN_SIZE])
{
    size_t first = 0, length = 0;

    for (; first < report->check_count; first++)
        if (is_unproven(&report->checks[first]) && !is_named(report, first) && !index--)
            break;
    if (first == report->check_count)
        return false;
    for (size_t i = first; i < report->check_count && length < REPORT_UNPROVEN_SIZE; i++)
        if (is_unproven(&report->checks[i]) &&
            !strcmp(report->checks[i].why, report->checks[first].why))
            length += (size_t)snprintf(text + length, REPORT_UNPROVEN_SIZE - length, "%s%s",
                                       length ? ", " : "", report->checks[i].name);
    if (length < REPORT_UNPROVEN_SIZE)
        snprintf(text + length, REPORT_UNPROVEN_SIZE - length, ": %s", report->checks[first].why);
    return true;
}

bool report_resume(const struct report *report, size_t index, char text[REPORT_RESUME_SIZE])
{
    const struct json_value *fields, *away, *lost;
    char after[48] = "", round[80] = ", and no round was lost";

    if (index >= report->resume_count || index >= REPORT_RESUMES)
        return false;
    fields = report->resumes[index];
    away = json_member(fields, "away-s");
    lost = json_member(fields, "lost");
    if (json_is(away, JSON_KIND_INTEGER))
        snprintf(after, sizeof after, ", %jd s after it was cut off", (intmax_t)json_int(away));
    if (json_is(lost, JSON_KIND_OBJECT))
        snprintf(round, sizeof round, "; round %jd had begun and was played again",
                 (intmax_t)json_int(json_member(lost, "round")));
    snprintf(text, REPORT_RESUME_SIZE, "resumed %s by %.64s%s%s", report_text(fields, "date"),
             report_text(fields, "by"), after, round);
    return true;
}

nanos_t report_bucket_start(size_t bucket)
{
    static const nanos_t steps[] = {1, 2, 5};
    nanos_t decade = NANOS_PER_MICRO;

    if (bucket == 0)
        return 0;
    for (size_t i = 1; i < bucket / 3 + (bucket % 3 > 0); i++)
        decade *= 10;
    return decade * steps[(bucket - 1) % 3];
}

nanos_t report_timing_median(const struct report_timing *timing)
{
    uint64_t seen = 0;

    for (size_t i = 0; i + 1 < REPORT_BUCKETS; i++) {
        nanos_t end = report_bucket_start(i + 1);

        seen += timing->buckets[i];
        if (2 * seen >= timing->count)
            return end < timing->slowest ? end : timing->slowest;
    }
    return timing->slowest;
}

const char *report_duration(nanos_t duration, char text[DURATION_TEXT_SIZE])
{
    static const struct {
        nanos_t size;
        const char *name;
    } units[] = {{NANOS_PER_SECOND, "s"}, {NANOS_PER_MILLI, "ms"}, {NANOS_PER_MICRO, "us"}};

    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (duration >= units[i].size) {
            double value = (double)duration / (double)units[i].size;

            snprintf(text, DURATION_TEXT_SIZE, "%.*f %s", value < 10 ? 1 : 0, value, units[i].name);
            return text;
        }
    snprintf(text, DURATION_TEXT_SIZE, "%jd ns", (intmax_t)duration);
    return text;
}

const char *report_money(const struct json_value *failure, const struct json_value *value,
                         char text[REPORT_MONEY_SIZE])
{
    cents_t cents = json_int(value);
    char amount[PAID_TEXT_SIZE];

    text[0] = '\0';
    if (!json_is(value, JSON_KIND_INTEGER) || cents == INT64_MIN ||
        !check_is_money(report_text(failure, "name"), report_text(failure, "wager")))
        return text;
    snprintf(text, REPORT_MONEY_SIZE, "%s%s", cents < 0 ? "-" : "",
             paid_text(cents < 0 ? -cents : cents, amount));
    return text;
}
