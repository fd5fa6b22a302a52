/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dealproof run as a process: how soon it is over with one recording, what a second bench beside
 * the first gives, with and without a journal, what a page costs that is served and one that is
 * not, and whether memory grows with the rounds.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "rigs/run/runner.h"
#include "tests/support/bench.h"
#include "tests/support/process.h"
#include "tests/support/rounds.h"
#include "tests/support/scratch.h"

#define TURNS  7
#define STARTS 50

#define EVENINGS                                                                                   \
    "fixtures/chase-the-flush/evening-of-six-seats.shoe",                                          \
        "fixtures/flush-rush/evening-of-six-seats.shoe",                                           \
        "fixtures/three-card-catch/evening-of-six-seats.shoe"
#define REPEAT "20"
#define ROUNDS (20.0 * 180)

static void fail(const char *why)
{
    fprintf(stderr, "bench_run_process: %s\n", why);
    exit(EXIT_FAILURE);
}

/* With nothing to read, and what it says into that descriptor, or away when it is negative. */
static pid_t start(const char *const *arguments, int out)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    pid_t pid = process_start(arguments, null, out < 0 ? null : out, STDERR_FILENO);

    close(null);
    return pid;
}

static long finish(pid_t pid)
{
    long kilobytes;

    if (process_wait(pid, &kilobytes))
        fail("a run did not pass");
    return kilobytes;
}

/* The shortest of several turns, in seconds. */
struct took {
    double wall, processor;
};

