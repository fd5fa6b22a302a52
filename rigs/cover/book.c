/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/cover/book.h"

#include <stdlib.h>
#include <string.h>

#include "rigs/recording/files.h"

void cover_book_clear(struct cover_book *book)
{
    struct cover_game *page = book->games;

    while (page) {
        struct cover_game *next = page->next;

        free(page);
        page = next;
    }
    book->games = NULL;
}

struct cover_game *cover_book_game(struct cover_book *book, const struct game *game)
{
    struct cover_game **end = &book->games, *page;

    for (page = book->games; page; page = page->next) {
        if (page->points.game == game)
            return page;
        end = &page->next;
    }
    page = calloc(1, sizeof *page);
    if (page)
        cover_points_init(&page->points, game);
    return *end = page;
}

void cover_book_enter(struct cover_game *page, const struct cover_set *set, const char *recording,
                      int64_t round)
{
    page->rounds++;
    if (!cover_is_new(&page->seen, set))
        return;
    for (unsigned i = 0; i < page->points.count; i++)
        if (cover_has(set, i) && !cover_has(&page->seen, i))
            page->first[i] = (struct cover_first){recording, round};
    cover_join(&page->seen, set);
}

/* A recording on its way into the book. */
struct reading {
    struct cover_book *book;
    struct cover_game *page;
    struct cover_table_state state;
    struct json_reader *json;
    struct recording_file *file;
    const char *path;
};

static void complain(struct reading *reading, const struct text_line *line, const int64_t *number,
                     struct error *why)
{
    struct cover_book *book = reading->book;

    book->unread++;
    if (!book->complain)
        return;
    if (number)
        error_prefix(why, "round %jd", (intmax_t)*number);
    error_prefix(why, "%s:%ju", reading->file->name, (uintmax_t)line->number);
    book->complain(book->context, why);
}

static int read_line(struct reading *reading, const struct text_line *line, struct error *error)
{
    struct cover_table_state *state = &reading->state;
    struct cover_set set = {{0}};
    struct recording_round round;
    struct error why = {0};
    int64_t number = 0;
    int status =
        recording_read_round(reading->json, line->text, line->length, &state->header, &round, &why);
    bool is_numbered = !status;

    if (!status && recording_is_deck(&round))
        return 0;
    if (!status) {
        number = round.round.number;
        status = cover_see(state, &round, &set, &why);
    } else {
        cover_see_refusal(state->points, &why, &set);
        is_numbered = recording_find_number(reading->json, line->text, line->length, &number);
    }
    if (status && status != ERROR_RULE)
        return error_set(error, (enum error_code)status, "%s:%ju: %s", reading->file->name,
                         (uintmax_t)line->number, why.text);
    if (status && why.reason == REFUSED_NOT)
        complain(reading, line, is_numbered ? &number : NULL, &why);
    else
        cover_book_enter(reading->page, &set, reading->path, number);
    return 0;
}

static int read_rounds(struct reading *reading, struct error *error)
{
    struct text_line line;
    int status;

    while ((status = recording_file_next(reading->file, &line, error)) > 0) {
        status = read_line(reading, &line, error);
        if (status)
            break;
    }
    return status;
}

static int read_file(struct reading *reading, const struct paytables *paytables,
                     struct error *error)
{
    struct cover_table_state *state = &reading->state;
    int status = recording_file_header(reading->file, paytables, &state->header, error);

    if (status)
        return status;
    reading->page = cover_book_game(reading->book, state->header.setup.game);
    reading->json = json_reader_new(JSON_LONGEST);
    if (!reading->page || !reading->json) {
        json_reader_free(reading->json);
        return error_set(error, ERROR_RIG, "%s: out of memory", reading->path);
    }
    state->points = &reading->page->points;
    reading->page->recordings++;
    status = read_rounds(reading, error);
    json_reader_free(reading->json);
    return status;
}

int cover_book_read(struct cover_book *book, const char *path, const struct paytables *paytables,
                    int stop, struct error *error)
{
    struct recording_file file;
    struct reading reading = {.book = book, .file = &file, .path = path};
    int status = recording_file_open(&file, path, stop, error);

    if (status)
        return status;
    status = read_file(&reading, paytables, error);
    recording_file_close(&file);
    return status;
}

unsigned cover_book_missed(const struct cover_game *page)
{
    return page->points.count - cover_count(&page->seen);
}

static bool is_exercised(const struct cover_game *page, const struct cover_statement *statement)
{
    const char *at = NULL;
    char name[COVER_NAME_SIZE];
    int point = cover_trace_point(statement, &page->points, &at, name);

    for (; *name; point = cover_trace_point(statement, &page->points, &at, name))
        if (point < 0 || !cover_has(&page->seen, (unsigned)point))
            return false;
    return true;
}

struct cover_rules cover_book_rules(const struct cover_game *page, const struct cover_trace *trace)
{
    struct cover_rules rules = {0};

    for (size_t i = 0; i < trace->count; i++)
        if (!strcmp(trace->statements[i].game, page->points.game->name)) {
            rules.statements++;
            rules.exercised += is_exercised(page, &trace->statements[i]);
        }
    return rules;
}
