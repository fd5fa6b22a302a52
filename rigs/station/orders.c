/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What can be asked for and ordered, but for the stream of events. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal/base/json_fields.h"
#include "rigs/station/station.h"

/* A report says itself what it may load; here it is kept from everything of this bench as well. */
#define POLICY_REPORT "sandbox allow-scripts allow-popups; frame-ancestors 'none'; "
#define POLICY_SIZE   512

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

struct given {
    int64_t run, id; /* run 0: it says none */
    const char *answer, *by;
};

/* The texts are the reader's. */
static int read_answer(struct json_reader *reader, const struct request *request,
                       struct given *given, struct error *error)
{
    static const char *const known[] = {"run", "id", "answer", "by", NULL};
    const struct json_value *body = fields_parse(reader, request->body, request->length, error);
    const struct json_value *by = json_member(body, "by"), *run = json_member(body, "run");

    if (!body || fields_known(body, "an answer", known, error) ||
        (run && field_number(run, "run", 1, UINT32_MAX, &given->run, error)) ||
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

/* Gives the desk the answer, by the thread of answers: who really asks may take a while. */
static void give_answer(struct request *request)
{
    struct json_reader *reader = json_reader_new(SERVER_BODY_MAX);
    struct outcome *outcome = &request->outcome;
    struct given given = {.id = 0};

    outcome->result = DESK_UNTOLD;
    error_set(&outcome->error, ERROR_RIG, "no memory for the answer");
    if (reader && !read_answer(reader, request, &given, &outcome->error))
        outcome->result =
            desk_answer_run(request->server->bench.desk, (unsigned)given.run, (uint64_t)given.id,
                            given.answer, given.by, DESK_PAGE, &outcome->first, &outcome->error);
    json_reader_free(reader);
}

static enum MHD_Result reply_outcome(const struct request *request, int64_t id)
{
    const struct outcome *outcome = &request->outcome;

    switch (outcome->result) {
    case DESK_TAKEN:
        return reply_taken(request, id);
    case DESK_NOT_ALLOWED:
        return reply_why(request, 422, "%s", outcome->error.text);
    case DESK_ANSWERED:
        return reply_first(request, &outcome->first);
    case DESK_OVER:
        return reply_why(request, 410, "question %jd is over", (intmax_t)id);
    case DESK_NOT_YOURS:
        return reply_why(request, 403, "question %jd is not asked of a page", (intmax_t)id);
    case DESK_UNTOLD:
        return reply_why(request, 504, "%s", outcome->error.text);
    case DESK_UNKNOWN:
        break;
    }
    return reply_why(request, 404, "no question %jd has been asked", (intmax_t)id);
}

enum MHD_Result order_answer(struct request *request)
{
    struct given given = {.id = 0};
    struct desk_open open;
    struct error error = {.text = ""};

    if (read_answer(request->server->reader, request, &given, &error))
        return reply_why(request, 400, "%s", error.text);
    if (request->work)
        return reply_outcome(request, given.id);
    desk_look(request->server->bench.desk, &open);
    if (open.run && !given.run)
        return reply_why(request, 400, "run is missing; a question of a station is of a run");
    return later_do(request, LATER_ANSWERS, give_answer);
}

/* Gives the order to the bench, on whichever thread. */
static void give_order(struct request *request)
{
    const struct server_bench *bench = &request->server->bench;
    struct json_reader *reader = json_reader_new(SERVER_BODY_MAX);
    const struct json_value *body =
        reader ? json_read(reader, request->body, request->length, NULL) : NULL;
    struct server_reply *reply = &request->reply;

    reply->status = 500;
    if (!request->text)
        request->text = malloc(REPLY_SIZE);
    if (body && request->text) {
        reply->status = 200;
        json_text_begin(&reply->body, request->text, REPLY_SIZE);
        bench->control(bench->context, json_chars(json_member(body, "do")), request->body,
                       request->length, reply);
    }
    json_reader_free(reader);
}

static void give_order_again(struct request *request)
{
    request->reply.is_later = true;
    give_order(request);
}

static enum MHD_Result reply_ordered(struct request *request)
{
    struct server_reply *reply = &request->reply;

    if (!request->text || reply->body.full)
        return reply_why(request, 500, "the answer does not fit");
    if (reply->body.at == reply->body.start)
        JSON_TEXT_PUT(&reply->body, "{}");
    return reply_json(request, reply->status, &reply->body);
}

enum MHD_Result order_control(struct request *request)
{
    struct error error = {.text = ""};
    const struct json_value *body;
    const char *what;

    if (request->work)
        return reply_ordered(request);
    body = fields_parse(request->server->reader, request->body, request->length, &error);
    if (!body || field_text(json_member(body, "do"), "do", &what, &error))
        return reply_why(request, 400, "%s", error.text);
    give_order(request);
    return request->reply.status == SERVER_LATER ? later_do(request, LATER_LONG, give_order_again)
                                                 : reply_ordered(request);
}

/* What the head of a page says of its policy; without that nothing is allowed. */
static void find_policy(const char *page, size_t length, char policy[POLICY_SIZE])
{
    static const char head[] = "<meta http-equiv=\"Content-Security-Policy\" content=\"";
    const char *found = memmem(page, length < 1024 ? length : 1024, head, sizeof head - 1);
    const char *from = found ? found + sizeof head - 1 : "";
    size_t said = found ? strcspn(from, "\"\r\n") : 0;

    if (!said || said + sizeof POLICY_REPORT > POLICY_SIZE)
        snprintf(policy, POLICY_SIZE, POLICY_REPORT "default-src 'none'");
    else
        snprintf(policy, POLICY_SIZE, POLICY_REPORT "%.*s", (int)said, from);
}

static const char *why_missing(const char *path)
{
    const char *last = strrchr(path, '/');

    return strcmp(last, "/shuffles")
               ? "there is no such path or run"
               : "there is no such run, or its shuffler has made no order itself so far";
}

static void make_list(struct request *request)
{
    const struct server_bench *bench = &request->server->bench;

    request->text_type = "application/json";
    request->text =
        bench->list(bench->context, request->path, &request->text_length, &request->text_type);
}

enum MHD_Result order_list(struct request *request)
{
    char policy[POLICY_SIZE] = POLICY_NOTHING, *text = request->text;

    if (!request->work)
        return later_do(request, LATER_LONG, make_list);
    if (!text)
        return reply_why(request, 404, "%s", why_missing(request->path));
    if (!strncmp(request->text_type, "text/html", strlen("text/html")))
        find_policy(text, request->text_length, policy);
    request->text = NULL;
    return reply_text(request, 200, request->text_type, policy, text, request->text_length,
                      MHD_RESPMEM_MUST_FREE);
}
