/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What can be asked for and ordered, but for the stream of events. */
#include <stdlib.h>
#include <string.h>

#include "hal/base/embed.h"
#include "hal/base/json_fields.h"
#include "rigs/station/station.h"

EMBED_TEXT(station_page_html, "rigs/station/page.html");
EMBED_TEXT(station_page_css, "rigs/station/page.css");
EMBED_TEXT(station_page_js, "rigs/station/page.js");

#define POLICY_PAGE                                                                                \
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "                \
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/* A report says itself what it may load; here it is kept from everything of this bench. */
#define POLICY_REPORT                                                                              \
    "sandbox allow-scripts allow-popups; base-uri 'none'; form-action 'none'; frame-ancestors "    \
    "'none'"

enum MHD_Result order_page(struct request *request)
{
    static const struct {
        const char *path, *type, *text;
    } files[] = {{"/", "text/html; charset=utf-8", station_page_html},
                 {"/page.css", "text/css; charset=utf-8", station_page_css},
                 {"/page.js", "text/javascript; charset=utf-8", station_page_js}};
    size_t i = 0;

    while (strcmp(files[i].path, request->path))
        i++;
    return reply_text(request, 200, files[i].type, POLICY_PAGE, files[i].text,
                      strlen(files[i].text), MHD_RESPMEM_PERSISTENT);
}

static void write_question(const struct server *server, struct json_text *out)
{
    struct desk_open open = {.id = 0};

    if (server->bench.desk)
        desk_look(server->bench.desk, &open);
    if (!open.id)
        return;
    JSON_TEXT_PUT(out, ",\"question\":{");
    desk_write(&open, out);
    if (open.limit_ms) {
        nanos_t left = open.asked + open.limit_ms * NANOS_PER_MILLI - clock_read_real();

        JSON_TEXT_PUT(out, ",\"left-ms\":");
        json_text_number(out, left > 0 ? left / NANOS_PER_MILLI : 0);
    }
    JSON_TEXT_PUT(out, "}");
}

void status_write(struct server *server, struct json_text *out)
{
    JSON_TEXT_PUT(out, "{");
    server->bench.status(server->bench.context, out);
    write_question(server, out);
    JSON_TEXT_PUT(out, "}");
}

enum MHD_Result order_status(struct request *request)
{
    char buffer[STATUS_SIZE];
    struct json_text text;

    json_text_begin(&text, buffer, sizeof buffer);
    status_write(request->server, &text);
    return text.full ? reply_why(request, 500, "the status does not fit")
                     : reply_json(request, 200, &text);
}

/* The object that the body is, or NULL. */
static const struct json_value *read_body(struct request *request, struct error *error)
{
    return fields_parse(request->server->reader, request->body, request->length, error);
}

struct given {
    int64_t id;
    const char *answer, *by;
};

static int read_answer(struct request *request, struct given *given, struct error *error)
{
    static const char *const known[] = {"id", "answer", "by", NULL};
    const struct json_value *body = read_body(request, error);
    const struct json_value *by = json_member(body, "by");

    if (!body || fields_known(body, "an answer", known, error) ||
        field_number(json_member(body, "id"), "id", 1, INT64_MAX, &given->id, error) ||
        field_text(json_member(body, "answer"), "answer", &given->answer, error) ||
        (by && field_text(by, "by", &given->by, error)))
        return ERROR_RULE;
    return 0;
}

static enum MHD_Result reply_first(const struct request *request, const struct answer *first)
{
    char buffer[2048 + 6 * (DESK_ANSWER_SIZE + DESK_NAME_SIZE)];
    struct json_text text;

    json_text_begin(&text, buffer, sizeof buffer);
    JSON_TEXT_PUT(&text, "{\"by\":");
    json_text_string(&text, first->by);
    JSON_TEXT_PUT(&text, ",\"from\":");
    json_text_string(&text, desk_side_name(first->side));
    JSON_TEXT_PUT(&text, ",\"answer\":");
    json_text_string(&text, first->text);
    JSON_TEXT_PUT(&text, "}");
    return reply_json(request, 409, &text);
}

static enum MHD_Result reply_taken(const struct request *request, int64_t id)
{
    char buffer[64];
    struct json_text text;

    json_text_begin(&text, buffer, sizeof buffer);
    JSON_TEXT_PUT(&text, "{\"taken\":{\"id\":");
    json_text_number(&text, id);
    JSON_TEXT_PUT(&text, "}}");
    return reply_json(request, 200, &text);
}

enum MHD_Result order_answer(struct request *request)
{
    struct given given = {.id = 0};
    struct answer first = {.side = 0};
    struct error error = {.text = ""};
    uint64_t id;

    if (read_answer(request, &given, &error))
        return reply_why(request, 400, "%s", error.text);
    id = (uint64_t)given.id;
    switch (desk_answer(request->server->bench.desk, id, given.answer, given.by, DESK_PAGE, &first,
                        &error)) {
    case DESK_TAKEN:
        return reply_taken(request, given.id);
    case DESK_NOT_ALLOWED:
        return reply_why(request, 422, "%s", error.text);
    case DESK_ANSWERED:
        return reply_first(request, &first);
    case DESK_OVER:
        return reply_why(request, 410, "question %ju is over", (uintmax_t)id);
    case DESK_NOT_YOURS:
        return reply_why(request, 403, "question %ju is not asked of a page", (uintmax_t)id);
    case DESK_UNKNOWN:
        break;
    }
    return reply_why(request, 404, "no question %ju has been asked", (uintmax_t)id);
}

enum MHD_Result order_control(struct request *request)
{
    struct server *server = request->server;
    struct server_reply reply = {.status = 200};
    struct error error = {.text = ""};
    const struct json_value *body = read_body(request, &error);
    const char *what;

    if (!body || field_text(json_member(body, "do"), "do", &what, &error))
        return reply_why(request, 400, "%s", error.text);
    json_text_begin(&reply.body, server->reply_buffer, sizeof server->reply_buffer);
    server->bench.control(server->bench.context, what, request->body, request->length, &reply);
    if (reply.body.full)
        return reply_why(request, 500, "the answer does not fit");
    if (reply.body.at == reply.body.start)
        JSON_TEXT_PUT(&reply.body, "{}");
    return reply_json(request, reply.status, &reply.body);
}

enum MHD_Result order_list(struct request *request)
{
    struct server *server = request->server;
    const char *type = "application/json";
    size_t length = 0;
    char *body = server->bench.list(server->bench.context, request->path, &length, &type);
    bool is_page = !strncmp(type, "text/html", strlen("text/html"));

    if (!body)
        return reply_why(request, 404, "there is no such path");
    return reply_text(request, 200, type, is_page ? POLICY_REPORT : POLICY_NOTHING, body, length,
                      MHD_RESPMEM_MUST_FREE);
}
