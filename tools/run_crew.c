/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/run_crew.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "hal/base/digest.h"
#include "hal/base/turns.h"
#include "rigs/bench/rest.h"
#include "rigs/journal/libraries.h"
#include "tools/interrupt.h"

/* How many recordings a bench may be ahead of those whose results have been printed. */
#define AHEAD 8

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
    enum verdict verdict;
    bool is_over; /* something ended the run before its end */
    struct error error;
    struct error left; /* the devices that are not as they were found then; code 0: all are */
};

static bool is_emulated(const struct rig *rig)
{
    const struct rig_devices *devices = &rig->devices;

    return (!devices->shuffler || rig_is_emulated(devices->shuffler->address)) &&
           (!devices->shoe || rig_is_emulated(devices->shoe->address)) &&
           (!devices->terminal || rig_is_emulated(devices->terminal->address)) &&
           (!devices->sensors || rig_is_emulated(devices->sensors->device.address));
}

static void end_run(struct crew *crew, int status, const struct error *error)
{
    if (crew->is_over)
        return;
    crew->is_over = true;
    crew->error = *error;
    crew->verdict = verdict_worse(crew->verdict, verdict_of_status(status));
}

/* No recording after that one is played; results of those that were are dropped. */
static void stop_after(struct crew *crew, size_t index)
{
    turns_cut(&crew->turns, index);
    for (unsigned i = 0; i < crew->opened; i++)
        if (crew->workers[i].index > index)
            atomic_store(&crew->workers[i].stop, true);
}

/* The first order ends the run after the round; the second ends every wait. */
static void stop_crew(void *context, unsigned times)
{
    struct crew *crew = context;

    atomic_store(&crew->stop, true);
    if (atomic_load(&crew->is_shown))
        run_show_stopping(crew->orders->show);
    turns_close(&crew->turns);
    for (unsigned i = 0; i < crew->opened; i++) {
        atomic_store(&crew->workers[i].stop, true);
        if (times > 1)
            hal_cancel(&crew->workers[i].bench.hal);
    }
}

static void on_signal(void *context, unsigned times)
{
    const struct crew *crew = context;

    stop_crew(context, times);
    page_stopping(crew->orders->page);
}

static void on_failure(void *context, const char *recording, int64_t round,
                       const struct check_result *result)
{
    const struct worker *worker = context;

    run_show_failure(worker->crew->orders->show, worker->out, recording, round, result);
}

static void on_request(void *context, const char *what)
{
    const struct worker *worker = context;

    run_show_request(worker->crew->orders->show, what);
}

static void on_wait(void *context, const struct run_wait *wait)
{
    const struct worker *worker = context;

    run_show_wait(worker->crew->orders->show, wait);
}

static void on_away(void *context, const struct bench_device *device, unsigned try)
{
    const struct worker *worker = context;

    run_show_away(worker->crew->orders->show, device->name, try);
}

static void on_return(void *context, const struct bench_device *device, unsigned tries,
                      nanos_t away)
{
    (void)tries;
    (void)away;
    on_away(context, device, 0);
}

static void on_round(void *context, const struct runner_round *round)
{
    struct worker *worker = context;
    struct crew *crew = worker->crew;
    bool passed = round->verdict == VERDICT_PASS || round->verdict == VERDICT_SKIPPED;

    worker->failed += !passed;
    worker->outcome->verdict = verdict_worse(worker->outcome->verdict, round->verdict);
    run_show_round(crew->orders->show, worker->out, round);
    pthread_mutex_lock(&crew->lock);
    run_show_progress(crew->orders->show, 1, !passed);
    pthread_mutex_unlock(&crew->lock);
    page_between(crew->orders->page, crew->journal, &worker->bench.clock);
}

/* Adds what was counted since `before`. */
static void add_counts(struct runner_counts *sum, const struct runner_counts *counts,
                       const struct runner_counts *before)
{
    sum->rounds += counts->rounds - before->rounds;
    sum->failed_after += counts->failed_after - before->failed_after;
    paid_since(&sum->paid, &counts->paid, &before->paid);
    for (unsigned i = 0; i < VERDICT_COUNT; i++)
        sum->verdicts[i] += counts->verdicts[i] - before->verdicts[i];
    for (unsigned i = 0; i < CHECK_COUNT; i++) {
        sum->checks.passed[i] += counts->checks.passed[i] - before->checks.passed[i];
        sum->checks.failed[i] += counts->checks.failed[i] - before->checks.failed[i];
        sum->checks.skipped[i] += counts->checks.skipped[i] - before->checks.skipped[i];
    }
}

