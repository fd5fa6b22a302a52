/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a bridge costs beside a bare copy: the round trip of a 64-byte frame over loopback TCP to an
 * echoing peer, with bridge_run() in between, which also writes a capture, and with a loop of
 * poll(), read() and write() in its place, in turns in one run. Then the same of a long stream.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "hal/link/bridge.h"

#define FRAME  64
#define ROUNDS 40
#define FRAMES 200
#define STREAM (32 * 1024 * 1024)

static void must(int ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "bench_bridge: %s\n", what);
        exit(EXIT_FAILURE);
    }
}

static void no_delay(int fd)
{
    const int on = 1;

    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

static int listen_on(struct sockaddr_in *name)
{
    socklen_t size = sizeof *name;
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    *name = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    must(fd >= 0 && !bind(fd, (struct sockaddr *)name, size) && !listen(fd, 1) &&
             !getsockname(fd, (struct sockaddr *)name, &size),
         "no server");
    return fd;
}

static void *echo(void *context)
{
    int fd = *(int *)context;
    char bytes[65536];
    ssize_t count;

    while ((count = read(fd, bytes, sizeof bytes)) > 0)
        if (write(fd, bytes, (size_t)count) != count)
            break;
    return NULL;
}

/* A client, something in between, and an echo behind it. */
struct way {
    int client, peer;
    pthread_t echo, middle;
    int fds[2];           /* of the bare copy */
    struct bridge bridge; /* or the bridge */
    struct bridge_counts counts;
    struct clock clock;
    struct hal hal;
};

static void *copy(void *context)
{
    struct way *way = context;
    struct pollfd polled[] = {{way->fds[0], POLLIN, 0}, {way->fds[1], POLLIN, 0}};
    char bytes[65536];

    while (poll(polled, 2, -1) > 0)
        for (int i = 0; i < 2; i++) {
            ssize_t count = polled[i].revents ? read(way->fds[i], bytes, sizeof bytes) : 0;
            ssize_t done = 0;

            if (polled[i].revents && count <= 0)
                return NULL;
            while (done < count) {
                ssize_t moved = write(way->fds[!i], bytes + done, (size_t)(count - done));

                if (moved < 0)
                    return NULL;
                done += moved;
            }
        }
    return NULL;
}

static void *bridge(void *context)
{
    struct way *way = context;

    bridge_run(&way->bridge, &way->counts, NULL);
    return NULL;
}

static int connect_to(const struct sockaddr_in *name)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    must(fd >= 0 && !connect(fd, (const struct sockaddr *)name, sizeof *name), "no connection");
    no_delay(fd);
    return fd;
}

/* One end of the middle: its other end is returned. */
static int open_end(struct way *way, int index, bool is_bridge)
{
    struct sockaddr_in name;
    int listener = listen_on(&name), fd;
    char address[LINK_ADDRESS_MAX];

    snprintf(address, sizeof address, "tcp:127.0.0.1:%u", ntohs(name.sin_port));
    if (is_bridge)
        must(!link_open(&way->bridge.links[index], &way->hal, address, NULL), address);
    else
        way->fds[index] = connect_to(&name);
    fd = accept(listener, NULL, NULL);
    must(fd >= 0, "no caller");
    no_delay(fd);
    close(listener);
    return fd;
}

static void way_open(struct way *way, const char *capture)
{
    memset(way, 0, sizeof *way);
    clock_real(&way->clock);
    must(!hal_open(&way->hal, &way->clock, NULL), "no hal");
    way->bridge.hal = &way->hal;
    if (capture)
        must(!capture_open(&way->bridge.capture, capture, NULL), "no capture");
    way->peer = open_end(way, 0, capture);
    way->client = open_end(way, 1, capture);
    must(!pthread_create(&way->echo, NULL, echo, &way->peer), "no thread");
    must(!pthread_create(&way->middle, NULL, capture ? bridge : copy, way), "no thread");
}

