/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/journal/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hal/base/save.h"
#include "hal/base/veil.h"

static void start(struct journal_file *file)
{
    file->fd = -1;
    file->regular = file->is_torn = file->is_part = file->holding = false;
    file->held = 0;
    file->size = file->joined = 0;
    file->number = file->written = 0;
    file->path[0] = '\0';
    memset(file->previous, '0', DIGEST_DIGITS);
}

/* A device such as /dev/null may be there; a file must not, nor a link to anything. */
static int open_there(const char *path, int flags, struct error *error)
{
    struct stat status;
    int fd;

    if (!save_look(path, &status) && S_ISREG(status.st_mode))
        return error_set(error, ERROR_CONFIG,
                         "%s: is there already, and a journal is never overwritten; "
                         "name another file or remove this one",
                         path);
    fd = save_open_there(path, flags);
    if (fd < 0 && errno == ELOOP)
        return error_set(error, ERROR_CONFIG,
                         "%s: is a link, and a journal is written through none; name the file",
                         path);
    return fd < 0 ? error_set(error, ERROR_RIG, "%s: cannot be made: %s; %s", path, strerror(errno),
                              error_remedy(errno))
                  : fd;
}

int journal_file_open(struct journal_file *file, const char *path, struct error *error)
{
    const int flags = O_WRONLY | O_APPEND;

    start(file);
    snprintf(file->path, sizeof file->path, "%s", path);
    file->fd = save_open_new(path, flags, 0644);
    file->regular = file->fd >= 0;
    if (file->regular)
        veil_lock(file->fd);
    snprintf(file->spill, sizeof file->spill, "%.*s.XXXXXX", PATH_MAX - 8,
             file->regular ? path : P_tmpdir "/dealproof");
    if (file->fd < 0 && errno == EEXIST)
        file->fd = open_there(path, flags, error);
    else if (file->fd < 0)
        return error_set(error, ERROR_RIG, "%s: cannot be made: %s; %s", path, strerror(errno),
                         error_remedy(errno));
    return file->fd < 0 ? file->fd : 0;
}

int journal_file_resume(struct journal_file *file, const struct journal_place *cut,
                        struct error *error)
{
    off_t size = cut->size + (off_t)cut->torn;
    struct stat status;

    start(file);
    snprintf(file->path, sizeof file->path, "%s", cut->path);
    snprintf(file->spill, sizeof file->spill, "%.*s.XXXXXX", PATH_MAX - 8, cut->path);
    file->fd = save_open_there(cut->path, O_WRONLY | O_APPEND);
    if (file->fd < 0 || fstat(file->fd, &status))
        return error_set(error, ERROR_RIG, "%s: cannot be written on: %s", cut->path,
                         strerror(errno));
    if (!veil_lock(file->fd))
        return error_set(error, ERROR_CONFIG, "%s: another run is writing it; wait for its end",
                         cut->path);
    if (!S_ISREG(status.st_mode) || status.st_size != size)
        return error_set(error, ERROR_CONFIG, "%s: was changed while it was read; try again",
                         cut->path);
    if (cut->torn && ftruncate(file->fd, cut->size))
        return error_set(error, ERROR_RIG, "%s: the torn line at its end cannot be cut off: %s",
                         cut->path, strerror(errno));
    file->regular = true;
    file->size = cut->size;
    file->number = file->written = cut->lines;
    memcpy(file->previous, cut->digest, DIGEST_SIZE);
    return 0;
}

void journal_file_close(struct journal_file *file)
{
    if (file->fd >= 0)
        close(file->fd);
}

void journal_file_part(struct journal_file *part, const struct journal_file *file)
{
    start(part);
    part->is_part = true;
    memcpy(part->spill, file->spill, sizeof part->spill);
}

/* What makes the line a link of the chain; a part's lines begin after it. */
static void begin_link(struct journal_file *file)
{
    json_text_begin(&file->text, file->buffer + file->held, LINES_LONGEST + 1);
    file->broken = false;
    if (file->is_part)
        return;
    JSON_TEXT_PUT(&file->text, "{\"n\":");
    json_text_number(&file->text, (int64_t)file->number + 1);
    JSON_TEXT_PUT(&file->text, ",\"prev\":\"");
    json_text_raw(&file->text, file->previous, DIGEST_DIGITS);
    JSON_TEXT_PUT(&file->text, "\"");
}

void journal_file_begin(struct journal_file *file, enum journal_kind kind, nanos_t now)
{
    begin_link(file);
    file->time = now;
    JSON_TEXT_PUT(&file->text, ",\"t\":");
    json_text_number(&file->text, now);
    JSON_TEXT_PUT(&file->text, ",\"kind\":");
    json_text_string(&file->text, journal_kind_name(kind));
}

void journal_file_json(struct journal_file *file, const char *json, size_t length)
{
    if (length && json[length - 1] == '\n')
        length--;
    if (memchr(json, '\n', length))
        file->broken = true;
    json_text_raw(&file->text, json, length);
}

/* Cuts off lines of which only a part was written. */
static int cut(struct journal_file *file, bool is_begun, int reason, struct error *error)
{
    const char *after = "";
    char where[64] = "";

    if (is_begun && !(file->regular && !ftruncate(file->fd, file->size))) {
        file->is_torn = true;
        after = ", and the torn line at its end could not be cut off";
    }
    if (file->is_part)
        return error_set(error, ERROR_RIG,
                         "lines of the journal cannot be kept until their turn: %s; %s",
                         strerror(reason), error_remedy(reason));
    if (file->written)
        snprintf(where, sizeof where, " after line %ju, its last complete one",
                 (uintmax_t)file->written);
    return error_set(error, ERROR_RIG, "%s: cannot be written%s: %s%s; %s", file->path, where,
                     strerror(reason), after, error_remedy(reason));
}

