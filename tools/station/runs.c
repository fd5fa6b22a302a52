/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/station/runs.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hal/base/regular.h"
#include "rigs/report/report.h"
#include "tools/station/said.h"

void station_runs_path(const struct station_runs *runs, unsigned number, const char *name,
                       char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%.*s/%u%s%s", PATH_MAX - 64, runs->folder, number, name ? "/" : "",
             name ? name : "");
}

void station_run_clear(struct station_run *run)
{
    for (size_t i = 0; i < run->result_count; i++)
        free(run->results[i].path);
    free(run->results);
    free(run->why);
    *run = (struct station_run){.number = run->number};
}

static enum verdict worst_of(const uint64_t verdicts[VERDICT_COUNT])
{
    enum verdict worst = VERDICT_SKIPPED;

    for (unsigned i = 0; i < VERDICT_COUNT; i++)
        if (verdicts[i])
            worst = verdict_worse(worst, (enum verdict)i);
    return worst;
}

static void read_results(const struct report *report, struct station_run *run)
{
    run->results = calloc(report->recording_count + 1, sizeof *run->results);
    for (size_t i = 0; run->results && i < report->recording_count; i++) {
        struct report_recording recording = report_recording_at(report, i);
        struct station_result *result = &run->results[run->result_count];

        result->path = strdup(report_text(recording.fields, "path"));
        result->verdict = worst_of(recording.verdicts);
        run->result_count += result->path != NULL;
    }
}

static off_t size_of(const char *path)
{
    struct stat status;

    return lstat(path, &status) ? 0 : status.st_size;
}

int station_runs_journal(const struct station_runs *runs, unsigned number)
{
    char path[PATH_MAX];

    station_runs_path(runs, number, STATION_JOURNAL, path);
    return regular_descriptor(path, false);
}

/* Why a run has ended whose journal does not say so; NULL: nobody knows. */
static char *read_said(const struct station_runs *runs, unsigned number)
{
    char path[PATH_MAX], said[STATION_SAID] = "";
    int fd;

    station_runs_path(runs, number, STATION_OUTPUT, path);
    fd = regular_descriptor(path, false);
    if (fd >= 0) {
        station_said_read(fd, said);
        close(fd);
    }
    return *said ? strdup(said) : NULL;
}

