/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a server listens, and which connections it takes. */
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/descriptors.h"
#include "tests/support/scratch.h"
#include "tests/support/station.h"
#include "tests/support/suite.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

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

TEST(who_has_gone_makes_room_for_others)
{
    struct http_client clients[SERVER_CONNECTIONS], more;
    struct station station;

    station_start(&station, &(struct server_options){.listen = "0", .patience_ms = 3600000});
    for (unsigned times = 0; times < 2; times++) {
        for (unsigned i = 0; i < SERVER_CONNECTIONS; i++) {
            station_follow(&station, &clients[i], "/events", "");
            /* Those of the first time may not all be noticed to have gone yet. */
            while (!http_client_await(&clients[i], "event: status")) {
                http_client_close(&clients[i]);
                station_follow(&station, &clients[i], "/events", "");
            }
        }
        http_client_open(&more, server_address(station.server));
        http_client_read_all(&more);
        CU_ASSERT_EQUAL(http_client_status(&more), 429);
        CU_ASSERT_STRING_EQUAL(http_client_body(&more),
                               "{\"why\":\"too many connections; close a page first\"}");
        http_client_close(&more);
        for (unsigned i = 0; i < SERVER_CONNECTIONS; i++)
            http_client_close(&clients[i]);
    }
    station_tear_down(&station);
}

/* As many connections as the descriptors of this process allow, and 10,000 at most. */
static size_t flood_size(void)
{
    struct rlimit limit;

    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    return limit.rlim_cur < 10300 ? (size_t)limit.rlim_cur - 300 : 10000;
}

TEST(ten_thousand_connections_do_not_disturb_who_is_served)
{
    size_t count = flood_size(), refused = 0;
    struct http_client *flood = calloc(count, sizeof *flood), good;
    struct station station;

    CU_ASSERT_PTR_NOT_NULL_FATAL(flood);
    /* The silent ones keep their places, however long this takes. */
    station_start(&station, &(struct server_options){.listen = "0", .patience_ms = 3600000});
    station_follow(&station, &good, "/events", "");
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&good, "event: status"));
    for (size_t i = 0; i < count; i++)
        http_client_open(&flood[i], server_address(station.server));
    station_add_line(&station, "event", "");
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&good, "id: 1\n"));
    /* The first ones have their places, and are silent; the others were told so. */
    for (size_t i = SERVER_CONNECTIONS; i < count; i++) {
        http_client_read_all(&flood[i]);
        refused += http_client_status(&flood[i]) == 429;
    }
    CU_ASSERT_EQUAL(refused, count - SERVER_CONNECTIONS);
    for (size_t i = 0; i < count; i++)
        http_client_close(&flood[i]);
    station_add_line(&station, "event", "");
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&good, "id: 2\n"));
    while (station_status_of(&station, "/status", "") != 200)
        continue;
    http_client_close(&good);
    free(flood);
    station_tear_down(&station);
}
