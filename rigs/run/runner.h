/*
 * The runner: plays recordings round by round through an open bench and checks everything that the
 * devices do against the recording, its expectation and the engine. A runner is for one bench and
 * one thread; it allocates when it is made and when a recording is opened, never for a round. The
 * bench and the options stay the caller's and must outlive it.
 */
#ifndef RIGS_RUN_RUNNER_H
#define RIGS_RUN_RUNNER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "hal/base/error.h"
#include "rigs/bench/bench.h"
#include "rigs/checks/book.h"
#include "rigs/checks/verdict.h"
#include "rigs/journal/journal.h"

/* How one round ended. */
struct runner_round {
    const char *recording;
    int64_t number;
    enum verdict verdict;
    const char *why; /* a sentence, or NULL */
    unsigned passed; /* checks */
    unsigned failed;
};

/* Functions may be NULL; all are called by the thread that plays. */
struct runner_options {
    struct journal *journal; /* NULL: none is written */
    bool fail_fast;          /* stop after the first round that does not pass */
    const atomic_bool *stop; /* when true, stop before the next round; NULL: never */
    void *context;
    void (*round_ended)(void *context, const struct runner_round *round);
    void (*check_failed)(void *context, const char *recording, int64_t round,
                         const struct check_result *result);
    /* Somebody at the table is to do something now: "draw 9 cards from the shoe". */
    void (*asked)(void *context, const char *what);
};

/* Verdicts of rounds, and the checks behind them. */
struct runner_counts {
    uint64_t rounds;
    uint64_t verdicts[VERDICT_COUNT];
    struct check_counts checks;
};

struct runner;

/* NULL with ERROR_RIG when memory is short. runner_free() takes NULL. */
struct runner *runner_new(struct bench *bench, const struct runner_options *options,
                          struct error *error);
void runner_free(struct runner *runner);

/*
 * Plays one recording. Returns 0 when every round was played or skipped, whatever came of it;
 * 1 when fail_fast has stopped it; ERROR_CONFIG when the recording or its expectation cannot be
 * used; another code when the run cannot go on: a dead device, a broken bench, ERROR_ABORTED after
 * `stop`.
 */
int runner_play(struct runner *runner, const char *path, struct error *error);

/*
 * Leaves the devices as they were found: those that were put into test mode are taken out of it.
 * For a bench whose devices still answer.
 */
int runner_finish(struct runner *runner, struct error *error);

/* Since the runner was made. */
const struct runner_counts *runner_counts(const struct runner *runner);

/* The verdict that an error of a device, the bench or a person means. */
enum verdict runner_verdict(int status);

#endif
