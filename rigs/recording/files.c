/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/recording/files.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hal/base/regular.h"

static void add_to_sum(void *context, const char *bytes, size_t length)
{
    struct recording_file *file = context;

    digest_add(&file->sum, bytes, length);
}

static void watch(struct recording_file *file)
{
    digest_begin(&file->sum);
    lines_watch(file->lines, add_to_sum, file);
}

static int start(struct recording_file *file, int stop, struct error *error)
{
    file->lines = lines_new(file->fd, stop);
    return file->lines ? 0 : error_set(error, ERROR_RIG, "%s: out of memory", file->name);
}

int recording_file_use(struct recording_file *file, int fd, const char *name, int stop,
                       struct error *error)
{
    int status;

    *file = (struct recording_file){.name = name, .fd = fd};
    status = start(file, stop, error);
    if (!status)
        lines_end_at_long_first(file->lines);
    return status;
}

static int open_regular(const void *context, const char *path, struct error *error)
{
    enum regular_state state;
    off_t size;
    int fd = regular_open(path, &size, &state);

    (void)context;
    return fd < 0 ? error_set(error, ERROR_CONFIG, "%.200s: is no file that can be read", path)
                  : fd;
}

const struct recording_place recording_regular_files = {.open = open_regular};

static int open_in(struct recording_file *file, const struct recording_place *place,
                   const char *path, int stop, struct error *error)
{
    int status;

    *file = (struct recording_file){.name = strcmp(path, "-") ? path : "standard input",
                                    .is_own = true};
    file->fd = place ? place->open(place->context, path, error) : lines_open(path, error);
    if (file->fd < 0)
        return file->fd;
    status = start(file, stop, error);
    if (status)
        close(file->fd);
    return status;
}

int recording_file_open(struct recording_file *file, const char *path, int stop,
                        struct error *error)
{
    int status = open_in(file, NULL, path, stop, error);

    if (!status)
        lines_end_at_long_first(file->lines);
    return status;
}

void recording_file_close(struct recording_file *file)
{
    lines_free(file->lines);
    if (file->is_own)
        close(file->fd);
}

static int name_expectation(const char *path, char expectation[PATH_MAX], struct error *error)
{
    static const char from[] = ".shoe", to[] = ".expect";
    size_t length = strlen(path), stem = length - (sizeof from - 1);

    if (length < sizeof from || strcmp(path + stem, from) || stem + sizeof to > PATH_MAX)
        return error_set(error, ERROR_CONFIG, "%s: a recording is named NAME%s", path, from);
    memcpy(expectation, path, stem);
    memcpy(expectation + stem, to, sizeof to);
    return 0;
}

int recording_files_open_in(struct recording_files *files, const struct recording_place *place,
                            const char *path, int stop, struct error *error)
{
    int status = name_expectation(path, files->expect_path, error);

    if (!status && !place && access(files->expect_path, F_OK))
        status =
            error_set(error, ERROR_CONFIG, "%s: no expectation; write what must come out to %s",
                      path, files->expect_path);
    if (!status)
        status = open_in(&files->expected, place, files->expect_path, stop, error);
    if (status)
        return status;
    status = open_in(&files->recorded, place, path, stop, error);
    if (status)
        recording_file_close(&files->expected);
    else
        lines_end_at_long_first(files->recorded.lines);
    return status;
}

int recording_files_open(struct recording_files *files, const char *path, int stop,
                         struct error *error)
{
    return recording_files_open_in(files, NULL, path, stop, error);
}

void recording_files_close(struct recording_files *files)
{
    recording_file_close(&files->recorded);
    recording_file_close(&files->expected);
}

/* At the end of a file that has been read through before. */
static int check_sum(struct recording_file *file, struct error *error)
{
    char digest[DIGEST_SIZE];

    if (!file->is_summed)
        return 0;
    digest_end(&file->sum, digest);
    file->is_summed = false;
    if (!strcmp(digest, file->digest))
        return 0;
    return error_set(error, ERROR_CONFIG, "it was changed while it was read; play it again");
}

int recording_file_take(struct recording_file *file, bool wait, struct text_line *line,
                        struct error *error)
{
    int status = lines_next(file->lines, wait, line, error);

    if (status == LINES_END)
        status = check_sum(file, error);
    if (status < 0)
        error_prefix(error, "%s", file->name);
    return status;
}

int recording_file_next(struct recording_file *file, struct text_line *line, struct error *error)
{
    int status = recording_file_take(file, true, line, error);

    if (status == LINES_LONG)
        return error_set(error, ERROR_CONFIG, "%s:%ju: the line is longer than %zu bytes",
                         file->name, (uintmax_t)line->number, LINES_LONGEST);
    return status;
}

/* Of a picture, say, its first bytes tell nobody what was wanted. */
static int read_header(const struct text_line *line, const struct paytables *paytables,
                       struct recording_header *header, struct error *error)
{
    static const char no_json[] = "not valid JSON";
    int status = recording_read_header(line->text, line->length, paytables, header, error);
    size_t length;

    if (status >= 0 || !error || strncmp(error->text, no_json, sizeof no_json - 1) != 0)
        return status;
    length = strlen(error->text);
    snprintf(error->text + length, sizeof error->text - length,
             "; a recording (*.shoe) begins with its header, in JSON");
    return status;
}

int recording_file_header(struct recording_file *file, const struct paytables *paytables,
                          struct recording_header *header, struct error *error)
{
    struct text_line line;
    int status = recording_file_take(file, true, &line, error);

    if (status < 0)
        return status;
    if (status == LINES_LONG)
        status =
            error_set(error, ERROR_CONFIG, "the header is longer than %zu bytes", LINES_LONGEST);
    else if (status == LINES_END)
        status = error_set(error, ERROR_CONFIG, "empty; the first line must be the header");
    else
        status = read_header(&line, paytables, header, error);
    if (status)
        error_prefix(error, "%s:1", file->name);
    return status;
}

static int go_back(struct recording_file *file, struct error *error)
{
    if (!lines_rewind(file->lines))
        return error_set(error, ERROR_CONFIG,
                         "%s: can be read only once; copy it to a file and name that", file->name);
    watch(file);
    return 0;
}

static int sum_file(struct recording_file *file, struct error *error)
{
    struct text_line line;
    int status;

    file->is_summed = false;
    file->count = file->empty = 0;
    status = go_back(file, error);
    if (status)
        return status;
    while ((status = recording_file_next(file, &line, error)) > 0) {
        file->count++;
        if (!file->empty && recording_is_empty(line.text, line.length))
            file->empty = line.number;
    }
    if (status)
        return status;
    digest_end(&file->sum, file->digest);
    file->is_summed = true;
    return go_back(file, error);
}

int recording_files_sum(struct recording_files *files, struct error *error)
{
    int status = sum_file(&files->recorded, error);

    return status ? status : sum_file(&files->expected, error);
}

static void expect_sum(struct recording_file *file, const char *digest)
{
    watch(file);
    snprintf(file->digest, sizeof file->digest, "%s", digest);
    file->is_summed = true;
}

void recording_files_expect(struct recording_files *files, const char *digest,
                            const char *expect_digest)
{
    expect_sum(&files->recorded, digest);
    expect_sum(&files->expected, expect_digest);
}

static int finish_file(struct recording_file *file, struct error *error)
{
    struct text_line line;
    int status = 0;

    while (file->is_summed && (status = recording_file_next(file, &line, error)) > 0)
        ;
    return status;
}

int recording_files_finish(struct recording_files *files, struct error *error)
{
    int status = finish_file(&files->recorded, error);

    return status ? status : finish_file(&files->expected, error);
}
