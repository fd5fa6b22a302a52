/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/recording/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hal/base/save.h"

#define PART ".part"

struct record_file {
    char path[PATH_MAX]; /* when it is closed */
    char part[PATH_MAX]; /* until then */
    int fd;
    off_t size; /* of whole lines */
};

struct recorder {
    struct record_file shoe, expect;
    struct recorder_options options;
    const struct game *game;
    uint64_t rounds;
};

static int name_file(struct record_file *file, const char *path, size_t stem, const char *ending,
                     struct error *error)
{
    int length = snprintf(file->path, sizeof file->path, "%.*s%s", (int)stem, path, ending);

    file->fd = -1;
    if ((size_t)length + sizeof PART > sizeof file->path)
        return error_set(error, ERROR_CONFIG, "%s: the name is too long", path);
    memcpy(file->part, file->path, (size_t)length);
    memcpy(file->part + length, PART, sizeof PART);
    return 0;
}

static int name_files(struct recorder *recorder, const char *path, struct error *error)
{
    static const char ending[] = ".shoe";
    size_t length = strlen(path), stem = length - (sizeof ending - 1);
    int status;

    if (length < sizeof ending || strcmp(path + stem, ending) != 0 || path[stem - 1] == '/')
        return error_set(error, ERROR_CONFIG, "%s: a recording is named NAME%s", path, ending);
    status = name_file(&recorder->shoe, path, stem, ending, error);
    return status ? status : name_file(&recorder->expect, path, stem, ".expect", error);
}

static int make_file(struct record_file *file, bool force, struct error *error)
{
    struct stat there;

    if (!force && !lstat(file->path, &there))
        return error_set(error, ERROR_CONFIG,
                         "%s: is there already; name another file, or replace it with --force",
                         file->path);
    file->fd = (force ? save_open_anew : save_open_new)(file->part, O_WRONLY | O_APPEND, 0644);
    if (file->fd < 0 && errno == EEXIST)
        return error_set(error, ERROR_CONFIG,
                         "%s: is there already, the rest of a recording that was cut off or is "
                         "still being made; move it away, or replace it with --force",
                         file->part);
    if (file->fd < 0)
        return error_set(error, ERROR_RIG, "%s: cannot be made: %s", file->path, strerror(errno));
    return 0;
}

/* What was made by recorder_open() and holds nothing. */
static void remove_file(struct record_file *file)
{
    if (file->fd < 0)
        return;
    unlink(file->part);
    close(file->fd);
    file->fd = -1;
}

int recorder_open(struct recorder **recorder, const char *path,
                  const struct recorder_options *options, struct error *error)
{
    struct recorder *made = calloc(1, sizeof *made);
    int status;

    *recorder = NULL;
    if (!made)
        return error_set(error, ERROR_RIG, "%s: out of memory", path);
    made->shoe.fd = made->expect.fd = -1;
    made->options = *options;
    status = name_files(made, path, error);
    if (!status)
        status = make_file(&made->shoe, options->force, error);
    if (!status)
        status = make_file(&made->expect, options->force, error);
    if (status) {
        remove_file(&made->shoe);
        free(made);
        return status;
    }
    *recorder = made;
    return 0;
}

/* Cuts off a partial line, and a round that the other file does not have. */
static int cut(const struct record_file *file, struct error *error)
{
    if (!ftruncate(file->fd, file->size))
        return error->code;
    error_prefix(error, "%s could not be cut to its last whole round (%s)", file->part,
                 strerror(errno));
    return error->code;
}

static int append(const struct record_file *file, const char *line, size_t length,
                  struct error *error)
{
    size_t done = 0;

    while (done < length) {
        ssize_t written = write(file->fd, line + done, length - done);

        if (written < 0 && errno != EINTR) {
            error_set(error, ERROR_RIG, "%s cannot be written: %s; %s", file->part, strerror(errno),
                      error_remedy(errno));
            return cut(file, error);
        }
        if (written > 0)
            done += (size_t)written;
    }
    return 0;
}

static int reach_disk(const struct record_file *file, struct error *error)
{
    if (!fdatasync(file->fd) || errno == EINVAL)
        return 0;
    return error_set(error, ERROR_RIG, "%s does not reach its disk: %s", file->part,
                     strerror(errno));
}

int recorder_header(struct recorder *recorder, const struct recording_header *header,
                    const struct recording_source *source, struct error *error)
{
    char line[RECORDING_LINE_SIZE];
    size_t length = recording_write_header(line, header, source);
    int status = append(&recorder->shoe, line, length, error);

    recorder->game = header->setup.game;
    if (!status)
        recorder->shoe.size = (off_t)length;
    return status;
}

int recorder_round(struct recorder *recorder, const struct recording_round *round, const char *line,
                   size_t length, struct error *error)
{
    char played[RECORDING_LINE_SIZE];
    size_t played_length = recording_write_round(played, recorder->game, round);
    struct error unheard;
    int status;

    if (!error)
        error = &unheard;
    status = append(&recorder->expect, line, length, error);
    if (status)
        return status;
    status = append(&recorder->shoe, played, played_length, error);
    if (status)
        return cut(&recorder->expect, error);
    recorder->expect.size += (off_t)length;
    recorder->shoe.size += (off_t)played_length;
    recorder->rounds++;
    if (recorder->options.sync)
        status = reach_disk(&recorder->expect, error);
    return status || !recorder->options.sync ? status : reach_disk(&recorder->shoe, error);
}

uint64_t recorder_rounds(const struct recorder *recorder)
{
    return recorder->rounds;
}

/* Some file systems cannot look and rename in one step. */
static int take_name(const struct record_file *file, bool force)
{
    if (!renameat2(AT_FDCWD, file->part, AT_FDCWD, file->path, force ? 0 : RENAME_NOREPLACE))
        return 0;
    return errno == EINVAL && access(file->path, F_OK) ? rename(file->part, file->path) : -1;
}

static int publish(const struct recorder *recorder, const struct record_file *file,
                   struct error *error)
{
    if (take_name(file, recorder->options.force))
        return error_set(error, ERROR_RIG, "%s cannot be called %s: %s; it stays as it is",
                         file->part, file->path, strerror(errno));
    return 0;
}

/* The expectation first, so that there is never a recording without one. */
static int publish_both(const struct recorder *recorder, struct error *error)
{
    int status = reach_disk(&recorder->expect, error);

    if (!status)
        status = reach_disk(&recorder->shoe, error);
    if (!status)
        status = publish(recorder, &recorder->expect, error);
    return status ? status : publish(recorder, &recorder->shoe, error);
}

int recorder_close(struct recorder *recorder, struct error *error)
{
    int status = 0;

    if (!recorder)
        return 0;
    if (recorder->rounds) {
        status = publish_both(recorder, error);
        close(recorder->shoe.fd);
        close(recorder->expect.fd);
    } else {
        remove_file(&recorder->shoe);
        remove_file(&recorder->expect);
    }
    free(recorder);
    return status;
}
