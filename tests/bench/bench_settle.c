/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast recordings are settled, beside how fast jansson alone parses the same lines: the same
 * file, the same process, its stock allocator, the best of several turns each.
 */
#include <fcntl.h>
#include <jansson.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "rigs/recording/settle.h"
#include "tests/support/bench.h"
#include "tests/support/process.h"
#include "tests/support/rounds.h"

#define ROUNDS 20000
#define TURNS  7

/* What is timed: a file, and the threads that settle it. */
struct measure {
    const char *path;
    unsigned jobs;
};

static void fail(const char *what)
{
    fprintf(stderr, "bench_settle: %s\n", what);
    exit(EXIT_FAILURE);
}

static int write_away(void *context, const char *lines, size_t length, struct error *error)
{
    (void)error;
    return write(*(int *)context, lines, length) < 0 ? ERROR_RIG : 0;
}

static void parse_alone(void *context)
{
    const struct measure *measure = context;
    FILE *file = fopen(measure->path, "r");
    char *line = NULL;
    size_t size = 0;
    ssize_t length;

    if (!file)
        fail("cannot read the rounds");
    while ((length = getline(&line, &size, file)) > 0) {
        json_t *root = json_loadb(line, (size_t)length, JSON_REJECT_DUPLICATES, NULL);

        if (!root)
            fail("a line is not JSON");
        json_decref(root);
    }
    free(line);
    fclose(file);
}

static void settle_all(void *context)
{
    const struct measure *measure = context;
    int sink = open("/dev/null", O_WRONLY | O_CLOEXEC);
    struct recording_file file;
    struct settle_job job = {
        .input = &file, .jobs = measure->jobs, .context = &sink, .write = write_away};
    struct settle_count count;
    struct error error = {.text = "rounds are missing or bad"};

    if (recording_file_open(&file, measure->path, -1, &error) || settle_run(&job, &count, &error) ||
        count.rounds != ROUNDS || count.errors)
        fail(error.text);
    recording_file_close(&file);
    close(sink);
}

static void *settle_apart(void *context)
{
    settle_all(context);
    return NULL;
}

/* Two files at once, each on one thread, sharing nothing: what two cores give here at best. */
static void settle_twice(void *context)
{
    pthread_t other;

    if (pthread_create(&other, NULL, settle_apart, context))
        fail("cannot start a thread");
    settle_all(context);
    pthread_join(other, NULL);
}

/* The command itself, as a process of its own. */
static double peak_megabytes(const char *path)
{
    const char *const arguments[] = {"settle", "--jobs", "2", path, NULL};
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    long kilobytes;

    if (process_wait(process_start(arguments, null, null, STDERR_FILENO), &kilobytes))
        fail("settle did not pass");
    close(null);
    return (double)kilobytes / 1024;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

int main(void)
{
    char path[] = "/tmp/bench_settle.XXXXXX";
    struct measure one = {path, 1}, two = {path, 2};
    double parsed = 1e9, alone = 1e9, both = 1e9, apart = 1e9, peak;
    int fd = mkstemp(path);

    if (fd < 0 || rounds_write(fd, 6, ROUNDS, 1))
        fail("cannot write the rounds");
    close(fd);
    /* In turns, so that whatever else the machine does falls on all of them. */
    for (int turn = 0; turn < TURNS; turn++) {
        parsed = least(parsed, bench_best(1, parse_alone, &one));
        alone = least(alone, bench_best(1, settle_all, &one));
        both = least(both, bench_best(1, settle_all, &two));
        apart = least(apart, bench_best(1, settle_twice, &one));
    }
    peak = peak_megabytes(path);
    unlink(path);
    bench_title("settle: rounds of six seats from a file");
    bench_figure("jansson alone", ROUNDS / parsed, "lines/s", 0);
    bench_figure_for("settle, one thread", ROUNDS / alone, "rounds/s", ROUNDS / parsed,
                     "at least 2");
    bench_title("settle: the same on two cores, beside one");
    bench_figure_for("settle, two threads", ROUNDS / both, "rounds/s", ROUNDS / alone,
                     "at least 1.7");
    bench_figure("two files at once, nothing shared", 2 * ROUNDS / apart, "rounds/s",
                 ROUNDS / alone);
    bench_title("settle: the most memory it holds, 20,000 rounds, two threads");
    bench_figure_for("the program with its libraries", peak, "MB", 0, "below 16");
    return EXIT_SUCCESS;
}
