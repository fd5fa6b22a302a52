/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/run/named.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "hal/base/plural.h"
#include "rigs/journal/read.h"

static int add(struct run_named *named, const struct json_value *line, struct error *error)
{
    struct recording_list *list = &named->recordings;
    const char *path = json_chars(json_member(line, "path"));
    char **paths;

    if (!path)
        return 0;
    paths = reallocarray(list->paths, list->count + 1, sizeof *paths);
    if (paths) {
        list->paths = paths;
        paths[list->count] = strdup(path);
    }
    if (!paths || !paths[list->count])
        return error_set(error, ERROR_RIG, "out of memory");
    list->count++;
    named->rounds += json_int(json_member(line, "rounds"));
    return 0;
}

int run_named_read(struct run_named *named, const char *journal, struct error *error)
{
    struct journal_reader *reader;
    struct journal_line line;
    int status;

    *named = (struct run_named){.announced = -1};
    status = journal_reader_open(journal, &reader, error);
    if (status)
        return status;
    while ((status = journal_reader_next(reader, &line, error)) > 0) {
        const struct json_value *rounds =
            line.kind == JOURNAL_START ? json_member(line.fields, "rounds") : NULL;

        if (rounds)
            named->announced = json_int(rounds);
        if (line.kind == JOURNAL_RECORDING && (status = add(named, line.fields, error)))
            break;
    }
    journal_reader_close(reader);
    return status;
}

void run_named_free(struct run_named *named)
{
    recording_list_free(&named->recordings);
}

static bool is_folder(const char *name)
{
    struct stat status;

    return !stat(name, &status) && S_ISDIR(status.st_mode);
}

/* Whether this is how a file in a folder is called when the folder is walked. */
static bool is_below(const char *path, const char *folder)
{
    size_t length = strlen(folder);

    if (!length || strncmp(path, folder, length) != 0)
        return false;
    path += length - (folder[length - 1] == '/');
    return *path == '/' && !strstr(path, "//") && !strstr(path, "/./") && !strstr(path, "/../");
}

/* The folder that the recording is in, of those that were given, or any of them; NULL: none. */
static const char *folder_of(const struct run_now *now, const char *path)
{
    for (char *const *name = now->names; *name; name++)
        if ((!path || is_below(path, *name)) && is_folder(*name))
            return *name;
    return NULL;
}

static bool has(const struct recording_list *list, const char *path)
{
    for (size_t i = 0; i < list->count; i++)
        if (!strcmp(list->paths[i], path))
            return true;
    return false;
}

#define NOBODY "nobody can tell whether it was altered, since "
#define REMEDY "; verify it with the recordings that there were, or a bundle of the run"

static void say_new(struct run_named *named, const struct run_now *now, const char *path)
{
    const char *folder = folder_of(now, path);

    if (folder)
        error_set(&named->differs, ERROR_RIG,
                  NOBODY "the folder '%.80s' now holds %.120s, which the journal does not "
                         "name" REMEDY,
                  folder, path);
    else
        error_set(&named->differs, ERROR_RIG,
                  NOBODY
                  "%.120s, which the journal does not name, may have been another then" REMEDY,
                  path);
}

static void say_missing(struct run_named *named, const struct run_now *now, const char *path)
{
    const char *folder = folder_of(now, path);

    error_set(&named->differs, ERROR_RIG,
              NOBODY "%.120s, which the journal names, is not among those that are played from "
                     "'%.80s' now" REMEDY,
              path, folder ? folder : now->names[0]);
}

static void say_rounds(struct run_named *named, const struct run_now *now)
{
    const char *folder = folder_of(now, NULL);

    error_set(&named->differs, ERROR_RIG,
              NOBODY "line 1 announces %jd round%s, and '%.80s' comes to %ju now" REMEDY,
              (intmax_t)named->announced, plural((uintmax_t)named->announced),
              folder ? folder : now->names[0], (uintmax_t)now->rounds);
}

/*
 * The first place where other recordings follow. What was named as a file is played whatever else
 * is there, and what is in no folder that was given never was: such a journal was altered.
 */
static void compare_at(struct run_named *named, const struct run_now *now, const char *then,
                       const char *here)
{
    bool is_new = has(now->recordings, then);

    if (!now->is_chosen && !folder_of(now, is_new ? here : then))
        return;
    if (is_new)
        say_new(named, now, here);
    else
        say_missing(named, now, then);
}

/* All that the journal names is there. A run that was cut short does not name all that it had. */
static void compare_rest(struct run_named *named, const struct run_now *now)
{
    const struct recording_list *list = now->recordings;
    size_t count = named->recordings.count;
    bool is_cut = named->announced > named->rounds;

    if (named->announced < 0 || (uint64_t)named->announced == now->rounds || count > list->count)
        return;
    if (count < list->count) {
        if (is_cut || now->is_chosen || folder_of(now, list->paths[count]))
            say_new(named, now, list->paths[count]);
    } else if (now->is_chosen || folder_of(now, NULL)) {
        say_rounds(named, now);
    }
}

void run_named_compare(struct run_named *named, const struct run_now *now)
{
    const struct recording_list *list = now->recordings;

    named->is_compared = true;
    for (size_t i = 0; i < named->recordings.count; i++) {
        const char *then = named->recordings.paths[i], *here = list->paths[i % list->count];

        if (strcmp(then, here) != 0) {
            compare_at(named, now, then, here);
            return;
        }
    }
    compare_rest(named, now);
}