/* Writes lines to the journal before the recording ends, if those before it have been written. */
static int join_early(void *context, struct error *error)
{
    const struct worker *worker = context;
    struct crew *crew = worker->crew;

    if (!turns_is_next(&crew->turns, worker->index))
        return 0;
    return journal_join(crew->journal, worker->outcome->part, error);
}

static int start_part(struct worker *worker, struct error *error)
{
    struct outcome *outcome = worker->outcome;

    if (!outcome->part)
        outcome->part = journal_part_new(worker->crew->journal, error);
    if (!outcome->part)
        return error->code;
    return journal_part_start(outcome->part,
                              &(struct journal_part){.clock = &worker->bench.clock,
                                                     .recording = worker->index + 1,
                                                     .full = join_early,
                                                     .context = worker},
                              error);
}

/*
 * Emulated devices are made anew for each recording, so that what comes of it does not depend on
 * what its bench has played before. Each repetition has a seed of its own.
 */
static int renew(struct worker *worker, struct error *error)
{
    const struct run_orders *orders = worker->crew->orders;
    uint64_t seed = orders->seed + worker->index / orders->recordings->count;

    runner_free(worker->runner);
    worker->runner = NULL;
    if (!worker->is_used && seed == worker->bench.seed)
        return 0;
    return bench_renew(&worker->bench, seed, error);
}

static int prepare(struct worker *worker, struct error *error)
{
    struct crew *crew = worker->crew;
    int status = crew->journal && crew->jobs > 1 ? start_part(worker, error) : 0;

    if (!status && crew->is_emulated)
        status = renew(worker, error);
    if (status || worker->runner)
        return status;
    worker->options =
        (struct runner_options){.journal = crew->jobs > 1 ? worker->outcome->part : crew->journal,
                                .fail_fast = crew->orders->fail_fast,
                                .stop = &worker->stop,
                                .context = worker,
                                .round_ended = on_round,
                                .check_failed = on_failure,
                                .asked = on_request,
                                .awaited = on_wait};
    worker->runner = runner_new(&worker->bench, &worker->options, error);
    return worker->runner ? 0 : (int)error->code;
}

/* What is of no round: once for devices that stay, for each recording where they are made anew. */
static void judge(struct worker *worker, struct outcome *outcome)
{
    int status = runner_judge(worker->runner, &outcome->error);

    if (status)
        outcome->status = status;
    if (runner_counts(worker->runner)->failed_after)
        outcome->verdict = verdict_worse(outcome->verdict, VERDICT_FAIL);
}

static void play(struct worker *worker, const char *path, const struct run_survey *survey)
{
    const struct run_orders *orders = worker->crew->orders;
    struct outcome *outcome = worker->outcome;
    struct runner_counts before = {0};

    outcome->status = prepare(worker, &outcome->error);
    if (!outcome->status) {
        before = *runner_counts(worker->runner);
        outcome->status = orders->play
                              ? orders->play(worker->runner, path, orders->context, &outcome->error)
                              : runner_play_surveyed(worker->runner, path, survey, &outcome->error);
        if (outcome->status >= 0 && worker->crew->is_emulated)
            judge(worker, outcome);
        add_counts(&outcome->counts, runner_counts(worker->runner), &before);
    }
    worker->is_used = true;
    outcome->ended = clock_now(&worker->bench.clock);
    run_show_recording(orders->show, worker->out, path, outcome->counts.rounds, worker->failed);
}

static void play_one(struct worker *worker)
{
    struct crew *crew = worker->crew;
    const struct recording_list *recordings = crew->orders->recordings;
    struct outcome *outcome = &crew->outcomes[worker->index % crew->turns.window];
    size_t at = worker->index % recordings->count;

    *outcome = (struct outcome){.verdict = VERDICT_SKIPPED, .part = outcome->part};
    worker->outcome = outcome;
    worker->failed = 0;
    worker->out = crew->jobs > 1 ? open_memstream(&outcome->words, &outcome->length) : stdout;
    if (!worker->out)
        worker->out = stdout;
    page_between(crew->orders->page, crew->journal, &worker->bench.clock);
    play(worker, recordings->paths[at], crew->orders->surveys ? &crew->orders->surveys[at] : NULL);
    if (worker->out != stdout)
        fclose(worker->out);
    if (outcome->status && outcome->status != ERROR_ABORTED)
        stop_after(crew, worker->index);
    turns_done(&crew->turns, worker->index);
}

