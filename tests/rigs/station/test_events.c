/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The journal as a stream of events, for clients of every kind. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/descriptors.h"
#include "tests/support/station.h"
#include "tests/support/suite.h"

#define DIGEST "0000000000000000000000000000000000000000000000000000000000000000"
#define PLAYED                                                                                     \
    ",\"recording\":1,\"round\":1,\"played\":{\"round\":1,\"bets\":{\"7\":{\"ante\":1000}},"       \
    "\"dealt\":[\"9d 8d\",\"Td 2s\"],\"play\":{\"7\":[\"bet\"]}}"
#define MASKED                                                                                     \
    ",\"recording\":1,\"round\":1,\"played\":{\"round\":1,\"bets\":{\"7\":{\"ante\":1000}},"       \
    "\"dealt\":null,\"play\":null}"

/* What a client has been sent of the journal when the server has ended the stream. */
static const char *all_events(struct station *station, struct http_client *client)
{
    station_stop(station);
    http_client_read_all(client);
    return http_client_body(client);
}

TEST(each_line_is_an_event_with_its_number_and_kind)
{
    struct http_client client;
    struct station station;

    station_set_up(&station);
    station_add_line(&station, "start", "");
    station_follow(&station, &client, "/events", "");
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&client, "Content-Type: text/event-stream\r\n"));
    CU_ASSERT_PTR_NOT_NULL(
        http_client_await(&client, "id: 1\nevent: start\ndata: {\"n\":1,\"prev\":\"" DIGEST
                                   "\",\"t\":0,\"kind\":\"start\"}\n\n"));
    station_add_line(&station, "event", ",\"device\":\"shoe\"");
    CU_ASSERT_PTR_NOT_NULL(
        http_client_await(&client, "id: 2\nevent: event\ndata: {\"n\":2,\"prev\":\"" DIGEST
                                   "\",\"t\":0,\"kind\":\"event\",\"device\":\"shoe\"}\n\n"));
    http_client_close(&client);
    station_tear_down(&station);
}

TEST(a_stream_in_chunks_is_ended_properly_when_the_server_stops)
{
    struct http_client client;
    struct station station;

    station_set_up(&station);
    http_client_open(&client, server_address(station.server));
    http_client_say(&client, "GET /events HTTP/1.1\r\nHost: %s\r\n\r\n", station_host(&station));
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&client, "Transfer-Encoding: chunked\r\n"));
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&client, "event: status\n"));
    station_add_line(&station, "event", "");
    station_add_line(&station, "end", "");
    all_events(&station, &client);
    CU_ASSERT_PTR_NOT_NULL(strstr(client.text, "id: 1\nevent: event\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(client.text, "id: 2\nevent: end\n"));
    CU_ASSERT_STRING_EQUAL(client.text + client.length - 7, "\r\n0\r\n\r\n");
    http_client_close(&client);
    station_tear_down(&station);
}

/* The first event that a client is sent that comes with this header, of a journal of 600 lines. */
static unsigned first_sent(const char *header)
{
    struct http_client client;
    struct station station;
    unsigned first = 0;
    const char *id;

    station_set_up(&station);
    for (unsigned i = 0; i < 600; i++)
        station_add_line(&station, "event", "");
    station_follow(&station, &client, "/events", header);
    /* Who follows has all of it when it is sent the status. */
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&client, "event: status\n"));
    station_add_line(&station, "event", "");
    id = strstr(all_events(&station, &client), "id: ");
    if (id)
        sscanf(id, "id: %u", &first);
    CU_ASSERT_PTR_NOT_NULL(strstr(http_client_body(&client), "id: 601\n"));
    http_client_close(&client);
    station_tear_down(&station);
    return first;
}

