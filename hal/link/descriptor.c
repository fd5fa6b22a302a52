/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/link/descriptor.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static bool means_gone(int code)
{
    switch (code) {
    case EIO:
    case ENXIO:
    case ENODEV:
    case EPIPE:
    case ECONNRESET:
    case ECONNABORTED:
    case ETIMEDOUT:
    case EHOSTUNREACH:
    case EHOSTDOWN:
    case ENETUNREACH:
    case ENETDOWN:
    case ENETRESET:
        return true;
    default:
        return false;
    }
}

static int say_gone(const struct link *link, const char *reason, struct error *error)
{
    return error_set(error, ERROR_DEVICE, "%s is gone (%s): check its cable and power",
                     link->address, reason);
}

static int say_why(const struct link *link, const char *deed, int code, struct error *error)
{
    if (means_gone(code))
        return say_gone(link, strerror(code), error);
    return error_set(error, ERROR_RIG, "%s cannot be %s: %s", link->address, deed, strerror(code));
}

static bool is_not_yet(int code)
{
    return code == EAGAIN || code == EWOULDBLOCK || code == EINTR;
}

ssize_t descriptor_read(const struct link *link, int fd, void *bytes, size_t size, nanos_t deadline,
                        struct error *error)
{
    for (;;) {
        int ready = hal_wait(link->hal, fd, POLLIN, deadline, error);
        ssize_t n;

        if (ready <= 0)
            return ready;
        n = read(fd, bytes, size);
        if (n > 0)
            return n;
        if (n == 0)
            return say_gone(link, "the other side closed", error);
        if (!is_not_yet(errno))
            return say_why(link, "read", errno, error);
        if (!(ready & POLLIN))
            return say_gone(link, "the other side hung up", error);
    }
}

ssize_t descriptor_write(const struct link *link, int fd, descriptor_put put, const void *bytes,
                         size_t size, nanos_t deadline, struct error *error)
{
    for (;;) {
        ssize_t n = put(fd, bytes, size);
        int ready;

        if (n > 0)
            return n;
        if (n < 0 && !is_not_yet(errno))
            return say_why(link, "written", errno, error);
        ready = hal_wait(link->hal, fd, POLLOUT, deadline, error);
        if (ready <= 0)
            return ready;
        if (!(ready & POLLOUT))
            return say_gone(link, "the other side hung up", error);
    }
}

bool descriptor_is_ended(int fd)
{
    char next;

    return recv(fd, &next, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

void descriptor_polled(int fd, bool reads, bool writes, struct pollfd *polled)
{
    polled->fd = fd;
    polled->events = (short)((reads ? POLLIN : 0) | (writes ? POLLOUT : 0));
}
