/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A crew from inside, for its own files only: its benches, the recordings that they play and what
 * came of each.
 */
#ifndef TOOLS_RUN_INSIDE_H
#define TOOLS_RUN_INSIDE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "hal/base/turns.h"
#include "tools/interrupt.h"
#include "tools/run/orders.h"

struct crew;

/* The result of a recording, kept until those before it have been printed. */
struct outcome {
    enum verdict verdict; /* the worst of its rounds */
    int status;           /* what ended it: as runner_play_surveyed() */
    struct error error;
    struct runner_counts counts;
    char *words; /* for standard output */
    size_t length;
    struct journal *part; /* its lines; NULL where the journal is written to at once */
    nanos_t ended;        /* by the clock of its bench */
};

/* One bench, and the recording that it plays. */
struct worker {
    struct crew *crew;
    pthread_t thread;
    struct bench bench;
    bool is_used; /* its bench has been asked something since it was opened */
    atomic_bool stop;
    struct runner_options options;
    struct runner *runner;
    size_t index; /* of the recording, counted over repetitions */
    struct outcome *outcome;
    FILE *out; /* standard output, or what will be copied to it in turn */
    uint64_t failed;
    struct run_wait wait; /* `what` is NULL: nothing is waited for */
    nanos_t wait_began;
    const struct bench_device *away; /* NULL: none is */
    unsigned try;
};

struct crew {
    const struct run_orders *orders;
    unsigned jobs;
    bool is_emulated;
    struct worker *workers;
    unsigned opened;
    struct turns turns;
    struct outcome *outcomes; /* one for each piece of the turns' window */
    pthread_mutex_t lock;     /* of what the orders show */
    atomic_bool stop;         /* by a person */
    atomic_bool is_shown;     /* what the orders show has begun */
    struct interrupt interrupt;
    /* The sum of what hear() has taken so far, which only it changes. */
    struct journal *journal;
    struct clock clock; /* of the journal, where it is made of parts */
    struct runner_counts counts;
    size_t begun; /* recordings of which a round was played, each time that they are */
    enum verdict verdict;
    bool is_over;  /* something ended the run before its end */
    bool is_short; /* the first round that did not pass has, as was ordered */
    struct error error;
    struct error left; /* the devices that are not as they were found then; code 0: all are */
};

/* Something has ended the run before its end; the first sentence counts. */
void crew_end(struct crew *crew, int status, const struct error *error);

/* No recording after that one is played; results of those that were are dropped. */
void crew_stop_after(struct crew *crew, size_t index);

/* Adds what was counted since `before`. */
void crew_add_counts(struct runner_counts *sum, const struct runner_counts *counts,
                     const struct runner_counts *before);

/* Where nothing is real a run that is killed can be played again, to the byte. */
bool crew_holds_lines(const struct crew *crew);

/* Opens every bench; what was opened is closed by benches_close(), also when that has failed. */
int benches_open(struct crew *crew, struct error *error);

/* Begins the journal of benches that are open, with their devices, or goes on with an old one. */
int benches_begin(struct crew *crew, struct error *error);

/* A journal of a run whose benches could not be opened: what was to be played, and no device. */
int benches_journal(struct crew *crew, struct error *error);
void benches_close(struct crew *crew);

/*
 * After the last round: judges devices that stay, and leaves them as they were found, however the
 * run has ended, or keeps which of them are not.
 */
void benches_leave(struct crew *crew);

/* Plays the recording of the worker's index into its outcome. */
void worker_play(struct worker *worker);

/* What is of no round: once for devices that stay, for each recording where they are made anew. */
void worker_judge(struct worker *worker, struct outcome *outcome);

/* For the bench of a worker: a device went away, and came back. */
void worker_away(void *context, const struct bench_device *device, unsigned try);
void worker_back(void *context, const struct bench_device *device, unsigned tries, nanos_t away);

#endif