TEST(who_comes_back_goes_on_behind_the_last_event_that_was_received)
{
    CU_ASSERT_EQUAL(first_sent(""), 1);
    CU_ASSERT_EQUAL(first_sent("Last-Event-ID: 0\r\n"), 1);
    CU_ASSERT_EQUAL(first_sent("Last-Event-ID: 1\r\n"), 2);
    CU_ASSERT_EQUAL(first_sent("Last-Event-ID: 255\r\n"), 256);
    CU_ASSERT_EQUAL(first_sent("Last-Event-ID: 256\r\n"), 257);
    CU_ASSERT_EQUAL(first_sent("Last-Event-ID: 257\r\n"), 258);
    CU_ASSERT_EQUAL(first_sent("Last-Event-ID: 599\r\n"), 600);
    CU_ASSERT_EQUAL(first_sent("Last-Event-ID: 600\r\n"), 601);
}

TEST(a_line_that_this_journal_does_not_have_was_one_of_another)
{
    CU_ASSERT_EQUAL(first_sent("Last-Event-ID: 601\r\n"), 1);
    CU_ASSERT_EQUAL(first_sent("Last-Event-ID: 999999999999999\r\n"), 1);
}

TEST(a_line_is_sent_when_its_newline_is_written)
{
    static const char line[] = "{\"n\":2,\"prev\":\"" DIGEST "\",\"t\":0,\"kind\":\"event\"}\n";
    struct http_client client;
    struct station station;

    station_set_up(&station);
    station_add_line(&station, "start", "");
    station_follow(&station, &client, "/events", "");
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&client, "id: 1\n"));
    station_write_journal(&station, line, 40);
    CU_ASSERT_EQUAL(station_status_of(&station, "/status", ""), 200);
    station_write_journal(&station, line + 40, sizeof line - 1 - 40);
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&client, "id: 2\nevent: event\ndata: {\"n\":2,"));
    station_write_journal(&station, "{\"n\":3,\"torn", 12);
    CU_ASSERT_PTR_NULL(strstr(all_events(&station, &client), "torn"));
    http_client_close(&client);
    station_tear_down(&station);
}

TEST(the_longest_line_comes_whole)
{
    char *line = malloc(65538);
    int head;
    struct http_client client;
    struct station station;

    CU_ASSERT_PTR_NOT_NULL_FATAL(line);
    station_set_up(&station);
    head =
        snprintf(line, 256, "{\"n\":1,\"prev\":\"" DIGEST "\",\"t\":0,\"kind\":\"event\",\"x\":\"");
    memset(line + head, 'x', 65536 - (size_t)head);
    memcpy(line + 65534, "\"}\n", 4);
    for (unsigned i = 0; i < 3; i++)
        station_write_journal(&station, line, 65537);
    station_follow(&station, &client, "/events", "");
    for (unsigned i = 0; i < 3; i++) {
        const char *found;

        line[65536] = '\0';
        found = http_client_await(&client, line);
        CU_ASSERT_PTR_NOT_NULL_FATAL(found);
        client.text[found - client.text] = '-';
    }
    free(line);
    http_client_close(&client);
    station_tear_down(&station);
}

TEST(cards_are_not_shown_before_the_verdict_of_their_round)
{
    struct http_client early, late;
    struct station station;

    station_set_up(&station);
    station_follow(&station, &early, "/events", "");
    station_add_line(&station, "round", PLAYED);
    CU_ASSERT_PTR_NOT_NULL(
        http_client_await(&early, "id: 1\nevent: round\ndata: {\"n\":1,\"prev\":\"" DIGEST
                                  "\",\"t\":0,\"kind\":\"round\"" MASKED "}\n\n"));
    station_add_line(&station, "event", ",\"device\":\"shoe\"");
    /* Neither is a digest that they could be found by. */
    CU_ASSERT_PTR_NOT_NULL(
        http_client_await(&early, "id: 2\nevent: event\ndata: {\"n\":2,\"prev\":null,\"t\":0,"
                                  "\"kind\":\"event\",\"device\":\"shoe\"}\n\n"));
    /* Also to who comes in the middle of the round. */
    station_follow(&station, &late, "/events", "");
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&late, "data: {\"n\":2,\"prev\":null,"));
    CU_ASSERT_PTR_NULL(strstr(late.text, "9d 8d"));
    http_client_close(&late);
    station_add_line(&station, "verdict", ",\"recording\":1,\"round\":1");
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&early, "id: 3\n"));
    CU_ASSERT_PTR_NULL(strstr(early.text, "9d 8d"));
    station_follow(&station, &late, "/events", "");
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&late, "\"kind\":\"round\"" PLAYED "}\n\n"));
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&late, "{\"n\":2,\"prev\":\"" DIGEST "\""));
    station_add_line(&station, "round", PLAYED);
    CU_ASSERT_PTR_NOT_NULL(
        http_client_await(&late, "id: 4\nevent: round\ndata: {\"n\":4,\"prev\":\"" DIGEST
                                 "\",\"t\":0,\"kind\":\"round\"" MASKED "}\n\n"));
    http_client_close(&early);
    http_client_close(&late);
    station_tear_down(&station);
}

