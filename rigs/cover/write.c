/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <string.h>

#include "rigs/cover/book.h"
#include "rigs/page/markup.h"

/* Whether a statement is shown by this point. */
static bool is_of(const struct cover_statement *statement, const struct cover_points *points,
                  unsigned wanted)
{
    const char *at = NULL;
    char name[COVER_NAME_SIZE];
    int point = cover_trace_point(statement, points, &at, name);

    for (; *name; point = cover_trace_point(statement, points, &at, name))
        if (point == (int)wanted)
            return true;
    return false;
}

/* " (Chase letter 86, Chase sheet 73)", or nothing. */
static void write_statements(const struct cover_game *page, const struct cover_trace *trace,
                             unsigned point, FILE *out)
{
    const char *before = " (";

    for (size_t i = 0; i < trace->count; i++)
        if (!strcmp(trace->statements[i].game, page->points.game->name) &&
            is_of(&trace->statements[i], &page->points, point)) {
            fprintf(out, "%s%s", before, trace->statements[i].name);
            before = ", ";
        }
    fputs(*before == ',' ? ")" : "", out);
}

static void write_point(const struct cover_game *page, const struct cover_trace *trace,
                        unsigned point, FILE *out)
{
    const struct cover_first *first = &page->first[point];

    if (cover_has(&page->seen, point)) {
        fprintf(out, "  saw %s: ", page->points.point[point].name);
        plain_text(out, first->recording);
        fprintf(out, " round %" PRId64, first->round);
    } else {
        fprintf(out, "  never saw %s", page->points.point[point].name);
    }
    write_statements(page, trace, point, out);
    putc('\n', out);
}

static void write_game(const struct cover_game *page, const struct cover_trace *trace, bool all,
                       FILE *out)
{
    struct cover_rules rules = cover_book_rules(page, trace);
    unsigned missed = cover_book_missed(page);

    fprintf(out, "%s: %u of %u points in %" PRIu64 " round%s of %" PRIu64 " recording%s",
            page->points.game->title, page->points.count - missed, page->points.count, page->rounds,
            page->rounds == 1 ? "" : "s", page->recordings, page->recordings == 1 ? "" : "s");
    if (rules.statements)
        fprintf(out, "; %u of %u rules of its sheets that a recording can exercise",
                rules.exercised, rules.statements);
    putc('\n', out);
    for (unsigned i = 0; i < page->points.count; i++)
        if (all || !cover_has(&page->seen, i))
            write_point(page, trace, i, out);
}

void cover_book_write_text(const struct cover_book *book, const struct cover_trace *trace, bool all,
                           FILE *out)
{
    for (const struct cover_game *page = book->games; page; page = page->next)
        write_game(page, trace, all, out);
}

static void write_string(const char *text, FILE *out)
{
    char buffer[8192];
    struct json_text json;

    json_text_begin(&json, buffer, sizeof buffer);
    json_text_string(&json, text);
    fwrite(buffer, 1, (size_t)(json.at - buffer), out);
}

static void write_json_point(const struct cover_game *page, unsigned point, FILE *out)
{
    const struct cover_point *of = &page->points.point[point];

    fputs(point ? ",{\"point\":" : "{\"point\":", out);
    write_string(of->name, out);
    fprintf(out, ",\"kind\":\"%s\"", cover_kind_names[of->kind]);
    if (cover_has(&page->seen, point)) {
        fputs(",\"recording\":", out);
        write_string(page->first[point].recording, out);
        fprintf(out, ",\"round\":%" PRId64, page->first[point].round);
    }
    fprintf(out, ",\"seen\":%s}", cover_has(&page->seen, point) ? "true" : "false");
}

static void write_json_statements(const struct cover_game *page, const struct cover_trace *trace,
                                  FILE *out)
{
    const char *before = "";

    for (size_t i = 0; i < trace->count; i++) {
        const struct cover_statement *statement = &trace->statements[i];
        const char *at = NULL;
        char name[COVER_NAME_SIZE];
        unsigned points = 0, seen = 0;
        int point;

        if (strcmp(statement->game, page->points.game->name) != 0)
            continue;
        while ((point = cover_trace_point(statement, &page->points, &at, name)), *name) {
            points++;
            seen += point >= 0 && cover_has(&page->seen, (unsigned)point);
        }
        fprintf(out, "%s{\"statement\":\"%s\",\"points\":%u,\"seen\":%u}", before, statement->name,
                points, seen);
        before = ",";
    }
}

void cover_book_write_json(const struct cover_book *book, const struct cover_trace *trace,
                           FILE *out)
{
    fputs("{\"coverage\":[", out);
    for (const struct cover_game *page = book->games; page; page = page->next) {
        fprintf(out,
                "%s{\"game\":\"%s\",\"recordings\":%" PRIu64 ",\"rounds\":%" PRIu64
                ",\"seen\":%u,\"of\":%u,\"points\":[",
                page == book->games ? "" : ",", page->points.game->name, page->recordings,
                page->rounds, cover_count(&page->seen), page->points.count);
        for (unsigned i = 0; i < page->points.count; i++)
            write_json_point(page, i, out);
        fputs("],\"statements\":[", out);
        write_json_statements(page, trace, out);
        fputs("]}", out);
    }
    fputs("]}\n", out);
}
