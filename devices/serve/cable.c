/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/serve/cable.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

/* A client that lost its power says nothing: it is asked after IDLE seconds of silence. */
#define IDLE_SECONDS 5
#define ASK_SECONDS  2
#define ASK_TIMES    3

#define PTY_SCHEME "pty:"

void cable_init(struct cable *cable)
{
    *cable = (struct cable){.wire = -1, .door = -1};
}

static void close_descriptor(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

void cable_close(struct cable *cable)
{
    close_descriptor(&cable->wire);
    close_descriptor(&cable->door);
    cable->is_connected = false;
}

static const char *terminal_path(const struct cable *cable)
{
    return cable->address + strlen(PTY_SCHEME);
}

static int make_raw(const char *path)
{
    int fd = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
    struct termios settings;
    int status = fd < 0 ? -1 : tcgetattr(fd, &settings);

    if (status == 0) {
        cfmakeraw(&settings);
        status = tcsetattr(fd, TCSANOW, &settings);
    }
    if (fd >= 0)
        close(fd);
    return status;
}

/*
 * While no client has the terminal open, its master is always "hung up" and cannot be waited for;
 * that somebody opens it is seen by inotify.
 */
int cable_open_pty(struct cable *cable, struct error *error)
{
    char path[64];

    cable->is_terminal = true;
    cable->wire = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    cable->door = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (cable->wire < 0 || cable->door < 0 || grantpt(cable->wire) || unlockpt(cable->wire) ||
        ptsname_r(cable->wire, path, sizeof path) || make_raw(path) ||
        inotify_add_watch(cable->door, path, IN_OPEN) < 0)
        return error_set(error, ERROR_RIG,
                         "no pseudo-terminal to be had (%s): is /dev/pts mounted, and are fewer "
                         "than kernel.pty.max in use?",
                         strerror(errno));
    snprintf(cable->address, sizeof cable->address, PTY_SCHEME "%s", path);
    return 0;
}

/* A tty counts as connected until it hangs up. */
int cable_open_tty(struct cable *cable, const char *path, struct error *error)
{
    cable->is_terminal = true;
    cable->wire = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (cable->wire < 0)
        return error_set(error, ERROR_RIG, "%s: cannot open the serial line: %s", path,
                         strerror(errno));
    if (make_raw(path))
        return error_set(error, ERROR_CONFIG, "%s is no serial line: %s", path, strerror(errno));
    cable->is_connected = true;
    return 0;
}

struct endpoint {
    char host[64];
    char port[6];
};

static bool is_port(const char *text)
{
    size_t length = strlen(text);

    return length > 0 && length <= 5 && strspn(text, "0123456789") == length &&
           strtol(text, NULL, 10) <= 65535;
}

static int parse(const char *where, struct endpoint *endpoint, struct error *error)
{
    const char *colon = strrchr(where, ':');
    const char *port = colon ? colon + 1 : where;
    const char *host = colon ? where : "127.0.0.1";
    size_t length = colon ? (size_t)(colon - where) : strlen(host);

    if (!is_port(port))
        return error_set(
            error, ERROR_CONFIG,
            "'%s': '%s' is not a port: write ADDR:PORT with a port from 0 (any that is "
            "free) to 65535, as in 127.0.0.1:4001",
            where, port);
    if (length > 2 && host[0] == '[' && host[length - 1] == ']') {
        host++;
        length -= 2;
    } else if (memchr(host, ':', length)) {
        return error_set(error, ERROR_CONFIG,
                         "'%s': put an IPv6 address in brackets, as in [::1]:4001", where);
    }
    if (length == 0 || length >= sizeof endpoint->host)
        return error_set(error, ERROR_CONFIG,
                         "'%s': the address before the port has %zu characters: write 1 to %zu, as "
                         "in 127.0.0.1:4001",
                         where, length, sizeof endpoint->host - 1);
    memcpy(endpoint->host, host, length);
    endpoint->host[length] = '\0';
    strcpy(endpoint->port, port);
    return 0;
}

static int say_why_not(const char *where, int code, struct error *error)
{
    switch (code) {
    case EADDRINUSE:
        return error_set(error, ERROR_RIG,
                         "'%s' is in use by another program: choose another port, or 0 for any "
                         "that is free",
                         where);
    case EADDRNOTAVAIL:
        return error_set(error, ERROR_CONFIG,
                         "'%s' is no address of this machine: `ip address` lists them", where);
    case EACCES:
        return error_set(error, ERROR_RIG,
                         "'%s': this user may not listen there: choose a port above 1023", where);
    default:
        return error_set(error, ERROR_RIG, "'%s': cannot listen: %s", where, strerror(code));
    }
}

union name {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

/* "tcp:127.0.0.1:40123"; the text is left alone where nothing has such a name. */
static void put_name(char *text, size_t size, const char *scheme, const union name *name,
                     socklen_t name_size)
{
    char host[64], port[8];

    if (getnameinfo(&name->any, name_size, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV) == 0)
        snprintf(text, size, name->any.sa_family == AF_INET6 ? "%s[%s]:%s" : "%s%s:%s", scheme,
                 host, port);
}

/* A wildcard is no address to connect to; this machine reaches it by its loopback. */
static void name_listener(struct cable *cable)
{
    union name name = {.any.sa_family = AF_UNSPEC};
    socklen_t size = sizeof name;

    getsockname(cable->door, &name.any, &size);
    if (name.any.sa_family == AF_INET && name.v4.sin_addr.s_addr == htonl(INADDR_ANY))
        name.v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (name.any.sa_family == AF_INET6 && IN6_IS_ADDR_UNSPECIFIED(&name.v6.sin6_addr))
        name.v6.sin6_addr = in6addr_loopback;
    put_name(cable->address, sizeof cable->address, "tcp:", &name, size);
}

int cable_open_tcp(struct cable *cable, const char *where, struct error *error)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM,
                                   .ai_flags = AI_NUMERICSERV | AI_PASSIVE};
    struct addrinfo *found;
    struct endpoint endpoint;
    const int on = 1;
    int status = parse(where, &endpoint, error);

    if (status < 0)
        return status;
    status = getaddrinfo(endpoint.host, endpoint.port, &hints, &found);
    if (status)
        return error_set(error, ERROR_CONFIG, "'%s': no address is known for '%s' (%s)", where,
                         endpoint.host, gai_strerror(status));
    cable->door = socket(found->ai_family, found->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    setsockopt(cable->door, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    status = cable->door < 0 || bind(cable->door, found->ai_addr, found->ai_addrlen) ||
                     listen(cable->door, 1)
                 ? say_why_not(where, errno, error)
                 : 0;
    freeaddrinfo(found);
    if (status == 0)
        name_listener(cable);
    return status;
}

int cable_open_socket(struct cable *cable, int fd, struct error *error)
{
    struct sockaddr_storage peer;
    socklen_t size = sizeof peer;
    int flags = fcntl(fd, F_GETFL);

    if (flags < 0 || getpeername(fd, (struct sockaddr *)&peer, &size))
        return error_set(error, ERROR_CONFIG, "descriptor %d is not a connected socket: %s", fd,
                         strerror(errno));
    if (fcntl(fd, F_SETFL, flags | O_NONBLOCK))
        return error_set(error, ERROR_RIG, "descriptor %d cannot be made non-blocking: %s", fd,
                         strerror(errno));
    cable->wire = fd;
    cable->is_connected = true;
    return 0;
}

/* Each only makes a good connection better: without it the connection still works. */
static void set_options(int fd)
{
    const int on = 1, idle = IDLE_SECONDS, ask = ASK_SECONDS, times = ASK_TIMES;

    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &ask, sizeof ask);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &times, sizeof times);
}

