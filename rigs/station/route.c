/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a request to what answers it. What is wrong with its head is said before its body is read.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "rigs/station/station.h"

static const struct route routes[] = {
    {"/", "GET", order_page, ROUTE_PUBLIC},
    {"/page.css", "GET", order_page, ROUTE_PUBLIC},
    {"/page.js", "GET", order_page, ROUTE_PUBLIC},
    {"/page/", "GET", order_page, ROUTE_PUBLIC | ROUTE_FOLDER},
    {"/status", "GET", order_status, 0},
    {"/events", "GET", events_begin, ROUTE_QUERY},
    {"/answer", "POST", order_answer, 0},
    {"/control", "POST", order_control, 0},
    {"/recordings", "GET", order_list, 0},
    {"/runs", "GET", order_list, 0},
    {"/runs/", "GET", order_list, ROUTE_FOLDER},
};

static bool is_offered(const struct server *server, const struct route *route)
{
    if (route->answer == order_answer)
        return server->bench.desk;
    if (route->answer == order_control)
        return server->bench.control;
    if (route->answer == order_list)
        return server->bench.list;
    return route->answer != events_begin || (server->bench.run && server->bench.journal);
}

static const struct route *find_route(const struct server *server, const char *path)
{
    for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++) {
        const struct route *route = &routes[i];
        size_t length = strlen(route->path);

        if (!(route->flags & ROUTE_FOLDER ? strncmp(path, route->path, length)
                                          : strcmp(path, route->path)) &&
            is_offered(server, route))
            return route;
    }
    return NULL;
}

static bool is_json(const char *type)
{
    static const char json[] = "application/json";
    const char *rest;

    if (!type || strncasecmp(type, json, sizeof json - 1))
        return false;
    rest = type + sizeof json - 1;
    rest += strspn(rest, " \t");
    return !*rest || *rest == ';';
}

/* Two ends of a body, or two types: somebody before this server may have read another one. */
static bool is_ambiguous(const struct request *request)
{
    static const char *const single[] = {"Content-Length", "Transfer-Encoding", "Content-Type"};
    unsigned counts[3];

    for (size_t i = 0; i < 3; i++)
        request_value(request, MHD_HEADER_KIND, single[i], &counts[i]);
    return counts[0] + counts[1] > 1 || counts[2] > 1;
}

/* 0, or the status for a body that will not be read. */
static unsigned refuse_body(const struct request *request, const char **why)
{
    const char *length = request_value(request, MHD_HEADER_KIND, "Content-Length", NULL);
    bool is_chunked = request_value(request, MHD_HEADER_KIND, "Transfer-Encoding", NULL);
    uint64_t number = 0;

    *why = "a request says once how long its body is, and of which type";
    if (is_ambiguous(request))
        return 400;
    if (!strcmp(request->route->method, "GET")) {
        *why = "a request for this takes no body";
        return is_chunked || (length && strcmp(length, "0")) ? 400 : 0;
    }
    if (!length || is_chunked) {
        *why = "the request must say the length of its body";
        return 411;
    }
    if (!request_number(length, &number) || number > SERVER_BODY_MAX) {
        *why = "a body has at most 4096 bytes";
        return 413;
    }
    *why = "a body must be application/json";
    return is_json(request_value(request, MHD_HEADER_KIND, "Content-Type", NULL)) ? 0 : 415;
}

/* 0, or the status that the head of a request is refused with. */
static unsigned refuse_head(struct request *request, const char *method, const char **why)
{
    unsigned status = guard_refuses(request, why);

    if (status)
        return status;
    request->route = find_route(request->server, request->path);
    if (!(request->route && request->route->flags & ROUTE_PUBLIC) && !guard_has_token(request)) {
        *why = "the token of this bench is needed: Authorization: Bearer TOKEN";
        return 401;
    }
    *why = "there is no such path";
    if (!request->route)
        return 404;
    *why = "not by this method";
    if (strcmp(method, request->route->method))
        return 405;
    *why = "this path takes no query";
    if (!(request->route->flags & ROUTE_QUERY) &&
        http.get_connection_values(request->http, MHD_GET_ARGUMENT_KIND, NULL, NULL))
        return 400;
    return refuse_body(request, why);
}

static struct connection *connection_of(struct MHD_Connection *http_connection)
{
    const union MHD_ConnectionInfo *info =
        http.get_connection_info(http_connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

    return info ? info->socket_context : NULL;
}

/* The answer may take ten times as long as the request. */
static enum MHD_Result answer(struct request *request)
{
    request->connection->deadline = clock_read_real() + 10 * request->server->patience;
    if (request->is_given_up)
        return reply_why(request, 503, "the bench is ending");
    return request->route->answer(request);
}

static enum MHD_Result begin(struct server *server, struct MHD_Connection *http_connection,
                             const char *path, const char *method, void **kept)
{
    struct request *request = calloc(1, sizeof *request);
    const char *why = "";
    unsigned status;

    if (!request)
        return MHD_NO;
    *kept = request;
    request->server = server;
    request->connection = connection_of(http_connection);
    request->http = http_connection;
    request->path = path;
    status = refuse_head(request, method, &why);
    return status ? reply_why(request, status, "%s", why) : MHD_YES;
}

enum MHD_Result route_request(void *context, struct MHD_Connection *http_connection,
                              const char *path, const char *method, const char *version,
                              const char *upload, size_t *upload_size, void **kept)
{
    struct request *request = *kept;

    (void)version;
    if (!request)
        return begin(context, http_connection, path, method, kept);
    if (!*upload_size)
        return answer(request);
    if (*upload_size > SERVER_BODY_MAX - request->length)
        return MHD_NO;
    memcpy(request->body + request->length, upload, *upload_size);
    request->length += *upload_size;
    *upload_size = 0;
    return MHD_YES;
}

void route_done(void *context, struct MHD_Connection *http_connection, void **kept,
                enum MHD_RequestTerminationCode code)
{
    struct server *server = context;
    struct request *request = *kept;

    (void)http_connection, (void)code;
    if (!request)
        return;
    events_end(&request->connection->stream);
    request->connection->deadline = clock_read_real() + server->patience;
    free(request->text);
    free(request);
    *kept = NULL;
}
