/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the page asks for and orders: the status, answers, orders. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/station.h"
#include "tests/support/suite.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

TEST(every_answer_forbids_sniffing_referring_and_keeping)
{
    static const char *const paths[] = {"/", "/status", "/nothing", "/recordings",
                                        "/runs/1/report"};
    static const char *const headers[] = {
        "X-Content-Type-Options: nosniff\r\n", "Referrer-Policy: no-referrer\r\n",
        "Cache-Control: no-store\r\n", "Cross-Origin-Resource-Policy: same-origin\r\n",
        "Content-Security-Policy: "};
    struct http_client client;
    struct station station;

    station_set_up(&station);
    for (size_t i = 0; i < COUNT(paths); i++) {
        station_ask_for(&station, &client, paths[i], "");
        for (size_t h = 0; h < COUNT(headers); h++)
            CU_ASSERT_PTR_NOT_NULL(strstr(client.text, headers[h]));
        http_client_close(&client);
    }
    station_tear_down(&station);
}

TEST(a_report_is_kept_apart_from_the_bench)
{
    struct http_client client;
    struct station station;

    station_set_up(&station);
    station_ask_for(&station, &client, "/runs/1/report", "");
    CU_ASSERT_EQUAL(http_client_status(&client), 200);
    CU_ASSERT_PTR_NOT_NULL(strstr(client.text, "Content-Type: text/html\r\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(client.text, "Content-Security-Policy: sandbox allow-scripts"));
    CU_ASSERT_PTR_NOT_NULL(strstr(client.text, "; default-src 'none'\r\n"));
    http_client_close(&client);
    station_tear_down(&station);
}

/* The header that a page is served with whose own policy is this. */
static bool is_served_with(struct station *station, const char *policy, const char *header)
{
    struct http_client client;
    bool is_so;

    snprintf(station->report, sizeof station->report,
             "<!DOCTYPE html>\n<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n",
             policy);
    station_ask_for(station, &client, "/runs/1/report", "");
    is_so = http_client_status(&client) == 200 && strstr(client.text, header);
    http_client_close(&client);
    return is_so;
}

TEST(a_report_is_served_under_the_policy_that_it_states)
{
    struct station station;
    char longest[900];

    station_set_up(&station);
    CU_ASSERT(is_served_with(&station, "default-src 'none'; style-src 'sha256-x='",
                             "frame-ancestors 'none'; default-src 'none'; style-src "
                             "'sha256-x='\r\n"));
    CU_ASSERT(is_served_with(&station, "", "frame-ancestors 'none'; default-src 'none'\r\n"));
    CU_ASSERT(is_served_with(&station, "script-src x\r\nSet-Cookie: a",
                             "frame-ancestors 'none'; script-src x\r\n"));
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    CU_ASSERT(is_served_with(&station, longest, "frame-ancestors 'none'; default-src 'none'\r\n"));
    station_tear_down(&station);
}

static void write_idle(void *context, struct json_text *out)
{
    (void)context;
    JSON_TEXT_PUT(out, "\"state\":\"idle\"");
}

TEST(what_the_bench_does_not_offer_is_not_found)
{
    static const char *const paths[] = {"/answer",     "/control", "/events",
                                        "/recordings", "/runs",    "/runs/1/report"};
    struct server_bench bench = {.status = write_idle};
    struct server_options options = {.listen = "0"};
    struct station station = {.server = NULL};

    CU_ASSERT_EQUAL_FATAL(server_start(&station.server, &options, &bench, NULL), 0);
    for (size_t i = 0; i < COUNT(paths); i++)
        CU_ASSERT_EQUAL(station_status_of(&station, paths[i], ""), 404);
    CU_ASSERT_EQUAL(station_status_of(&station, "/status", ""), 200);
    server_stop(station.server);
}

TEST(orders_reach_the_bench_as_they_were_sent)
{
    struct http_client client;
    struct station station;

    station_set_up(&station);
    station_post(&station, &client, "/control", "{\"do\":\"pause\",\"more\":[1]}");
    CU_ASSERT_EQUAL(http_client_status(&client), 200);
    CU_ASSERT_STRING_EQUAL(http_client_body(&client), "{}");
    CU_ASSERT_STRING_EQUAL(station.order, "{\"do\":\"pause\",\"more\":[1]}");
    http_client_close(&client);
    station_post(&station, &client, "/control", "{\"do\":\"reset\"}");
    CU_ASSERT_EQUAL(http_client_status(&client), 409);
    CU_ASSERT_STRING_EQUAL(http_client_body(&client), "{\"why\":\"not while it plays\"}");
    http_client_close(&client);
    station_tear_down(&station);
}

/* A question that is asked by a thread, as a bench does. */
struct asker {
    struct station *station;
    struct question question;
    struct answer answer;
    int status;
    pthread_t thread;
};

static void *ask(void *context)
{
    struct asker *asker = context;

    asker->status = desk_ask(asker->station->desk, &asker->station->hal, &asker->question,
                             &asker->answer, NULL);
    return NULL;
}

static void begin_asking(struct asker *asker, struct station *station, unsigned sides,
                         uint32_t limit_ms)
{
    struct desk_open open = {.id = 0};

    *asker = (struct asker){.station = station,
                            .question = {.kind = QUESTION_DECISION,
                                         .text = "seat 3: bet or fold?",
                                         .seat = 3,
                                         .choices = {"bet", "fold"},
                                         .sides = sides,
                                         .limit_ms = limit_ms}};
    CU_ASSERT_EQUAL_FATAL(pthread_create(&asker->thread, NULL, ask, asker), 0);
    while (!open.id) {
        sched_yield();
        desk_look(station->desk, &open);
    }
}

TEST(the_status_has_the_open_question)
{
    static const char question[] =
        "{\"state\":\"playing\",\"question\":{\"id\":1,\"ask\":\"decision\",\"text\":\"seat 3: bet "
        "or fold?\",\"seat\":3,\"answers\":[\"bet\",\"fold\"],\"from\":[\"terminal\",\"script\","
        "\"page\"]}}";
    struct http_client client;
    struct asker asker;
    struct station station;

    station_set_up(&station);
    begin_asking(&asker, &station, 0, 0);
    station_ask_for(&station, &client, "/status", "");
    CU_ASSERT_STRING_EQUAL(http_client_body(&client), question);
    http_client_close(&client);
    CU_ASSERT_EQUAL(station_status_of_post(&station, "/answer", "{\"id\":1,\"answer\":\"bet\"}"),
                    200);
    pthread_join(asker.thread, NULL);
    station_ask_for(&station, &client, "/status", "");
    CU_ASSERT_STRING_EQUAL(http_client_body(&client), "{\"state\":\"playing\"}");
    http_client_close(&client);
    station_tear_down(&station);
}

TEST(the_status_says_how_much_of_a_limit_is_left)
{
    struct http_client client;
    struct asker asker;
    struct station station;
    unsigned left = 0;
    const char *found;

    station_set_up(&station);
    clock_real(&station.clock);
    begin_asking(&asker, &station, 0, 3600000);
    station_ask_for(&station, &client, "/status", "");
    found = strstr(client.text, "\"limit-ms\":3600000,\"left-ms\":");
    CU_ASSERT_PTR_NOT_NULL_FATAL(found);
    left = (unsigned)strtoul(strchr(found, ',') + strlen(",\"left-ms\":"), NULL, 10);
    CU_ASSERT(left > 0 && left <= 3600000);
    http_client_close(&client);
    hal_cancel(&station.hal);
    pthread_join(asker.thread, NULL);
    CU_ASSERT_EQUAL(asker.status, ERROR_ABORTED);
    CU_ASSERT_EQUAL(station_status_of_post(&station, "/answer", "{\"id\":1,\"answer\":\"bet\"}"),
                    410);
    station_tear_down(&station);
}

TEST(an_answer_gets_what_became_of_it)
{
    struct http_client client;
    struct asker asker;
    struct station station;

    station_set_up(&station);
    CU_ASSERT_EQUAL(station_status_of_post(&station, "/answer", "{\"id\":1,\"answer\":\"bet\"}"),
                    404);
    begin_asking(&asker, &station, DESK_TERMINAL, 0);
    CU_ASSERT_EQUAL(station_status_of_post(&station, "/answer", "{\"id\":1,\"answer\":\"bet\"}"),
                    403);
    CU_ASSERT_EQUAL(desk_answer(station.desk, 1, "bet", "", DESK_TERMINAL, NULL, NULL), DESK_TAKEN);
    pthread_join(asker.thread, NULL);
    begin_asking(&asker, &station, 0, 0);
    CU_ASSERT_EQUAL(station_status_of_post(&station, "/answer", "{\"id\":1,\"answer\":\"bet\"}"),
                    409);
    station_post(&station, &client, "/answer", "{\"id\":2,\"answer\":\"raise\",\"by\":\"Ann\"}");
    CU_ASSERT_EQUAL(http_client_status(&client), 422);
    CU_ASSERT_STRING_EQUAL(
        http_client_body(&client),
        "{\"why\":\"'raise' is not allowed here; it must be one of bet, fold\"}");
    http_client_close(&client);
    CU_ASSERT_EQUAL(station_status_of_post(&station, "/answer",
                                           "{\"id\":2,\"answer\":\"bet\",\"by\":\"A\\u001b[2J\"}"),
                    422);
    station_post(&station, &client, "/answer", "{\"id\":2,\"answer\":\"Fold\",\"by\":\"Ann\"}");
    CU_ASSERT_EQUAL(http_client_status(&client), 200);
    CU_ASSERT_STRING_EQUAL(http_client_body(&client), "{\"taken\":{\"id\":2}}");
    http_client_close(&client);
    pthread_join(asker.thread, NULL);
    CU_ASSERT_STRING_EQUAL(asker.answer.text, "fold");
    CU_ASSERT_STRING_EQUAL(asker.answer.by, "Ann");
    CU_ASSERT_EQUAL(asker.answer.side, DESK_PAGE);
    station_post(&station, &client, "/answer", "{\"id\":2,\"answer\":\"bet\",\"by\":\"Bob\"}");
    CU_ASSERT_EQUAL(http_client_status(&client), 409);
    CU_ASSERT_STRING_EQUAL(http_client_body(&client),
                           "{\"by\":\"Ann\",\"from\":\"page\",\"answer\":\"fold\"}");
    http_client_close(&client);
    station_tear_down(&station);
}

TEST(a_question_of_a_station_is_answered_with_its_run)
{
    struct http_client client;
    struct asker asker;
    struct station station;

    station_set_up(&station);
    desk_count_from(station.desk, 2, 1);
    begin_asking(&asker, &station, 0, 0);
    station_ask_for(&station, &client, "/status", "");
    CU_ASSERT_PTR_NOT_NULL(
        strstr(http_client_body(&client), "\"question\":{\"id\":1,\"run\":2,\"ask\""));
    http_client_close(&client);
    CU_ASSERT_EQUAL(station_status_of_post(&station, "/answer", "{\"id\":1,\"answer\":\"bet\"}"),
                    400);
    CU_ASSERT_EQUAL(
        station_status_of_post(&station, "/answer", "{\"run\":1,\"id\":1,\"answer\":\"bet\"}"),
        410);
    CU_ASSERT_EQUAL(
        station_status_of_post(&station, "/answer", "{\"run\":2,\"id\":1,\"answer\":\"bet\"}"),
        200);
    pthread_join(asker.thread, NULL);
    station_tear_down(&station);
}

TEST(of_two_answers_at_once_one_counts_and_the_other_is_told_whose)
{
    static const char *const answers[] = {"{\"id\":1,\"answer\":\"bet\",\"by\":\"Ann\"}",
                                          "{\"id\":1,\"answer\":\"bet\",\"by\":\"Bob\"}"};
    struct http_client clients[2];
    struct asker asker;
    struct station station;
    unsigned first;

    station_set_up(&station);
    begin_asking(&asker, &station, 0, 0);
    for (unsigned i = 0; i < 2; i++) {
        http_client_open(&clients[i], server_address(station.server));
        http_client_say(&clients[i],
                        "POST /answer HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n"
                        "Content-Type: application/json\r\n"
                        "Content-Length: %zu\r\n\r\n%.10s",
                        station_host(&station), strlen(answers[i]), answers[i]);
    }
    for (unsigned i = 0; i < 2; i++)
        http_client_say(&clients[i], "%s", answers[i] + 10);
    for (unsigned i = 0; i < 2; i++)
        http_client_read_all(&clients[i]);
    first = http_client_status(&clients[0]) == 200 ? 0 : 1;
    CU_ASSERT_EQUAL(http_client_status(&clients[first]), 200);
    CU_ASSERT_EQUAL(http_client_status(&clients[!first]), 409);
    pthread_join(asker.thread, NULL);
    CU_ASSERT_PTR_NOT_NULL(strstr(http_client_body(&clients[!first]), asker.answer.by));
    for (unsigned i = 0; i < 2; i++)
        http_client_close(&clients[i]);
    station_tear_down(&station);
}
