/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a request may be like: every path, method, header and body that is wrong. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "hal/base/json.h"
#include "tests/support/station.h"
#include "tests/support/suite.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define JSON         "Content-Type: application/json\r\n"
#define LENGTH       "Content-Length: 2\r\n"

/* Whether an answer is an object with one sentence, and nothing else. */
static bool is_sentence(const char *body)
{
    struct json_reader *reader = json_reader_new(JSON_LONGEST);
    const struct json_value *value = json_read(reader, body, strlen(body), NULL);
    const char *why = json_chars(json_member(value, "why"));
    bool is_one = why && *why && json_count(value) == 1;

    json_reader_free(reader);
    return is_one;
}

TEST(what_is_wrong_with_a_request_gets_its_status_and_a_sentence)
{
    static const struct {
        unsigned status;
        const char *line, *headers, *body;
    } cases[] = {
        {404, "GET /nothing", "", ""},
        {404, "GET /status/", "", ""},
        {404, "GET /STATUS", "", ""},
        {404, "GET //status", "", ""},
        {404, "GET /../status", "", ""},
        {404, "GET /%73tatus", "", ""},
        {404, "GET /status%00", "", ""},
        {404, "GET http://127.0.0.1/status", "", ""},
        {404, "GET /runs/2/report", "", ""},
        {404, "GET /events?run=3", "", ""},
        {404, "GET /events?run=4294967296", "", ""},
        {405, "POST /status", JSON LENGTH, "{}"},
        {405, "PUT /status", JSON LENGTH, "{}"},
        {405, "DELETE /runs", "", ""},
        {405, "OPTIONS /answer", "", ""},
        {405, "TRACE /", "", ""},
        {405, "PATCH /control", JSON LENGTH, "{}"},
        {405, "BREW /page.js", "", ""},
        {405, "GET /answer", "", ""},
        {405, "GET /control", "", ""},
        {400, "GET /status?x=1", "", ""},
        {400, "GET /?x", "", ""},
        {400, "GET /status", LENGTH, "{}"},
        {400, "GET /events?run=", "", ""},
        {400, "GET /events?run=x", "", ""},
        {400, "GET /events?run=-1", "", ""},
        {400, "GET /events?run=99999999999999999999", "", ""},
        {400, "GET /events?run=1&run=1", "", ""},
        {400, "GET /events?run=1&other=1", "", ""},
        {400, "GET /events?other=1", "", ""},
        {400, "GET /events", "Last-Event-ID: x\r\n", ""},
        {400, "GET /events", "Last-Event-ID: -1\r\n", ""},
        {400, "GET /events", "Last-Event-ID: 1 2\r\n", ""},
        {400, "GET /events", "Last-Event-ID: 99999999999999999999\r\n", ""},
        {400, "GET /events", "Last-Event-ID: 1\r\nLast-Event-ID: 2\r\n", ""},
        {411, "POST /answer", JSON, ""},
        {411, "POST /answer", JSON "Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\n"},
        {411, "POST /answer", JSON "Transfer-Encoding: identity\r\n", "{}"},
        {400, "POST /answer", JSON LENGTH "Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\n"},
        {400, "POST /answer", JSON "Transfer-Encoding: chunked\r\n" LENGTH, "2\r\n{}\r\n0\r\n\r\n"},
        {400, "POST /answer", JSON LENGTH LENGTH, "{}"},
        {400, "POST /answer", JSON LENGTH "Content-Length: 3\r\n", "{} "},
        {400, "POST /answer", JSON "Content-Type: text/plain\r\n" LENGTH, "{}"},
        {400, "GET /status", "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n", ""},
        {413, "POST /answer", JSON "Content-Length: 4097\r\n", ""},
        {413, "POST /answer", JSON "Content-Length: 99999999999999999\r\n", ""},
        {413, "POST /control", JSON "Content-Length: 1073741824\r\n", ""},
        {415, "POST /answer", LENGTH, "{}"},
        {415, "POST /answer", "Content-Type: text/plain\r\n" LENGTH, "{}"},
        {415, "POST /answer", "Content-Type: application/jsonp\r\n" LENGTH, "{}"},
        {415, "POST /answer", "Content-Type: application/x-www-form-urlencoded\r\n" LENGTH, "{}"},
        {400, "POST /answer", JSON LENGTH, "{}"},
        {400, "POST /answer", JSON LENGTH, "[]"},
        {400, "POST /answer", JSON LENGTH, "{\""},
        {400, "POST /answer", JSON "Content-Length: 0\r\n", ""},
        {400, "POST /control", JSON LENGTH, "{}"},
        {400, "POST /control", JSON "Content-Length: 8\r\n", "{\"do\":1}"},
        {403, "GET /", "Origin: null\r\n", ""},
        {403, "GET /", "Origin: http://example.org\r\n", ""},
        {403, "POST /answer", JSON LENGTH "Origin: https://127.0.0.1:1\r\n", "{}"},
        {400, "GET /", "Host: somebody.else\r\n", ""},
    };
    struct http_client client;
    struct station station;
    char request[1024];

    station_set_up(&station);
    for (size_t i = 0; i < COUNT(cases); i++) {
        snprintf(request, sizeof request,
                 "%s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n%s\r\n%s", cases[i].line,
                 station_host(&station), cases[i].headers, cases[i].body);
        station_exchange(&station, &client, request);
        if (http_client_status(&client) != cases[i].status)
            printf("%s %s%s: %u\n", cases[i].line, cases[i].headers, cases[i].body,
                   http_client_status(&client));
        CU_ASSERT_EQUAL(http_client_status(&client), cases[i].status);
        CU_ASSERT(is_sentence(http_client_body(&client)));
        http_client_close(&client);
    }
    CU_ASSERT_EQUAL(station_status_of(&station, "/status", ""), 200);
    station_tear_down(&station);
}