TEST(of_a_round_nothing_but_its_number_wagers_and_deck_is_shown_before_its_verdict)
{
    struct http_client client;
    struct station station;

    station_set_up(&station);
    station_add_line(&station, "round",
                     ",\"recording\":1,\"round\":1,\"played\":{\"round\":1,\"bets\":{},"
                     "\"deck\":\"9d 8d\",\"before\":\"9d 8d\",\"must-hit\":{\"seat\":3},"
                     "\"keys\":[\"hand:royal flush\"],\"void\":\"misdeal\",\"procedure\":\"free\","
                     "\"later\":\"9d\",\"deck-id\":2}");
    station_follow(&station, &client, "/events", "");
    CU_ASSERT_PTR_NOT_NULL(http_client_await(
        &client, "\"played\":{\"round\":1,\"bets\":{},\"deck\":null,\"before\":null,"
                 "\"must-hit\":null,\"keys\":null,\"void\":null,\"procedure\":null,"
                 "\"later\":null,\"deck-id\":2}}\n\n"));
    http_client_close(&client);
    station_tear_down(&station);
}

TEST(a_line_of_a_recording_that_is_no_json_is_not_shown_before_its_verdict)
{
    struct http_client client;
    struct station station;

    station_set_up(&station);
    station_add_line(&station, "round",
                     ",\"recording\":1,\"round\":1,\"played\":\"{dealt: 9d 8d\"");
    station_follow(&station, &client, "/events", "");
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&client, "\"round\":1,\"played\":null}\n\n"));
    http_client_close(&client);
    station_tear_down(&station);
}

#define RECORDING(sum)                                                                             \
    ",\"recording\":1,\"path\":\"a.shoe\",\"sha256\":" sum ",\"expect\":\"a.expect\","             \
    "\"expect-sha256\":" sum ",\"game\":\"flush-rush\",\"rounds\":2"

TEST(the_digest_of_a_recording_is_not_shown_before_its_last_verdict)
{
    struct http_client early, late;
    struct station station;

    station_set_up(&station);
    station_add_line(&station, "recording", RECORDING("\"abc\""));
    station_follow(&station, &early, "/events", "");
    CU_ASSERT_PTR_NOT_NULL(
        http_client_await(&early, "id: 1\nevent: recording\ndata: {\"n\":1,\"prev\":\"" DIGEST
                                  "\",\"t\":0,\"kind\":\"recording\"" RECORDING("null") "}\n\n"));
    station_add_line(&station, "round", PLAYED);
    station_add_line(&station, "verdict", ",\"recording\":1,\"round\":1");
    /* Neither is a digest that it could be found by, though that round is over. */
    station_follow(&station, &late, "/events", "");
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&late, "{\"n\":2,\"prev\":null,\"t\":0,"
                                                    "\"kind\":\"round\"" PLAYED "}\n\n"));
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&late, "{\"n\":3,\"prev\":null,"));
    CU_ASSERT_PTR_NULL(strstr(late.text, "abc"));
    station_add_line(&station, "round", PLAYED);
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&late, "{\"n\":4,\"prev\":null,\"t\":0,"
                                                    "\"kind\":\"round\"" MASKED "}\n\n"));
    http_client_close(&late);
    station_add_line(&station, "verdict", ",\"recording\":1,\"round\":2");
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&early, "id: 5\n"));
    station_follow(&station, &late, "/events", "");
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&late, RECORDING("\"abc\"") "}\n\n"));
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&late, "{\"n\":2,\"prev\":\"" DIGEST "\""));
    http_client_close(&early);
    http_client_close(&late);
    station_tear_down(&station);
}

