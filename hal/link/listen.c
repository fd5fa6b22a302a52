/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * "listen:[HOST:]PORT": the bytes of whoever connects to a TCP port of this machine, for a serial
 * server that calls its host, or for a controller that thinks it calls its device. The first that
 * comes is taken, within CALL_MILLIS, and nobody after it until the link is opened again. HOST is
 * an address of this machine, 127.0.0.1 unless given.
 */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "hal/base/registry.h"
#include "hal/link/descriptor.h"
#include "hal/link/lookup.h"

#define CALL_MILLIS 2000

struct listen_link {
    struct link link;
    int fd;
};

struct door {
    char host[LOOKUP_HOST_MAX];
    char port[LOOKUP_PORT_MAX];
};

static int bad_address(const struct link *link, struct error *error)
{
    return error_set(error, ERROR_CONFIG,
                     "%s names no port of this machine: write listen:PORT or listen:HOST:PORT, as "
                     "in listen:4001 or listen:[::]:4001",
                     link->address);
}

static int parse(const struct link *link, const char *rest, struct door *door, struct error *error)
{
    const char *colon = strrchr(rest, ':'), *port = colon ? colon + 1 : rest;
    size_t length = colon ? (size_t)(colon - rest) : 0;
    long number = strtol(port, NULL, 10);

    if (strspn(port, "0123456789") != strlen(port) || strlen(port) > 5 || number < 1 ||
        number > 65535 || (colon && !length))
        return bad_address(link, error);
    strcpy(door->port, port);
    strcpy(door->host, "127.0.0.1");
    if (!colon)
        return 0;
    if (rest[0] == '[' && rest[length - 1] == ']' && length > 2) {
        rest++;
        length -= 2;
    } else if (memchr(rest, ':', length) || memchr(rest, '[', length)) {
        return bad_address(link, error);
    }
    memcpy(door->host, rest, length);
    door->host[length] = '\0';
    return 0;
}

static int cannot_listen(const struct link *link, int code, struct error *error)
{
    switch (code) {
    case EADDRINUSE:
        return error_set(error, ERROR_RIG,
                         "%s: another program has that port; `ss -ltnp` shows which",
                         link->address);
    case EADDRNOTAVAIL:
        return error_set(error, ERROR_CONFIG,
                         "%s: that is no address of this machine; `ip address` lists them",
                         link->address);
    case EACCES:
        return error_set(error, ERROR_RIG,
                         "%s: no permission to listen there: use a port from 1024 on",
                         link->address);
    default:
        return error_set(error, ERROR_RIG, "%s: this machine would not listen: %s", link->address,
                         strerror(code));
    }
}

/* A socket that listens, or an error. */
static int open_door(const struct link *link, const struct addrinfo *where, struct error *error)
{
    const int on = 1;
    int fd = socket(where->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (fd < 0)
        return cannot_listen(link, errno, error);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd, where->ai_addr, where->ai_addrlen) < 0 || listen(fd, 1) < 0) {
        int code = errno;

        close(fd);
        return cannot_listen(link, code, error);
    }
    return fd;
}

/* The first that comes, or an error. */
static int await_caller(const struct link *link, int door, nanos_t deadline, struct error *error)
{
    for (;;) {
        int ready = hal_wait(link->hal, door, POLLIN, deadline, error);
        int fd;

        if (ready < 0)
            return ready;
        if (!ready)
            return error_set(error, ERROR_DEVICE,
                             "%s: nobody has connected so far: start the other side, or correct "
                             "the address that it calls",
                             link->address);
        fd = accept4(door, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd >= 0)
            return fd;
        if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED)
            return cannot_listen(link, errno, error);
    }
}

static int listen_check(const struct link *link, const char *rest, struct error *error)
{
    struct door door;

    return parse(link, rest, &door, error);
}

static int listen_open(struct link *link, const char *rest, struct error *error)
{
    struct listen_link *self = (struct listen_link *)link;
    nanos_t deadline = clock_deadline(link->hal->clock, CALL_MILLIS);
    const int on = 1;
    struct addrinfo *found;
    struct door door;
    int status = parse(link, rest, &door, error), fd;

    if (deadline > link->open_by)
        deadline = link->open_by;
    if (!status)
        status = lookup_host(link->hal, door.host, door.port, deadline, &found, error);
    if (status < 0)
        return status;
    fd = open_door(link, found, error);
    freeaddrinfo(found);
    if (fd < 0)
        return fd;
    self->fd = await_caller(link, fd, deadline, error);
    close(fd);
    if (self->fd < 0)
        return self->fd;
    setsockopt(self->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return 0;
}

static void listen_close(struct link *link)
{
    close(((struct listen_link *)link)->fd);
}

static ssize_t listen_read(struct link *link, void *bytes, size_t size, nanos_t deadline,
                           struct error *error)
{
    return descriptor_read(link, ((struct listen_link *)link)->fd, bytes, size, deadline, error);
}

static ssize_t send_quietly(int fd, const void *bytes, size_t size)
{
    return send(fd, bytes, size, MSG_NOSIGNAL);
}

static ssize_t listen_write(struct link *link, const void *bytes, size_t size, nanos_t deadline,
                            struct error *error)
{
    return descriptor_write(link, ((struct listen_link *)link)->fd, send_quietly, bytes, size,
                            deadline, error);
}

static void listen_polled(const struct link *link, bool reads, bool writes, struct pollfd *polled)
{
    descriptor_polled(((const struct listen_link *)link)->fd, reads, writes, polled);
}

static const struct link_backend listen_backend = {
    .scheme = "listen",
    .form = "listen:PORT or listen:HOST:PORT, as in listen:4001",
    .size = sizeof(struct listen_link),
    .open = listen_open,
    .check = listen_check,
    .close = listen_close,
    .read = listen_read,
    .write = listen_write,
    .polled = listen_polled,
};

REGISTER(link_backends, listen_backend);