static double processor_time(void)
{
    struct rusage usage;

    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static void keep_least(double *least, double now)
{
    if (*least == 0 || now < *least)
        *least = now;
}

static void measure_start(void)
{
    static const char *const arguments[] = {"run", "fixtures/flush-rush/evening-of-six-seats.shoe",
                                            NULL};
    struct took took = {0};

    for (int i = 0; i < STARTS; i++) {
        double began = bench_now(), used = processor_time();

        finish(start(arguments, -1));
        keep_least(&took.wall, bench_now() - began);
        keep_least(&took.processor, processor_time() - used);
    }
    bench_title("run: the command on one recording of 60 rounds, from start to end");
    bench_figure_for("wall time", 1e3 * took.wall, "ms", 0, "below 20");
    bench_figure("processor time", 1e3 * took.processor, "ms", 0);
}

/* So many runs at once, each of so many jobs. */
static void run_evenings(unsigned processes, const char *jobs, bool has_journal, struct took *took)
{
    char paths[2][SCRATCH_PATH_SIZE];
    double began = bench_now(), used = processor_time();
    pid_t pids[2];

    for (unsigned i = 0; i < processes; i++) {
        scratch_path(paths[i]);
        pids[i] =
            start(has_journal ? (const char *const[]){"run", "--jobs", jobs, "--repeat", REPEAT,
                                                      "--journal", paths[i], EVENINGS, NULL}
                              : (const char *const[]){"run", "--jobs", jobs, "--repeat", REPEAT,
                                                      EVENINGS, NULL},
                  -1);
    }
    for (unsigned i = 0; i < processes; i++)
        finish(pids[i]);
    keep_least(&took->wall, bench_now() - began);
    keep_least(&took->processor, processor_time() - used);
    for (unsigned i = 0; i < processes && has_journal; i++)
        unlink(paths[i]);
}

/* In turns, so that whatever else the machine does falls on all of them. */
static void measure_jobs(const char *title, bool has_journal)
{
    struct took one = {0}, two = {0}, apart = {0};

    for (int turn = 0; turn < TURNS; turn++) {
        run_evenings(1, "1", has_journal, &one);
        run_evenings(1, "2", has_journal, &two);
        run_evenings(2, "1", has_journal, &apart);
    }
    bench_title(title);
    bench_figure("--jobs 1", ROUNDS / one.wall, "rounds/s", 0);
    bench_figure("--jobs 2", ROUNDS / two.wall, "rounds/s", ROUNDS / one.wall);
    bench_figure("two runs at once, nothing shared", 2 * ROUNDS / apart.wall, "rounds/s",
                 ROUNDS / one.wall);
    bench_figure("processor time, --jobs 1", 1e6 * one.processor / ROUNDS, "us a round", 0);
    bench_figure("processor time, --jobs 2", 1e6 * two.processor / ROUNDS, "us a round",
                 1e6 * one.processor / ROUNDS);
}

/* The same rounds by the library, without all that a command is around them. */
static void play_alone(void *context)
{
    static const char *const evenings[] = {EVENINGS};
    struct runner_options options = {.journal = NULL};
    struct rig *rig = context;
    struct bench bench;
    struct error error;

    if (bench_open(&bench, rig, 1, &error))
        fail(error.text);
    for (uint64_t turn = 0; turn < strtoull(REPEAT, NULL, 10); turn++)
        for (size_t i = 0; i < sizeof evenings / sizeof evenings[0]; i++) {
            struct runner *runner;

            if (bench_renew(&bench, 1 + turn, &error))
                fail(error.text);
            runner = runner_new(&bench, &options, &error);
            if (!runner || runner_play(runner, evenings[i], &error) || runner_judge(runner, &error))
                fail(error.text);
            runner_free(runner);
        }
    bench_close(&bench, &error);
}

/* Processor time of a run with these options, in seconds. */
static void run_with(const char *option, const char *value, double *least)
{
    const char *arguments[] = {"run", "--repeat", REPEAT, EVENINGS, option, value, NULL};
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    double used = processor_time();

    finish(process_start(arguments, null, null, null));
    close(null);
    keep_least(least, processor_time() - used);
}

static void measure_page(void)
{
    double alone = 0, plain = 0, journal = 0, page = 0;
    char path[SCRATCH_PATH_SIZE];
    struct rig *rig;
    struct error error;

    if (rig_default(&rig, &error))
        fail(error.text);
    for (int turn = 0; turn < TURNS; turn++) {
        keep_least(&alone, bench_best_cpu(1, play_alone, rig));
        run_with(NULL, NULL, &plain);
        scratch_path(path);
        run_with("--journal", path, &journal);
        unlink(path);
        run_with("--page", "0", &page);
    }
    rig_free(rig);
    bench_title("run: what a page costs, processor time");
    bench_figure("the rounds alone, by the library", 1e6 * alone / ROUNDS, "us a round", 0);
    bench_figure_for("run, no page", 1e6 * plain / ROUNDS, "us a round", 1e6 * alone / ROUNDS,
                     "at most 1.2");
    bench_figure("run --journal, no page", 1e6 * journal / ROUNDS, "us a round", 0);
    bench_figure("run --page, nobody looks", 1e6 * page / ROUNDS, "us a round",
                 1e6 * journal / ROUNDS);
}

/* The most memory of a run of one recording with so many rounds, in megabytes. */
static double peak_of(uint64_t rounds)
{
    char base[SCRATCH_PATH_SIZE], shoe[SCRATCH_PATH_SIZE + 8], expect[SCRATCH_PATH_SIZE + 8];
    double kilobytes;
    int fd;

    scratch_path(base);
    snprintf(shoe, sizeof shoe, "%s.shoe", base);
    snprintf(expect, sizeof expect, "%s.expect", base);
    fd = open(shoe, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || rounds_write(fd, 6, rounds, 1))
        fail("cannot write the rounds");
    close(fd);
    fd = open(expect, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0)
        fail("cannot write what is expected");
    finish(start((const char *const[]){"settle", shoe, NULL}, fd));
    close(fd);
    kilobytes = (double)finish(
        start((const char *const[]){"run", "--journal", "/dev/null", shoe, NULL}, -1));
    unlink(shoe);
    unlink(expect);
    return kilobytes / 1024;
}

int main(void)
{
    double few, many;

    measure_start();
    measure_jobs("run: two benches side by side, wall time", false);
    measure_jobs("run: the same with a journal", true);
    measure_page();
    few = peak_of(1000);
    many = peak_of(100000);
    bench_title("run: the most memory, one recording of six seats, with a journal");
    bench_figure("1,000 rounds", few, "MB", 0);
    bench_figure_for("100,000 rounds", many, "MB", few, "at most 1.1");
    return EXIT_SUCCESS;
}