/* Writes all lines of the recording to the journal's file. */
static int hear_journal(struct crew *crew, const struct outcome *outcome, struct error *error)
{
    int status = 0;

    if (!crew->journal)
        return 0;
    if (outcome->part)
        status = journal_join(crew->journal, outcome->part, error);
    crew->clock.now = outcome->ended;
    if (!status)
        status = journal_release(crew->journal, error);
    if (!status && crew->is_emulated && !crew->orders->page)
        journal_hold(crew->journal);
    return status;
}

/* Takes a result, in the order of the recordings: prints, writes and adds it. */
static void hear(void *context, size_t index)
{
    static const struct runner_counts none;
    struct crew *crew = context;
    struct outcome *outcome = &crew->outcomes[index % crew->turns.window];
    struct error error;
    int status = hear_journal(crew, outcome, &error);

    if (outcome->length) {
        run_show_clear(crew->orders->show);
        run_show_print(crew->orders->show, outcome->words, outcome->length);
    }
    free(outcome->words);
    outcome->words = NULL;
    add_counts(&crew->counts, &outcome->counts, &none);
    crew->verdict = verdict_worse(crew->verdict, outcome->verdict);
    if (outcome->status < 0)
        end_run(crew, outcome->status, &outcome->error);
    if (status) {
        end_run(crew, status, &error);
        stop_after(crew, index);
    }
}

static void *work(void *context)
{
    struct worker *worker = context;

    while (turns_take(&worker->crew->turns, &worker->index))
        play_one(worker);
    return NULL;
}

static int write_device(struct crew *crew, const struct bench_device *device, struct error *error)
{
    char digest[2 * WIRE_DIGEST_SIZE + 1] = "";
    const struct wire_identity *identity = &device->identity;
    struct journal_device line = {.name = device->name,
                                  .driver = device->driver,
                                  .address = device->address,
                                  .test_mode =
                                      bench_in_test_mode(&crew->workers[0].bench, device->class)};

    if (device->has_identity) {
        for (unsigned i = 0; i < WIRE_DIGEST_SIZE; i++)
            snprintf(digest + (size_t)2 * i, 3, "%02x", identity->digest[i]);
        line.model = identity->model;
        line.firmware = identity->firmware;
        line.serial = identity->serial;
        line.digest = digest;
    }
    return journal_device(crew->journal, &line, error);
}

static int open_journal(struct crew *crew, struct error *error)
{
    const struct run_orders *orders = crew->orders;
    const struct bench *bench = &crew->workers[0].bench;
    const struct bench_device *device;
    struct journal_options options = {.clock = crew->jobs > 1 ? &crew->clock : &bench->clock};
    char digest[DIGEST_SIZE];
    struct libraries libraries = {.count = 0};
    struct journal_start start = {.version = DEALPROOF_VERSION,
                                  .rig_path = orders->rig_path,
                                  .rig_digest = orders->rig_path ? digest : NULL,
                                  .libraries = libraries.list,
                                  .seed = orders->seed,
                                  .command = orders->command};
    int status;

    if (!orders->journal_path)
        return 0;
    crew->clock = bench->clock;
    libraries_find(&libraries);
    start.library_count = libraries.count;
    digest_bytes(orders->rig->text, orders->rig->text_size, digest);
    status = journal_open(orders->journal_path, &options, &start, &crew->journal, error);
    for (unsigned i = 0; !status && (device = bench_device(bench, i)); i++)
        status = write_device(crew, device, error);
    /* Asking its devices who they are has used up traffic that injected faults are counted by. */
    crew->workers[0].is_used = true;
    if (!status && crew->is_emulated && !crew->orders->page)
        journal_hold(crew->journal);
    return status;
}

static int open_all(struct crew *crew, struct error *error)
{
    int status = 0;

    for (unsigned i = 0; i < crew->jobs && !status; i++) {
        crew->workers[i].crew = crew;
        status = bench_open(&crew->workers[i].bench, crew->orders->rig, crew->orders->seed, error);
        if (status)
            break;
        crew->opened++;
        crew->workers[i].bench.away = on_away;
        crew->workers[i].bench.reopened = on_return;
        crew->workers[i].bench.context = &crew->workers[i];
    }
    return status ? status : open_journal(crew, error);
}