void station_run_read(const struct station_runs *runs, unsigned number, struct station_run *run)
{
    char path[PATH_MAX];
    struct report *report;
    struct error error;
    const char *command, *why;
    int fd, status;

    station_runs_path(runs, number, STATION_JOURNAL, path);
    *run = (struct station_run){.number = number, .is_read = true, .size = size_of(path)};
    fd = station_runs_journal(runs, number);
    if (fd < 0) {
        run->why = read_said(runs, number);
        return;
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    status = report_read(path, &report, &error);
    close(fd);
    if (status)
        return;
    why = json_chars(json_member(report->end, "why"));
    run->why = why ? strdup(why) : report->end ? NULL : read_said(runs, number);
    command = json_chars(json_element(json_member(report->start, "command"), 0));
    snprintf(run->command, sizeof run->command, "%s", command ? command : "");
    snprintf(run->started, sizeof run->started, "%s", report_text(report->start, "date"));
    run->is_ended = report->end != NULL;
    run->verdict = report->verdict;
    for (unsigned i = 0; i < VERDICT_COUNT; i++) {
        run->rounds += report->verdicts[i];
        run->failed += i == VERDICT_PASS || i == VERDICT_SKIPPED ? 0 : report->verdicts[i];
    }
    read_results(report, run);
    report_free(report);
}

static struct station_run *add(struct station_runs *runs, unsigned number)
{
    struct station_run *list = reallocarray(runs->list, runs->count + 1, sizeof *list);

    if (!list)
        return NULL;
    runs->list = list;
    list[runs->count] = (struct station_run){.number = number};
    return &list[runs->count++];
}

unsigned station_runs_number(const char *name)
{
    unsigned number = 0;
    char same[16];

    if (sscanf(name, "%9u", &number) != 1)
        return 0;
    snprintf(same, sizeof same, "%u", number);
    return strcmp(same, name) ? 0 : number;
}

static int by_number(const void *a, const void *b)
{
    unsigned first = ((const struct station_run *)a)->number;
    unsigned second = ((const struct station_run *)b)->number;

    return (first > second) - (first < second);
}

/* A link leads elsewhere. */
static bool is_folder(const struct dirent *entry)
{
    return entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN;
}

int station_runs_open(struct station_runs *runs, const char *folder, struct error *error)
{
    const struct dirent *entry;
    DIR *found;
    bool is_all = true;

    *runs = (struct station_runs){.count = 0};
    if (strlen(folder) > PATH_MAX - 64)
        return error_set(error, ERROR_CONFIG, "--runs %.60s...: the name is too long", folder);
    snprintf(runs->folder, sizeof runs->folder, "%s", folder);
    mkdir(folder, 0777);
    found = opendir(folder);
    if (!found)
        return error_set(error, ERROR_RIG, "%s: runs cannot be kept there: %s", folder,
                         strerror(errno));
    while (is_all && (entry = readdir(found)))
        if (is_folder(entry) && station_runs_number(entry->d_name))
            is_all = add(runs, station_runs_number(entry->d_name)) != NULL;
    closedir(found);
    if (!is_all) {
        station_runs_free(runs);
        return error_set(error, ERROR_RIG, "out of memory");
    }
    if (runs->count)
        qsort(runs->list, runs->count, sizeof *runs->list, by_number);
    return 0;
}

void station_runs_free(struct station_runs *runs)
{
    for (size_t i = 0; i < runs->count; i++)
        station_run_clear(&runs->list[i]);
    free(runs->list);
    *runs = (struct station_runs){.count = 0};
}

struct station_run *station_runs_add(struct station_runs *runs, struct error *error)
{
    unsigned number = runs->count ? runs->list[runs->count - 1].number + 1 : 1;
    struct station_run *run;
    char path[PATH_MAX];

    station_runs_path(runs, number, NULL, path);
    if (mkdir(path, 0777)) {
        error_set(error, ERROR_RIG, "%s: cannot be made: %s", path, strerror(errno));
        return NULL;
    }
    run = add(runs, number);
    if (run)
        run->is_read = true;
    else
        error_set(error, ERROR_RIG, "out of memory");
    return run;
}

void station_runs_drop(struct station_runs *runs)
{
    char path[PATH_MAX];

    if (!runs->count)
        return;
    station_runs_path(runs, runs->list[runs->count - 1].number, STATION_OUTPUT, path);
    unlink(path);
    *strrchr(path, '/') = '\0';
    if (!rmdir(path))
        runs->count--;
}

struct station_run *station_runs_find(const struct station_runs *runs, unsigned number)
{
    const struct station_run wanted = {.number = number};

    return runs->count ? bsearch(&wanted, runs->list, runs->count, sizeof wanted, by_number) : NULL;
}

void station_runs_refresh(struct station_runs *runs, unsigned playing)
{
    char path[PATH_MAX];

    for (size_t i = 0; i < runs->count; i++) {
        struct station_run *run = &runs->list[i];

        station_runs_path(runs, run->number, STATION_JOURNAL, path);
        if (run->is_read && !run->is_ended && run->number != playing && size_of(path) != run->size)
            run->is_read = false;
    }
}

unsigned station_runs_unread(const struct station_runs *runs)
{
    for (size_t i = runs->count; i-- > 0;)
        if (!runs->list[i].is_read)
            return runs->list[i].number;
    return 0;
}

void station_runs_keep(struct station_runs *runs, const struct station_run *run)
{
    struct station_run *kept = station_runs_find(runs, run->number);

    station_run_clear(kept);
    *kept = *run;
}

const char *station_runs_last(const struct station_runs *runs, const char *path)
{
    for (size_t i = runs->count; i-- > 0;)
        for (size_t j = runs->list[i].result_count; j-- > 0;)
            if (!strcmp(runs->list[i].results[j].path, path))
                return verdict_name(runs->list[i].results[j].verdict);
    return NULL;
}
