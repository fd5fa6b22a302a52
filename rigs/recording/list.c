/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/recording/list.h"

#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rigs/recording/stray.h"

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* What is looked for in folders. */
struct wanted {
    const struct stray_kind *kind;
    bool in_stations; /* also in the folders where they keep their runs */
    bool with_strays; /* what would be left out is in the list, and not refused */
};

static const struct stray_kind recording = {"recording", ".shoe", ".expect"};
static const struct stray_kind journal = {"journal", ".journal", NULL};

static bool is_wanted(const struct wanted *wanted, const FTSENT *entry)
{
    const char *ending = wanted->kind->ending;
    size_t length = entry->fts_namelen, size = strlen(ending);

    return entry->fts_info == FTS_F && length > size &&
           !strcmp(entry->fts_name + length - size, ending);
}

static int add(struct recording_list *recordings, const char *path, struct error *error)
{
    char **paths = reallocarray(recordings->paths, recordings->count + 1, sizeof *paths);

    if (paths) {
        recordings->paths = paths;
        paths[recordings->count] = strdup(path);
    }
    if (!paths || !paths[recordings->count])
        return error_set(error, ERROR_RIG, "out of memory");
    recordings->count++;
    return 0;
}

/* A folder is looked at when it is entered; the one that was named may have any name. */
static int consider(struct recording_list *recordings, const struct wanted *wanted,
                    const FTSENT *entry, struct error *error)
{
    struct error stray;

    if (is_wanted(wanted, entry))
        return add(recordings, entry->fts_path, error);
    if (entry->fts_info == FTS_DP || entry->fts_level == FTS_ROOTLEVEL ||
        !stray_find(entry->fts_path, wanted->kind, &stray))
        return 0;
    if (wanted->with_strays)
        return add(recordings, entry->fts_path, error);
    return error_set(error, ERROR_CONFIG, "%.200s: %s", entry->fts_path, stray.text);
}

static int visit(struct recording_list *recordings, const struct wanted *wanted,
                 const FTSENT *entry, struct error *error)
{
    switch (entry->fts_info) {
    case FTS_DNR:
    case FTS_ERR:
    case FTS_NS:
        return error_set(error, entry->fts_errno == ENOMEM ? ERROR_RIG : ERROR_CONFIG, "%s: %s",
                         entry->fts_path, strerror(entry->fts_errno));
    case FTS_DC:
        return error_set(error, ERROR_CONFIG, "%s: a directory inside itself", entry->fts_path);
    default:
        return consider(recordings, wanted, entry, error);
    }
}

static bool is_of_station(const FTSENT *entry)
{
    char path[PATH_MAX];

    return entry->fts_info == FTS_D && entry->fts_level > FTS_ROOTLEVEL &&
           snprintf(path, sizeof path, "%s/" RECORDING_LIST_RUNS, entry->fts_path) <
               (int)sizeof path &&
           !access(path, F_OK);
}

/* Below a folder that was named there is one with a journal, and these are the copies beside it. */
static bool is_of_run(const FTSENT *entry)
{
    char path[PATH_MAX];
    int above = (int)(entry->fts_pathlen - entry->fts_namelen);

    return entry->fts_info == FTS_D && entry->fts_level > FTS_ROOTLEVEL + 1 &&
           !strcmp(entry->fts_name, RECORDING_LIST_COPIES) &&
           snprintf(path, sizeof path, "%.*s" RECORDING_LIST_JOURNAL, above, entry->fts_path) <
               (int)sizeof path &&
           !access(path, F_OK);
}

static int pass_over(struct recording_list *recordings, const FTSENT *entry, struct error *error)
{
    if (!recordings->passed_count++)
        recordings->passed = strdup(entry->fts_path);
    return recordings->passed ? 0 : error_set(error, ERROR_RIG, "out of memory");
}

static int say_none(const struct recording_list *recordings, const struct wanted *wanted,
                    const char *name, size_t passed, struct error *error)
{
    if (recordings->passed_count == passed)
        return error_set(error, ERROR_CONFIG, "%s: no %s (*%s) in it", name, wanted->kind->called,
                         wanted->kind->ending);
    return error_set(error, ERROR_CONFIG,
                     "%.200s: no %s (*%s) in it but copies of earlier runs; name %.150s to have "
                     "these",
                     name, wanted->kind->called, wanted->kind->ending, recordings->passed);
}

