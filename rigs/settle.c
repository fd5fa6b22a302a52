#include "rigs/settle.h"

#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/expect.h"
#include "rigs/json_pool.h"
#include "rigs/lines.h"
#include "rigs/shoe.h"

#define BATCH_ROUNDS 32

/* Longer than any honest round. Such lines are parsed one at a time, as they may take megabytes. */
#define SUSPICIOUS_LENGTH ((size_t)4096)

/* One line on its way: what was read, what came of it, and the meters after it. */
struct work {
    uint64_t line;
    const char *text;
    size_t length;
    int status;
    struct error error;
    bool numbered; /* the number of the round could be read */
    int64_t number;
    struct shoe_round read;
    struct settlement settlement;
    struct meters meters;
};

/* The lines that one thread has taken together. The text has room for the longest once more. */
struct batch {
    uint64_t ticket;
    unsigned count;
    size_t output_length;
    struct json_pool pool;
    struct work work[BATCH_ROUNDS];
    char text[2 * LINES_LONGEST];
    char output[BATCH_ROUNDS * EXPECT_LINE_SIZE];
};

/* Something that batches do one after the other, in the order of their tickets. */
struct turnstile {
    pthread_mutex_t lock;
    pthread_cond_t moved;
    uint64_t next;
};

struct pipeline {
    const struct settle_job *job;
    struct shoe_header header;
    pthread_mutex_t reading; /* holds together the next four */
    struct lines *lines;
    uint64_t tickets;
    bool ended;
    int read_status;
    pthread_mutex_t suspicious;
    struct turnstile at_meters;
    struct meters meters;
    struct turnstile at_output; /* and what it fails with */
    struct settle_count count;
    int output_status;
    struct error read_error;
    struct error output_error;
    atomic_bool broken; /* nothing more can be written */
};

static void turnstile_init(struct turnstile *turnstile)
{
    pthread_mutex_init(&turnstile->lock, NULL);
    pthread_cond_init(&turnstile->moved, NULL);
    turnstile->next = 0;
}

static void turnstile_destroy(struct turnstile *turnstile)
{
    pthread_cond_destroy(&turnstile->moved);
    pthread_mutex_destroy(&turnstile->lock);
}

static void turnstile_enter(struct turnstile *turnstile, uint64_t ticket)
{
    pthread_mutex_lock(&turnstile->lock);
    while (turnstile->next != ticket)
        pthread_cond_wait(&turnstile->moved, &turnstile->lock);
    pthread_mutex_unlock(&turnstile->lock);
}

static void turnstile_leave(struct turnstile *turnstile)
{
    pthread_mutex_lock(&turnstile->lock);
    turnstile->next++;
    pthread_cond_broadcast(&turnstile->moved);
    pthread_mutex_unlock(&turnstile->lock);
}

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
        int status = lines_next(pipeline->lines, !batch->count, &line, &pipeline->read_error);

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

static bool batch_take(struct pipeline *pipeline, struct batch *batch)
{
    batch->count = 0;
    pthread_mutex_lock(&pipeline->reading);
    if (!pipeline->ended && !atomic_load(&pipeline->broken))
        take_lines(pipeline, batch);
    if (batch->count)
        batch->ticket = pipeline->tickets++;
    pthread_mutex_unlock(&pipeline->reading);
    return batch->count;
}

static void read_round(const struct pipeline *pipeline, struct batch *batch, struct work *work)
{
    json_pool_enter(&batch->pool);
    if (!work->status)
        work->status =
            shoe_read_round(work->text, work->length, &pipeline->header, &work->read, &work->error);
    json_pool_leave();
    if (work->status) {
        work->numbered = shoe_find_number(work->text, work->length, &work->number);
    } else {
        work->numbered = true;
        work->number = work->read.round.number;
    }
}

/* One at a time, and what it took goes back to the system, not to this thread's stock. */
static void read_suspicious(struct pipeline *pipeline, struct batch *batch, struct work *work)
{
    pthread_mutex_lock(&pipeline->suspicious);
    read_round(pipeline, batch, work);
    malloc_trim(0);
    pthread_mutex_unlock(&pipeline->suspicious);
}

static void batch_settle(struct pipeline *pipeline, struct batch *batch)
{
    for (unsigned i = 0; i < batch->count; i++) {
        struct work *work = &batch->work[i];

        if (work->length > SUSPICIOUS_LENGTH)
            read_suspicious(pipeline, batch, work);
        else
            read_round(pipeline, batch, work);
        if (!work->status)
            work->status = game_settle(&pipeline->header.setup, &work->read.round,
                                       &work->settlement, &work->error);
    }
}

static void batch_pay_meters(struct pipeline *pipeline, struct batch *batch)
{
    for (unsigned i = 0; i < batch->count; i++) {
        struct work *work = &batch->work[i];

        if (!work->status)
            work->status = game_settle_meters(&pipeline->header.setup, &work->read.round,
                                              &pipeline->meters, &work->settlement, &work->error);
        work->meters = pipeline->meters;
    }
}