TEST(the_digest_of_a_recording_that_was_broken_off_is_shown_after_the_end)
{
    struct http_client client;
    struct station station;

    station_set_up(&station);
    station_add_line(&station, "recording", RECORDING("\"abc\""));
    station_add_line(&station, "end", "");
    station_follow(&station, &client, "/events", "");
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&client, RECORDING("\"abc\"") "}\n\n"));
    http_client_close(&client);
    station_tear_down(&station);
}

TEST(a_round_line_that_cannot_be_read_is_not_shown_at_all)
{
    static const char line[] =
        "{\"n\":1,\"prev\":\"" DIGEST "\",\"t\":0,\"kind\":\"round\",\"dealt\":[\"9d 8d\"]\n";
    struct http_client client;
    struct station station;

    station_set_up(&station);
    station_write_journal(&station, line, sizeof line - 1);
    station_follow(&station, &client, "/events", "");
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&client, "id: 1\nevent: round\ndata: null\n\n"));
    CU_ASSERT_PTR_NULL(strstr(client.text, "9d 8d"));
    http_client_close(&client);
    station_tear_down(&station);
}

TEST(the_next_run_is_announced_when_the_one_before_was_sent)
{
    struct http_client client, second;
    struct station station;

    station_set_up(&station);
    station_add_line(&station, "start", "");
    station_follow(&station, &client, "/events", "");
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&client, "id: 1\n"));
    station_add_line(&station, "end", "");
    station_begin_run(&station);
    station_add_line(&station, "start", ",\"second\":true");
    http_client_read_all(&client);
    CU_ASSERT_PTR_NOT_NULL(strstr(client.text, "id: 2\nevent: end\n"));
    CU_ASSERT_PTR_NULL(strstr(client.text, "second"));
    CU_ASSERT_STRING_EQUAL(strstr(client.text, "event: next"),
                           "event: next\ndata: {\"run\":2}\n\n");
    station_follow(&station, &second, "/events?run=2", "");
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&second, "\"second\":true}\n\n"));
    http_client_close(&second);
    station_follow(&station, &second, "/events?run=1", "");
    http_client_read_all(&second);
    CU_ASSERT_PTR_NOT_NULL(strstr(second.text, "event: end\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(second.text, "event: next\n"));
    http_client_close(&second);
    http_client_close(&client);
    station_tear_down(&station);
}

TEST(the_status_is_sent_at_the_beginning_and_when_it_changes)
{
    struct http_client client;
    struct station station;

    station_set_up(&station);
    station_follow(&station, &client, "/events", "");
    CU_ASSERT_PTR_NOT_NULL(
        http_client_await(&client, "event: status\ndata: {\"state\":\"playing\"}\n\n"));
    pthread_mutex_lock(&station.lock);
    strcpy(station.state, "paused");
    pthread_mutex_unlock(&station.lock);
    server_wake(station.server);
    CU_ASSERT_PTR_NOT_NULL(
        http_client_await(&client, "event: status\ndata: {\"state\":\"paused\"}\n\n"));
    http_client_close(&client);
    station_tear_down(&station);
}

/* Follows where a client is soon cut, if need be again: this process may have been kept waiting. */
static const char *follow_until(struct station *station, struct http_client *client,
                                const char *header, const char *text)
{
    const char *found;

    for (;;) {
        station_follow(station, client, "/events", header);
        found = http_client_await(client, text);
        if (found)
            return found;
        http_client_close(client);
    }
}

TEST(while_nothing_happens_a_comment_says_that_the_server_is_there)
{
    struct http_client client;
    struct station station;

    station_start(&station, &(struct server_options){.listen = "0", .patience_ms = 50});
    follow_until(&station, &client, "", "\n:\n\n:\n\n:\n\n");
    http_client_close(&client);
    station_tear_down(&station);
}

TEST(a_journal_that_somebody_has_cut_ends_the_stream)
{
    struct http_client first, second;
    struct station station;

    station_set_up(&station);
    station_add_line(&station, "start", "");
    station_follow(&station, &first, "/events", "");
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&first, "id: 1\n"));
    CU_ASSERT_EQUAL(ftruncate(station.journals[1], 0), 0);
    station_follow(&station, &second, "/events", "");
    http_client_read_all(&second);
    CU_ASSERT(second.is_ended);
    CU_ASSERT_PTR_NULL(strstr(second.text, "id: 1\n"));
    CU_ASSERT_EQUAL(station_status_of(&station, "/status", ""), 200);
    http_client_close(&first);
    http_client_close(&second);
    station_tear_down(&station);
}