TEST(a_wrong_method_is_told_the_right_one)
{
    struct http_client client;
    struct station station;

    station_set_up(&station);
    station_ask_for(&station, &client, "/answer", "");
    CU_ASSERT_PTR_NOT_NULL(strstr(client.text, "Allow: POST\r\n"));
    http_client_close(&client);
    station_post(&station, &client, "/status", "{}");
    CU_ASSERT_PTR_NOT_NULL(strstr(client.text, "Allow: GET\r\n"));
    http_client_close(&client);
    station_tear_down(&station);
}

TEST(a_body_must_be_what_its_path_takes)
{
    static const char *const bodies[] = {
        "{\"id\":1}",
        "{\"answer\":\"bet\"}",
        "{\"id\":\"1\",\"answer\":\"bet\"}",
        "{\"id\":1.5,\"answer\":\"bet\"}",
        "{\"id\":0,\"answer\":\"bet\"}",
        "{\"id\":-1,\"answer\":\"bet\"}",
        "{\"id\":1,\"answer\":3}",
        "{\"id\":1,\"answer\":null}",
        "{\"id\":1,\"answer\":\"bet\",\"by\":7}",
        "{\"id\":1,\"answer\":\"bet\",\"from\":\"terminal\"}",
        "{\"id\":1,\"id\":1,\"answer\":\"bet\"}",
        "{\"id\":1,\"answer\":\"be\\u0000t\"}",
        "{\"id\":1,\"answer\":\"\xff\"}",
        "{\"id\":1,\"answer\":\"bet\"} x",
        "null",
        "\"bet\"",
    };
    struct station station;

    station_set_up(&station);
    for (size_t i = 0; i < COUNT(bodies); i++)
        CU_ASSERT_EQUAL(station_status_of_post(&station, "/answer", bodies[i]), 400);
    station_tear_down(&station);
}

TEST(a_body_of_four_thousand_and_ninety_six_bytes_is_the_longest)
{
    char body[SERVER_BODY_MAX + 1];
    struct station station;

    station_set_up(&station);
    memset(body, ' ', sizeof body);
    memcpy(body, "{\"do\":\"pause\"}", strlen("{\"do\":\"pause\"}"));
    body[SERVER_BODY_MAX] = '\0';
    CU_ASSERT_EQUAL(station_status_of_post(&station, "/control", body), 200);
    CU_ASSERT_EQUAL(strlen(station.order), SERVER_BODY_MAX);
    station_tear_down(&station);
}

