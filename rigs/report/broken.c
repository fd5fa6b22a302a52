/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What did not pass, so that the first of each kind is told however much there is. */
#include <string.h>

#include "rigs/report/report.h"

void report_unjudged_see(struct report *report, const struct report_round *round)
{
    struct report_unjudged *broken;

    if (!report_round_failed(round) || (round->judged && round->verdict == VERDICT_FAIL))
        return;
    broken = &report->broken[round->judged ? (unsigned)round->verdict : REPORT_CUT_OFF];
    if (broken->count < REPORT_UNJUDGED)
        broken->rounds[broken->count] = report->round_count - 1;
    broken->count++;
}

bool report_round_is_first(const struct report *report, size_t index)
{
    for (size_t i = 0; i < report->check_count; i++)
        if (report->checks[i].rounds && report->checks[i].first == index)
            return true;
    for (unsigned kind = 0; kind <= REPORT_CUT_OFF; kind++)
        for (size_t i = 0; i < REPORT_UNJUDGED && i < report->broken[kind].count; i++)
            if (report->broken[kind].rounds[i] == index)
                return true;
    return false;
}

const char *report_round_why(const struct report *report, const struct report_round *round)
{
    const struct json_value *line;
    size_t at = 0;

    while ((line = report_round_line(report, round, &at)))
        if (!strcmp(report_text(line, "kind"), journal_kind_name(JOURNAL_VERDICT)))
            return report_text(line, "why");
    return "";
}
