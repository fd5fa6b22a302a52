/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the bench page costs: processor time of the server while 10 clients follow a journal that
 * grows by 1,000 lines a second, what that costs the bench, and how fast a client catches up. The
 * clients are processes of their own, so that this one's time is the server's and the bench's
 * alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/bench.h"
#include "tests/support/station.h"

#define CLIENTS 10
#define RATE    1000 /* lines a second */
#define SECONDS 4
#define LINES   (RATE * SECONDS)
#define LINE_MORE                                                                                  \
    ",\"recording\":1,\"round\":4,\"device\":\"shuffler\",\"event\":\"packet-present\""
#define LINES_LATER 50000 /* that one client catches up with */

static double seconds_of(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* All but the thread that calls it. */
static double server_seconds(void)
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID) - seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

/* A client as a process: says that it is there, and ends well when the last line has come. */
static pid_t start_client(struct station *station, int there)
{
    static char buffer[1 << 16];
    struct http_client client;
    size_t kept = 0;
    pid_t child = fork();

    if (child)
        return child;
    station_follow(station, &client, "/events", "");
    if (!http_client_await(&client, "event: status") || write(there, "", 1) != 1)
        _exit(EXIT_FAILURE);
    if (strstr(client.text, "event: end\n"))
        _exit(EXIT_SUCCESS);
    for (;;) {
        ssize_t got = read(client.fd, buffer + kept, sizeof buffer - kept - 1);

        if (got <= 0)
            _exit(EXIT_FAILURE);
        buffer[kept + (size_t)got] = '\0';
        if (strstr(buffer, "event: end\n"))
            _exit(EXIT_SUCCESS);
        /* The mark may be cut in two. */
        kept = kept + (size_t)got < 16 ? kept + (size_t)got : 16;
        memmove(buffer, buffer + strlen(buffer) - kept, kept);
    }
}

static void fail(const char *why)
{
    fprintf(stderr, "bench_station: %s\n", why);
    exit(EXIT_FAILURE);
}

static void start_clients(struct station *station, unsigned count)
{
    int there[2];
    char ignored;

    if (pipe(there))
        fail("no pipe");
    for (unsigned i = 0; i < count; i++)
        if (start_client(station, there[1]) < 0)
            fail("no process");
    for (unsigned i = 0; i < count; i++)
        if (read(there[0], &ignored, 1) != 1)
            fail("a client has gone");
    close(there[0]);
    close(there[1]);
}

static void await_clients(unsigned count)
{
    int status;

    for (unsigned i = 0; i < count; i++)
        if (wait(&status) < 0 || status)
            fail("a client was not sent everything");
}

/* Writes lines at the rate; seconds of processor time of this thread. */
static double write_lines(struct station *station)
{
    double began = bench_now(), own = seconds_of(CLOCK_THREAD_CPUTIME_ID);

    for (unsigned i = 1; i <= LINES; i++) {
        double wait = began + (double)i / RATE - bench_now();

        station_add_line(station, "event", LINE_MORE);
        if (wait > 0)
            nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * wait)}, NULL);
    }
    own = seconds_of(CLOCK_THREAD_CPUTIME_ID) - own;
    station_add_line(station, "end", "");
    return own;
}

static double measure_followed(unsigned clients, double *writer)
{
    struct station station;
    double before, began, cost;

    station_set_up(&station);
    start_clients(&station, clients);
    before = server_seconds();
    began = bench_now();
    *writer = write_lines(&station);
    await_clients(clients);
    cost = (server_seconds() - before) / (bench_now() - began);
    station_tear_down(&station);
    return cost;
}

/* MB of the journal that one client is sent in a second of the server's time. */
static double measure_catching_up(void)
{
    struct station station;
    double before, cost;
    off_t length;

    station_set_up(&station);
    for (unsigned i = 0; i < LINES_LATER; i++)
        station_add_line(&station, "event", LINE_MORE);
    station_add_line(&station, "end", "");
    length = lseek(station.journals[1], 0, SEEK_END);
    before = server_seconds();
    start_clients(&station, 1);
    await_clients(1);
    cost = server_seconds() - before;
    station_tear_down(&station);
    return 1e-6 * (double)length / cost;
}

int main(void)
{
    double writer, alone, cost;

    bench_title("page: a journal that grows by 1,000 lines a second");
    measure_followed(0, &alone);
    cost = measure_followed(CLIENTS, &writer);
    bench_figure_for("server, 10 clients", cost, "of a core", 0, "less than 0.1");
    bench_figure("bench, for a line with 10 clients", 1e6 * writer / LINES, "us",
                 1e6 * alone / LINES);
    bench_figure("one client catching up", measure_catching_up(), "MB/s a core", 0);
    return EXIT_SUCCESS;
}
