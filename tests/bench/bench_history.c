/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a history costs in SQLite: how fast a journal of 300 rounds is imported, verification
 * included, beside verification alone; how long a search by serial number takes among 10,000 such
 * runs of 100 machines; and how the file grows.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hal/base/lines.h"
#include "rigs/history/find.h"
#include "rigs/history/import.h"
#include "rigs/history/put.h"
#include "rigs/history/store/schema.h"
#include "rigs/journal/verify.h"
#include "tests/support/bench.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"

#define TURNS    5
#define FEW      1000
#define RUNS     10000
#define MACHINES 100
#define SHOE     "fixtures/flush-rush/evening-of-six-seats.shoe"
#define REPEAT   "5" /* of its 60 rounds */

static void fail(const char *what)
{
    fprintf(stderr, "bench_history: %s\n", what);
    exit(EXIT_FAILURE);
}

struct bench {
    char folder[SCRATCH_PATH_SIZE], journal[SCRATCH_PATH_SIZE + 16];
    char address[SCRATCH_PATH_SIZE + 32];
    unsigned imported, found;
};

static void play(const struct bench *bench)
{
    const char *const arguments[] = {"run",      "--quiet", "--journal", bench->journal,
                                     "--repeat", REPEAT,    SHOE,        NULL};
    struct process_result result = process_run(arguments, process_input("", 0));

    if (result.status)
        fail("the run does not pass");
    process_free(&result);
}

static void verify(void *context)
{
    const struct bench *bench = context;
    struct journal_verified verified;

    if (journal_verify(bench->journal, &(struct journal_verify){0}, &verified, NULL) ||
        verified.rounds != 300)
        fail("the journal does not verify");
}

/* As `history import` does it: the store is opened, and the run is on the disk. */
static void import(void *context)
{
    struct bench *bench = context;
    struct history_imported imported;
    struct store *store;
    char id[32];

    snprintf(id, sizeof id, "import-%u", ++bench->imported);
    if (history_open(bench->address, true, &store, NULL) ||
        history_import(store, bench->journal, &(struct history_import){.id = id}, &imported, NULL))
        fail("the journal cannot be imported");
    store_close(store);
}

/* The same run again and again, of one machine after the other, a day each. */
static void fill(struct store *store, struct history_run *run, unsigned from, unsigned to)
{
    struct history_device *shuffler = run->devices.items;
    char *was = shuffler->serial;
    char id[32], date[32], serial[16];
    const struct history_entry entry = {.id = id,
                                        .source = "run.journal",
                                        .host = "bench",
                                        .date = date,
                                        .dated_by = "file",
                                        .imported = date};
    int status = store_begin(store, NULL);

    shuffler->serial = serial;
    for (unsigned i = from; i < to && !status; i++) {
        snprintf(id, sizeof id, "run-%u", i);
        snprintf(serial, sizeof serial, "M-%u", i % MACHINES);
        snprintf(date, sizeof date, "20%02u-%02u-%02uT10:00:00Z", i / 336 % 100, i / 28 % 12 + 1,
                 i % 28 + 1);
        status = history_put(store, (int64_t)i + 1000, run, &entry, NULL);
    }
    shuffler->serial = was;
    if (status || store_commit(store, NULL))
        fail("the store cannot be filled");
}

static int count(void *context, const struct history_found *run)
{
    struct bench *bench = context;

    (void)run;
    bench->found++;
    return 0;
}

static void search(void *context)
{
    struct bench *bench = context;
    struct store *store;

    bench->found = 0;
    if (history_open(bench->address, false, &store, NULL) ||
        history_find(store, &(struct history_filter){.serial = "M-42"}, count, bench, NULL))
        fail("the store cannot be searched");
    store_close(store);
}

static double megabytes_of(const char *path)
{
    struct stat about;

    return stat(path, &about) ? 0 : (double)about.st_size / 1e6;
}

int main(void)
{
    struct bench bench = {.imported = 0};
    double verified, imported, few, many, searched, megabytes, of_few;
    struct history_run *run;
    struct store *store = NULL;

    scratch_path(bench.folder);
    if (mkdir(bench.folder, 0700))
        fail("no folder");
    snprintf(bench.journal, sizeof bench.journal, "%s/run.journal", bench.folder);
    snprintf(bench.address, sizeof bench.address, "sqlite:%s/history.db", bench.folder);
    play(&bench);
    megabytes = megabytes_of(bench.journal);
    verified = bench_best_cpu(TURNS, verify, &bench);
    imported = bench_best_cpu(TURNS, import, &bench);
    if (history_run_read(lines_open(bench.journal, NULL), &run, NULL) ||
        history_open(bench.address, true, &store, NULL))
        fail("the store cannot be opened");
    fill(store, run, 0, FEW);
    store_close(store);
    few = bench_best(TURNS, search, &bench);
    of_few = megabytes_of(bench.address + strlen("sqlite:"));
    if (history_open(bench.address, true, &store, NULL))
        fail("the store cannot be opened");
    fill(store, run, FEW, RUNS);
    store_close(store);
    many = bench_best(TURNS, search, &bench);
    searched = bench.found;
    bench_title("history: a journal of 300 rounds imported, beside verified alone");
    bench_figure("verify", megabytes / verified, "MB/s", 0);
    bench_figure("import", megabytes / imported, "MB/s", megabytes / verified);
    bench_figure_for("import, of journal a second a core", megabytes / imported, "MB/s", 0,
                     "at least 60");
    bench_title("history: runs of one of 100 machines found, among 1,000 and among 10,000");
    bench_figure("among 1,000", 1e3 * few, "ms", 0);
    bench_figure_for("among 10,000", 1e3 * many, "ms", 0, "at most 50");
    bench_figure("runs found", searched, "runs", 0);
    bench_title("history: growth of the file");
    bench_figure("a run of 300 rounds", 1e3 * of_few / (FEW + TURNS), "KB", 0);
    bench_figure("its journal", 1e3 * megabytes, "KB", 1e3 * of_few / (FEW + TURNS));
    bench_figure("10,000 of them", megabytes_of(bench.address + strlen("sqlite:")), "MB", of_few);
    history_run_free(run);
    scratch_remove(bench.folder);
    return searched == RUNS / MACHINES ? EXIT_SUCCESS : EXIT_FAILURE;
}