static void way_close(struct way *way)
{
    hal_cancel(&way->hal);
    shutdown(way->client, SHUT_RDWR);
    pthread_join(way->middle, NULL);
    for (int i = 0; i < 2; i++) {
        link_close(way->bridge.links[i]);
        if (way->fds[i])
            close(way->fds[i]);
    }
    pthread_join(way->echo, NULL);
    close(way->peer);
    close(way->client);
    capture_close(way->bridge.capture, NULL);
    hal_close(&way->hal);
}

static nanos_t time_round(struct way *way)
{
    nanos_t start = clock_now(&way->clock);
    char frame[FRAME] = "frame";

    for (int i = 0; i < FRAMES; i++) {
        size_t got = 0;

        must(write(way->client, frame, FRAME) == FRAME, "short write");
        while (got < FRAME) {
            ssize_t count = read(way->client, frame + got, FRAME - got);

            must(count > 0, "no echo");
            got += (size_t)count;
        }
    }
    return clock_now(&way->clock) - start;
}

/* All of it there and back. */
static nanos_t time_stream(struct way *way)
{
    static char out[16384], in[65536];
    nanos_t start = clock_now(&way->clock);
    size_t sent = 0, got = 0;

    fcntl(way->client, F_SETFL, O_NONBLOCK);
    while (got < STREAM) {
        struct pollfd polled = {way->client, (short)(POLLIN | (sent < STREAM ? POLLOUT : 0)), 0};
        ssize_t count;

        must(poll(&polled, 1, 20000) == 1, "nothing moves");
        /* As much under way as buffers hold for sure, since the copy waits for room. */
        if (polled.revents & POLLOUT && sent < STREAM && sent - got < 32768) {
            count = write(way->client, out, sizeof out);
            sent += count > 0 ? (size_t)count : 0;
        }
        count = polled.revents & POLLIN ? read(way->client, in, sizeof in) : 0;
        got += count > 0 ? (size_t)count : 0;
    }
    fcntl(way->client, F_SETFL, 0);
    return clock_now(&way->clock) - start;
}

static int by_size(const void *a, const void *b)
{
    nanos_t left = *(const nanos_t *)a, right = *(const nanos_t *)b;

    return (left > right) - (left < right);
}

static double median(nanos_t *times)
{
    qsort(times, ROUNDS, sizeof *times, by_size);
    return (double)times[ROUNDS / 2];
}

int main(void)
{
    char path[] = "/tmp/bench_bridge.XXXXXX";
    int fd = mkstemp(path);
    nanos_t bridged[ROUNDS], bare[ROUNDS], with, without;
    struct way through, beside;
    double micros, bare_micros;

    must(fd >= 0, "no file");
    close(fd);
    unlink(path);
    way_open(&through, path);
    way_open(&beside, NULL);
    time_round(&through);
    time_round(&beside);
    for (int i = 0; i < ROUNDS; i++) {
        bridged[i] = time_round(&through);
        bare[i] = time_round(&beside);
    }
    micros = median(bridged) / FRAMES / NANOS_PER_MICRO;
    bare_micros = median(bare) / FRAMES / NANOS_PER_MICRO;
    printf("bridge with its capture, round trip of %d bytes: %.2f us, a bare copy in its place "
           "%.2f us, ratio %.3f "
           "(at most 1.5)\n",
           FRAME, micros, bare_micros, micros / bare_micros);
    with = time_stream(&through);
    without = time_stream(&beside);
    printf("bridge with its capture, a stream there and back: %.0f MB/s, a bare copy %.0f MB/s, "
           "ratio %.3f\n",
           STREAM / 1e6 / ((double)with / NANOS_PER_SECOND),
           STREAM / 1e6 / ((double)without / NANOS_PER_SECOND), (double)with / (double)without);
    way_close(&through);
    way_close(&beside);
    unlink(path);
    return EXIT_SUCCESS;
}