/* One name at a time, so that a folder without a recording is reported. */
static int walk(struct recording_list *recordings, const struct wanted *wanted, char *name,
                struct error *error)
{
    char *const roots[] = {name, NULL};
    size_t before = recordings->count, passed = recordings->passed_count;
    struct stat named;
    FTSENT *entry;
    FTS *tree;
    int status = 0;

    if (!*name)
        return error_set(error, ERROR_CONFIG,
                         "the name of a %s or folder is empty; is a variable not set?",
                         wanted->kind->called);
    if (!stat(name, &named) && !S_ISDIR(named.st_mode))
        return add(recordings, name, error);
    status = stray_link(name, error);
    if (status) {
        error_prefix(error, "%.200s", name);
        return status;
    }
    tree = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, by_name);
    if (!tree)
        return error_set(error, ERROR_RIG, "%s: %s", name, strerror(errno));
    errno = 0;
    while (!status && (entry = fts_read(tree))) {
        bool is_copies = !wanted->in_stations && is_of_run(entry);

        if (is_copies || (!wanted->in_stations && is_of_station(entry)))
            fts_set(tree, entry, FTS_SKIP);
        status = is_copies ? pass_over(recordings, entry, error)
                           : visit(recordings, wanted, entry, error);
        errno = 0;
    }
    /* A tree that ends early must not be taken for a whole one. */
    if (!status && errno)
        status =
            error_set(error, ERROR_RIG, "%s: cannot be looked through: %s", name, strerror(errno));
    fts_close(tree);
    if (!status && recordings->count == before)
        return say_none(recordings, wanted, name, passed, error);
    return status;
}

static int find(char *const *names, const struct wanted *wanted, struct recording_list *recordings,
                struct error *error)
{
    int status = 0;

    *recordings = (struct recording_list){.count = 0};
    for (; *names && !status; names++)
        status = walk(recordings, wanted, *names, error);
    if (status < 0)
        recording_list_free(recordings);
    return status;
}

int recording_list_find(char *const *names, struct recording_list *recordings, struct error *error)
{
    return find(names, &(struct wanted){.kind = &recording}, recordings, error);
}

int recording_list_show(char *const *names, struct recording_list *recordings, struct error *error)
{
    return find(names, &(struct wanted){.kind = &recording, .with_strays = true}, recordings,
                error);
}

int recording_list_judge(const char *path, struct error *error)
{
    return stray_find(path, &recording, error);
}

int recording_list_journals(char *const *names, struct recording_list *journals,
                            struct error *error)
{
    return find(names, &(struct wanted){.kind = &journal, .in_stations = true}, journals, error);
}

struct identity {
    dev_t device;
    ino_t number;
    const char *path;
};

static int by_identity(const void *a, const void *b)
{
    const struct identity *first = a, *second = b;

    if (first->device != second->device)
        return first->device < second->device ? -1 : 1;
    return (first->number > second->number) - (first->number < second->number);
}

/* Skips missing files, which are reported when they are opened, and pipes. */
static size_t identify(const struct recording_list *recordings, struct identity *files)
{
    size_t count = 0;
    struct stat status;

    for (size_t i = 0; i < recordings->count; i++)
        if (stat(recordings->paths[i], &status) == 0 && S_ISREG(status.st_mode))
            files[count++] = (struct identity){status.st_dev, status.st_ino, recordings->paths[i]};
    return count;
}

int recording_list_check_once(const struct recording_list *recordings, struct error *error)
{
    struct identity *files = calloc(recordings->count + 1, sizeof *files);
    size_t count;
    int status = 0;

    if (!files)
        return error_set(error, ERROR_RIG, "out of memory");
    count = identify(recordings, files);
    qsort(files, count, sizeof *files, by_identity);
    for (size_t i = 1; i < count && !status; i++)
        if (by_identity(&files[i - 1], &files[i]) == 0)
            status =
                error_set(error, ERROR_CONFIG, "%.200s and %.200s are the same file; name it once",
                          files[i - 1].path, files[i].path);
    free(files);
    return status;
}

void recording_list_free(struct recording_list *recordings)
{
    while (recordings->count)
        free(recordings->paths[--recordings->count]);
    free(recordings->paths);
    free(recordings->passed);
    recordings->paths = NULL;
    recordings->passed = NULL;
}
