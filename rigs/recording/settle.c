/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/recording/settle.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal/base/turns.h"
#include "rigs/recording/expect.h"
#include "rigs/recording/format.h"
#include "rigs/recording/steps.h"

#define BATCH_ROUNDS 32

/* Batches for each thread: while some wait for their turn, it fills another. */
#define BATCHES_AHEAD 4

/* Longer than any round. Such lines are read one at a time: one may take a megabyte parsed. */
#define LONG_LINE ((size_t)4096)

/* One line: what was read, and its settlement. */
struct work {
    uint64_t line;
    const char *text;
    size_t length;
    int status;
    struct error error;
    bool numbered; /* the number of the round could be read */
    int64_t number;
    struct recording_round read;
    struct settlement settlement;
};

/* The lines that one thread has taken together. The text has room for the longest once more. */
struct batch {
    unsigned count;
    struct work work[BATCH_ROUNDS];
    char text[2 * LINES_LONGEST];
};

struct pipeline {
    const struct settle_job *job;
    struct recording_header header;
    struct batch *batches; /* as many as the turns' window */
    struct turns turns;
    pthread_mutex_t reading; /* guards the input and the next three */
    bool ended;
    int read_status;
    struct error read_error;
    pthread_mutex_t reading_long; /* holds the reader of long lines */
    struct json_reader *long_reader;
    /* Used by the thread whose batch has its turn. */
    struct meters meters;
    struct settle_count count;
    char (*output)[EXPECT_LINE_SIZE]; /* room for the lines of a batch */
    int output_status;
    struct error output_error;
};

static int long_line(struct error *error)
{
    return error_set(error, ERROR_RULE, "the line is longer than %zu bytes; a round is far shorter",
                     LINES_LONGEST);
}

/* Waits for one line, then takes along what has been read already. */
static void take_lines(struct pipeline *pipeline, struct batch *batch)
{
    size_t used = 0;

    while (batch->count < BATCH_ROUNDS && used <= LINES_LONGEST) {
        struct work *work = &batch->work[batch->count];
        struct text_line line;
        int status =
            recording_file_take(pipeline->job->input, !batch->count, &line, &pipeline->read_error);

        if (status == LINES_LATER)
            return;
        if (status <= 0) {
            pipeline->ended = true;
            pipeline->read_status = status;
            return;
        }
        memcpy(batch->text + used, line.text, line.length);
        work->line = line.number;
        work->text = batch->text + used;
        work->length = line.length;
        work->status = status == LINES_LONG ? long_line(&work->error) : 0;
        used += line.length;
        batch->count++;
    }
}

/* The next batch in order, or NULL at the end of the input. */
static struct batch *batch_take(struct pipeline *pipeline, size_t *index)
{
    struct batch *batch = NULL;

    pthread_mutex_lock(&pipeline->reading);
    if (!pipeline->ended && turns_take(&pipeline->turns, index)) {
        batch = &pipeline->batches[*index % pipeline->turns.window];
        batch->count = 0;
        take_lines(pipeline, batch);
    }
    pthread_mutex_unlock(&pipeline->reading);
    return batch;
}

static void read_round(const struct pipeline *pipeline, struct json_reader *reader,
                       struct work *work)
{
    if (!work->status)
        work->status = recording_read_round(reader, work->text, work->length, &pipeline->header,
                                            &work->read, &work->error);
    if (!work->status && pipeline->job->table)
        work->status =
            recording_check_seats(&work->read, pipeline->job->table->seats, &work->error);
    if (work->status) {
        work->numbered = recording_find_number(reader, work->text, work->length, &work->number);
    } else {
        work->numbered = true;
        work->number = work->read.round.number;
    }
}

static void read_long(struct pipeline *pipeline, struct work *work)
{
    pthread_mutex_lock(&pipeline->reading_long);
    read_round(pipeline, pipeline->long_reader, work);
    pthread_mutex_unlock(&pipeline->reading_long);
}

static void batch_settle(struct pipeline *pipeline, struct json_reader *reader, struct batch *batch)
{
    for (unsigned i = 0; i < batch->count; i++) {
        struct work *work = &batch->work[i];

        if (work->length > LONG_LINE)
            read_long(pipeline, work);
        else
            read_round(pipeline, reader, work);
        if (!work->status)
            work->status = game_settle(&pipeline->header.setup, &work->read.round,
                                       &work->settlement, &work->error);
    }
}

/*
 * In turn: the meters, and the lines with their values; returns how many bytes those have. Stops at
 * a line that failed for want of memory: nothing after it may be written.
 */
static size_t batch_format(struct pipeline *pipeline, struct batch *batch)
{
    const struct game_setup *setup = &pipeline->header.setup;
    char *output = *pipeline->output, *at = output;

    for (unsigned i = 0; i < batch->count; i++) {
        struct work *work = &batch->work[i];

        if (!work->status)
            work->status = game_settle_meters(setup, &work->read.round, &pipeline->meters,
                                              &work->settlement, &work->error);
        if (!work->status)
            at += expect_write(at, setup->game, &work->settlement, &pipeline->meters);
        else if (work->status == ERROR_RULE)
            at += expect_write_error(at, work->numbered ? &work->number : NULL, work->error.text);
        else
            break;
    }
    return (size_t)(at - output);
}

