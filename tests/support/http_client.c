/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/http_client.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static void must(bool is_so, const char *what)
{
    if (is_so)
        return;
    fprintf(stderr, "http client: %s\n", what);
    exit(EXIT_FAILURE);
}

void http_client_open(struct http_client *client, const char *address)
{
    const struct timeval minute = {.tv_sec = 60};
    struct sockaddr_in to = {.sin_family = AF_INET};
    char host[32];
    unsigned port;

    *client = (struct http_client){.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    must(client->fd >= 0, "no descriptor");
    must(sscanf(address, "http://%31[0-9.]:%u/", host, &port) == 2, "no address");
    to.sin_port = htons((in_port_t)port);
    inet_pton(AF_INET, host, &to.sin_addr);
    setsockopt(client->fd, SOL_SOCKET, SO_RCVTIMEO, &minute, sizeof minute);
    setsockopt(client->fd, SOL_SOCKET, SO_SNDTIMEO, &minute, sizeof minute);
    must(!connect(client->fd, (struct sockaddr *)&to, sizeof to), "no connection");
}

void http_client_close(struct http_client *client)
{
    close(client->fd);
    free(client->text);
    *client = (struct http_client){.fd = -1};
}

bool http_client_send(struct http_client *client, const char *text, size_t length)
{
    while (length) {
        ssize_t sent = send(client->fd, text, length, MSG_NOSIGNAL);

        if (sent <= 0)
            return false;
        text += sent;
        length -= (size_t)sent;
    }
    return true;
}

bool http_client_say(struct http_client *client, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    int length;
    bool is_sent;

    va_start(arguments, format);
    length = vasprintf(&text, format, arguments);
    va_end(arguments);
    must(length >= 0, "no memory");
    is_sent = http_client_send(client, text, (size_t)length);
    free(text);
    return is_sent;
}

bool http_client_read(struct http_client *client)
{
    ssize_t got;

    if (client->room - client->length < 65536) {
        client->room = client->room ? 2 * client->room : 131072;
        client->text = realloc(client->text, client->room);
        must(client->text != NULL, "no memory");
        client->text[client->length] = '\0';
    }
    got = recv(client->fd, client->text + client->length, client->room - client->length - 1, 0);
    client->is_ended = !got || (got < 0 && errno != EAGAIN);
    if (got <= 0)
        return false;
    client->length += (size_t)got;
    client->text[client->length] = '\0';
    return true;
}

const char *http_client_await(struct http_client *client, const char *text)
{
    size_t from = 0, length = strlen(text);

    for (;;) {
        const char *found =
            client->text ? memmem(client->text + from, client->length - from, text, length) : NULL;

        if (found)
            return found;
        from = client->length > length ? client->length - length : 0;
        if (!http_client_read(client))
            return NULL;
    }
}

void http_client_read_all(struct http_client *client)
{
    while (http_client_read(client))
        continue;
}

unsigned http_client_status(const struct http_client *client)
{
    unsigned status = 0;

    if (client->text)
        sscanf(client->text, "HTTP/1.%*1[01] %u ", &status);
    return status;
}

const char *http_client_body(const struct http_client *client)
{
    const char *end = client->text ? strstr(client->text, "\r\n\r\n") : NULL;

    return end ? end + 4 : "";
}
