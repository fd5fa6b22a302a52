/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/devices/link_contract.h"
#include "tests/support/resolver.h"

/* A server on the loopback; it talks to the link that connected last. */
struct peer {
    struct sockaddr_storage name;
    socklen_t name_size;
    int listener, connection;
};

static void peer_drop(struct peer *peer)
{
    if (peer->connection >= 0)
        close(peer->connection);
    close(peer->listener);
    peer->listener = peer->connection = -1;
}

/* Listens on the port that the peer has, or gets one. */
static void peer_restore(struct peer *peer)
{
    const int on = 1;

    peer->connection = -1;
    peer->listener = socket(peer->name.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    CU_ASSERT_FATAL(peer->listener >= 0);
    setsockopt(peer->listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    CU_ASSERT_FATAL(bind(peer->listener, (struct sockaddr *)&peer->name, peer->name_size) == 0);
    CU_ASSERT_FATAL(listen(peer->listener, SOMAXCONN) == 0);
    getsockname(peer->listener, (struct sockaddr *)&peer->name, &peer->name_size);
}

static struct peer *peer_new(sa_family_t family)
{
    struct peer *peer = calloc(1, sizeof *peer);

    CU_ASSERT_PTR_NOT_NULL_FATAL(peer);
    if (family == AF_INET6) {
        struct sockaddr_in6 *name = (struct sockaddr_in6 *)&peer->name;

        *name = (struct sockaddr_in6){.sin6_family = family, .sin6_addr = in6addr_loopback};
        peer->name_size = sizeof *name;
    } else {
        struct sockaddr_in *name = (struct sockaddr_in *)&peer->name;

        *name =
            (struct sockaddr_in){.sin_family = family, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        peer->name_size = sizeof *name;
    }
    peer_restore(peer);
    return peer;
}

/* The port has the same place in both families. */
static unsigned peer_port(const struct peer *peer)
{
    return ntohs(((const struct sockaddr_in *)&peer->name)->sin_port);
}

static struct peer *peer_make(struct hal *hal, char address[LINK_ADDRESS_MAX])
{
    struct peer *peer = peer_new(AF_INET);

    (void)hal;
    snprintf(address, LINK_ADDRESS_MAX, "tcp:127.0.0.1:%u", peer_port(peer));
    return peer;
}

static void peer_free(struct peer *peer)
{
    peer_drop(peer);
    free(peer);
}

static void accept_last(struct peer *peer)
{
    int connection;

    while ((connection = accept4(peer->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        if (peer->connection >= 0)
            close(peer->connection);
        peer->connection = connection;
    }
}

static ssize_t peer_read(struct peer *peer, void *bytes, size_t size)
{
    struct pollfd polled;

    accept_last(peer);
    polled = (struct pollfd){.fd = peer->connection, .events = POLLIN};
    return poll(&polled, 1, 100) > 0 ? read(peer->connection, bytes, size) : 0;
}

static ssize_t peer_write(struct peer *peer, const void *bytes, size_t size)
{
    ssize_t n;

    accept_last(peer);
    n = send(peer->connection, bytes, size, MSG_NOSIGNAL);
    return n < 0 && errno == EAGAIN ? 0 : n;
}

static const char *const bad_addresses[] = {"tcp:",
                                            "tcp:localhost",
                                            "tcp:localhost:",
                                            "tcp::4001",
                                            "tcp:localhost:0",
                                            "tcp:localhost:65536",
                                            "tcp:localhost:99999999999999999999",
                                            "tcp:localhost:abc",
                                            "tcp:localhost:-1",
                                            "tcp:localhost: 80",
                                            "tcp:localhost:+80",
                                            "tcp:localhost:80x",
                                            "tcp:::1:4001",
                                            "tcp:[::1:4001",
                                            "tcp:[]:4001",
                                            "tcp:[::1]",
                                            "tcp:no such host:4001",
                                            "tcp:host.invalid:4001",
                                            NULL};

const struct link_contract link_contract = {
    .traits = LINK_FILLS | LINK_LAST_WORDS,
    .bad_addresses = bad_addresses,
    .make = peer_make,
    .read = peer_read,
    .write = peer_write,
    .drop = peer_drop,
    .restore = peer_restore,
    .free = peer_free,
};

struct bench {
    struct clock clock;
    struct hal hal;
    struct peer *peer;
    struct link *link;
    struct error error;
};

static void bench_start(struct bench *bench, sa_family_t family, const char *form)
{
    char address[LINK_ADDRESS_MAX];

    clock_real(&bench->clock);
    CU_ASSERT_FATAL(hal_open(&bench->hal, &bench->clock, &bench->error) == 0);
    bench->peer = peer_new(family);
    snprintf(address, sizeof address, "tcp:%s:%u", form, peer_port(bench->peer));
    if (link_open(&bench->link, &bench->hal, address, &bench->error) < 0)
        fprintf(stderr, "%s\n", bench->error.text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(bench->link);
}

static void bench_end(struct bench *bench)
{
    link_close(bench->link);
    peer_free(bench->peer);
    hal_close(&bench->hal);
}

static void check_way_through(sa_family_t family, const char *host)
{
    struct bench bench;
    char got[4] = "";

    bench_start(&bench, family, host);
    CU_ASSERT_EQUAL(link_write(bench.link, "six", 3, NEVER, &bench.error), 3);
    CU_ASSERT_EQUAL(peer_read(bench.peer, got, 3), 3);
    CU_ASSERT_STRING_EQUAL(got, "six");
    bench_end(&bench);
}

TEST(an_ipv6_address_stands_in_brackets)
{
    check_way_through(AF_INET6, "[::1]");
}

TEST(a_host_is_found_by_its_name)
{
    struct bench bench = {0};

    if (resolver_knows("localhost")) {
        check_way_through(AF_INET, "localhost");
        return;
    }
    clock_real(&bench.clock);
    CU_ASSERT_FATAL(hal_open(&bench.hal, &bench.clock, &bench.error) == 0);
    CU_ASSERT(link_open(&bench.link, &bench.hal, "tcp:localhost:1", &bench.error) < 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "no address is known for host 'localhost'"));
    hal_close(&bench.hal);
}

TEST(a_reset_connection_is_gone)
{
    const struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    struct bench bench;
    char byte;

    bench_start(&bench, AF_INET, "127.0.0.1");
    CU_ASSERT_EQUAL(peer_write(bench.peer, "x", 1), 1);
    CU_ASSERT_EQUAL(link_read(bench.link, &byte, 1, NEVER, &bench.error), 1);
    setsockopt(bench.peer->connection, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close(bench.peer->connection);
    bench.peer->connection = -1;
    CU_ASSERT_EQUAL(
        link_read(bench.link, &byte, 1, clock_deadline(&bench.clock, 2000), &bench.error),
        ERROR_DEVICE);
    /* Another write would raise SIGPIPE, which nobody here handles. */
    CU_ASSERT_EQUAL(link_write(bench.link, "x", 1, NEVER, &bench.error), ERROR_DEVICE);
    bench_end(&bench);
}

TEST(each_refusal_says_what_to_do)
{
    static const struct {
        const char *address, *remedy;
        int status;
    } refusals[] = {
        {"tcp:localhost", "names no host and port", ERROR_CONFIG},
        {"tcp:localhost:0", "from 1 to 65535", ERROR_CONFIG},
        {"tcp:localhost:65536", "from 1 to 65535", ERROR_CONFIG},
        {"tcp:localhost:abc", "'abc' is not a port", ERROR_CONFIG},
        {"tcp:::1:4001", "in brackets", ERROR_CONFIG},
    };
    struct clock clock;
    struct error error;
    struct link *link;
    struct hal hal;

    clock_real(&clock);
    CU_ASSERT_FATAL(hal_open(&hal, &clock, &error) == 0);
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        CU_ASSERT_EQUAL(link_open(&link, &hal, refusals[i].address, &error), refusals[i].status);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, refusals[i].remedy));
    }
    hal_close(&hal);
}

/* A listener whose queue is full answers nobody, as a host without power does. */
TEST(a_host_that_does_not_answer_is_given_up_in_time)
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const struct reopen_policy policy = {
        .first = NANOS_PER_MILLI, .longest = NANOS_PER_MILLI, .tries = 1};
    int waiting[8], listener;
    struct bench bench;
    nanos_t before;
    char byte;

    bench_start(&bench, AF_INET, "127.0.0.1");
    CU_ASSERT_EQUAL(link_reopen(bench.link, &policy, &bench.error), 0);
    name.sin_port = htons((uint16_t)peer_port(bench.peer));
    accept_last(bench.peer);
    peer_drop(bench.peer);
    peer_restore(bench.peer);
    listener = bench.peer->listener;
    CU_ASSERT_EQUAL(listen(listener, 0), 0);
    for (size_t i = 0; i < 8; i++) {
        waiting[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        connect(waiting[i], (struct sockaddr *)&name, sizeof name);
    }
    before = clock_now(&bench.clock);
    CU_ASSERT_EQUAL(
        link_read(bench.link, &byte, 1, clock_deadline(&bench.clock, 200), &bench.error),
        ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "did not answer in time"));
    CU_ASSERT(clock_now(&bench.clock) - before >= 199 * NANOS_PER_MILLI);
    CU_ASSERT(clock_now(&bench.clock) - before < 60 * NANOS_PER_SECOND);
    for (size_t i = 0; i < 8; i++)
        close(waiting[i]);
    bench_end(&bench);
}

LINK_CONTRACT_TESTS
