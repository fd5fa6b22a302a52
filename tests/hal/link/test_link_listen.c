/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/devices/link_contract.h"

/* A client that calls whenever somebody listens; it talks on the call that was taken last. */
struct peer {
    struct sockaddr_in name;
    int holder; /* keeps the port for this test, without listening */
    pthread_t caller;
    pthread_mutex_t lock;
    int connection, before; /* the last call, and the one before it; -1: none */
    bool is_away;
    atomic_bool ends;
};

static int call(const struct peer *peer)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd >= 0 && !connect(fd, (const struct sockaddr *)&peer->name, sizeof peer->name))
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

static bool is_on(int fd)
{
    struct pollfd polled = {.fd = fd, .events = POLLRDHUP};

    return fd >= 0 && !poll(&polled, 1, 0);
}

/* A call that came while the door was being closed is cut off: the one before it is the right one.
 */
static void choose_call(struct peer *peer)
{
    if (is_on(peer->connection) || peer->before < 0)
        return;
    if (peer->connection >= 0)
        close(peer->connection);
    peer->connection = peer->before;
    peer->before = -1;
}

static void *keep_calling(void *context)
{
    struct peer *peer = context;

    while (!peer->ends) {
        int fd;

        pthread_mutex_lock(&peer->lock);
        choose_call(peer);
        fd = peer->is_away ? -1 : call(peer);
        if (fd >= 0) {
            if (peer->before >= 0)
                close(peer->before);
            peer->before = peer->connection;
            peer->connection = fd;
        }
        pthread_mutex_unlock(&peer->lock);
        usleep(1000);
    }
    return NULL;
}

static struct peer *peer_make(struct hal *hal, char address[LINK_ADDRESS_MAX])
{
    struct peer *peer = calloc(1, sizeof *peer);
    socklen_t size = sizeof peer->name;
    const int on = 1;

    (void)hal;
    CU_ASSERT_PTR_NOT_NULL_FATAL(peer);
    peer->name =
        (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    peer->holder = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setsockopt(peer->holder, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    CU_ASSERT_FATAL(!bind(peer->holder, (struct sockaddr *)&peer->name, size));
    CU_ASSERT_FATAL(!getsockname(peer->holder, (struct sockaddr *)&peer->name, &size));
    snprintf(address, LINK_ADDRESS_MAX, "listen:%u", ntohs(peer->name.sin_port));
    peer->connection = peer->before = -1;
    pthread_mutex_init(&peer->lock, NULL);
    CU_ASSERT_FATAL(!pthread_create(&peer->caller, NULL, keep_calling, peer));
    return peer;
}

static void peer_drop(struct peer *peer)
{
    pthread_mutex_lock(&peer->lock);
    peer->is_away = true;
    if (peer->before >= 0)
        close(peer->before);
    if (peer->connection >= 0)
        close(peer->connection);
    peer->connection = peer->before = -1;
    pthread_mutex_unlock(&peer->lock);
}

static void peer_restore(struct peer *peer)
{
    pthread_mutex_lock(&peer->lock);
    peer->is_away = false;
    pthread_mutex_unlock(&peer->lock);
}

static void peer_free(struct peer *peer)
{
    peer->ends = true;
    pthread_join(peer->caller, NULL);
    peer_drop(peer);
    close(peer->holder);
    pthread_mutex_destroy(&peer->lock);
    free(peer);
}

static ssize_t peer_read(struct peer *peer, void *bytes, size_t size)
{
    struct pollfd polled;
    ssize_t count = 0;

    pthread_mutex_lock(&peer->lock);
    choose_call(peer);
    polled = (struct pollfd){.fd = peer->connection, .events = POLLIN};
    if (poll(&polled, 1, 100) > 0)
        count = read(peer->connection, bytes, size);
    pthread_mutex_unlock(&peer->lock);
    return count;
}

static ssize_t peer_write(struct peer *peer, const void *bytes, size_t size)
{
    ssize_t count;

    pthread_mutex_lock(&peer->lock);
    choose_call(peer);
    count = send(peer->connection, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    pthread_mutex_unlock(&peer->lock);
    return count < 0 && errno == EAGAIN ? 0 : count;
}

static const char *const bad_addresses[] = {"listen:",
                                            "listen:0",
                                            "listen:65536",
                                            "listen:-1",
                                            "listen:port",
                                            "listen::4001",
                                            "listen:127.0.0.1:",
                                            "listen:::1:4001",
                                            "listen:[::1:4001",
                                            "listen:192.0.2.1:4001",
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

LINK_CONTRACT_TESTS

TEST(a_port_that_another_program_listens_on_is_in_use)
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof name;
    struct clock clock;
    struct hal hal;
    struct link *link;
    struct error error;
    char address[LINK_ADDRESS_MAX];
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    CU_ASSERT_FATAL(!bind(fd, (struct sockaddr *)&name, size) && !listen(fd, 1));
    CU_ASSERT_FATAL(!getsockname(fd, (struct sockaddr *)&name, &size));
    snprintf(address, sizeof address, "listen:127.0.0.1:%u", ntohs(name.sin_port));
    clock_real(&clock);
    CU_ASSERT_FATAL(!hal_open(&hal, &clock, &error));
    CU_ASSERT_EQUAL(link_open(&link, &hal, address, &error), ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "another program has that port"));
    hal_close(&hal);
    close(fd);
}
