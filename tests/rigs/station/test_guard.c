/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who may ask: Host and Origin, and the token. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/scratch.h"
#include "tests/support/station.h"
#include "tests/support/suite.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

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
