/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "tests/second/angel_eye.h"
#include "tests/second/lies.h"
#include "tests/second/line.h"
#include "tests/second/options.h"
#include "tests/second/shoe.h"
#include "tests/second/shuffler.h"
#include "tests/second/talk.h"
#include "tests/second/terminal.h"
#include "tests/second/unit.h"

static volatile sig_atomic_t ended;

static void on_end(int signal_number)
{
    (void)signal_number;
    ended = 1;
}

struct server {
    struct options options;
    struct lies lies;
    struct line line;
    struct talk talk;
    struct angel_eye *eye;
    int listener;
    int client;
    uint16_t port;
};

static const struct {
    const char *name;
    const struct talk_device *kind;
} devices[] = {{"shuffler", &shuffler_device},
               {"shoe", &shoe_device},
               {"terminal", &terminal_device},
               {"unit", &unit_device},
               {"angel-eye", NULL}};

static uint64_t milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static int usage(const char *what)
{
    fprintf(stderr,
            "second: %s\n"
            "usage: second DEVICE --tcp PORT [--option NAME[=VALUE]]... [--lie NAME[@N]]\n"
            "       second --list-options | --list-lies\n"
            "devices: shuffler shoe terminal unit angel-eye\n",
            what);
    return 2;
}

static int listen_on(struct server *server)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(server->port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    int on = 1;
    server->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setsockopt(server->listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(server->listener, (struct sockaddr *)&address, size) != 0 ||
        listen(server->listener, 4) != 0 ||
        getsockname(server->listener, (struct sockaddr *)&address, &size) != 0) {
        fprintf(stderr, "second: port %u: %s\n", server->port, strerror(errno));
        return 1;
    }
    server->port = ntohs(address.sin_port);
    return 0;
}

static void let_in(struct server *server)
{
    server->client = accept4(server->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (server->client < 0)
        return;
    int on = 1;
    setsockopt(server->client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    line_clear(&server->line);
    if (server->eye != NULL)
        angel_eye_connected(server->eye);
    else
        talk_connected(&server->talk);
}

static void let_go(struct server *server)
{
    close(server->client);
    server->client = -1;
    server->line.hang_up = false;
}

static void hear(struct server *server)
{
    uint8_t bytes[1024];
    ssize_t size = read(server->client, bytes, sizeof bytes);
    if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR)) {
        let_go(server);
        return;
    }
    if (size < 0)
        return;
    if (server->eye != NULL)
        angel_eye_receive(server->eye, bytes, (size_t)size);
    else
        talk_receive(&server->talk, bytes, (size_t)size);
}

static void turn(struct server *server)
{
    bool away =
        server->eye == NULL && server->talk.off && options_has(&server->options, "cut-hangs-up");
    struct pollfd wait = {server->client < 0 ? server->listener : server->client, POLLIN, 0};
    int ready = poll(&wait, away && server->client < 0 ? 0 : 1, 1);
    if (server->eye != NULL)
        angel_eye_tick(server->eye, milliseconds());
    else
        talk_tick(&server->talk, milliseconds());
    if (ready > 0 && server->client < 0)
        let_in(server);
    else if (ready > 0)
        hear(server);
    if (server->client >= 0 &&
        (!line_flush(&server->line, server->client, milliseconds()) || server->line.hang_up))
        let_go(server);
}

static int serve(struct server *server, const char *name)
{
    const struct talk_device *kind = NULL;
    bool known = false;
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        if (strcmp(devices[i].name, name) == 0) {
            kind = devices[i].kind;
            known = true;
        }
    if (!known)
        return usage("no such device");
    line_init(&server->line, &server->options);
    if (kind == NULL)
        server->eye = angel_eye_create(&server->options, &server->lies, &server->line);
    else
        talk_init(&server->talk, kind, &server->options, &server->lies, &server->line,
                  milliseconds());
    if (listen_on(server) != 0)
        return 1;
    printf("ready tcp:127.0.0.1:%u\n", server->port);
    fflush(stdout);
    while (!ended)
        turn(server);
    if (server->lies.told != NULL)
        printf("told %u of %u times\n", server->lies.times, server->lies.seen);
    return 0;
}

static int parse(struct server *server, int count, char **arguments)
{
    for (int i = 2; i + 1 < count; i += 2) {
        const char *name = arguments[i];
        char *value = arguments[i + 1];
        if (strcmp(name, "--tcp") == 0)
            server->port = (uint16_t)strtoul(value, NULL, 10);
        else if (strcmp(name, "--option") == 0 && options_add(&server->options, value))
            continue;
        else if (strcmp(name, "--lie") == 0 && lies_choose(&server->lies, arguments[1], value))
            continue;
        else
            return usage(value);
    }
    return count % 2 == 0 ? 0 : usage("an argument is missing");
}

int main(int count, char **arguments)
{
    static struct server server;
    server.client = -1;
    if (count == 2 && strcmp(arguments[1], "--list-options") == 0) {
        options_list();
        return 0;
    }
    if (count == 2 && strcmp(arguments[1], "--list-lies") == 0) {
        lies_list();
        return 0;
    }
    if (count < 4)
        return usage("too few arguments");
    int status = parse(&server, count, arguments);
    if (status != 0)
        return status;
    struct sigaction action = {.sa_handler = on_end};
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    return serve(&server, arguments[1]);
}
