/*
 * How fast recordings are settled, beside how fast jansson alone parses the same lines: the same
 * file, the same process, its stock allocator, the best of several turns each.
 */
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "rigs/json_pool.h"
#include "rigs/settle.h"
#include "tests/rounds.h"

#define ROUNDS 20000
#define TURNS  7

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

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

static double time_jansson(const char *path)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    double start = now();

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
    return now() - start;
}

static double time_settle(const char *path, unsigned jobs)
{
    int sink = open("/dev/null", O_WRONLY | O_CLOEXEC);
    struct settle_job job = {.input = open(path, O_RDONLY | O_CLOEXEC),
                             .name = path,
                             .stop = -1,
                             .jobs = jobs,
                             .context = &sink,
                             .write = write_away};
    struct settle_count count;
    struct error error = {.text = "rounds are missing or bad"};
    double start = now(), spent;

    if (settle_run(&job, &count, &error) || count.rounds != ROUNDS || count.errors)
        fail(error.text);
    spent = now() - start;
    close(job.input);
    close(sink);
    return spent;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

int main(void)
{
    char path[] = "/tmp/bench_settle.XXXXXX";
    int fd = mkstemp(path);
    double parse = 1e9, one = 1e9, two = 1e9;

    if (fd < 0 || rounds_write(fd, 6, ROUNDS, 1))
        fail("cannot write the rounds");
    close(fd);
    for (int turn = 0; turn < TURNS; turn++) {
        json_set_alloc_funcs(malloc, free);
        parse = least(parse, time_jansson(path));
        json_pool_install();
        one = least(one, time_settle(path, 1));
        two = least(two, time_settle(path, 2));
    }
    unlink(path);
    printf("settle, six seats: jansson alone parses %.0f lines/s\n", ROUNDS / parse);
    printf("settle, six seats: 1 thread  %.0f rounds/s, %.2f of jansson alone\n", ROUNDS / one,
           parse / one);
    printf("settle, six seats: 2 threads %.0f rounds/s, %.2f of one thread\n", ROUNDS / two,
           one / two);
    return EXIT_SUCCESS;
}
