/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/output.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

static int wait_for_room(int fd, int stop, struct error *error)
{
    struct pollfd polled[] = {{.fd = fd, .events = POLLOUT}, {.fd = stop, .events = POLLIN}};

    while (poll(polled, 2, -1) < 0)
        if (errno != EINTR)
            return error_set(error, ERROR_RIG, "cannot wait for output: %s", strerror(errno));
    if (!polled[0].revents)
        return error_set(error, ERROR_ABORTED, "stopped while nobody read the output");
    return 0;
}

/*
 * How much to write at once. A pipe that poll() calls writable takes PIPE_BUF bytes without
 * blocking; more could block. As many whole lines as fit are taken, or a part of a line that is
 * longer.
 */
static size_t next_piece(const char *text, size_t length)
{
    const char *newline;

    if (length <= PIPE_BUF)
        return length;
    newline = memrchr(text, '\n', PIPE_BUF);
    return newline ? (size_t)(newline - text) + 1 : PIPE_BUF;
}

int output_write(int fd, int stop, const char *text, size_t length, struct error *error)
{
    while (length) {
        int status = wait_for_room(fd, stop, error);
        ssize_t written;

        if (status < 0)
            return status;
        written = write(fd, text, next_piece(text, length));
        if (written < 0 && errno != EINTR && errno != EAGAIN)
            return error_set(error, ERROR_RIG, "cannot write standard %s: %s",
                             fd == STDERR_FILENO ? "error" : "output", strerror(errno));
        if (written > 0) {
            text += written;
            length -= (size_t)written;
        }
    }
    return 0;
}