static void close_all(struct crew *crew)
{
    for (unsigned i = 0; i < crew->opened; i++) {
        struct error error;

        runner_free(crew->workers[i].runner);
        if (bench_close(&crew->workers[i].bench, &error))
            end_run(crew, error.code, &error);
    }
}

/* Devices that stay are judged by all recordings together; there is one bench of them. */
static void judge_devices(struct crew *crew)
{
    struct worker *worker = &crew->workers[0];
    struct outcome outcome = {.verdict = VERDICT_SKIPPED};
    struct runner_counts before;

    if (crew->is_emulated || !worker->runner)
        return;
    before = *runner_counts(worker->runner);
    worker->out = stdout;
    judge(worker, &outcome);
    add_counts(&crew->counts, runner_counts(worker->runner), &before);
    crew->verdict = verdict_worse(crew->verdict, outcome.verdict);
    if (outcome.status)
        end_run(crew, outcome.status, &outcome.error);
}

/* So many milliseconds a device has to come to rest before it is said to be left as it is. */
#define REST_MS 10000

/* Whether something broke off in the middle of a round, and devices are wherever that was. */
static bool was_cut_short(const struct crew *crew, const struct worker *worker)
{
    return (crew->is_over && crew->error.code != ERROR_ABORTED) || crew->orders->fail_fast ||
           hal_cancelled(&worker->bench.hal);
}

/* Interrupted once more, it goes on; a third time ends that too. */
static int leave_bench(struct crew *crew, struct worker *worker, struct error *error)
{
    int status = 0;

    if (crew->is_emulated || !was_cut_short(crew, worker)) {
        status = runner_finish(worker->runner, error);
        if (!status || crew->is_emulated || !hal_cancelled(&worker->bench.hal))
            return status;
    }
    hal_resume(&worker->bench.hal);
    return runner_rest(worker->runner, REST_MS, error);
}

/*
 * Leaves devices as they were found after a run, however it ended, or keeps which of them are not.
 * Emulated ones are gone with it.
 */
static void leave_benches(struct crew *crew)
{
    struct error error;

    if (crew->is_emulated && crew->is_over && crew->error.code != ERROR_ABORTED)
        return;
    if (crew->opened && !(crew->is_over && (crew->error.code != ERROR_ABORTED ||
                                            hal_cancelled(&crew->workers[0].bench.hal))))
        judge_devices(crew);
    for (unsigned i = 0; i < crew->opened; i++) {
        if (!crew->workers[i].runner || !leave_bench(crew, &crew->workers[i], &error))
            continue;
        if (crew->is_over)
            crew->left = error;
        else
            end_run(crew, error.code, &error);
    }
}

/* A run in which no round was played has proved nothing and fails. */
static void miss_rounds(struct crew *crew)
{
    const struct run_orders *orders = crew->orders;
    struct error error;

    if (crew->is_over || orders->play ||
        crew->counts.rounds > crew->counts.verdicts[VERDICT_SKIPPED])
        return;
    if (crew->counts.rounds)
        error_set(&error, ERROR_RIG,
                  "%s: no round was played, since the rig has no device that deals like the "
                  "recordings; add a shuffler to its devices, or a shoe for what is dealt card by "
                  "card",
                  orders->rig->path);
    else
        error_set(
            &error, ERROR_RIG,
            "no round was played, since the recordings have none; there was nothing to check");
    end_run(crew, error.code, &error);
}

static void play_all(struct crew *crew)
{
    unsigned started = 1;

    for (; started < crew->jobs; started++)
        if (pthread_create(&crew->workers[started].thread, NULL, work, &crew->workers[started]))
            break;
    work(&crew->workers[0]);
    for (unsigned i = 1; i < started; i++)
        pthread_join(crew->workers[i].thread, NULL);
    leave_benches(crew);
    if (atomic_load(&crew->stop) && !crew->is_over && !crew->orders->until_stopped)
        end_run(crew, ERROR_ABORTED, &(struct error){.code = ERROR_ABORTED, .text = "interrupted"});
    miss_rounds(crew);
}

static int status_of(enum verdict verdict)
{
    static const int statuses[VERDICT_COUNT] = {
        [VERDICT_SKIPPED] = EXIT_PASS,   [VERDICT_PASS] = EXIT_PASS,
        [VERDICT_FAIL] = EXIT_FAIL,      [VERDICT_TIMEOUT] = EXIT_TIMEOUT,
        [VERDICT_DEVICE] = EXIT_DEVICE,  [VERDICT_RIG] = EXIT_RIG,
        [VERDICT_ABORTED] = EXIT_ABORTED};

    return statuses[verdict];
}