TEST(what_is_no_http_is_refused_and_harms_nobody)
{
    static const char *const texts[] = {
        "\r\n\r\n\r\n\r\nGARBAGE\r\n\r\n",
        "GET\r\n\r\n",
        "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 hello\r\n\r\n",
        "GET / HTTP/1.1\r\nHost\r\n\r\n",
        "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "POST /answer HTTP/1.1\r\nContent-Length: 1x\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n"};
    struct http_client client;
    struct station station;

    /* What never ends is cut after a while, so the last request may have to be tried again. */
    station_start(&station, &(struct server_options){.listen = "0", .patience_ms = 200});
    for (size_t i = 0; i < COUNT(texts); i++) {
        http_client_open(&client, server_address(station.server));
        http_client_send(&client, texts[i], strlen(texts[i]));
        shutdown(client.fd, SHUT_WR);
        http_client_read_all(&client);
        CU_ASSERT_NOT_EQUAL(http_client_status(&client), 200);
        http_client_close(&client);
    }
    while (station_status_of(&station, "/status", "") != 200)
        continue;
    station_tear_down(&station);
}

TEST(headers_without_end_are_cut)
{
    char line[1024];
    struct http_client client;
    struct station station;
    unsigned sent = 0;

    station_set_up(&station);
    http_client_open(&client, server_address(station.server));
    http_client_say(&client, "GET / HTTP/1.1\r\nHost: %s\r\n", station_host(&station));
    memset(line, 'x', sizeof line);
    memcpy(line, "X: ", 3);
    memcpy(line + sizeof line - 2, "\r\n", 2);
    while (sent < 1024 && http_client_send(&client, line, sizeof line))
        sent++;
    http_client_read_all(&client);
    CU_ASSERT(http_client_status(&client) == 431 || http_client_status(&client) == 0);
    http_client_close(&client);
    CU_ASSERT_EQUAL(station_status_of(&station, "/status", ""), 200);
    station_tear_down(&station);
}

TEST(a_request_may_come_in_two_parts_or_byte_by_byte)
{
    char request[512];
    struct http_client client;
    struct station station;
    size_t length;

    station_set_up(&station);
    length = (size_t)snprintf(request, sizeof request,
                              "POST /control HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n" JSON
                              "Content-Length: 14\r\n\r\n{\"do\":\"pause\"}",
                              station_host(&station));
    for (size_t cut = 1; cut < length; cut += 17) {
        http_client_open(&client, server_address(station.server));
        http_client_send(&client, request, cut);
        CU_ASSERT_EQUAL(station_status_of(&station, "/status", ""), 200);
        http_client_send(&client, request + cut, length - cut);
        http_client_read_all(&client);
        CU_ASSERT_EQUAL(http_client_status(&client), 200);
        http_client_close(&client);
    }
    http_client_open(&client, server_address(station.server));
    for (size_t i = 0; i < length; i++)
        http_client_send(&client, request + i, 1);
    http_client_read_all(&client);
    CU_ASSERT_EQUAL(http_client_status(&client), 200);
    CU_ASSERT_STRING_EQUAL(station.order, "{\"do\":\"pause\"}");
    http_client_close(&client);
    station_tear_down(&station);
}

TEST(a_connection_serves_one_request_after_the_other)
{
    struct http_client client;
    struct station station;

    station_set_up(&station);
    http_client_open(&client, server_address(station.server));
    for (unsigned i = 0; i < 3; i++) {
        http_client_say(&client, "GET /status HTTP/1.1\r\nHost: %s\r\n\r\n",
                        station_host(&station));
        CU_ASSERT_PTR_NOT_NULL_FATAL(http_client_await(&client, "{\"state\":\"playing\"}"));
        CU_ASSERT_EQUAL(http_client_status(&client), 200);
        client.length = 0;
    }
    http_client_close(&client);
    station_tear_down(&station);
}

TEST(requests_that_come_together_are_answered_in_their_order)
{
    struct http_client client;
    struct station station;
    const char *first, *second;

    station_set_up(&station);
    http_client_open(&client, server_address(station.server));
    http_client_say(&client,
                    "POST /control HTTP/1.1\r\nHost: %s\r\n" JSON
                    "Content-Length: 14\r\n\r\n{\"do\":\"pause\"}"
                    "GET /nothing HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n",
                    station_host(&station), station_host(&station));
    http_client_read_all(&client);
    first = strstr(client.text, "HTTP/1.1 200 ");
    second = strstr(client.text, "HTTP/1.1 404 ");
    CU_ASSERT(first == client.text && second > first);
    CU_ASSERT_STRING_EQUAL(station.order, "{\"do\":\"pause\"}");
    http_client_close(&client);
    station_tear_down(&station);
}

TEST(what_follows_a_body_that_was_refused_is_no_request)
{
    static const char *const lengths[] = {
        "Content-Length: 5000\r\n", "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\n", "Content-Length: 2\r\nContent-Length: 0\r\n"};
    struct http_client client;
    struct station station;

    station_set_up(&station);
    for (size_t i = 0; i < COUNT(lengths); i++) {
        http_client_open(&client, server_address(station.server));
        http_client_say(&client,
                        "POST /control HTTP/1.1\r\nHost: %s\r\n" JSON "%s\r\n0\r\n\r\n"
                        "POST /control HTTP/1.1\r\nHost: %s\r\n" JSON
                        "Content-Length: 14\r\n\r\n{\"do\":\"pause\"}",
                        station_host(&station), lengths[i], station_host(&station));
        http_client_read_all(&client);
        CU_ASSERT(http_client_status(&client) >= 400);
        CU_ASSERT_PTR_NULL(strstr(client.text + 1, "HTTP/1.1"));
        CU_ASSERT_STRING_EQUAL(station.order, "");
        http_client_close(&client);
    }
    station_tear_down(&station);
}

TEST(a_gigabyte_that_is_really_sent_is_cut_at_once)
{
    static const char *const kinds[] = {"Content-Length: 1073741824\r\n",
                                        "Transfer-Encoding: chunked\r\n"};
    enum { BLOCK = 1 << 20, BLOCKS = 1024 };
    char *block = calloc(1, BLOCK);
    struct http_client client;
    struct station station;

    CU_ASSERT_PTR_NOT_NULL_FATAL(block);
    station_set_up(&station);
    for (size_t i = 0; i < COUNT(kinds); i++) {
        unsigned sent = 0;

        http_client_open(&client, server_address(station.server));
        http_client_say(&client, "POST /answer HTTP/1.1\r\nHost: %s\r\n" JSON "%s\r\n",
                        station_host(&station), kinds[i]);
        while (sent < BLOCKS && http_client_send(&client, block, BLOCK))
            sent++;
        /* What the kernels on both sides hold is gone; nobody has read more. */
        CU_ASSERT(sent < 64);
        http_client_close(&client);
    }
    CU_ASSERT_EQUAL(station_status_of(&station, "/status", ""), 200);
    free(block);
    station_tear_down(&station);
}
