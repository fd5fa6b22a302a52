/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A server from its start to its stop. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "rigs/station/station.h"

#define PATIENCE   (10 * NANOS_PER_SECOND)
#define DRAIN      NANOS_PER_SECOND
#define POOL_BYTES 32768 /* of libmicrohttpd for a connection */

static size_t no_escapes(void *context, struct MHD_Connection *connection, char *text)
{
    (void)context, (void)connection;
    return strlen(text);
}

/* Ties a connection of libmicrohttpd to ours when it begins, and frees ours when it has ended. */
static void connection_changed(void *context, struct MHD_Connection *connection,
                               void **socket_context, enum MHD_ConnectionNotificationCode code)
{
    struct server *server = context;
    const union MHD_ConnectionInfo *info;

    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        if (*socket_context)
            ((struct connection *)*socket_context)->fd = -1;
        return;
    }
    info = http.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    for (size_t i = 0; info && i < SERVER_CONNECTIONS; i++)
        if (server->connections[i].fd == info->connect_fd)
            *socket_context = &server->connections[i];
}

/* Signals are for the threads of the bench. */
static int start_thread(struct server *server)
{
    sigset_t all, before;
    int failed;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    failed = pthread_create(&server->thread, NULL, loop_run, server);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

static void server_free(struct server *server)
{
    while (server->feeds) {
        struct feed *feed = server->feeds;

        server->feeds = feed->next;
        feed_free(feed);
    }
    json_reader_free(server->reader);
    if (server->listener.fd >= 0)
        close(server->listener.fd);
    if (server->wake_fd >= 0)
        close(server->wake_fd);
    if (server->watch_fd >= 0)
        close(server->watch_fd);
    free(server);
}

static struct server *server_new(const struct server_options *options,
                                 const struct server_bench *bench)
{
    struct server *server = calloc(1, sizeof *server);

    if (!server)
        return NULL;
    server->bench = *bench;
    server->listener.fd = -1;
    server->patience = options->patience_ms ? options->patience_ms * NANOS_PER_MILLI : PATIENCE;
    server->drain = DRAIN;
    for (size_t i = 0; i < SERVER_CONNECTIONS; i++)
        server->connections[i].fd = -1;
    server->reader = json_reader_new(JSON_LONGEST);
    server->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    server->watch_fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    return server;
}

static int open_to_others(struct server *server, const struct server_options *options,
                          struct error *error)
{
    int status = listener_open(&server->listener, options->listen, error);

    if (status)
        return status;
    if (options->token_file)
        return token_load(server->token, options->token_file, error);
    if (!server->listener.is_loopback)
        return error_set(error, ERROR_CONFIG,
                         "%s can be reached by other machines: whoever sends the token of "
                         "--token-file FILE may then watch and command this bench, and without "
                         "one nobody is let in",
                         server->listener.host);
    return 0;
}

static int start_http(struct server *server, struct error *error)
{
    server->daemon = http.start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET, 0, NULL, NULL,
        route_request, server, MHD_OPTION_NOTIFY_COMPLETED, route_done, server,
        MHD_OPTION_NOTIFY_CONNECTION, connection_changed, server, MHD_OPTION_UNESCAPE_CALLBACK,
        no_escapes, NULL, MHD_OPTION_CONNECTION_LIMIT, 2 * SERVER_CONNECTIONS,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)POOL_BYTES, MHD_OPTION_END);
    if (server->daemon && !later_start(server) && !start_thread(server))
        return 0;
    later_stop(server, 0);
    if (server->daemon)
        http.stop_daemon(server->daemon);
    return error_set(error, ERROR_RIG,
                     "the page cannot be served: memory or descriptors are short");
}

int server_start(struct server **started, const struct server_options *options,
                 const struct server_bench *bench, struct error *error)
{
    struct server *server;
    int status = http_load(error);

    *started = NULL;
    if (status)
        return status;
    server = server_new(options, bench);
    if (!server)
        return error_set(error, ERROR_RIG, "no memory for the page");
    if (!server->reader || server->wake_fd < 0 || server->watch_fd < 0)
        status = error_set(error, ERROR_RIG, "no memory or no descriptor for the page");
    if (!status)
        status = open_to_others(server, options, error);
    if (!status)
        status = start_http(server, error);
    if (status) {
        server_free(server);
        return status;
    }
    snprintf(server->address, sizeof server->address, "http://%s/", server->listener.host);
    *started = server;
    return 0;
}

static void wake_thread(struct server *server)
{
    const uint64_t one = 1;
    ssize_t written = write(server->wake_fd, &one, sizeof one);

    /* It fails only when the counter is full, and then the thread is woken already. */
    (void)written;
}

void server_stop(struct server *server)
{
    if (!server)
        return;
    atomic_store(&server->is_stopping, true);
    wake_thread(server);
    pthread_join(server->thread, NULL);
    server_free(server);
}

/* The thread looks at it when it stops. */
void server_drain(struct server *server, unsigned milliseconds)
{
    server->drain = milliseconds * NANOS_PER_MILLI;
}

void server_wake(struct server *server)
{
    if (!atomic_exchange(&server->is_woken, true))
        wake_thread(server);
}

const char *server_address(const struct server *server)
{
    return server->address;
}