static int finish(const struct command *command, struct crew *crew)
{
    const struct run_orders *orders = crew->orders;
    char why[2 * ERROR_TEXT_SIZE + 2];
    struct error error;

    snprintf(why, sizeof why, "%s%s%s", crew->error.text, crew->left.code ? "; " : "",
             crew->left.text);
    if (crew->journal &&
        journal_end(crew->journal, crew->verdict, crew->is_over ? why : NULL, &error))
        end_run(crew, error.code, &error);
    interrupt_allow();
    if (orders->reports && run_reports_write(orders->reports, &error))
        end_run(crew, error.code, &error);
    if (crew->is_over) {
        run_show_clear(orders->show);
        command_error(command, &crew->error);
        if (crew->left.code)
            command_error(command, &crew->left);
    }
    run_show_summary(orders->show, &crew->counts, orders->play ? 0 : orders->recordings->count,
                     crew->verdict);
    return command_finish(command, crew->is_over && crew->error.code == ERROR_CONFIG
                                       ? EXIT_USAGE
                                       : status_of(crew->verdict));
}

/* What is observed of such a device was loaded, perhaps; the check says so again in each round. */
static void tell_test_mode(const struct command *command, const struct crew *crew)
{
    const struct bench_device *device;
    struct error error;

    for (unsigned i = 0; (device = bench_device(&crew->workers[0].bench, i)); i++)
        if (bench_found_in_test_mode(device)) {
            error_set(&error, ERROR_DEVICE,
                      "the %s is in test mode; 'dealproof reset --rig FILE' takes it out",
                      device->name);
            command_error(command, &error);
        }
}

static int run_opened(const struct command *command, struct crew *crew)
{
    struct error error;
    int status = open_all(crew, &error);

    if (!status)
        status = interrupt_watch(&crew->interrupt, on_signal, crew, &error);
    if (status)
        return command_error(command, &error);
    status = page_began(crew->orders->page, stop_crew, crew, &error);
    if (status) {
        end_run(crew, status, &error);
        stop_crew(crew, 1);
    }
    if (crew->orders->play)
        tell_test_mode(command, crew);
    run_show_start(crew->orders->show);
    atomic_store(&crew->is_shown, true);
    play_all(crew);
    run_show_stop(crew->orders->show);
    interrupt_release(&crew->interrupt);
    status = finish(command, crew);
    page_ended(crew->orders->page);
    run_show_end(crew->orders->show);
    return status;
}

static bool make_room(struct crew *crew)
{
    size_t window = (size_t)AHEAD * crew->jobs;

    crew->workers = calloc(crew->jobs, sizeof *crew->workers);
    crew->outcomes = calloc(window, sizeof *crew->outcomes);
    return turns_init(&crew->turns, crew->orders->recordings->count * crew->orders->repeat, window,
                      hear, crew) &&
           crew->workers && crew->outcomes;
}

static void free_room(struct crew *crew)
{
    for (size_t i = 0; crew->outcomes && i < crew->turns.window; i++) {
        free(crew->outcomes[i].words);
        journal_close(crew->outcomes[i].part);
    }
    turns_free(&crew->turns);
    free(crew->outcomes);
    free(crew->workers);
}

int run_crew(const struct command *command, const struct run_orders *orders)
{
    size_t count = orders->recordings->count * orders->repeat;
    struct crew crew = {.orders = orders,
                        .jobs = orders->jobs < count ? orders->jobs : (unsigned)count,
                        .is_emulated = is_emulated(orders->rig),
                        .verdict = VERDICT_SKIPPED};
    int status;

    if (orders->jobs > 1 && (!crew.is_emulated || orders->rig->capture[0]))
        return command_usage_error(command,
                                   "--jobs %u: several benches side by side are for "
                                   "emulated rigs without a capture",
                                   orders->jobs);
    pthread_mutex_init(&crew.lock, NULL);
    if (make_room(&crew))
        status = run_opened(command, &crew);
    else
        status = command_error(command, &(struct error){ERROR_RIG, "out of memory"});
    close_all(&crew);
    journal_close(crew.journal);
    free_room(&crew);
    pthread_mutex_destroy(&crew.lock);
    return status;
}