static void complain(const struct settle_job *job, const struct work *work)
{
    char sentence[sizeof work->error.text + 512];
    char round[32] = "";

    if (work->numbered)
        snprintf(round, sizeof round, "round %jd: ", (intmax_t)work->number);
    snprintf(sentence, sizeof sentence, "%s:%ju: %s%s", job->input->name, (uintmax_t)work->line,
             round, work->error.text);
    job->complain(job->context, sentence);
}

/* In turn: counts, complaints, then the lines. */
static int batch_output(struct pipeline *pipeline, struct batch *batch)
{
    const struct settle_job *job = pipeline->job;
    struct error *error = &pipeline->output_error;
    size_t length = batch_format(pipeline, batch);
    int status = 0;

    for (unsigned i = 0; i < batch->count && !status; i++) {
        const struct work *work = &batch->work[i];

        if (work->status == ERROR_RULE) {
            if (job->complain)
                complain(job, work);
            pipeline->count.errors++;
        } else if (work->status) {
            *error = work->error;
            error_prefix(error, "%s:%ju", job->input->name, (uintmax_t)work->line);
            status = work->status;
        }
        pipeline->count.rounds += !status;
    }
    if (length) {
        int written = job->write(job->context, *pipeline->output, length, error);

        if (written < 0)
            status = written;
    }
    return status;
}

static void batch_hear(void *context, size_t index)
{
    struct pipeline *pipeline = context;

    pipeline->output_status =
        batch_output(pipeline, &pipeline->batches[index % pipeline->turns.window]);
    if (pipeline->output_status < 0)
        turns_cut(&pipeline->turns, index);
}

static void *work_through(void *context)
{
    struct pipeline *pipeline = context;
    struct json_reader *reader = json_reader_new(LONG_LINE);
    struct batch *batch;
    size_t index;

    while (reader && (batch = batch_take(pipeline, &index))) {
        batch_settle(pipeline, reader, batch);
        turns_done(&pipeline->turns, index);
    }
    json_reader_free(reader);
    return NULL;
}

/* Starts as many threads as it can; the calling one works too, so none is needed. */
static void run_threads(struct pipeline *pipeline)
{
    pthread_t threads[SETTLE_JOBS_MAX];
    unsigned count = 0;

    while (count + 1 < pipeline->job->jobs && count < SETTLE_JOBS_MAX &&
           !pthread_create(&threads[count], NULL, work_through, pipeline))
        count++;
    work_through(pipeline);
    while (count)
        pthread_join(threads[--count], NULL);
}

static void run_pipeline(struct pipeline *pipeline)
{
    size_t window = (size_t)BATCHES_AHEAD * (pipeline->job->jobs ? pipeline->job->jobs : 1);

    pipeline->meters = pipeline->header.meters;
    pipeline->batches = malloc(window * sizeof *pipeline->batches);
    pipeline->output = malloc(BATCH_ROUNDS * sizeof *pipeline->output);
    pipeline->long_reader = json_reader_new(JSON_LONGEST);
    pthread_mutex_init(&pipeline->reading, NULL);
    pthread_mutex_init(&pipeline->reading_long, NULL);
    if (turns_init(&pipeline->turns, SIZE_MAX, window, batch_hear, pipeline) && pipeline->batches &&
        pipeline->output && pipeline->long_reader)
        run_threads(pipeline);
    turns_free(&pipeline->turns);
    pthread_mutex_destroy(&pipeline->reading_long);
    pthread_mutex_destroy(&pipeline->reading);
    json_reader_free(pipeline->long_reader);
    free(pipeline->output);
    free(pipeline->batches);
}

static int run_rounds(struct pipeline *pipeline, struct error *error)
{
    run_pipeline(pipeline);
    if (pipeline->output_status < 0) {
        *error = pipeline->output_error;
        return pipeline->output_status;
    }
    if (pipeline->read_status < 0) {
        *error = pipeline->read_error;
        return pipeline->read_status;
    }
    if (!pipeline->ended)
        return error_set(error, ERROR_RIG, "%s: out of memory", pipeline->job->input->name);
    return 0;
}

int settle_run(const struct settle_job *job, struct settle_count *count, struct error *error)
{
    struct pipeline pipeline = {.job = job};
    struct error unheard;
    int status;

    if (!error)
        error = &unheard;
    status = recording_file_header(job->input, job->paytables, &pipeline.header, error);
    if (!status && job->table) {
        status = job->table->apply(job->table->context, &pipeline.header, error);
        if (status)
            error_prefix(error, "%s:1", job->input->name);
    }
    if (!status)
        status = run_rounds(&pipeline, error);
    *count = pipeline.count;
    return status;
}
