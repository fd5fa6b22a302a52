/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who may ask for anything: the address that is asked, the page that asks, and the token. */
#include <nettle/memops.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "hal/base/secret.h"
#include "rigs/station/station.h"

#define SCHEME "Bearer "

static int check_token(const char *token, const char *path, struct error *error)
{
    for (const char *at = token; *at; at++)
        if (*at <= ' ' || *at > '~')
            return error_set(error, ERROR_CONFIG,
                             "the token in %.200s must be of printable ASCII without blanks", path);
    if (strlen(token) < SERVER_TOKEN_LEAST)
        return error_set(error, ERROR_CONFIG,
                         "the token in the first line of %.200s has %zu characters; it must have "
                         "%d or more",
                         path, strlen(token), SERVER_TOKEN_LEAST);
    return 0;
}

int token_load(char token[TOKEN_SIZE], const char *path, struct error *error)
{
    int status = secret_read(path, "token", token, TOKEN_SIZE, error);

    return status ? status : check_token(token, path, error);
}

/* The address that is listened on or was reached, or a loopback name, with the port. */
static bool is_here(const struct request *request, const char *host)
{
    static const char *const loopbacks[] = {"localhost", "127.0.0.1", "[::1]"};
    unsigned port = request->server->listener.port;
    char name[HOST_SIZE];

    if (!strcasecmp(host, request->server->listener.host) ||
        !strcasecmp(host, request->connection->local))
        return true;
    for (size_t i = 0; i < sizeof loopbacks / sizeof loopbacks[0]; i++) {
        snprintf(name, sizeof name, "%s:%u", loopbacks[i], port);
        if (!strcasecmp(host, name) || (port == 80 && !strcasecmp(host, loopbacks[i])))
            return true;
    }
    return false;
}

unsigned guard_refuses(const struct request *request, const char **why)
{
    static const char scheme[] = "http://";
    unsigned hosts, origins;
    const char *host = request_value(request, MHD_HEADER_KIND, "Host", &hosts);
    const char *origin = request_value(request, MHD_HEADER_KIND, "Origin", &origins);

    if (hosts != 1 || origins > 1) {
        *why = "a request has one Host, and one Origin at most";
        return 400;
    }
    if (!is_here(request, host)) {
        *why = "Host is not the address of this bench";
        return 403;
    }
    if (origin && (strncasecmp(origin, scheme, sizeof scheme - 1) ||
                   !is_here(request, origin + sizeof scheme - 1))) {
        *why = "Origin is not this page";
        return 403;
    }
    return 0;
}

bool guard_has_token(const struct request *request)
{
    const char *token = request->server->token;
    size_t length = strlen(token);
    unsigned count;
    const char *given = request_value(request, MHD_HEADER_KIND, "Authorization", &count);

    if (!length)
        return true;
    if (count != 1 || strncasecmp(given, SCHEME, sizeof SCHEME - 1))
        return false;
    given += sizeof SCHEME - 1;
    return strlen(given) == length && memeql_sec(given, token, length);
}
