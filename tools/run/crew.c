/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/run/crew.h"

#include <stdlib.h>

#include "hal/base/realtime.h"
#include "rigs/bench/rest.h"
#include "tools/run/inside.h"

/* How many recordings a bench may be ahead of those whose results have been printed. */
#define AHEAD 8

static bool is_emulated(const struct rig *rig)
{
    const struct rig_devices *devices = &rig->devices;

    return (!devices->shuffler || rig_is_emulated(devices->shuffler->address)) &&
           (!devices->shoe || rig_is_emulated(devices->shoe->address)) &&
           (!devices->terminal || rig_is_emulated(devices->terminal->address)) &&
           (!devices->sensors || rig_is_emulated(devices->sensors->device.address));
}

void crew_end(struct crew *crew, int status, const struct error *error)
{
    if (crew->is_over)
        return;
    crew->is_over = true;
    crew->error = *error;
    crew->verdict = verdict_worse(crew->verdict, verdict_of_status(status));
}

void crew_stop_after(struct crew *crew, size_t index)
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

void crew_add_counts(struct runner_counts *sum, const struct runner_counts *counts,
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

bool crew_holds_lines(const struct crew *crew)
{
    /* The rig is asked, not a bench: that is another thread's. */
    return crew->is_emulated && crew->orders->rig->clock == RIG_CLOCK_VIRTUAL &&
           !crew->orders->page;
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
    if (!status && crew_holds_lines(crew))
        journal_hold(crew->journal);
    return status;
}

/* Prints what a recording has to say. ERROR_RIG when nobody can read it: nobody waits for more. */
static int hear_words(const struct crew *crew, const struct outcome *outcome, struct error *error)
{
    if (outcome->length) {
        run_show_clear(crew->orders->show);
        run_show_print(crew->orders->show, outcome->words, outcome->length);
    }
    if (!ferror(stdout))
        return 0;
    return error_set(error, ERROR_RIG, "standard output cannot be written: the run ends here");
}

/*
 * What ended the run, if anything has: where a worker has stopped because nobody can read it, which
 * nobody asked for, that is the reason.
 */
static void hear_end(struct crew *crew, const struct outcome *outcome, int status,
                     const struct error *error)
{
    bool is_stopped_by_us = status && outcome->status == ERROR_ABORTED && !atomic_load(&crew->stop);

    if (outcome->status < 0 && !is_stopped_by_us)
        crew_end(crew, outcome->status, &outcome->error);
    if (!status)
        return;
    if (!crew->is_over && ferror(stdout))
        command_loss_told();
    crew_end(crew, status, error);
}

/* Takes a result, in the order of the recordings: prints, writes and adds it. */
static void hear(void *context, size_t index)
{
    static const struct runner_counts none;
    struct crew *crew = context;
    struct outcome *outcome = &crew->outcomes[index % crew->turns.window];
    struct error error;
    int status = hear_journal(crew, outcome, &error);

    if (!status)
        status = hear_words(crew, outcome, &error);
    free(outcome->words);
    outcome->words = NULL;
    crew_add_counts(&crew->counts, &outcome->counts, &none);
    crew->begun += outcome->counts.rounds > 0;
    crew->verdict = verdict_worse(crew->verdict, outcome->verdict);
    crew->is_short |= outcome->status > 0;
    hear_end(crew, outcome, status, &error);
    if (status)
        crew_stop_after(crew, index);
}

static void *work(void *context)
{
    struct worker *worker = context;

    while (turns_take(&worker->crew->turns, &worker->index))
        worker_play(worker);
    return NULL;
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
    crew_end(crew, error.code, &error);
}

/* An interrupt in the last round has cut nothing short. */
static bool has_played_all(const struct crew *crew)
{
    uint64_t total = crew->orders->show->total;

    return total && crew->counts.rounds >= total;
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
    benches_leave(crew);
    if (atomic_load(&crew->stop) && !crew->is_over && !crew->orders->until_stopped &&
        !has_played_all(crew))
        crew_end(crew, ERROR_ABORTED,
                 &(struct error){.code = ERROR_ABORTED, .text = "interrupted"});
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

/* Of a run that ends before its end only those that were begun. */
static size_t recordings_played(const struct crew *crew)
{
    size_t all = crew->orders->recordings->count;

    return (crew->is_over || crew->is_short) && !crew->orders->resume && crew->begun < all
               ? crew->begun
               : all;
}

static int finish(const struct command *command, struct crew *crew)
{
    const struct run_orders *orders = crew->orders;
    size_t recordings = orders->play ? 0 : orders->recordings->count;
    char why[2 * ERROR_TEXT_SIZE + 2];
    struct error error;

    if (orders->reports && crew->workers[0].bench.capture)
        orders->reports->capture = capture_path(crew->workers[0].bench.capture);
    snprintf(why, sizeof why, "%s%s%s", crew->error.text, crew->left.code ? "; " : "",
             crew->left.text);
    if (crew->journal)
        page_ending(orders->page, crew->journal);
    if (crew->journal &&
        journal_end(crew->journal, crew->verdict, crew->is_over ? why : NULL, &error))
        crew_end(crew, error.code, &error);
    interrupt_allow();
    if (orders->reports && run_reports_write(orders->reports, &error))
        crew_end(crew, error.code, &error);
    if (crew->is_over) {
        run_show_clear(orders->show);
        command_error(command, &crew->error);
        if (crew->left.code)
            command_error(command, &crew->left);
    }
    if (crew->is_short && crew->counts.rounds < orders->show->total)
        orders->show->unplayed = orders->show->total - crew->counts.rounds;
    run_show_summary(orders->show, &crew->counts, recordings_played(crew), recordings,
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

/* No bench to play on, told like any other end where reports are wanted. */
static int run_unopened(const struct command *command, struct crew *crew, const struct error *why)
{
    const struct run_orders *orders = crew->orders;
    struct error error;

    crew_end(crew, why->code, why);
    if (!orders->reports || !orders->reports->folder || orders->resume || crew->journal)
        return command_error(command, why);
    if (benches_journal(crew, &error) ||
        journal_end(crew->journal, crew->verdict, why->text, &error) ||
        run_reports_write(orders->reports, &error))
        command_error(command, &error);
    return command_error(command, why);
}

static int run_opened(const struct command *command, struct crew *crew)
{
    struct error error;
    int status = benches_open(crew, &error);

    if (!status)
        status = interrupt_watch(&crew->interrupt, on_signal, crew, &error);
    if (status)
        return run_unopened(command, crew, &error);
    /* Whoever finds the journal may interrupt the run: it has an end then. */
    status = benches_begin(crew, &error);
    if (status) {
        interrupt_release(&crew->interrupt);
        interrupt_allow();
        return run_unopened(command, crew, &error);
    }
    status = page_began(crew->orders->page, stop_crew, crew, &error);
    if (status) {
        crew_end(crew, status, &error);
        stop_crew(crew, 1);
    }
    if (crew->orders->play)
        tell_test_mode(command, crew);
    run_show_start(crew->orders->show);
    atomic_store(&crew->is_shown, true);
    play_all(crew);
    if (crew->orders->realtime)
        realtime_end();
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

/* The bench is played by this thread, before a device is touched. */
static int begin_realtime(const struct command *command, const struct rig *rig)
{
    struct error error;

    if (rig->clock == RIG_CLOCK_VIRTUAL)
        return command_usage_error(command, "--realtime: no time passes on this rig, its clock is "
                                            "virtual; leave it out");
    if (!realtime_begin(&error))
        return 0;
    error_prefix(&error, "--realtime");
    return command_error(command, &error);
}

int run_crew(const struct command *command, const struct run_orders *orders)
{
    size_t count = orders->recordings->count * orders->repeat;
    struct crew crew = {.orders = orders,
                        .jobs = orders->jobs < count ? orders->jobs : (unsigned)count,
                        .is_emulated = is_emulated(orders->rig),
                        .verdict = VERDICT_SKIPPED};
    int status;

    if (orders->jobs > 1 && (!rig_is_all_emulated(orders->rig) || orders->rig->capture[0]))
        return command_usage_error(command,
                                   "--jobs %u: several benches side by side are for "
                                   "emulated rigs without a capture",
                                   orders->jobs);
    if (orders->realtime && begin_realtime(command, orders->rig))
        return EXIT_USAGE;
    pthread_mutex_init(&crew.lock, NULL);
    if (make_room(&crew)) {
        turns_begin_at(&crew.turns, orders->resume ? orders->resume->first : 0);
        status = run_opened(command, &crew);
    } else
        status =
            command_error(command, &(struct error){.code = ERROR_RIG, .text = "out of memory"});
    benches_close(&crew);
    journal_close(crew.journal);
    free_room(&crew);
    pthread_mutex_destroy(&crew.lock);
    return status;
}