#define MEGABYTES 12

static void grow_by_megabytes(struct station *station)
{
    char more[900];

    snprintf(more, sizeof more, ",\"x\":\"%0800d\"", 0);
    while (station->lines < MEGABYTES * 1100)
        station_add_line(station, "event", more);
    station_add_line(station, "end", "");
}

TEST(who_never_reads_holds_up_neither_the_bench_nor_others)
{
    struct http_client stuck, good;
    struct station station;

    station_set_up(&station);
    station_follow(&station, &stuck, "/events", "");
    station_follow(&station, &good, "/events", "");
    grow_by_megabytes(&station);
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&good, "event: end\n"));
    CU_ASSERT(good.length > MEGABYTES * 1000000);
    http_client_close(&good);
    http_client_close(&stuck);
    station_tear_down(&station);
}

/* Follows until the server has disconnected, then reads what the kernel has kept. */
static void follow_and_stop_reading(struct station *station, struct http_client *client,
                                    size_t descriptors)
{
    for (;;) {
        http_client_open(client, server_address(station->server));
        /* So that the kernel does not take everything in its place. */
        setsockopt(client->fd, SOL_SOCKET, SO_RCVBUF, &(int){256 << 10}, sizeof(int));
        http_client_say(client, "GET /events HTTP/1.0\r\nHost: %s\r\n\r\n", station_host(station));
        if (http_client_await(client, "id: 1\n"))
            break;
        http_client_close(client);
    }
    /* The client's own end and the journal remain. */
    CU_ASSERT(descriptors_come_down_to(descriptors + 2));
    http_client_read_all(client);
}

/* The number of the last event that another one has begun after. */
static unsigned last_whole(const struct http_client *client)
{
    const char *at = client->text, *end = client->text + client->length, *found = NULL;

    while ((at = memmem(at, (size_t)(end - at), "\n\nid: ", 6)))
        found = at += 6;
    return found ? (unsigned)strtoul(found, NULL, 10) - 1 : 0;
}

TEST(who_never_reads_is_disconnected_and_catches_up_with_the_last_event)
{
    struct http_client client, again;
    struct station station;
    char header[64];
    size_t descriptors;
    unsigned last;

    station_start(&station, &(struct server_options){.listen = "0", .patience_ms = 100});
    grow_by_megabytes(&station);
    descriptors = descriptors_settled();
    follow_and_stop_reading(&station, &client, descriptors);
    CU_ASSERT_PTR_NULL(strstr(client.text, "event: end\n"));
    last = last_whole(&client);
    CU_ASSERT(last > 0);
    snprintf(header, sizeof header, "Last-Event-ID: %u\r\n", last);
    CU_ASSERT_EQUAL(
        (unsigned)strtoul(follow_until(&station, &again, header, "\nid: ") + 5, NULL, 10),
        last + 1);
    http_client_close(&again);
    http_client_close(&client);
    station_tear_down(&station);
}

