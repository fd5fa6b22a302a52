/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a link costs over bare system calls: the round trip of a 64-byte frame over pty: and tcp:
 * against write, poll and read on the same kind of descriptor, with the same echoing peer, in
 * turns in one run; the throughput of an emulated link; allocations per frame; and the processor
 * time of a wait.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#include "hal/link/link.h"
#include "tests/support/devices/puppet.h"

#define FRAME  64
#define ROUNDS 60
#define FRAMES 200

/* The program's own malloc comes before the library's and counts; free() is the library's. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

static atomic_ulong allocations;

void *malloc(size_t size)
{
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    allocations++;
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    allocations++;
    return __libc_realloc(memory, size);
}

/* An error ends the measurement: there is nothing to print then. */
static void must(int ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "bench_link: %s\n", what);
        exit(EXIT_FAILURE);
    }
}

static void *echo(void *context)
{
    int fd = *(int *)context;
    char bytes[4096];
    ssize_t n;

    while ((n = read(fd, bytes, sizeof bytes)) > 0)
        if (write(fd, bytes, (size_t)n) != n)
            break;
    return NULL;
}

/* Two ways to the same kind of echoing peer: a link, and a bare descriptor. */
struct way {
    int peer;
    pthread_t thread;
    struct link *link;
    int fd;
};

static void way_start(struct way *way)
{
    must(pthread_create(&way->thread, NULL, echo, &way->peer) == 0, "no thread");
}

static void way_end(struct way *way)
{
    link_close(way->link);
    if (way->fd >= 0)
        close(way->fd);
    pthread_cancel(way->thread);
    pthread_join(way->thread, NULL);
    close(way->peer);
}

static int bare_pty(const char *path)
{
    int fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK);
    struct termios settings;

    must(fd >= 0 && tcgetattr(fd, &settings) == 0, "no terminal");
    cfmakeraw(&settings);
    must(tcsetattr(fd, TCSANOW, &settings) == 0, "terminal is not raw");
    return fd;
}

static void open_pty(struct way *way, const struct hal *hal)
{
    char address[LINK_ADDRESS_MAX];

    way->peer = posix_openpt(O_RDWR | O_NOCTTY);
    must(way->peer >= 0 && grantpt(way->peer) == 0 && unlockpt(way->peer) == 0, "no pty");
    snprintf(address, sizeof address, "pty:%s", ptsname(way->peer));
    *way = (struct way){.peer = way->peer, .fd = -1};
    if (hal)
        must(link_open(&way->link, hal, address, NULL) == 0, address);
    else
        way->fd = bare_pty(address + 4);
    way_start(way);
}

static int bare_tcp(const struct sockaddr_in *name)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    const int on = 1;

    must(connect(fd, (const struct sockaddr *)name, sizeof *name) == 0, "no connection");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    return fd;
}

static void open_tcp(struct way *way, const struct hal *hal)
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof name;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    char address[LINK_ADDRESS_MAX];
    const int on = 1;

    must(bind(listener, (struct sockaddr *)&name, size) == 0 && listen(listener, 1) == 0 &&
             getsockname(listener, (struct sockaddr *)&name, &size) == 0,
         "no server");
    snprintf(address, sizeof address, "tcp:127.0.0.1:%u", ntohs(name.sin_port));
    *way = (struct way){.fd = -1};
    if (hal)
        must(link_open(&way->link, hal, address, NULL) == 0, address);
    else
        way->fd = bare_tcp(&name);
    way->peer = accept(listener, NULL, NULL);
    setsockopt(way->peer, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    close(listener);
    way_start(way);
}

static void bare_round_trip(int fd, char *frame)
{
    struct pollfd polled = {.fd = fd, .events = POLLIN};
    size_t count = 0;
    ssize_t n;

    must(write(fd, frame, FRAME) == FRAME, "short write");
    while (count < FRAME) {
        must(poll(&polled, 1, 1000) == 1, "no echo");
        n = read(fd, frame + count, FRAME - count);
        must(n > 0, "no bytes");
        count += (size_t)n;
    }
}

static void link_round_trip(struct link *link, char *frame)
{
    nanos_t deadline = clock_deadline(link->hal->clock, 1000);
    size_t count = 0;
    ssize_t n;

    must(link_write_all(link, frame, FRAME, deadline, NULL) == 0, "short write");
    while (count < FRAME) {
        n = link_read(link, frame + count, FRAME - count, deadline, NULL);
        must(n > 0, "no echo");
        count += (size_t)n;
    }
}

static nanos_t time_round(const struct clock *clock, struct way *way, char *frame)
{
    nanos_t start = clock_now(clock);

    for (int i = 0; i < FRAMES; i++)
        if (way->link)
            link_round_trip(way->link, frame);
        else
            bare_round_trip(way->fd, frame);
    return clock_now(clock) - start;
}

static int by_size(const void *a, const void *b)
{
    nanos_t left = *(const nanos_t *)a, right = *(const nanos_t *)b;

    return (left > right) - (left < right);
}