static int append(struct journal_file *file, size_t length, struct error *error)
{
    size_t done = 0;

    if (file->is_torn)
        return error_set(error, ERROR_RIG, "%s: its last line is torn, so no more is written",
                         file->path);
    while (done < length) {
        ssize_t written = write(file->fd, file->buffer + done, length - done);

        if (!written || (written < 0 && errno != EINTR))
            return cut(file, done, written ? errno : EIO, error);
        if (written > 0)
            done += (size_t)written;
    }
    file->size += (off_t)length;
    file->held = 0;
    return 0;
}

int journal_file_flush(struct journal_file *file, struct error *error)
{
    int status = append(file, file->held, error);

    if (!status)
        file->written = file->number;
    return status;
}

/* Moves what a part holds into its file, which is made for the first time it is needed. */
static int spill(struct journal_file *part, struct error *error)
{
    if (part->fd < 0) {
        char path[PATH_MAX];

        memcpy(path, part->spill, sizeof path);
        part->fd = mkostemp(path, O_APPEND | O_CLOEXEC);
        if (part->fd < 0)
            return error_set(error, ERROR_RIG, "no file %s for lines of the journal: %s",
                             part->spill, strerror(errno));
        unlink(path);
        part->regular = true;
    }
    return journal_file_flush(part, error);
}

static int hold(struct journal_file *file, size_t length, struct error *error)
{
    if (file->held + length > JOURNAL_HELD_SIZE) {
        const char *line = file->text.start;
        int status = spill(file, error);

        if (status < 0)
            return status;
        memmove(file->buffer, line, length);
    }
    file->held += length;
    return 0;
}

static int finish_line(struct journal_file *file, struct error *error)
{
    const struct json_text *text = &file->text;
    char digest[DIGEST_SIZE];
    size_t length;
    int status;

    if (text->full)
        return error_set(error, ERROR_RIG,
                         "line %ju of the journal would be longer than %zu bytes; it was left out",
                         (uintmax_t)file->number + 1, LINES_LONGEST);
    if (file->broken)
        return error_set(error, ERROR_RIG,
                         "line %ju of the journal would hold a line break; it was left out",
                         (uintmax_t)file->number + 1);
    length = (size_t)(text->at - text->start);
    if (file->is_part)
        return hold(file, length, error);
    digest_bytes(text->start, length - 1, digest);
    if (file->holding && file->held + length <= JOURNAL_HELD_SIZE) {
        file->held += length;
    } else {
        status = append(file, file->held + length, error);
        if (status < 0)
            return status;
        file->written = file->number + 1;
    }
    file->number++;
    memcpy(file->previous, digest, DIGEST_SIZE);
    return 0;
}

int journal_file_finish(struct journal_file *file, struct error *error)
{
    JSON_TEXT_PUT(&file->text, "}\n");
    return finish_line(file, error);
}

int journal_file_empty(struct journal_file *part, struct error *error)
{
    if (part->size && ftruncate(part->fd, 0))
        return error_set(error, ERROR_RIG, "a file of the journal cannot be emptied: %s",
                         strerror(errno));
    part->size = part->joined = 0;
    part->held = 0;
    return 0;
}

/* Adds the complete lines among those bytes; `done` is how many bytes they have. */
static int join_lines(struct journal_file *file, const char *lines, size_t length, size_t *done,
                      struct error *error)
{
    const char *newline;
    int status = 0;

    *done = 0;
    while (!status && (newline = memchr(lines + *done, '\n', length - *done))) {
        size_t size = (size_t)(newline + 1 - lines) - *done;

        begin_link(file);
        json_text_raw(&file->text, lines + *done, size);
        status = finish_line(file, error);
        if (!status)
            *done += size;
    }
    return status;
}

/* Its buffer is free once all is in the file, and takes what is read back. */
static int join_spilled(struct journal_file *file, struct journal_file *part, struct error *error)
{
    int status = spill(part, error);

    while (!status && part->joined < part->size) {
        size_t done;
        ssize_t got = pread(part->fd, part->buffer, JOURNAL_HELD_SIZE, part->joined);

        if (got <= 0)
            return error_set(error, ERROR_RIG, "lines of the journal cannot be read back: %s",
                             got ? strerror(errno) : "they are gone");
        status = join_lines(file, part->buffer, (size_t)got, &done, error);
        part->joined += (off_t)done;
    }
    return status ? status : journal_file_empty(part, error);
}

int journal_file_join(struct journal_file *file, struct journal_file *part, struct error *error)
{
    size_t done;
    int status;

    if (part->size)
        return join_spilled(file, part, error);
    status = join_lines(file, part->buffer, part->held, &done, error);
    part->held -= done;
    memmove(part->buffer, part->buffer + done, part->held);
    return status;
}

int journal_file_sync(const struct journal_file *file, struct error *error)
{
    if (file->regular && fdatasync(file->fd))
        return error_set(error, ERROR_RIG, "the journal does not reach its disk: %s",
                         strerror(errno));
    return 0;
}

int journal_file_sync_name(const struct journal_file *file, struct error *error)
{
    const char *slash = strrchr(file->path, '/');
    char folder[PATH_MAX];
    int fd, status;

    if (!file->regular)
        return 0;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - file->path) + 1 : 1,
             slash ? file->path : ".");
    fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    status = fd < 0 || (fsync(fd) && errno != EINVAL)
                 ? error_set(error, ERROR_RIG,
                             "the name of the journal does not reach its disk: %s", strerror(errno))
                 : 0;
    if (fd >= 0)
        close(fd);
    return status;
}