TEST(who_never_ends_a_request_is_disconnected)
{
    static const char *const parts[] = {
        "", "GET", "GET /status HTTP/1.1\r\nHost: x\r\n",
        "POST /answer HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 9\r\n"};
    struct http_client client;
    struct station station;

    station_start(&station, &(struct server_options){.listen = "0", .patience_ms = 50});
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        http_client_open(&client, server_address(station.server));
        http_client_say(&client, "%s", parts[i]);
        if (i == 3)
            http_client_say(&client, "Host: %s\r\n\r\n{", station_host(&station));
        http_client_read_all(&client);
        CU_ASSERT_NOT_EQUAL(http_client_status(&client), 200);
        http_client_close(&client);
    }
    station_tear_down(&station);
}

TEST(a_server_stops_whatever_its_clients_are_doing)
{
    static const char *const parts[] = {"", "GET /sta", "POST /answer HTTP/1.1\r\n",
                                        "GET /events HTTP/1.0\r\n"};
    struct http_client clients[8];
    struct station station;
    size_t descriptors = descriptors_settled();

    station_set_up(&station);
    for (unsigned i = 0; i < 8; i++) {
        http_client_open(&clients[i], server_address(station.server));
        http_client_say(&clients[i], "%s", parts[i / 2]);
        if (i >= 6) {
            http_client_say(&clients[i], "Host: %s\r\n\r\n", station_host(&station));
            CU_ASSERT_PTR_NOT_NULL(http_client_await(&clients[i], "event: status"));
        }
    }
    station_stop(&station);
    for (unsigned i = 0; i < 8; i++) {
        http_client_read_all(&clients[i]);
        CU_ASSERT(clients[i].is_ended);
        http_client_close(&clients[i]);
    }
    station_tear_down(&station);
    CU_ASSERT(descriptors_come_down_to(descriptors));
}

static void *stop(void *context)
{
    station_stop(context);
    return NULL;
}

TEST(who_is_far_behind_when_the_server_stops_is_sent_all_the_same)
{
    struct http_client client;
    struct station station;
    pthread_t stopping;

    station_start(&station, &(struct server_options){.listen = "0", .patience_ms = 3600000});
    server_drain(station.server, 3600000);
    grow_by_megabytes(&station);
    station_add_line(&station, "end", "");
    station_follow(&station, &client, "/events", "");
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&client, "id: 1\n"));
    CU_ASSERT_EQUAL_FATAL(pthread_create(&stopping, NULL, stop, &station), 0);
    /* Longer than a server would wait that counts seconds alone. */
    sleep(2);
    http_client_read_all(&client);
    pthread_join(stopping, NULL);
    CU_ASSERT_PTR_NOT_NULL(strstr(client.text, "\nevent: end\n"));
    http_client_close(&client);
    station_tear_down(&station);
}

TEST(who_takes_nothing_holds_up_the_end_for_as_long_as_anything_else)
{
    struct http_client client;
    struct station station;

    station_start(&station, &(struct server_options){.listen = "0", .patience_ms = 50});
    server_drain(station.server, 3600000);
    grow_by_megabytes(&station);
    station_follow(&station, &client, "/events", "");
    /* In less than the hour that others would have. */
    station_stop(&station);
    http_client_close(&client);
    station_tear_down(&station);
}

TEST(the_last_status_is_sent_before_the_stream_ends)
{
    struct http_client client;
    struct station station;

    station_set_up(&station);
    station_add_line(&station, "end", "");
    station_follow(&station, &client, "/events", "");
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&client, "\"state\":\"playing\""));
    pthread_mutex_lock(&station.lock);
    strcpy(station.state, "ended");
    pthread_mutex_unlock(&station.lock);
    CU_ASSERT_PTR_NOT_NULL(strstr(all_events(&station, &client), "\"state\":\"ended\""));
    http_client_close(&client);
    station_tear_down(&station);
}