static double median_micros(nanos_t *times)
{
    qsort(times, ROUNDS, sizeof *times, by_size);
    return (double)times[ROUNDS / 2] / FRAMES / NANOS_PER_MICRO;
}

/* Rounds of both in turn, so that whatever else the machine does hits both. */
static void measure_round_trips(const char *scheme, const struct hal *hal,
                                void (*open_way)(struct way *way, const struct hal *hal))
{
    nanos_t linked_times[ROUNDS], bare_times[ROUNDS];
    char frame[FRAME] = "frame";
    struct way linked, bare;
    double link_micros, bare_micros;

    open_way(&linked, hal);
    open_way(&bare, NULL);
    time_round(hal->clock, &linked, frame);
    time_round(hal->clock, &bare, frame);
    for (int i = 0; i < ROUNDS; i++) {
        linked_times[i] = time_round(hal->clock, &linked, frame);
        bare_times[i] = time_round(hal->clock, &bare, frame);
    }
    link_micros = median_micros(linked_times);
    bare_micros = median_micros(bare_times);
    printf("%s round trip of %d bytes: %.2f us, bare %.2f us, ratio %.3f (at most 1.25)\n", scheme,
           FRAME, link_micros, bare_micros, link_micros / bare_micros);
    way_end(&linked);
    way_end(&bare);
}

static struct link *open_echo(struct puppet_stage *stage, struct hal *hal)
{
    struct link *link;

    puppet_stage_open(stage, hal);
    puppet_add(stage)->is_echo = true;
    must(link_open(&link, hal, "emu:puppet0", NULL) == 0, "no emulated link");
    return link;
}

static void measure_emulated(size_t size)
{
    enum { TOTAL = 256 * 1024 * 1024 };
    struct puppet_stage stage;
    struct clock clock, real;
    struct link *link;
    struct hal hal;
    char block[65536];
    nanos_t start;
    double seconds;

    clock_real(&real);
    clock_virtual(&clock, 0);
    must(hal_open(&hal, &clock, NULL) == 0, "no hal");
    link = open_echo(&stage, &hal);
    memset(block, 'x', sizeof block);
    start = clock_now(&real);
    for (size_t moved = 0; moved < TOTAL; moved += size) {
        must(link_write(link, block, size, 0, NULL) == (ssize_t)size, "short write");
        must(link_read(link, block, size, 0, NULL) == (ssize_t)size, "no echo");
    }
    seconds = (double)(clock_now(&real) - start) / NANOS_PER_SECOND;
    printf("emu: echo in blocks of %zu bytes: %.0f MB/s each way%s\n", size, TOTAL / 1e6 / seconds,
           size > FRAME ? " (at least 200)" : "");
    link_close(link);
    puppet_stage_close(&stage);
    hal_close(&hal);
}

static void measure_allocations(const char *scheme, const struct hal *hal,
                                void (*open_way)(struct way *way, const struct hal *hal))
{
    char frame[FRAME] = "frame";
    struct way way;
    unsigned long before;

    open_way(&way, hal);
    must(allocations > 0, "allocations are not counted");
    link_round_trip(way.link, frame);
    before = allocations;
    for (int i = 0; i < 1000; i++)
        link_round_trip(way.link, frame);
    printf("%s allocations for 1000 frames there and back: %lu\n", scheme, allocations - before);
    way_end(&way);
}

static double busy_millis(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

static void measure_idling(const char *scheme, const struct hal *hal,
                           void (*open_way)(struct way *way, const struct hal *hal))
{
    struct way way;
    double before;
    char byte;

    open_way(&way, hal);
    before = busy_millis();
    must(link_read(way.link, &byte, 1, clock_deadline(hal->clock, 300), NULL) == 0, "not idle");
    printf("%s processor time of a wait of 300 ms: %.2f ms\n", scheme, busy_millis() - before);
    way_end(&way);
}

/*
 * Both sides on one processor: where the scheduler happens to put two threads would otherwise
 * change a round trip more than anything that is measured here.
 */
static void stay_on_one_processor(void)
{
    cpu_set_t one;

    CPU_ZERO(&one);
    CPU_SET((unsigned)sched_getcpu(), &one);
    must(sched_setaffinity(0, sizeof one, &one) == 0, "cannot stay on one processor");
}

int main(void)
{
    struct clock clock;
    struct hal hal;

    stay_on_one_processor();
    clock_real(&clock);
    must(hal_open(&hal, &clock, NULL) == 0, "no hal");
    measure_round_trips("pty:", &hal, open_pty);
    measure_round_trips("tcp:", &hal, open_tcp);
    measure_emulated(FRAME);
    measure_emulated(4096);
    measure_allocations("pty:", &hal, open_pty);
    measure_allocations("tcp:", &hal, open_tcp);
    measure_idling("pty:", &hal, open_pty);
    measure_idling("tcp:", &hal, open_tcp);
    hal_close(&hal);
    return EXIT_SUCCESS;
}