static void forget_notices(int door)
{
    char notices[4096];

    while (read(door, notices, sizeof notices) > 0)
        ;
}

/* Also true of a client that has left while bytes of it are unread. */
static bool has_client(int master)
{
    struct pollfd polled = {.fd = master, .events = POLLIN};

    return poll(&polled, 1, 0) == 0 || polled.revents & POLLIN || !(polled.revents & POLLHUP);
}

int cable_admit(struct cable *cable, struct error *error)
{
    union name name = {.any.sa_family = AF_UNSPEC};
    socklen_t size = sizeof name;

    cable->client[0] = '\0';
    if (cable->is_terminal) {
        forget_notices(cable->door);
        cable->is_connected = has_client(cable->wire);
        return 0;
    }
    cable->wire = accept4(cable->door, &name.any, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
    cable->is_connected = cable->wire >= 0;
    if (cable->is_connected) {
        put_name(cable->client, sizeof cable->client, "", &name, size);
        set_options(cable->wire);
    } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
        return error_set(error, ERROR_RIG, "%s: a client could not be let in: %s", cable->address,
                         strerror(errno));
    }
    return 0;
}

/* Discards what the last client left unread. */
static void flush_terminal(const struct cable *cable)
{
    int fd = open(terminal_path(cable), O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);

    if (fd < 0)
        return;
    tcflush(fd, TCIFLUSH);
    close(fd);
}

void cable_hang_up(struct cable *cable)
{
    cable->is_connected = false;
    if (cable->is_terminal && cable->door >= 0)
        flush_terminal(cable);
    else
        close_descriptor(&cable->wire);
}

bool cable_can_reconnect(const struct cable *cable)
{
    return !cable->is_terminal && cable->door >= 0;
}

ssize_t cable_write(const struct cable *cable, const void *bytes, size_t size)
{
    if (cable->is_terminal)
        return write(cable->wire, bytes, size);
    return send(cable->wire, bytes, size, MSG_NOSIGNAL);
}
