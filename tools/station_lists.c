/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/station_lists.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "games/game.h"
#include "games/policy.h"
#include "hal/base/json.h"
#include "hal/base/lines.h"
#include "tools/json_print.h"

static void add_all(struct recording_list *all, const char *folder)
{
    char *names[] = {(char *)folder, NULL};
    struct recording_list found;
    struct error error;
    char **paths;

    if (recording_list_find(names, &found, &error))
        return;
    paths = reallocarray(all->paths, all->count + found.count, sizeof *paths);
    if (paths) {
        all->paths = paths;
        memcpy(paths + all->count, found.paths, found.count * sizeof *paths);
        all->count += found.count;
        found.count = 0;
    }
    recording_list_free(&found);
}

void station_recordings_find(char *const *folders, const struct station_runs *runs,
                             struct recording_list *recordings)
{
    *recordings = (struct recording_list){NULL, 0};
    for (; *folders; folders++)
        add_all(recordings, *folders);
    add_all(recordings, runs->folder);
}

/* The first line of a recording, and how many follow. */
static void print_facts(struct json_print *print, struct json_reader *reader, const char *path)
{
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t room = 0;
    ssize_t length = file ? getline(&line, &room, file) : -1;
    const struct json_value *header = length > 0 && (size_t)length <= LINES_LONGEST
                                          ? json_read(reader, line, (size_t)length, NULL)
                                          : NULL;
    const char *game = json_chars(json_member(header, "game"));
    int64_t rounds = 0;

    json_print_text(print, "game", game ? game : "");
    json_print_text(print, "note", json_chars(json_member(json_member(header, "source"), "note")));
    while (length > 0 && (length = getline(&line, &room, file)) > 0)
        rounds++;
    json_print_integer(print, "rounds", rounds);
    free(line);
    if (file)
        fclose(file);
}

/* Ends a text that was printed to memory. */
static char *finish(FILE *out, char **text)
{
    bool is_whole = !ferror(out);

    if (!fclose(out) && is_whole)
        return *text;
    free(*text);
    return NULL;
}

char *station_list_recordings(const struct recording_list *recordings,
                              const struct station_runs *runs, size_t *length)
{
    char *text = NULL;
    struct json_print print = {.out = open_memstream(&text, length)};
    struct json_reader *reader = json_reader_new(JSON_LONGEST);
    const struct game *game;

    if (!print.out || !reader) {
        json_reader_free(reader);
        return NULL;
    }
    json_print_open(&print, NULL, "{}");
    json_print_open(&print, "recordings", "[]");
    for (size_t i = 0; i < recordings->count; i++) {
        json_print_open(&print, NULL, "{}");
        json_print_text(&print, "path", recordings->paths[i]);
        print_facts(&print, reader, recordings->paths[i]);
        json_print_text(&print, "last", station_runs_last(runs, recordings->paths[i]));
        json_print_close(&print, "{}");
    }
    json_print_close(&print, "[]");
    json_print_open(&print, "games", "[]");
    for (size_t i = 0; (game = game_at(i)); i++)
        json_print_text(&print, NULL, game->name);
    json_print_close(&print, "[]");
    json_print_close(&print, "{}");
    json_reader_free(reader);
    return finish(print.out, &text);
}

char *station_list_runs(const struct station_runs *runs, size_t *length)
{
    char *text = NULL;
    struct json_print print = {.out = open_memstream(&text, length)};

    if (!print.out)
        return NULL;
    json_print_open(&print, NULL, "{}");
    json_print_open(&print, "runs", "[]");
    for (size_t i = runs->count; i-- > 0;) {
        const struct station_run *run = &runs->list[i];

        json_print_open(&print, NULL, "{}");
        json_print_integer(&print, "run", run->number);
        json_print_text(&print, "command", run->command);
        json_print_text(&print, "started", *run->started ? run->started : NULL);
        json_print_text(&print, "verdict", run->is_ended ? verdict_name(run->verdict) : NULL);
        json_print_integer(&print, "rounds", (int64_t)run->rounds);
        json_print_integer(&print, "failed", (int64_t)run->failed);
        json_print_close(&print, "{}");
    }
    json_print_close(&print, "[]");
    json_print_close(&print, "{}");
    return finish(print.out, &text);
}
