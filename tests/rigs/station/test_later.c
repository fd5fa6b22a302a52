/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What takes long holds up nobody else. */
#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "tests/support/station.h"
#include "tests/support/suite.h"

/* Asks, and does not wait for the answer. */
static void send_request(struct station *station, struct http_client *client, const char *line,
                         const char *body)
{
    http_client_open(client, server_address(station->server));
    http_client_say(client,
                    "%s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n"
                    "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                    line, station_host(station), strlen(body), body);
}

TEST(others_are_served_while_a_report_is_made_or_a_doctor_looks)
{
    struct http_client slow[3], follower;
    struct station station;

    station_set_up(&station);
    pthread_mutex_lock(&station.gate);
    send_request(&station, &slow[0], "GET /runs/1/report", "");
    send_request(&station, &slow[1], "POST /control", "{\"do\":\"doctor\"}");
    send_request(&station, &slow[2], "GET /recordings", "");
    CU_ASSERT_EQUAL(station_status_of(&station, "/status", ""), 200);
    CU_ASSERT_EQUAL(station_status_of_post(&station, "/control", "{\"do\":\"pause\"}"), 200);
    CU_ASSERT_EQUAL(station_status_of_post(&station, "/answer", "{\"id\":1,\"answer\":\"bet\"}"),
                    404);
    station_follow(&station, &follower, "/events", "");
    station_add_line(&station, "event", "");
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&follower, "id: 1\n"));
    pthread_mutex_unlock(&station.gate);
    for (unsigned i = 0; i < 3; i++) {
        http_client_read_all(&slow[i]);
        CU_ASSERT_EQUAL(http_client_status(&slow[i]), 200);
    }
    CU_ASSERT_STRING_EQUAL(http_client_body(&slow[1]), "{\"doctor\":[]}");
    CU_ASSERT_STRING_EQUAL(http_client_body(&slow[2]), "[]");
    for (unsigned i = 0; i < 3; i++)
        http_client_close(&slow[i]);
    http_client_close(&follower);
    station_tear_down(&station);
}

/* Another program that has not said yet whether it takes an answer. */
static int refer(void *asker, const char *answer, const char *by, struct error *error)
{
    struct station *station = asker;

    (void)answer, (void)by, (void)error;
    pthread_mutex_lock(&station->gate);
    pthread_mutex_unlock(&station->gate);
    return 0;
}

static void *ask(void *context)
{
    const struct question question = {.text = "seat 3: bet or fold?",
                                      .choices = {"bet", "fold"},
                                      .refer = refer,
                                      .asker = context};
    struct station *station = context;
    struct answer answer;

    CU_ASSERT_EQUAL(desk_ask(station->desk, &station->hal, &question, &answer, NULL), 0);
    CU_ASSERT_STRING_EQUAL(answer.by, "Ann");
    return NULL;
}

TEST(others_are_served_while_another_program_is_given_an_answer)
{
    static const char *const answers[] = {"{\"id\":1,\"answer\":\"bet\",\"by\":\"Ann\"}",
                                          "{\"id\":1,\"answer\":\"bet\",\"by\":\"Bob\"}"};
    struct http_client slow[2], client;
    struct desk_open open = {.id = 0};
    struct station station;
    pthread_t asker;

    station_set_up(&station);
    pthread_mutex_lock(&station.gate);
    CU_ASSERT_EQUAL_FATAL(pthread_create(&asker, NULL, ask, &station), 0);
    while (!open.id) {
        sched_yield();
        desk_look(station.desk, &open);
    }
    for (unsigned i = 0; i < 2; i++) {
        send_request(&station, &slow[i], "POST /answer", answers[i]);
        /* It has been read when the next one is answered, and the question is still open. */
        station_ask_for(&station, &client, "/status", "");
        CU_ASSERT_PTR_NOT_NULL(strstr(http_client_body(&client), "\"question\":{\"id\":1,"));
        http_client_close(&client);
    }
    CU_ASSERT_EQUAL(station_status_of_post(&station, "/control", "{\"do\":\"pause\"}"), 200);
    pthread_mutex_unlock(&station.gate);
    pthread_join(asker, NULL);
    for (unsigned i = 0; i < 2; i++) {
        http_client_read_all(&slow[i]);
        CU_ASSERT_EQUAL(http_client_status(&slow[i]), i ? 409 : 200);
        http_client_close(&slow[i]);
    }
    station_tear_down(&station);
}

TEST(who_goes_away_before_a_report_is_made_leaves_nothing_behind)
{
    struct http_client slow[3];
    struct station station;

    station_set_up(&station);
    pthread_mutex_lock(&station.gate);
    for (unsigned i = 0; i < 3; i++) {
        send_request(&station, &slow[i], "GET /runs/1/report", "");
        http_client_close(&slow[i]);
    }
    CU_ASSERT_EQUAL(station_status_of(&station, "/status", ""), 200);
    pthread_mutex_unlock(&station.gate);
    CU_ASSERT_EQUAL(station_status_of(&station, "/recordings", ""), 200);
    station_tear_down(&station);
}

static void *stop(void *context)
{
    station_stop(context);
    return NULL;
}

TEST(a_server_that_stops_ends_what_was_begun_and_gives_up_the_rest)
{
    struct http_client slow[2];
    struct station station;
    pthread_t stopping;

    station_set_up(&station);
    pthread_mutex_lock(&station.gate);
    for (unsigned i = 0; i < 2; i++) {
        send_request(&station, &slow[i], "GET /recordings", "");
        /* It has been read when the next one is answered. */
        CU_ASSERT_EQUAL(station_status_of(&station, "/status", ""), 200);
    }
    CU_ASSERT_EQUAL_FATAL(pthread_create(&stopping, NULL, stop, &station), 0);
    pthread_mutex_unlock(&station.gate);
    pthread_join(stopping, NULL);
    for (unsigned i = 0; i < 2; i++) {
        http_client_read_all(&slow[i]);
        CU_ASSERT(slow[i].is_ended);
        CU_ASSERT(http_client_status(&slow[i]) == 200 || http_client_status(&slow[i]) == 503 ||
                  !http_client_status(&slow[i]));
        http_client_close(&slow[i]);
    }
    station_tear_down(&station);
}
