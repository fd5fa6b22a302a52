/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the server listens, and which connections it takes. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/station/station.h"

#define ACCEPT_A_TURN 256 /* connections that are taken before others have their turn */
#define REST          (100 * NANOS_PER_MILLI)

static bool address_is_loopback(const struct sockaddr_storage *address)
{
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)address;
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)address;

    if (address->ss_family == AF_INET)
        return ntohl(v4->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
    return IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr);
}

static bool address_is_same(const struct sockaddr_storage *a, const struct sockaddr_storage *b)
{
    if (a->ss_family != b->ss_family)
        return false;
    if (a->ss_family == AF_INET)
        return ((const struct sockaddr_in *)a)->sin_addr.s_addr ==
               ((const struct sockaddr_in *)b)->sin_addr.s_addr;
    return IN6_ARE_ADDR_EQUAL(&((const struct sockaddr_in6 *)a)->sin6_addr,
                              &((const struct sockaddr_in6 *)b)->sin6_addr);
}

/* As a browser writes it in Host. */
static unsigned write_host(const struct sockaddr_storage *address, char host[HOST_SIZE])
{
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)address;
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)address;
    char text[INET6_ADDRSTRLEN] = "";
    bool is_v4 = address->ss_family == AF_INET;
    unsigned port = ntohs(is_v4 ? v4->sin_port : v6->sin6_port);

    if (is_v4)
        inet_ntop(AF_INET, &v4->sin_addr, text, sizeof text);
    else
        inet_ntop(AF_INET6, &v6->sin6_addr, text, sizeof text);
    snprintf(host, HOST_SIZE, is_v4 ? "%s:%u" : "[%s]:%u", text, port);
    return port;
}

/* The address and the port in "8642", "127.0.0.1:8642" or "[::1]:8642". */
static bool split(const char *text, char address[HOST_SIZE], const char **port)
{
    const char *colon = strrchr(text, ':');
    size_t length = colon ? (size_t)(colon - text) : 0;
    bool is_bracketed = length > 1 && *text == '[' && colon[-1] == ']';

    *port = colon ? colon + 1 : text;
    if (colon && (!length || length >= HOST_SIZE))
        return false;
    if (!is_bracketed && colon && memchr(text, ':', length))
        return false;
    if (is_bracketed)
        snprintf(address, HOST_SIZE, "%.*s", (int)length - 2, text + 1);
    else
        snprintf(address, HOST_SIZE, "%.*s", (int)length, text);
    if (!*address || !strcmp(address, "localhost"))
        strcpy(address, "127.0.0.1");
    return true;
}

static int parse(const char *text, struct sockaddr_storage *address, struct error *error)
{
    struct sockaddr_in *v4 = (struct sockaddr_in *)address;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)address;
    char name[HOST_SIZE];
    const char *port;
    uint64_t number;

    *address = (struct sockaddr_storage){.ss_family = AF_UNSPEC};
    if (split(text, name, &port) && request_number(port, &number) && number <= UINT16_MAX) {
        if (inet_pton(AF_INET, name, &v4->sin_addr) == 1) {
            v4->sin_family = AF_INET;
            v4->sin_port = htons((in_port_t)number);
        } else if (inet_pton(AF_INET6, name, &v6->sin6_addr) == 1) {
            v6->sin6_family = AF_INET6;
            v6->sin6_port = htons((in_port_t)number);
        }
    }
    if (address->ss_family == AF_UNSPEC)
        return error_set(error, ERROR_CONFIG,
                         "'%.80s' is no address to listen on; write PORT, 127.0.0.1:PORT or "
                         "[::1]:PORT, with a port from 0 to 65535",
                         text);
    return 0;
}

static int open_socket(const struct sockaddr_storage *address, int *fd)
{
    const int on = 1;

    *fd = socket(address->ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (*fd < 0)
        return -1;
    setsockopt(*fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (address->ss_family == AF_INET6)
        setsockopt(*fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    if (bind(*fd, (const struct sockaddr *)address, sizeof *address) || listen(*fd, SOMAXCONN))
        return -1;
    return 0;
}

int listener_open(struct listener *listener, const char *text, struct error *error)
{
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    int status = parse(text, &address, error);

    if (status)
        return status;
    if (open_socket(&address, &listener->fd))
        return error_set(error, ERROR_CONFIG, "cannot listen on %.80s (%s)%s", text,
                         strerror(errno),
                         errno == EADDRINUSE ? ": another program does; choose another port" : "");
    getsockname(listener->fd, (struct sockaddr *)&address, &size);
    listener->is_loopback = address_is_loopback(&address);
    listener->port = write_host(&address, listener->host);
    return 0;
}

/* A place for it, or NULL: it is one too many. */
static struct connection *find_place(struct server *server, const struct sockaddr_storage *peer)
{
    struct connection *place = NULL;
    unsigned same = 0;

    for (size_t i = 0; i < SERVER_CONNECTIONS; i++) {
        struct connection *connection = &server->connections[i];

        if (connection->fd < 0)
            place = connection;
        else if (address_is_same(&connection->peer, peer))
            same++;
    }
    return same >= SERVER_OF_ONE && !address_is_loopback(peer) ? NULL : place;
}

#define TOO_MANY "{\"why\":\"too many connections; close a page first\"}"

/* What has come is read, for closing over it would take the answer away from the client. */
static void refuse(int fd)
{
    char unread[4096], answer[512];
    int length = snprintf(answer, sizeof answer,
                          "HTTP/1.1 429 Too Many Requests\r\nContent-Type: application/json\r\n"
                          "Cache-Control: no-store\r\nConnection: close\r\n"
                          "Content-Length: %zu\r\n\r\n" TOO_MANY,
                          sizeof TOO_MANY - 1);

    if (recv(fd, unread, sizeof unread, MSG_DONTWAIT) != 0 &&
        send(fd, answer, (size_t)length, MSG_DONTWAIT | MSG_NOSIGNAL) > 0)
        shutdown(fd, SHUT_WR);
    close(fd);
}

static void take(struct server *server, int fd, const struct sockaddr_storage *peer, socklen_t size,
                 nanos_t now)
{
    struct connection *connection = find_place(server, peer);
    struct sockaddr_storage local = {.ss_family = AF_UNSPEC};
    socklen_t local_size = sizeof local;

    if (!connection) {
        refuse(fd);
        return;
    }
    getsockname(fd, (struct sockaddr *)&local, &local_size);
    *connection = (struct connection){.fd = fd, .peer = *peer, .deadline = now + server->patience};
    write_host(&local, connection->local);
    if (http.add_connection(server->daemon, fd, (const struct sockaddr *)peer, size) != MHD_YES)
        connection->fd = -1;
}

void connections_accept(struct server *server, nanos_t now)
{
    for (unsigned i = 0; i < ACCEPT_A_TURN; i++) {
        struct sockaddr_storage peer = {.ss_family = AF_UNSPEC};
        socklen_t size = sizeof peer;
        int fd = accept4(server->listener.fd, (struct sockaddr *)&peer, &size,
                         SOCK_CLOEXEC | SOCK_NONBLOCK);

        if (fd >= 0)
            take(server, fd, &peer, size, now);
        else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
            server->rest_until = now + REST;
        if (fd < 0 && errno != ECONNABORTED)
            return;
    }
}
