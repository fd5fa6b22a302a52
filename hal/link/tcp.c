/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * "tcp:HOST:PORT": the bytes of a serial port behind a serial server. HOST is a name, an IPv4
 * address, or an IPv6 address in brackets. Finding the host and connecting take at most
 * CONNECT_MILLIS together.
 */
#include <assert.h>
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

#define CONNECT_MILLIS 5000
/* A peer that lost its power is asked after IDLE seconds and counts as gone after DEAD. */
#define IDLE_SECONDS 5
#define ASK_SECONDS  2
#define ASK_TIMES    3
#define DEAD_SECONDS (IDLE_SECONDS + ASK_SECONDS * ASK_TIMES)

struct tcp_link {
    struct link link;
    int fd;
};

struct endpoint {
    char host[LOOKUP_HOST_MAX];
    char port[LOOKUP_PORT_MAX];
};
static_assert(LOOKUP_HOST_MAX >= LINK_ADDRESS_MAX, "a host is a part of an address");

static bool is_port(const char *text)
{
    size_t length = strlen(text);
    long port = strtol(text, NULL, 10);

    return length > 0 && length <= 5 && strspn(text, "0123456789") == length && port >= 1 &&
           port <= 65535;
}

static int parse(const struct link *link, const char *rest, struct endpoint *endpoint,
                 struct error *error)
{
    const char *colon = strrchr(rest, ':');
    size_t length = colon ? (size_t)(colon - rest) : 0;

    if (length == 0)
        return error_set(error, ERROR_CONFIG,
                         "%s names no host and port: write tcp:HOST:PORT, as in "
                         "tcp:192.168.0.7:4001",
                         link->address);
    if (!is_port(colon + 1))
        return error_set(error, ERROR_CONFIG,
                         "%s: '%s' is not a port: write a number from 1 to "
                         "65535",
                         link->address, colon + 1);
    if (rest[0] == '[' && rest[length - 1] == ']' && length > 2) {
        rest++;
        length -= 2;
    } else if (memchr(rest, ':', length) || strpbrk(rest, "[]")) {
        return error_set(error, ERROR_CONFIG,
                         "%s: put an IPv6 address in brackets, as in tcp:[::1]:4001",
                         link->address);
    }
    memcpy(endpoint->host, rest, length);
    endpoint->host[length] = '\0';
    strcpy(endpoint->port, colon + 1);
    return 0;
}

static void set_options(int fd)
{
    const int on = 1, idle = IDLE_SECONDS, ask = ASK_SECONDS, times = ASK_TIMES;
    const unsigned unanswered = DEAD_SECONDS * 1000;

    /* Failures are ignored: the link also works without these. */
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &ask, sizeof ask);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &times, sizeof times);
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &unanswered, sizeof unanswered);
}

/* A port that nobody listens on may connect to itself when the kernel picks it for our side. */
static bool is_own_echo(int fd)
{
    struct sockaddr_storage ours = {0}, theirs = {0};
    socklen_t our_size = sizeof ours, their_size = sizeof theirs;

    return getsockname(fd, (struct sockaddr *)&ours, &our_size) == 0 &&
           getpeername(fd, (struct sockaddr *)&theirs, &their_size) == 0 &&
           our_size == their_size && memcmp(&ours, &theirs, our_size) == 0;
}

/* 0, a positive errno, or the negative code of a wait that was ended. */
static int connect_by(const struct link *link, int fd, const struct addrinfo *to, nanos_t deadline,
                      struct error *error)
{
    socklen_t size = sizeof(int);
    int ready, code;

    if (connect(fd, to->ai_addr, to->ai_addrlen) < 0) {
        if (errno != EINPROGRESS && errno != EINTR)
            return errno;
        ready = hal_wait(link->hal, fd, POLLOUT, deadline, error);
        if (ready <= 0)
            return ready ? ready : ETIMEDOUT;
        if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &size) < 0)
            return errno;
        if (code)
            return code;
    }
    return is_own_echo(fd) ? ECONNREFUSED : 0;
}

static int say_why_not(const struct link *link, int code, struct error *error)
{
    switch (code) {
    case ECONNREFUSED:
        return error_set(error, ERROR_DEVICE,
                         "%s refused the connection: is the port right, and is the serial server "
                         "free and listening?",
                         link->address);
    case ETIMEDOUT:
        return error_set(error, ERROR_DEVICE,
                         "%s did not answer in time: is the host right, switched on and on this "
                         "network?",
                         link->address);
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case EACCES:
    case EPERM:
        return error_set(error, ERROR_RIG, "%s: this machine would not connect: %s", link->address,
                         strerror(code));
    default:
        return error_set(error, ERROR_DEVICE, "%s cannot be reached: %s; check host and network",
                         link->address, strerror(code));
    }
}

/* The first of the host's addresses that answers. */
static int connect_any(struct tcp_link *tcp, const struct addrinfo *found, nanos_t deadline,
                       struct error *error)
{
    int code = EADDRNOTAVAIL;

    for (const struct addrinfo *to = found; to; to = to->ai_next) {
        tcp->fd = socket(to->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (tcp->fd < 0) {
            code = errno;
            continue;
        }
        code = connect_by(&tcp->link, tcp->fd, to, deadline, error);
        if (code == 0)
            return 0;
        close(tcp->fd);
        if (code < 0)
            return code;
    }
    return say_why_not(&tcp->link, code, error);
}

static int tcp_check(const struct link *link, const char *rest, struct error *error)
{
    struct endpoint endpoint;

    return parse(link, rest, &endpoint, error);
}

static int tcp_open(struct link *link, const char *rest, struct error *error)
{
    struct tcp_link *tcp = (struct tcp_link *)link;
    nanos_t deadline = clock_deadline(link->hal->clock, CONNECT_MILLIS);
    struct endpoint endpoint;
    struct addrinfo *found;
    int status = parse(link, rest, &endpoint, error);

    if (status < 0)
        return status;
    if (deadline > link->open_by)
        deadline = link->open_by;
    status = lookup_host(link->hal, endpoint.host, endpoint.port, deadline, &found, error);
    if (status < 0)
        return status;
    status = connect_any(tcp, found, deadline, error);
    freeaddrinfo(found);
    if (status == 0)
        set_options(tcp->fd);
    return status;
}

static void tcp_close(struct link *link)
{
    close(((struct tcp_link *)link)->fd);
}

static ssize_t tcp_read(struct link *link, void *bytes, size_t size, nanos_t deadline,
                        struct error *error)
{
    return descriptor_read(link, ((struct tcp_link *)link)->fd, bytes, size, deadline, error);
}

static ssize_t send_quietly(int fd, const void *bytes, size_t size)
{
    return send(fd, bytes, size, MSG_NOSIGNAL);
}

static ssize_t tcp_write(struct link *link, const void *bytes, size_t size, nanos_t deadline,
                         struct error *error)
{
    return descriptor_write(link, ((struct tcp_link *)link)->fd, send_quietly, bytes, size,
                            deadline, error);
}

static void tcp_polled(const struct link *link, bool reads, bool writes, struct pollfd *polled)
{
    descriptor_polled(((const struct tcp_link *)link)->fd, reads, writes, polled);
}

static const struct link_backend tcp_backend = {
    .scheme = "tcp",
    .form = "tcp:HOST:PORT, as in tcp:192.168.0.7:4001 or tcp:[::1]:4001",
    .size = sizeof(struct tcp_link),
    .open = tcp_open,
    .check = tcp_check,
    .close = tcp_close,
    .read = tcp_read,
    .write = tcp_write,
    .polled = tcp_polled,
};

REGISTER(link_backends, tcp_backend);
