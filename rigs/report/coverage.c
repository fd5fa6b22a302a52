/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/report/coverage.h"

#include <stdlib.h>
#include <string.h>

static size_t put_text(const struct json_value *value, char text[JSON_LONGEST])
{
    struct json_text out;

    json_text_begin(&out, text, JSON_LONGEST);
    json_text_value(&out, value);
    return out.full ? 0 : (size_t)(out.at - text);
}

static struct report_coverage *get(struct report *report)
{
    struct report_coverage *coverage = report->coverage;

    if (coverage)
        return coverage;
    coverage = calloc(1, sizeof *coverage);
    if (coverage && !(coverage->json = json_reader_new(JSON_LONGEST))) {
        free(coverage);
        coverage = NULL;
    }
    return report->coverage = coverage;
}

void report_coverage_free(struct report_coverage *coverage)
{
    if (!coverage)
        return;
    cover_book_clear(&coverage->book);
    json_reader_free(coverage->json);
    free(coverage);
}

bool report_coverage_recording(struct report *report, const struct json_value *header,
                               const char *path)
{
    struct report_coverage *coverage = header ? get(report) : report->coverage;
    char text[JSON_LONGEST];
    size_t length;
    int status;

    if (!coverage)
        return !header;
    coverage->page = NULL;
    coverage->is_open = false;
    length = header ? put_text(header, text) : 0;
    coverage->state = (struct cover_table_state){.deck = 0};
    if (!length)
        return true;
    /* A paytable of a file is not in the journal. */
    status = recording_read_header(text, length, NULL, &coverage->state.header, NULL);
    if (status)
        return status != ERROR_RIG;
    coverage->page = cover_book_game(&coverage->book, coverage->state.header.setup.game);
    if (!coverage->page)
        return false;
    coverage->page->recordings++;
    coverage->state.points = &coverage->page->points;
    coverage->path = path;
    return true;
}

void report_coverage_round(struct report *report, const struct json_value *played)
{
    struct report_coverage *coverage = report->coverage;
    struct recording_round round;
    struct error why = {0};
    char text[JSON_LONGEST];
    size_t length;

    if (!coverage || !coverage->page || !json_is(played, JSON_KIND_OBJECT))
        return;
    coverage->is_open = true;
    coverage->shown = (struct cover_set){{0}};
    coverage->round = json_int(json_member(played, "round"));
    length = put_text(played, text);
    if (recording_read_round(coverage->json, text, length, &coverage->state.header, &round, &why))
        cover_see_refusal(coverage->state.points, &why, &coverage->shown);
    else if (recording_is_deck(&round))
        coverage->is_open = false;
    else
        cover_see(&coverage->state, &round, &coverage->shown, &why);
}

/* A round has one of these two when all of its cards were dealt, or the rules have refused it. */
void report_coverage_verdict(struct report *report, enum verdict verdict)
{
    struct report_coverage *coverage = report->coverage;

    if (!coverage || !coverage->is_open)
        return;
    coverage->is_open = false;
    if (verdict == VERDICT_PASS || verdict == VERDICT_FAIL)
        cover_book_enter(coverage->page, &coverage->shown, coverage->path, coverage->round);
}

bool report_coverage_any(const struct report *report)
{
    return report->coverage && report->coverage->book.games;
}

static void add_wager(struct report_lines *lines, const struct cover_game *page, unsigned index)
{
    const struct wager *wager = &page->points.game->wagers[index];
    unsigned point = (unsigned)page->points.line[index];

    if (page->points.line[index] == COVER_NONE)
        return;
    for (unsigned table = 0; table < wager->table_count; table++, point++)
        for (unsigned line = 0; line < wager->line_count; line++, point++) {
            lines->all++;
            lines->seen += cover_has(&page->seen, point);
        }
}

struct report_lines report_coverage_lines(const struct report *report,
                                          const struct cover_game *page)
{
    struct report_lines lines = {0};
    const struct cover_game *at = page;

    if (!page && report_coverage_any(report))
        at = report->coverage->book.games;
    for (; at; at = page ? NULL : at->next)
        for (unsigned i = 0; i < at->points.game->wager_count; i++)
            add_wager(&lines, at, i);
    return lines;
}

void report_coverage_line(const struct report *report, FILE *out)
{
    const struct cover_game *games =
        report_coverage_any(report) ? report->coverage->book.games : NULL;

    for (const struct cover_game *page = games; page; page = page->next) {
        struct report_lines lines = report_coverage_lines(report, page);

        fprintf(out, "%s%s %u of %u%s", page == games ? "paying lines seen: " : ", ",
                page->points.game->name, lines.seen, lines.all, page->next ? "" : "\n");
    }
    for (const struct cover_game *page = games; page; page = page->next)
        fprintf(out, "%s%s %u of %u%s", page == games ? "coverage points seen: " : ", ",
                page->points.game->name, cover_count(&page->seen), page->points.count,
                page->next ? "" : "\n");
}
