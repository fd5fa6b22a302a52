/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Emulated rounds a second with all checks, without and with a journal, and what starting costs. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "rigs/run/runner.h"
#include "tests/support/bench.h"
#include "tests/support/scratch.h"

#define TURNS   15
#define REPEATS 2

static const char *const recordings[] = {"fixtures/chase-the-flush/evening-of-six-seats.shoe",
                                         "fixtures/flush-rush/evening-of-six-seats.shoe",
                                         "fixtures/three-card-catch/evening-of-six-seats.shoe"};
#define RECORDINGS (sizeof recordings / sizeof recordings[0])

struct run_bench {
    struct bench bench;
    struct runner *runner;
    struct runner_options options;
    const char *path; /* of the only recording to play, or NULL for all */
    uint64_t rounds;
};

static void fail(const char *why)
{
    fprintf(stderr, "bench_run: %s\n", why);
    exit(EXIT_FAILURE);
}

static void open_bench(struct run_bench *run, const struct rig *rig)
{
    struct error error;

    if (bench_open(&run->bench, rig, 1, &error))
        fail(error.text);
    run->runner = runner_new(&run->bench, &run->options, &error);
    if (!run->runner)
        fail(error.text);
}

static void close_bench(struct run_bench *run)
{
    if (runner_counts(run->runner)->verdicts[VERDICT_PASS] != runner_counts(run->runner)->rounds)
        fail("a round did not pass");
    runner_free(run->runner);
    bench_close(&run->bench, NULL);
}

static void play(void *context)
{
    struct run_bench *run = context;
    uint64_t before = runner_counts(run->runner)->rounds;
    struct error error;

    for (unsigned i = 0; i < REPEATS; i++)
        for (size_t at = 0; at < RECORDINGS; at++)
            if ((!run->path || run->path == recordings[at]) &&
                runner_play(run->runner, recordings[at], &error))
                fail(error.text);
    run->rounds = runner_counts(run->runner)->rounds - before;
}

/* Rounds a second of processor time. */
static double measure(const struct rig *rig, struct journal *journal, const char *path)
{
    struct run_bench run = {.options = {.journal = journal}, .path = path};
    double seconds;

    open_bench(&run, rig);
    seconds = bench_best_cpu(TURNS, play, &run);
    close_bench(&run);
    return (double)run.rounds / seconds;
}

static double measure_journal(const struct rig *rig)
{
    char path[SCRATCH_PATH_SIZE];
    struct clock clock;
    struct journal *journal;
    struct error error;
    double rounds;

    scratch_path(path);
    clock_virtual(&clock, 0);
    if (journal_open(path, &(struct journal_options){.clock = &clock},
                     &(struct journal_start){.version = "bench"}, &journal, &error))
        fail(error.text);
    journal_hold(journal);
    rounds = measure(rig, journal, NULL);
    if (journal_end(journal, VERDICT_PASS, NULL, &error))
        fail(error.text);
    journal_close(journal);
    unlink(path);
    return rounds;
}

static void start(void *context)
{
    struct run_bench run = {.options = {.journal = NULL}};
    struct rig *rig;
    struct error error;

    (void)context;
    if (rig_default(&rig, &error))
        fail(error.text);
    open_bench(&run, rig);
    if (runner_play(run.runner, "fixtures/flush-rush/last-seat-alone.shoe", &error))
        fail(error.text);
    close_bench(&run);
    rig_free(rig);
}

int main(void)
{
    struct rig *rig;
    struct error error;
    double bare;

    if (rig_default(&rig, &error))
        fail(error.text);
    bench_title("run: emulated rounds of up to six seats with all checks, one core");
    bare = measure(rig, NULL, NULL);
    bench_figure("all games, no journal", bare, "rounds/s", 0);
    bench_figure_for("all games, with the journal", measure_journal(rig), "rounds/s", bare,
                     "at least 20,000 a second");
    bench_figure("Chase the Flush", measure(rig, NULL, recordings[0]), "rounds/s", bare);
    bench_figure("Flush Rush", measure(rig, NULL, recordings[1]), "rounds/s", bare);
    bench_figure("3 Card Catch", measure(rig, NULL, recordings[2]), "rounds/s", bare);
    bench_title("run: rig, bench and one recording, from start to end");
    bench_figure("one round", 1e3 * bench_best_cpu(TURNS, start, NULL), "ms", 0);
    rig_free(rig);
    return EXIT_SUCCESS;
}
