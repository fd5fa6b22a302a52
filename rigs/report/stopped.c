/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run that a person has stopped, or its first failure, as a report tells it. */
#include <string.h>
#include <time.h>

#include "hal/base/plural.h"
#include "rigs/report/report.h"

/* When its last line was written; only a real clock says so, and of one bench. */
static void put_time(const struct report *report, char text[REPORT_DATE_SIZE + 4])
{
    struct tm date = {.tm_isdst = 0};
    time_t when;

    text[0] = '\0';
    if (report->journal_count != 1 || !strptime(report->since_date, "%Y-%m-%dT%H:%M:%SZ", &date))
        return;
    when = timegm(&date) +
           (json_int(json_member(report->end, "t")) - report->since) / NANOS_PER_SECOND;
    if (gmtime_r(&when, &date))
        strftime(text, REPORT_DATE_SIZE + 4, " at %Y-%m-%dT%H:%M:%SZ", &date);
}

/* How many rounds there were to play, by all shards that are told; 0: that is not known. */
static uint64_t rounds_announced(const struct report *report)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < report->journal_count; i++) {
        const struct json_value *start = report->journals[i].start;
        int64_t rounds = json_int(json_member(start ? start : report->start, "rounds"));

        if (rounds <= 0 || __builtin_add_overflow(sum, (uint64_t)rounds, &sum))
            return 0;
    }
    return sum;
}

static void put_place(const struct report *report, char *text, size_t size)
{
    uint64_t announced = rounds_announced(report);
    struct report_round last;
    int length;

    if (!report->round_count) {
        snprintf(text, size, "before the first round");
        return;
    }
    last = report_round_at(report, report->round_count - 1);
    length = snprintf(text, size, "%s round %jd of %.200s",
                      last.judged && last.verdict == VERDICT_ABORTED ? "in" : "after",
                      (intmax_t)last.number,
                      report_text(report_recording_at(report, last.recording).fields, "path"));
    if (announced && (size_t)length < size)
        snprintf(text + length, size - (size_t)length, "; %zu of %ju round%s %s begun",
                 report->round_count, (uintmax_t)announced, announced == 1 ? "" : "s",
                 report->round_count == 1 ? "was" : "were");
}

static bool asks_to_fail_fast(const struct report *report)
{
    JSON_EACH (word, json_member(report->start, "command")) {
        const char *text = json_chars(word);

        if (text && !strcmp(text, "--fail-fast"))
            return true;
    }
    return false;
}

/*
 * The first round that did not pass has ended a run that has rounds left and does not say why.
 * Where it does, devices may have been left otherwise than they were found, after that.
 */
static bool has_failed_fast(const struct report *report, const struct report_round *last)
{
    if (report->problem[0] || !report->end || rounds_announced(report) <= report->round_count)
        return false;
    return !*report_text(report->end, "why") ||
           (asks_to_fail_fast(report) && report_round_failed(last));
}

/* Which round that was is plain where it is the last one; of several shards each may have one. */
static void put_first_failure(const struct report *report, char text[REPORT_STOPPED_SIZE])
{
    uint64_t announced = rounds_announced(report), unplayed = announced - report->round_count;
    struct report_round last;
    char place[320] = "";

    text[0] = '\0';
    if (!report->round_count)
        return;
    last = report_round_at(report, report->round_count - 1);
    if (!has_failed_fast(report, &last))
        return;
    if (report_round_failed(&last) && report->journal_count == 1)
        snprintf(place, sizeof place, ", round %jd of %.200s", (intmax_t)last.number,
                 report_text(report_recording_at(report, last.recording).fields, "path"));
    snprintf(text, REPORT_STOPPED_SIZE,
             "stopped at the first round that did not pass (--fail-fast)%s; %ju of %ju round%s %s "
             "not played",
             place, (uintmax_t)unplayed, (uintmax_t)announced, plural(announced),
             unplayed == 1 ? "was" : "were");
}

const char *report_stopped(const struct report *report, char text[REPORT_STOPPED_SIZE])
{
    char time[REPORT_DATE_SIZE + 4], place[320];

    if (strcmp(report_text(report->end, "verdict"), verdict_name(VERDICT_ABORTED)) != 0) {
        put_first_failure(report, text);
        return text;
    }
    put_time(report, time);
    put_place(report, place, sizeof place);
    snprintf(text, REPORT_STOPPED_SIZE, "stopped by %.100s%s%s, %s",
             report->stopped_by ? report->stopped_by : "a person, with Ctrl-C or a signal",
             report->stopped_by ? " on the page" : "", time, place);
    return text;
}
