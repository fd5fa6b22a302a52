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

static int read_rounds(struct recording_file *file, struct cover_table_state *state,
                       struct cover_game *page, struct json_reader *json, const char *path,
                       struct error *error)
{
    struct text_line line;
    int status;

    while ((status = recording_file_next(file, &line, error)) > 0) {
        struct cover_set set = {{0}};
        struct recording_round round;
        struct error why = {0};
        int64_t number = 0;

        if (!recording_read_round(json, line.text, line.length, &state->header, &round, &why)) {
            if (recording_is_deck(&round))
                continue;
            number = round.round.number;
            cover_see(state, &round, &set, &why);
        } else {
            cover_see_refusal(state->points, &why, &set);
            recording_find_number(json, line.text, line.length, &number);
        }
        cover_book_enter(page, &set, path, number);
    }
    return status;
}

static int read_file(struct cover_book *book, struct recording_file *file, const char *path,
                     const struct paytables *paytables, struct error *error)
{
    struct cover_table_state state = {.deck = 0};
    int status = recording_file_header(file, paytables, &state.header, error);
    struct json_reader *json;
    struct cover_game *page;

    if (status)
        return status;
    page = cover_book_game(book, state.header.setup.game);
    json = json_reader_new(JSON_LONGEST);
    if (!page || !json) {
        json_reader_free(json);
        return error_set(error, ERROR_RIG, "%s: out of memory", path);
    }
    state.points = &page->points;
    page->recordings++;
    status = read_rounds(file, &state, page, json, path, error);
    json_reader_free(json);
    return status;
}

int cover_book_read(struct cover_book *book, const char *path, const struct paytables *paytables,
                    int stop, struct error *error)
{
    struct recording_file file;
    int status = recording_file_open(&file, path, stop, error);

    if (status)
        return status;
    status = read_file(book, &file, path, paytables, error);
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
