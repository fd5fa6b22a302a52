/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The server's thread: waits for clients and for the bench, and gives each its turn. */
#include <poll.h>
#include <unistd.h>

#include "rigs/station/station.h"

#define PACE     (20 * NANOS_PER_MILLI) /* between two looks at the journal */
#define TICK     NANOS_PER_SECOND       /* between two looks at the deadlines */
#define DRAIN_MS 10 /* the same while streams are ended, for what the library does not tell */

/* The descriptors that are waited for: these four, then those of suspended streams. */
enum { ON_LISTENER, ON_WAKE, ON_FILES, ON_HTTP, ON_STREAMS };

static int http_fd(const struct server *server)
{
    const union MHD_DaemonInfo *info =
        http.get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD);

    return info ? info->epoll_fd : -1;
}

static nanos_t earlier(nanos_t a, nanos_t b)
{
    return a < b ? a : b;
}

/* How long to wait at most. */
static int timeout(const struct server *server, nanos_t now, bool is_all)
{
    MHD_UNSIGNED_LONG_LONG http_ms;
    nanos_t until = now + earlier(TICK, server->patience / 2);

    if (!is_all)
        return 0;
    if (server->rest_until > now)
        until = earlier(until, server->rest_until);
    if (atomic_load(&server->is_woken))
        until = earlier(until, server->looked + PACE);
    if (http.get_timeout(server->daemon, &http_ms) == MHD_YES && http_ms < 1000)
        until = earlier(until, now + (nanos_t)http_ms * NANOS_PER_MILLI);
    return until <= now ? 0 : (int)((until - now + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI);
}

static void wait_for_something(struct server *server, bool is_all)
{
    struct pollfd polled[ON_STREAMS + SERVER_CONNECTIONS];
    struct stream *streams[SERVER_CONNECTIONS];
    nfds_t count = ON_STREAMS;
    nanos_t now = clock_read_real();
    bool is_resting = server->rest_until > now, is_woken = atomic_load(&server->is_woken);

    polled[ON_LISTENER] =
        (struct pollfd){.fd = is_resting ? -1 : server->listener.fd, .events = POLLIN};
    polled[ON_WAKE] = (struct pollfd){.fd = is_woken ? -1 : server->wake_fd, .events = POLLIN};
    polled[ON_FILES] = (struct pollfd){.fd = is_woken ? -1 : server->watch_fd, .events = POLLIN};
    polled[ON_HTTP] = (struct pollfd){.fd = http_fd(server), .events = POLLIN};
    for (size_t i = 0; i < SERVER_CONNECTIONS; i++)
        if (server->connections[i].fd >= 0 && server->connections[i].stream.is_suspended) {
            streams[count - ON_STREAMS] = &server->connections[i].stream;
            polled[count++] = (struct pollfd){.fd = server->connections[i].fd, .events = POLLRDHUP};
        }
    if (poll(polled, count, timeout(server, now, is_all)) <= 0)
        return;
    for (nfds_t i = ON_STREAMS; i < count; i++)
        if (polled[i].revents)
            streams[i - ON_STREAMS]->is_gone = true;
    if (polled[ON_FILES].revents)
        atomic_store(&server->is_woken, true);
    if (polled[ON_LISTENER].revents)
        connections_accept(server, clock_read_real());
}

/* Who takes too long is cut: libmicrohttpd then finds the connection closed. */
static void cut_late(struct server *server, nanos_t now)
{
    for (size_t i = 0; i < SERVER_CONNECTIONS; i++) {
        struct connection *connection = &server->connections[i];

        if (connection->fd < 0 || connection->deadline > now)
            continue;
        shutdown(connection->fd, SHUT_RDWR);
        connection->deadline = NEVER;
    }
}

/* True when all journals were read to their ends. */
static bool look(struct server *server, nanos_t now)
{
    char told[4096];

    /* Cleared before the files are read: what is added after that wakes again. */
    atomic_store(&server->is_woken, false);
    while (read(server->wake_fd, told, sizeof told) > 0 ||
           read(server->watch_fd, told, sizeof told) > 0)
        continue;
    server->looked = now;
    return events_look(server);
}

static void serve(struct server *server)
{
    bool is_all = true;

    while (!atomic_load(&server->is_stopping)) {
        nanos_t now;

        wait_for_something(server, is_all);
        now = clock_read_real();
        if (!is_all || (atomic_load(&server->is_woken) && now - server->looked >= PACE))
            is_all = look(server, now);
        events_resume(server, now);
        later_resume(server, now);
        http.run(server->daemon);
        /* Last, so that nobody is cut for time that this thread was kept from working. */
        cut_late(server, now);
    }
}

static bool has_streams(const struct server *server)
{
    for (size_t i = 0; i < SERVER_CONNECTIONS; i++)
        if (server->connections[i].fd >= 0 && server->connections[i].stream.feed)
            return true;
    return false;
}

/* Sends who follows the rest of what has been written; then nothing is suspended any more. */
static void drain(struct server *server)
{
    nanos_t now = clock_read_real(), end = now + server->drain;
    struct pollfd polled = {.fd = http_fd(server), .events = POLLIN};

    server->is_draining = true;
    while (!look(server, now))
        continue;
    do {
        events_resume(server, now);
        later_resume(server, now);
        http.run(server->daemon);
        poll(&polled, 1, DRAIN_MS);
        cut_late(server, now);
        now = clock_read_real();
    } while (has_streams(server) && now < end);
    later_stop(server, now);
    http.run(server->daemon);
    http.stop_daemon(server->daemon);
}

void *loop_run(void *context)
{
    serve(context);
    drain(context);
    return NULL;
}
