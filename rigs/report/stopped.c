/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run that a person has stopped, as a report tells it. */
#include <string.h>
#include <time.h>

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

static void put_place(const struct report *report, char *text, size_t size)
{
    intmax_t announced = json_int(json_member(report->start, "rounds"));
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
    if (json_member(report->start, "rounds") && (size_t)length < size)
        snprintf(text + length, size - (size_t)length, "; %zu of %jd round%s %s begun",
                 report->round_count, announced, announced == 1 ? "" : "s",
                 report->round_count == 1 ? "was" : "were");
}

const char *report_stopped(const struct report *report, char text[REPORT_STOPPED_SIZE])
{
    char time[REPORT_DATE_SIZE + 4], place[320];

    text[0] = '\0';
    if (strcmp(report_text(report->end, "verdict"), verdict_name(VERDICT_ABORTED)) != 0)
        return text;
    put_time(report, time);
    put_place(report, place, sizeof place);
    snprintf(text, REPORT_STOPPED_SIZE, "stopped by %.100s%s%s, %s",
             report->stopped_by ? report->stopped_by : "a person, with Ctrl-C or a signal",
             report->stopped_by ? " on the page" : "", time, place);
    return text;
}
