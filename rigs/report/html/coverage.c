/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>

#include "rigs/page/markup.h"
#include "rigs/report/coverage.h"
#include "rigs/report/html/html.h"

static void write_missed(FILE *out, const struct cover_game *page)
{
    fputs("<ul class=\"soft\">", out);
    for (unsigned i = 0; i < page->points.count; i++)
        if (!cover_has(&page->seen, i)) {
            fputs("<li>never saw ", out);
            markup_text(out, page->points.point[i].name);
        }
    fputs("</ul>\n", out);
}

static void write_game(FILE *out, const struct report *report, const struct cover_game *page,
                       const struct cover_trace *trace)
{
    struct cover_rules rules = cover_book_rules(page, trace);
    struct report_lines lines = report_coverage_lines(report, page);
    unsigned missed = cover_book_missed(page);

    fputs("<details><summary>", out);
    markup_text(out, page->points.game->title);
    if (lines.all)
        fprintf(out, ": %u of %u paying lines", lines.seen, lines.all);
    fprintf(out, "%s %u of %u points in %" PRIu64 " round%s", lines.all ? "," : ":",
            page->points.count - missed, page->points.count, page->rounds,
            page->rounds == 1 ? "" : "s");
    if (rules.statements)
        fprintf(out, ", %u of %u rules of its sheets that a recording can exercise",
                rules.exercised, rules.statements);
    fputs("</summary>", out);
    if (missed)
        write_missed(out, page);
    else
        fputs("<p class=\"soft\">Everything has come up.", out);
    fputs("</details>\n", out);
}

void html_coverage(FILE *out, const struct report *report)
{
    struct cover_trace trace;

    if (!report_coverage_any(report))
        return;
    if (cover_trace_open(&trace, NULL)) {
        fputs("<p class=\"alarm\">There was no memory to say what the recordings exercise.\n", out);
        return;
    }
    fputs(
        "<h2 id=\"coverage\">What the recordings exercise</h2>\n"
        "<p class=\"soft\">Paying lines, ties, hands that just qualify or just do not, decisions, "
        "deals, meters, refusals, keys in each state.\n",
        out);
    for (const struct cover_game *page = report->coverage->book.games; page; page = page->next)
        write_game(out, report, page, &trace);
    cover_trace_close(&trace);
}
