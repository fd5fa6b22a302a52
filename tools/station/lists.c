/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/station/lists.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "games/game.h"
#include "games/policy.h"
#include "hal/base/json.h"
#include "hal/base/lines.h"
#include "hal/base/regular.h"
#include "tools/json_print.h"

#define FACTS_BLOCK (LINES_LONGEST + 1) /* a header with its newline */

static void add_all(struct recording_list *all, const char *folder)
{
    char *names[] = {(char *)folder, NULL};
    struct recording_list found;
    struct error error;
    char **paths;

    if (recording_list_show(names, &found, &error))
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

static int is_run(const struct dirent *entry)
{
    return station_runs_number(entry->d_name) != 0;
}

/* What was recorded here, by its number. */
static void add_recorded(struct recording_list *all, const struct station_runs *runs)
{
    struct dirent **names = NULL;
    int count = scandir(runs->folder, &names, is_run, versionsort);
    char path[PATH_MAX];
    struct stat status;

    for (int i = 0; i < count; i++) {
        station_runs_path(runs, station_runs_number(names[i]->d_name), STATION_RECORDED, path);
        if (!lstat(path, &status) && S_ISREG(status.st_mode))
            add_all(all, path);
        free(names[i]);
    }
    free(names);
}

void station_recordings_find(char *const *folders, const struct station_runs *runs,
                             struct recording_list *recordings)
{
    *recordings = (struct recording_list){.count = 0};
    for (; *folders; folders++)
        add_all(recordings, *folders);
    add_recorded(recordings, runs);
}

/* Lines of a recording as far as they can be some. */
struct counted {
    uint64_t lines;
    size_t length;  /* of the line that is being read */
    bool is_a_line; /* false: one is longer than any */
};

static void count_lines(struct counted *counted, const char *block, size_t length)
{
    for (size_t i = 0; counted->is_a_line && i < length; i++) {
        if (block[i] == '\n') {
            counted->lines++;
            counted->length = 0;
        } else {
            counted->is_a_line = ++counted->length <= LINES_LONGEST;
        }
    }
}

/* Counts the lines of a file in pieces, of which the first stays in the block. */
static size_t read_facts(int fd, char block[FACTS_BLOCK], struct counted *counted)
{
    char more[4096];
    ssize_t first = pread(fd, block, FACTS_BLOCK, 0), got = first;
    off_t at = 0;

    *counted = (struct counted){.is_a_line = first > 0};
    for (const char *from = block; got > 0 && counted->is_a_line; from = more) {
        count_lines(counted, from, (size_t)got);
        at += got;
        got = pread(fd, more, sizeof more, at);
    }
    counted->lines += counted->length > 0;
    return first > 0 ? (size_t)first : 0;
}

/* Why nothing of it can be played, if that is so. */
static void print_why(struct json_print *print, const char *path, bool is_read, bool is_a_line)
{
    struct error error;

    if (recording_list_judge(path, &error))
        json_print_text(print, "why", error.text);
    else if (!is_read)
        json_print_text(print, "why", "it cannot be read");
    else if (!is_a_line)
        json_print_text(print, "why", "it has a line of more than 65,536 bytes");
}

/* The first line of a recording, and how many follow. */
static void print_facts(struct json_print *print, struct json_reader *reader, const char *path)
{
    char block[FACTS_BLOCK];
    struct counted counted = {.is_a_line = false};
    int fd = regular_descriptor(path, true);
    size_t length = fd >= 0 ? read_facts(fd, block, &counted) : 0;
    const char *newline = memchr(block, '\n', length);
    const struct json_value *header =
        length ? json_read(reader, block, newline ? (size_t)(newline - block) : length, NULL)
               : NULL;
    const char *game = json_chars(json_member(header, "game"));

    json_print_text(print, "game", game ? game : "");
    json_print_text(print, "note", json_chars(json_member(json_member(header, "source"), "note")));
    if (counted.is_a_line || !length)
        json_print_integer(print, "rounds", counted.lines > 0 ? (int64_t)counted.lines - 1 : 0);
    else
        json_print_text(print, "rounds", NULL);
    print_why(print, path, fd >= 0, counted.is_a_line || !length);
    if (fd >= 0)
        close(fd);
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
                              const struct station_runs *runs, pthread_mutex_t *lock,
                              size_t *length)
{
    char *text = NULL;
    struct json_print print = {.out = open_memstream(&text, length)};
    struct json_reader *reader = json_reader_new(JSON_LONGEST);
    const struct game *game;
    const char *last;

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
        pthread_mutex_lock(lock);
        last = station_runs_last(runs, recordings->paths[i]);
        pthread_mutex_unlock(lock);
        json_print_text(&print, "last", last);
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
        if (run->why)
            json_print_text(&print, "why", run->why);
        json_print_close(&print, "{}");
    }
    json_print_close(&print, "[]");
    json_print_close(&print, "{}");
    return finish(print.out, &text);
}
