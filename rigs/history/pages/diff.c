/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What differs between two sides, as a page. */
#include <stdio.h>

#include "rigs/history/pages/pages.h"
#include "rigs/page/markup.h"
#include "rigs/page/page.h"
#include "rigs/report/report.h"

static void write_timed(FILE *out, const struct history_timed *timed)
{
    char first[DURATION_TEXT_SIZE], second[DURATION_TEXT_SIZE];

    fputs("<tr><th scope=\"row\">", out);
    markup_text(out, timed->name);
    fprintf(out, "%s<td class=\"n\">%zu<td class=\"n\">%s<td class=\"n\">%zu<td class=\"n\">%s",
            timed->by_hand ? " by hand" : "", timed->first_count,
            report_duration(timed->first_median, first), timed->second_count,
            report_duration(timed->second_median, second));
    if (timed->is_tested)
        fprintf(out, "<td class=\"n\">%.0f %%<td class=\"n%s\">%.2g%s\n", 100 * timed->larger,
                history_timed_differs(timed) ? " wrong" : "", timed->p,
                timed->is_exact ? " (exact)" : "");
    else
        fputs("<td>-<td>-\n", out);
}

static void write_sides(FILE *out, const struct history_side sides[2],
                        const struct history_diff *diff)
{
    char said[HISTORY_SIDE_SIZE], whole[sizeof sides->label + sizeof said + 2];

    fputs("<h1>What differs</h1>\n<table class=\"facts\">", out);
    for (int i = 0; i < 2; i++) {
        snprintf(whole, sizeof whole, "%s, %s", sides[i].label, history_side_say(&sides[i], said));
        html_fact(out, i ? "Second" : "First", whole);
    }
    fputs("</table>\n<ul class=\"tiles\">\n", out);
    html_tile(out, diff->that_differ ? "fail" : "pass", diff->that_differ, "differences");
    html_tile(out, diff->timed_that_differ ? "fail" : "pass", diff->timed_that_differ,
              "timings differ");
    html_tile(out, "", diff->compared, "recordings compared");
    fputs("</ul>\n", out);
}

int history_page_diff(const char *path, const struct history_side sides[2],
                      const struct history_diff *diff, struct error *error)
{
    struct history_page page;

    history_page_begin(&page, "what differs");
    if (!page.out)
        return history_page_save(&page, path, error);
    write_sides(page.out, sides, diff);
    fputs("<h2>Differences</h2>\n<div class=\"scroll\"><table><thead><tr><th>kind<th>what"
          "<th>first<th>second<th>p</thead>\n",
          page.out);
    for (size_t i = 0; i < diff->count; i++) {
        fprintf(page.out, "<tr><td>%s", history_kind_name(diff->items[i].kind));
        history_page_cell(page.out, diff->items[i].what);
        history_page_cell(page.out, diff->items[i].first);
        history_page_cell(page.out, diff->items[i].second);
        if (diff->items[i].is_tested)
            fprintf(page.out, "<td class=\"n%s\">%.2g\n",
                    history_difference_differs(&diff->items[i]) ? " wrong" : "", diff->items[i].p);
        else
            fputs("<td>-\n", page.out);
    }
    fprintf(
        page.out,
        "</table></div>\n<p>Where there is a p, two rates were tested, of many runs: those of a "
        "check by the ranks of the runs, others by Fisher's exact test, corrected for all of "
        "them by Holm.</p>\n<h2>Timings</h2>\n<p>By the rank sum of Mann and Whitney, corrected "
        "for all names by Holm: they differ where p is below %g.</p>\n"
        "<div class=\"scroll\"><table><thead><tr><th>timing<th>first<th>median<th>second"
        "<th>median<th>pairs slower in the second<th>p</thead>\n",
        HISTORY_DIFF_ALPHA);
    for (size_t i = 0; i < diff->timed_count; i++)
        write_timed(page.out, &diff->timed[i]);
    fputs("</table></div>\n", page.out);
    return history_page_save(&page, path, error);
}