/* Stops at a line that failed for want of memory: nothing after it may be written. */
static void batch_format(const struct pipeline *pipeline, struct batch *batch)
{
    batch->output_length = 0;
    for (unsigned i = 0; i < batch->count; i++) {
        const struct work *work = &batch->work[i];
        char *at = batch->output + batch->output_length;

        if (!work->status) {
            batch->output_length +=
                expect_write(at, pipeline->header.setup.game, &work->settlement, &work->meters);
        } else if (work->status == ERROR_RULE) {
            batch->output_length +=
                expect_write_error(at, work->numbered ? &work->number : NULL, work->error.text);
        } else {
            return;
        }
    }
}

static void complain(const struct settle_job *job, const struct work *work)
{
    char sentence[sizeof work->error.text + 512];
    char round[32] = "";

    if (work->numbered)
        snprintf(round, sizeof round, "round %jd: ", (intmax_t)work->number);
    snprintf(sentence, sizeof sentence, "%s:%ju: %s%s", job->name, (uintmax_t)work->line, round,
             work->error.text);
    job->complain(job->context, sentence);
}

/* In turn: counts, complaints, then the lines. */
static int batch_output(struct pipeline *pipeline, struct batch *batch)
{
    const struct settle_job *job = pipeline->job;
    struct error *error = &pipeline->output_error;
    int status = 0;

    for (unsigned i = 0; i < batch->count && !status; i++) {
        const struct work *work = &batch->work[i];

        if (work->status == ERROR_RULE) {
            if (job->complain)
                complain(job, work);
            pipeline->count.errors++;
        } else if (work->status) {
            *error = work->error;
            error_prefix(error, "%s:%ju", job->name, (uintmax_t)work->line);
            status = work->status;
        }
        pipeline->count.rounds += !status;
    }
    if (batch->output_length) {
        int written = job->write(job->context, batch->output, batch->output_length, error);

        if (written < 0)
            status = written;
    }
    return status;
}

static void *work_through(void *context)
{
    struct pipeline *pipeline = context;
    struct batch *batch = malloc(sizeof *batch);

    while (batch && batch_take(pipeline, batch)) {
        batch_settle(pipeline, batch);
        turnstile_enter(&pipeline->at_meters, batch->ticket);
        batch_pay_meters(pipeline, batch);
        turnstile_leave(&pipeline->at_meters);
        batch_format(pipeline, batch);
        turnstile_enter(&pipeline->at_output, batch->ticket);
        if (!pipeline->output_status)
            pipeline->output_status = batch_output(pipeline, batch);
        atomic_store(&pipeline->broken, pipeline->output_status < 0);
        turnstile_leave(&pipeline->at_output);
    }
    free(batch);
    return NULL;
}

/* As many threads as can be had; the calling one works too, so that one is enough. */
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

static int run_rounds(struct pipeline *pipeline, struct error *error)
{
    pthread_mutex_init(&pipeline->reading, NULL);
    pthread_mutex_init(&pipeline->suspicious, NULL);
    turnstile_init(&pipeline->at_meters);
    turnstile_init(&pipeline->at_output);
    pipeline->meters = pipeline->header.meters;
    run_threads(pipeline);
    turnstile_destroy(&pipeline->at_output);
    turnstile_destroy(&pipeline->at_meters);
    pthread_mutex_destroy(&pipeline->suspicious);
    pthread_mutex_destroy(&pipeline->reading);
    if (pipeline->output_status < 0) {
        *error = pipeline->output_error;
        return pipeline->output_status;
    }
    if (pipeline->read_status < 0) {
        *error = pipeline->read_error;
        error_prefix(error, "%s", pipeline->job->name);
        return pipeline->read_status;
    }
    if (!pipeline->ended)
        return error_set(error, ERROR_RIG, "%s: out of memory", pipeline->job->name);
    return 0;
}

static int read_header(struct pipeline *pipeline, struct error *error)
{
    const struct settle_job *job = pipeline->job;
    struct text_line line;
    int status = lines_next(pipeline->lines, true, &line, error);

    if (status == LINES_LINE)
        status = shoe_read_header(line.text, line.length, job->paytables, &pipeline->header, error);
    else if (status == LINES_LONG)
        status =
            error_set(error, ERROR_CONFIG, "the header is longer than %zu bytes", LINES_LONGEST);
    else if (status == LINES_END)
        status = error_set(error, ERROR_CONFIG, "empty; the first line must be the header");
    if (status < 0)
        error_prefix(error, "%s:1", job->name);
    return status;
}

int settle_run(const struct settle_job *job, struct settle_count *count, struct error *error)
{
    struct pipeline pipeline = {.job = job};
    struct error unheard;
    int status;

    if (!error)
        error = &unheard;
    pipeline.lines = lines_new(job->input, job->stop);
    if (!pipeline.lines)
        return error_set(error, ERROR_RIG, "%s: out of memory", job->name);
    status = read_header(&pipeline, error);
    if (!status)
        status = run_rounds(&pipeline, error);
    lines_free(pipeline.lines);
    *count = pipeline.count;
    return status;
}
