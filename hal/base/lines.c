/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/base/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_SIZE (2 * LINES_LONGEST)
#define KEPT_SIZE   64

struct lines {
    int input;
    int stop;
    uint64_t number;
    uint64_t left;  /* bytes that may be read */
    size_t start;   /* of what has not been handed out */
    size_t scanned; /* no newline from start up to here */
    size_t end;
    bool ended;            /* there is nothing more to read */
    bool skipping;         /* inside a line that is too long */
    uint64_t ends_at_long; /* the number of the last line whose being too long ends the input */
    void (*seen)(void *context, const char *bytes, size_t length);
    void *context;
    size_t kept_length;
    char kept[KEPT_SIZE];
    char buffer[BUFFER_SIZE];
};

static void forget_all(struct lines *lines)
{
    lines->number = 0;
    lines->start = lines->scanned = lines->end = 0;
    lines->ended = lines->skipping = false;
    lines->kept_length = 0;
}

struct lines *lines_new(int input, int stop)
{
    struct lines *lines = malloc(sizeof *lines);

    if (!lines)
        return NULL;
    lines->input = input;
    lines->stop = stop;
    lines->seen = NULL;
    lines->left = UINT64_MAX;
    lines->ends_at_long = 0;
    forget_all(lines);
    return lines;
}

void lines_limit(struct lines *lines, uint64_t bytes)
{
    lines->left = bytes;
}

void lines_end_at_long(struct lines *lines)
{
    lines->ends_at_long = UINT64_MAX;
}

void lines_end_at_long_first(struct lines *lines)
{
    lines->ends_at_long = 1;
}

void lines_watch(struct lines *lines, void (*seen)(void *context, const char *bytes, size_t length),
                 void *context)
{
    lines->seen = seen;
    lines->context = context;
}

bool lines_rewind(struct lines *lines)
{
    if (lseek(lines->input, 0, SEEK_SET) < 0)
        return false;
    forget_all(lines);
    return true;
}

void lines_free(struct lines *lines)
{
    free(lines);
}

static int wait_for_input(struct lines *lines, struct error *error)
{
    struct pollfd polled[] = {{.fd = lines->input, .events = POLLIN},
                              {.fd = lines->stop, .events = POLLIN}};

    while (poll(polled, 2, -1) < 0)
        if (errno != EINTR)
            return error_set(error, ERROR_RIG, "cannot wait for input: %s", strerror(errno));
    if (polled[1].revents)
        return error_set(error, ERROR_ABORTED, "stopped after line %ju", (uintmax_t)lines->number);
    return 0;
}

static int refill(struct lines *lines, struct error *error)
{
    size_t room;
    ssize_t got;

    memmove(lines->buffer, lines->buffer + lines->start, lines->end - lines->start);
    lines->scanned -= lines->start;
    lines->end -= lines->start;
    lines->start = 0;
    do {
        int status = wait_for_input(lines, error);

        if (status < 0)
            return status;
        room = BUFFER_SIZE - lines->end;
        got = read(lines->input, lines->buffer + lines->end,
                   lines->left < room ? (size_t)lines->left : room);
    } while (got < 0 && (errno == EINTR || errno == EAGAIN));
    if (got < 0)
        return error_set(error, ERROR_RIG, "cannot read after line %ju: %s",
                         (uintmax_t)lines->number, strerror(errno));
    if (lines->seen)
        lines->seen(lines->context, lines->buffer + lines->end, (size_t)got);
    lines->end += (size_t)got;
    lines->left -= (uint64_t)got;
    lines->ended = got == 0;
    return 0;
}

static int hand_out(struct lines *lines, size_t end, struct text_line *line)
{
    bool whole = !lines->skipping && end - lines->start <= LINES_LONGEST;

    line->number = ++lines->number;
    line->complete = end < lines->end;
    line->text = lines->skipping ? lines->kept : lines->buffer + lines->start;
    line->length = lines->skipping ? lines->kept_length : end - lines->start;
    if (line->length > KEPT_SIZE && !whole)
        line->length = KEPT_SIZE;
    lines->start = lines->scanned = end < lines->end ? end + 1 : end;
    lines->skipping = false;
    return whole ? LINES_LINE : LINES_LONG;
}

/* No newline so far: what is longer than a line may be is forgotten, but for its beginning. */
static void forget(struct lines *lines)
{
    if (!lines->skipping && lines->end - lines->start <= LINES_LONGEST)
        return;
    if (!lines->skipping) {
        memcpy(lines->kept, lines->buffer + lines->start, KEPT_SIZE);
        lines->kept_length = KEPT_SIZE;
        lines->skipping = true;
    }
    lines->start = lines->scanned = lines->end;
}

int lines_next(struct lines *lines, bool wait, struct text_line *line, struct error *error)
{
    for (;;) {
        char *newline = memchr(lines->buffer + lines->scanned, '\n', lines->end - lines->scanned);
        int status;

        if (newline)
            return hand_out(lines, (size_t)(newline - lines->buffer), line);
        lines->scanned = lines->end;
        if (lines->ended)
            return lines->start < lines->end || lines->skipping ? hand_out(lines, lines->end, line)
                                                                : LINES_END;
        forget(lines);
        if (lines->skipping && lines->number < lines->ends_at_long) {
            lines->ended = true;
            status = hand_out(lines, lines->end, line);
            line->complete = true;
            return status;
        }
        if (!wait)
            return LINES_LATER;
        status = refill(lines, error);
        if (status < 0)
            return status;
    }
}

/* A pipe that nobody writes to opens at once: it is waited for where reading can be stopped. */
static int open_path(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (fd >= 0)
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    return fd;
}

int lines_open(const char *path, struct error *error)
{
    struct stat status;
    int fd = strcmp(path, "-") ? open_path(path) : fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);

    if (fd < 0)
        return error_set(error, error_of_opening(errno), "%s: cannot open: %s", path,
                         strerror(errno));
    if (!fstat(fd, &status) && S_ISDIR(status.st_mode)) {
        close(fd);
        return error_set(error, ERROR_CONFIG, "%s: is a directory; name a file", path);
    }
    return fd;
}

int lines_open_named(const char *path, struct error *error)
{
    struct stat status;
    int fd = lines_open(path, error);

    if (fd < 0 || (!fstat(fd, &status) && S_ISREG(status.st_mode)))
        return fd;
    close(fd);
    return error_set(error, ERROR_CONFIG, "%s: is a pipe or a device; name a file", path);
}
