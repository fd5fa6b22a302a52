/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bench page over HTTP as rigs/STATION.md has it, without a browser. */
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hal/base/json.h"
#include "tests/support/descriptors.h"
#include "tests/support/scratch.h"
#include "tests/support/station.h"
#include "tests/support/suite.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

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

TEST(the_page_is_served_under_a_policy_that_allows_its_own_files_alone)
{
    static const struct {
        const char *path, *type;
    } files[] = {{"/", "Content-Type: text/html; charset=utf-8\r\n"},
                 {"/page.css", "Content-Type: text/css; charset=utf-8\r\n"},
                 {"/page.js", "Content-Type: text/javascript; charset=utf-8\r\n"}};
    struct http_client client;
    struct station station;

    station_set_up(&station);
    for (size_t i = 0; i < COUNT(files); i++) {
        station_ask_for(&station, &client, files[i].path, "");
        CU_ASSERT_EQUAL(http_client_status(&client), 200);
        CU_ASSERT_PTR_NOT_NULL(strstr(client.text, files[i].type));
        CU_ASSERT_PTR_NOT_NULL(strstr(client.text,
                                      "Content-Security-Policy: default-src 'none'; script-src "
                                      "'self'; style-src 'self'; connect-src 'self'; "
                                      "base-uri"));
        CU_ASSERT_PTR_NULL(strstr(client.text, "unsafe"));
        CU_ASSERT_PTR_NULL(strstr(client.text, "Set-Cookie"));
        CU_ASSERT_PTR_NULL(strstr(client.text, "Access-Control"));
        CU_ASSERT(strlen(http_client_body(&client)) > 0);
        http_client_close(&client);
    }
    station_tear_down(&station);
}

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
    http_client_close(&client);
    station_tear_down(&station);
}

#define JSON   "Content-Type: application/json\r\n"
#define LENGTH "Content-Length: 2\r\n"

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
        {413, "POST /answer", JSON "Content-Length: 4097\r\n", ""},
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

TEST(host_must_be_this_bench)
{
    static const struct {
        unsigned status;
        const char *name; /* without the port */
        bool has_port;
    } cases[] = {
        {200, "127.0.0.1", true},      {200, "localhost", true},    {200, "LocalHost", true},
        {200, "[::1]", true},          {403, "127.0.0.1", false},   {403, "localhost", false},
        {403, "127.0.0.2", true},      {403, "evil.example", true}, {403, "localhost.evil", true},
        {403, "127.0.0.1.evil", true}, {403, "127.0.0.1:1", false}, {403, "", false},
        {403, "user@127.0.0.1", true}, {403, "0.0.0.0", true}};
    struct http_client client;
    struct station station;
    char request[512];

    station_set_up(&station);
    for (size_t i = 0; i < COUNT(cases); i++) {
        snprintf(request, sizeof request,
                 "GET /status HTTP/1.1\r\nHost: %s%s\r\nConnection: close\r\n\r\n", cases[i].name,
                 cases[i].has_port ? strrchr(station_host(&station), ':') : "");
        station_exchange(&station, &client, request);
        CU_ASSERT_EQUAL(http_client_status(&client), cases[i].status);
        http_client_close(&client);
        snprintf(request, sizeof request, "Origin: http://%s%s\r\n", cases[i].name,
                 cases[i].has_port ? strrchr(station_host(&station), ':') : "");
        CU_ASSERT_EQUAL(station_status_of(&station, "/status", request), cases[i].status);
    }
    station_exchange(&station, &client, "GET /status HTTP/1.0\r\n\r\n");
    CU_ASSERT_EQUAL(http_client_status(&client), 400);
    http_client_close(&client);
    station_tear_down(&station);
}

TEST(with_a_token_everything_but_the_page_itself_needs_it)
{
    static const char *const wrong[] = {
        "",
        "Authorization: Bearer\r\n",
        "Authorization: Bearer 0123456789abcde\r\n",
        "Authorization: Bearer 0123456789abcdee\r\n",
        "Authorization: Bearer 0123456789abcdef0\r\n",
        "Authorization: Basic 0123456789abcdef\r\n",
        "Authorization: 0123456789abcdef\r\n",
        "Authorization: Bearer 0123456789abcdef\r\nAuthorization: Bearer x\r\n"};
    static const char right[] = "Authorization: Bearer 0123456789abcdef\r\n";
    static const char *const paths[] = {"/status", "/events", "/recordings", "/nothing", "/answer"};
    static const char *const page[] = {"/", "/page.css", "/page.js"};
    char path[SCRATCH_PATH_SIZE];
    struct http_client client;
    struct station station;

    scratch_path(path);
    scratch_write(path, "0123456789abcdef\nsecond line\n", 29);
    CU_ASSERT_EQUAL(chmod(path, 0600), 0);
    station_start(&station, &(struct server_options){.listen = "127.0.0.1:0", .token_file = path});
    for (size_t i = 0; i < COUNT(wrong); i++)
        for (size_t p = 0; p < COUNT(paths); p++)
            CU_ASSERT_EQUAL(station_status_of(&station, paths[p], wrong[i]), 401);
    station_ask_for(&station, &client, "/status", "");
    CU_ASSERT_PTR_NOT_NULL(strstr(client.text, "WWW-Authenticate: Bearer\r\n"));
    http_client_close(&client);
    for (size_t i = 0; i < COUNT(page); i++)
        CU_ASSERT_EQUAL(station_status_of(&station, page[i], ""), 200);
    CU_ASSERT_EQUAL(station_status_of(&station, "/status", right), 200);
    CU_ASSERT_EQUAL(station_status_of(&station, "/nothing", right), 404);
    unlink(path);
    station_tear_down(&station);
}

