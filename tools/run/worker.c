/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One bench of a crew, and the recording that it plays. */
#include "tools/run/inside.h"

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
    struct worker *worker = context;

    worker->wait = wait ? *wait : (struct run_wait){.what = NULL};
    worker->wait_began = clock_now(&worker->bench.clock);
    run_show_wait(worker->crew->orders->show, wait);
}

static void on_cards(void *context, const struct run_cards *cards)
{
    const struct worker *worker = context;

    run_show_cards(worker->crew->orders->show, cards);
}

/* A journal that cannot be written says so with the next line of its round. */
static void enter_wait(const struct worker *worker, const struct run_wait *wait)
{
    struct error error;

    if (worker->options.journal && !worker->bench.clock.is_virtual)
        journal_wait(worker->options.journal,
                     &(struct journal_wait){wait->what, wait->device, wait->limit_ms, wait->try},
                     &error);
}

/* It is told again and again while it is looked for. */
void worker_away(void *context, const struct bench_device *device, unsigned try)
{
    struct worker *worker = context;

    if (device == worker->away && try == worker->try)
        return;
    worker->away = device;
    worker->try = try;
    enter_wait(worker, &(struct run_wait){.what = "return", .device = device->name, .try = try});
    run_show_away(worker->crew->orders->show, device->name, try);
}

/* What is waited for is told once more, with what is left of its limit. */
void worker_back(void *context, const struct bench_device *device, unsigned tries, nanos_t away)
{
    struct worker *worker = context;
    nanos_t waited = clock_now(&worker->bench.clock) - worker->wait_began;
    struct run_wait again = worker->wait;
    uint64_t waited_ms = (uint64_t)(waited / NANOS_PER_MILLI);

    (void)tries;
    (void)away;
    worker->away = NULL;
    run_show_away(worker->crew->orders->show, device->name, 0);
    if (!again.what)
        return;
    if (again.limit_ms)
        again.limit_ms = again.limit_ms > waited_ms ? again.limit_ms - waited_ms : 1;
    enter_wait(worker, &again);
    run_show_wait(worker->crew->orders->show, &again);
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
    page_between(crew->orders->page, crew->journal);
    if (ferror(stdout))
        atomic_store(&worker->stop, true);
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
                                .place = crew->orders->place,
                                .fail_fast = crew->orders->fail_fast,
                                .stop = &worker->stop,
                                .context = worker,
                                .round_ended = on_round,
                                .check_failed = on_failure,
                                .asked = on_request,
                                .awaited = on_wait,
                                .dealt = on_cards};
    worker->runner = runner_new(&worker->bench, &worker->options, error);
    return worker->runner ? 0 : (int)error->code;
}

void worker_judge(struct worker *worker, struct outcome *outcome)
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
        if (orders->resume && orders->resume->goes_on && worker->index == orders->resume->first)
            runner_go_on(worker->runner, (uint64_t)orders->resume->cut.recording.judged);
        before = *runner_counts(worker->runner);
        outcome->status = orders->play
                              ? orders->play(worker->runner, path, orders->context, &outcome->error)
                              : runner_play_surveyed(worker->runner, path, survey, &outcome->error);
        if (outcome->status >= 0 && worker->crew->is_emulated)
            worker_judge(worker, outcome);
        crew_add_counts(&outcome->counts, runner_counts(worker->runner), &before);
    }
    worker->is_used = true;
    outcome->ended = clock_now(&worker->bench.clock);
    run_show_recording(orders->show, worker->out, path, outcome->counts.rounds, worker->failed);
}

void worker_play(struct worker *worker)
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
    page_between(crew->orders->page, crew->journal);
    play(worker, recordings->paths[at], crew->orders->surveys ? &crew->orders->surveys[at] : NULL);
    if (worker->out != stdout)
        fclose(worker->out);
    if (outcome->status && outcome->status != ERROR_ABORTED)
        crew_stop_after(crew, worker->index);
    turns_done(&crew->turns, worker->index);
}