/* An address of this machine that is not loopback; false: it has none. */
static bool find_own_address(char text[INET_ADDRSTRLEN])
{
    struct ifaddrs *all = NULL;
    bool is_found = false;

    if (getifaddrs(&all))
        return false;
    for (struct ifaddrs *one = all; one && !is_found; one = one->ifa_next) {
        const struct sockaddr_in *address = (const struct sockaddr_in *)one->ifa_addr;

        is_found = address && address->sin_family == AF_INET && !(one->ifa_flags & IFF_LOOPBACK) &&
                   one->ifa_flags & IFF_RUNNING &&
                   inet_ntop(AF_INET, &address->sin_addr, text, INET_ADDRSTRLEN);
    }
    freeifaddrs(all);
    return is_found;
}

/* On a machine that has no network this proves nothing. */
TEST(another_machine_has_eight_connections_and_names_the_address_it_has_reached)
{
    char path[SCRATCH_PATH_SIZE], own[INET_ADDRSTRLEN], address[64];
    struct http_client clients[SERVER_OF_ONE + 1];
    struct station station;
    unsigned port;

    if (!find_own_address(own))
        return;
    scratch_path(path);
    scratch_write(path, "0123456789abcdef", 16);
    CU_ASSERT_EQUAL(chmod(path, 0600), 0);
    station_start(&station, &(struct server_options){
                                .listen = "0.0.0.0:0", .token_file = path, .patience_ms = 3600000});
    port = (unsigned)strtoul(strrchr(station_host(&station), ':') + 1, NULL, 10);
    snprintf(address, sizeof address, "http://%s:%u/", own, port);
    for (unsigned i = 0; i <= SERVER_OF_ONE; i++)
        http_client_open(&clients[i], address);
    http_client_read_all(&clients[SERVER_OF_ONE]);
    CU_ASSERT_EQUAL(http_client_status(&clients[SERVER_OF_ONE]), 429);
    http_client_say(&clients[0], "GET / HTTP/1.1\r\nHost: %s:%u\r\nConnection: close\r\n\r\n", own,
                    port);
    http_client_read_all(&clients[0]);
    CU_ASSERT_EQUAL(http_client_status(&clients[0]), 200);
    http_client_say(&clients[1], "GET / HTTP/1.1\r\nHost: %s:%u\r\nConnection: close\r\n\r\n",
                    "1.2.3.4", port);
    http_client_read_all(&clients[1]);
    CU_ASSERT_EQUAL(http_client_status(&clients[1]), 403);
    for (unsigned i = 0; i <= SERVER_OF_ONE; i++)
        http_client_close(&clients[i]);
    unlink(path);
    station_tear_down(&station);
}

/* The sentence that a server is not started with. */
static const char *refusal(const char *listen, const char *token_file)
{
    static struct error error;
    struct server_bench bench = {.context = NULL};
    struct server_options options = {.listen = listen, .token_file = token_file};
    struct server *server;

    error.text[0] = '\0';
    CU_ASSERT_EQUAL(server_start(&server, &options, &bench, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NULL(server);
    server_stop(server);
    return error.text;
}

TEST(a_token_file_that_is_no_secret_is_refused)
{
    char path[SCRATCH_PATH_SIZE], folder[] = "/tmp";
    size_t descriptors = descriptors_settled();

    scratch_path(path);
    CU_ASSERT_PTR_NOT_NULL(strstr(refusal("0", path), "No such file"));
    CU_ASSERT_PTR_NOT_NULL(strstr(refusal("0", folder), "is no file"));
    scratch_write(path, "0123456789abcdef\n", 17);
    CU_ASSERT_EQUAL(chmod(path, 0640), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(refusal("0", path), "can be read by others"));
    CU_ASSERT_EQUAL(chmod(path, 0604), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(refusal("0", path), "can be read by others"));
    CU_ASSERT_EQUAL(chmod(path, 0600), 0);
    scratch_write(path, "0123456789abcde\n0123456789abcdef\n", 33);
    CU_ASSERT_PTR_NOT_NULL(strstr(refusal("0", path), "has 15 characters"));
    scratch_write(path, "", 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(refusal("0", path), "has 0 characters"));
    scratch_write(path, "0123456789 abcdef\n", 18);
    CU_ASSERT_PTR_NOT_NULL(strstr(refusal("0", path), "without blanks"));
    unlink(path);
    CU_ASSERT(descriptors_come_down_to(descriptors));
}

TEST(an_address_must_be_one_and_free_and_loopback_unless_there_is_a_token)
{
    static const char *const wrong[] = {"",        "x",          "127.0.0.1:",    ":8642",
                                        "-1",      "65536",      "127.0.0.1",     "127.0.0.1:x",
                                        "::1:80",  "[::1]",      "example.org:1", "127.0.0.1:80:80",
                                        "1.2.3:1", "0x50",       " 8642",         "8642 ",
                                        "[:1",     "256.0.0.1:1"};
    struct station station;

    for (size_t i = 0; i < COUNT(wrong); i++)
        CU_ASSERT_PTR_NOT_NULL(strstr(refusal(wrong[i], NULL), "is no address to listen on"));
    CU_ASSERT_PTR_NOT_NULL(strstr(refusal("0.0.0.0:0", NULL), "--token-file"));
    station_set_up(&station);
    CU_ASSERT_PTR_NOT_NULL(strstr(refusal(station_host(&station), NULL), "another program does"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(refusal(strrchr(station_host(&station), ':') + 1, NULL), "another program does"));
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
                    410);
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
                        "POST /answer HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n" JSON
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
