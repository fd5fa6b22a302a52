/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/run/loop.h"

#include <stdio.h>

#include "rigs/run/dealer/dealer.h"
#include "rigs/run/others.h"
#include "rigs/run/second.h"

/* A repeated request may bring its reply twice; no other frame may come unasked. */
static int64_t count_stray(const struct host_counts *counts)
{
    return counts->stray > counts->retries ? (int64_t)(counts->stray - counts->retries) : 0;
}

/* A device that loses its power numbers its events anew, and says POWER UP. */
static uint64_t count_unannounced(const struct host_counts *counts)
{
    return counts->restarts - counts->power_ups;
}

static void fail_frames(struct runner *runner, const char *device, uint64_t got, const char *why)
{
    if (got)
        check_number(&runner->book, CHECK_FRAMES, 0, device, 0, (int64_t)got, why);
}

/*
 * What no sound device sends. Bytes that are no frame are the device's own where the link brings
 * them as they were sent, unless it lost its power or the link while it was sending.
 */
static void check_conduct(struct runner *runner, const struct bench_device *device,
                          const struct host *host, const struct host_counts *seen)
{
    const struct host_counts *counts = &host->counts;
    uint64_t rejected = counts->rejected - seen->rejected;
    bool is_broken = runner->run.round.device_failed || counts->restarts != seen->restarts ||
                     device->reopened != runner->reopened[device->class];
    char why[96];

    runner->reopened[device->class] = device->reopened;
    fail_frames(runner, device->name, counts->crowded - seen->crowded,
                "events sent before the one above was acknowledged");
    if (!device->is_lossy)
        fail_frames(runner, device->name, counts->hasty - seen->hasty,
                    "events said again at once, not after 200 ms");
    if (!device->is_lossy && !is_broken) {
        fail_frames(runner, device->name, rejected, "bytes came that are no frame of the protocol");
    } else if (rejected) {
        snprintf(why, sizeof why, "%ju frames came damaged", (uintmax_t)rejected);
        run_retry(&runner->run, device->name, "frames", 1, why);
    }
}

/* Lost events fail; requests and events that were repeated are written to the journal. */
static void check_frames(struct runner *runner, const struct bench_device *from, struct host *host)
{
    struct host_counts *seen = &runner->frames[from->class];
    const char *device = from->name;
    char why[96];

    host_allow(host);
    host_settle(host);
    if (host->counts.restated != seen->restated && !from->is_lossy)
        run_check_status(&runner->run, device, 0, 1,
                         "it says something else than before, and nothing was asked or told");
    check_conduct(runner, from, host, seen);
    run_second_check(&runner->run, from, host, seen);
    check_number(&runner->book, CHECK_FRAMES, 0, device, 0,
                 (int64_t)(host->counts.lost - seen->lost), "events that never came");
    check_number(&runner->book, CHECK_FRAMES, 0, device, 0,
                 count_stray(&host->counts) > count_stray(seen) ||
                     host->counts.wrong != seen->wrong,
                 "a frame that answers nothing");
    if (!runner->run.round.device_failed)
        check_number(&runner->book, CHECK_FRAMES, 0, device, 0,
                     (int64_t)(count_unannounced(&host->counts) > count_unannounced(seen)),
                     "events are numbered from 0 again, and no POWER UP tells why");
    if (host->counts.retries + host->counts.duplicates != seen->retries + seen->duplicates) {
        snprintf(why, sizeof why, "%ju requests and %ju events were said again",
                 (uintmax_t)(host->counts.retries - seen->retries),
                 (uintmax_t)(host->counts.duplicates - seen->duplicates));
        run_retry(&runner->run, device, "frames", 1, why);
    }
    *seen = host->counts;
}

/* A shoe with another protocol repeats until it is heard; repeats are written to the journal. */
static void note_shoe(struct runner *runner)
{
    struct shoe_counts counts, *seen = &runner->shoe_counts;
    char why[96];

    shoe_counts(runner->bench->shoe, &counts);
    if (counts.retries + counts.repeats + counts.rejected !=
        seen->retries + seen->repeats + seen->rejected) {
        snprintf(why, sizeof why,
                 "%ju requests and %ju reports were said again, %ju frames were damaged",
                 (uintmax_t)(counts.retries - seen->retries),
                 (uintmax_t)(counts.repeats - seen->repeats),
                 (uintmax_t)(counts.rejected - seen->rejected));
        run_retry(&runner->run, "shoe", "frames", 1, why);
    }
    *seen = counts;
}

/* A dealing device that numbers from 0 again is about to say that it lost its power. */
static void await_power_up(struct runner *runner)
{
    struct run *run = &runner->run;
    const struct bench_device *dealing = run_dealer_device(run);
    const struct host *host = device_host(dealing->device);
    nanos_t deadline = clock_deadline(&runner->bench->clock, RUN_SILENCE);
    struct error unheard;

    while (host && !run->round.device_failed &&
           count_unannounced(&host->counts) > count_unannounced(&runner->frames[dealing->class]) &&
           run->recording.dealer->hear(run, deadline, &unheard) > 0)
        continue;
}

void run_loop_check_frames(struct runner *runner)
{
    const struct bench_device *device;

    await_power_up(runner);
    run_check_replies(&runner->run);
    run_second_check_codes(&runner->run);
    for (unsigned i = 0; (device = bench_device(runner->bench, i)); i++) {
        if (device_can(device->device, DEVICE_SHOWS_FRAMES))
            check_frames(runner, device, device_host(device->device));
        else if (device->class == DEVICE_SHOE)
            note_shoe(runner);
    }
}

/* The entries that the logs hold by now belong to no round that comes. */
static int skip_logs(struct run *run, struct error *error)
{
    int status = run_dealer_skip_log(run, error);

    return status ? status : run_terminal_skip_log(run, error);
}

/*
 * After a round that did not pass, the next one starts from where the recording says. A terminal is
 * not left with an open round and lit seats because the dealing device is dead.
 */
static int recover(struct runner *runner, struct error *error)
{
    struct run *run = &runner->run;
    struct error unheard;
    int status = run->recording.dealer->recover(run, error);
    int after = run_terminal_recover(run, status ? &unheard : error);

    if (!status)
        status = after;
    return status ? status : skip_logs(run, error);
}

static int write_verdict(struct runner *runner, enum verdict verdict, const char *why)
{
    struct journal_timing timings[RUN_TIMINGS];
    size_t count = 0;

    if (!runner->options->journal)
        return 0;
    for (unsigned i = 0; i < RUN_TIMINGS; i++)
        if (runner->run.round.took[i])
            timings[count++] =
                (struct journal_timing){.name = run_timing_names[i],
                                        .took = runner->run.round.took[i],
                                        .limit = runner->run.round.limit[i],
                                        .by_hand = runner->run.round.by_hand & 1u << i};
    return journal_verdict(
        runner->options->journal,
        &(struct journal_verdict){
            .verdict = verdict, .why = why, .timings = timings, .timing_count = count},
        &runner->book.error);
}

/*
 * Writes the verdict and, once it is written, tells it. One that the journal cannot take is told to
 * nobody: the round is the bench's failure then.
 */
static int tell_round(struct runner *runner, struct runner_round *ended)
{
    struct check_book *book = &runner->book;
    char why[ERROR_TEXT_SIZE];

    if (!book->status)
        book->status = write_verdict(runner, ended->verdict, ended->why);
    if (book->status) {
        snprintf(why, sizeof why, "its verdict is held back, since %.400s", book->error.text);
        ended->verdict = VERDICT_RIG;
        ended->why = why;
    }
    runner->counts.rounds++;
    runner->counts.verdicts[ended->verdict]++;
    if (runner->options->round_ended)
        runner->options->round_ended(runner->options->context, ended);
    ended->why = NULL;
    return book->status;
}

static int end_round(struct runner *runner, int status, const struct error *failure,
                     struct error *error)
{
    const struct run_round *round = &runner->run.round;
    struct runner_round ended = {.recording = runner->path,
                                 .number = round->recorded.round.number,
                                 .verdict = verdict_of_status(status),
                                 .why = status                 ? failure->text
                                        : round->device_failed ? round->why
                                                               : NULL,
                                 .passed = round->tally.passed,
                                 .failed = round->tally.failed};

    if (round->tally.failed)
        ended.verdict = verdict_worse(ended.verdict, VERDICT_FAIL);
    if (round->device_failed)
        ended.verdict = verdict_worse(ended.verdict, VERDICT_DEVICE);
    if (ended.verdict != VERDICT_PASS)
        check_broken(&runner->book);
    if (round->is_settled)
        paid_round(&runner->counts.paid, runner->run.recording.header->setup.game, &round->dealt,
                   &round->outcome);
    if (tell_round(runner, &ended)) {
        *error = runner->book.error;
        return runner->book.status;
    }
    return ended.verdict == VERDICT_PASS ? 0 : 1;
}

/* A round that no device of the bench can deal. */
static int skip_round(struct runner *runner, struct error *error)
{
    struct runner_round ended = {
        .recording = runner->path,
        .number = runner->run.round.recorded.round.number,
        .verdict = VERDICT_SKIPPED,
        .why = "the rig has no device that deals like this; add a shoe or shuffler"};
    int status = tell_round(runner, &ended);

    if (status)
        *error = runner->book.error;
    return status;
}

/* Whatever device was waited for just then has nothing to do with it. */
static bool was_cancelled(const struct runner *runner, int status)
{
    return status == ERROR_ABORTED && hal_cancelled(&runner->bench->hal);
}

int run_loop_turn(struct runner *runner, const struct run_turn *turn, struct error *error)
{
    struct run *run = &runner->run;
    struct error failure = {0};
    int status, ended;

    run->round = (struct run_round){.state = TERMINAL_IDLE};
    run->round.recorded.round.number = turn->number;
    if (runner->options->journal && !runner->book.status)
        runner->book.status = journal_round(runner->options->journal, (uint64_t)turn->number,
                                            turn->text, turn->length, &runner->book.error);
    if (!run->recording.dealer)
        return skip_round(runner, error);
    if (run->recording.is_first)
        check_begin(&runner->book, run_capabilities(run));
    if (run->recording.is_first)
        run_identity_opened(runner);
    run->recording.is_first = runner->is_at_rest = false;
    status = turn->play(runner, turn->context, &failure);
    run_wait_end(run);
    if (run_chance_see(&runner->chance, run, status, error))
        return error->code;
    run_identity_look(runner);
    run_loop_check_frames(runner);
    runner->was_cut = was_cancelled(runner, status);
    if (runner->was_cut)
        error_set(&failure, ERROR_ABORTED, "stopped by a person before it had ended");
    ended = end_round(runner, status, &failure, error);
    runner->is_at_rest = runner->has_passed = !ended;
    if (ended <= 0)
        return ended;
    if (status == ERROR_ABORTED || status == ERROR_RIG || status == ERROR_CONFIG) {
        *error = failure;
        return status;
    }
    if (runner->options->fail_fast)
        return 1;
    if (recover(runner, error)) {
        if (status)
            *error = failure;
        return error->code;
    }
    runner->is_at_rest = true;
    return 0;
}

int run_loop_end(struct runner *runner, struct error *error)
{
    struct check_book *book = &runner->book;

    if (!runner->run.recording.is_first) {
        run_dealer_tell_read(&runner->run);
        check_end(book);
    }
    if (book->status)
        *error = book->error;
    return book->status;
}

/*
 * Of sensors, and of a terminal that does not play, nothing was asked by now: what they said at
 * opening is held against this, once.
 */
static int ask_others(struct run *run, struct error *error)
{
    struct bench *bench = run->bench;
    int status = 0;

    if (run->recording.has_asked)
        return 0;
    run->recording.has_asked = true;
    if (bench->sensors)
        status = run_ask_again(&bench->sensors->device, error);
    if (!status && bench->terminal && !run->recording.has_terminal)
        status = run_ask_again(&bench->terminal->device, error);
    return status;
}

int run_open_and_deal(struct run *run, struct error *error)
{
    int status = ask_others(run, error);

    if (!status)
        status = run_terminal_open(run, error);
    if (status)
        return status;
    run->round.dealt = run->round.recorded.round;
    run->round.dealt.dealt_count = run->round.dealt.packet_count = 0;
    /* A round may be void before its first card. */
    if (run->round.recorded.round.is_void && !run->round.recorded.round.packet_count)
        return 0;
    status = run->recording.dealer->deal(run, error);
    if (status)
        run_check_leak(run);
    return status;
}

int run_loop_left(const struct runner *runner, int status, struct error *error)
{
    if (!was_cancelled(runner, status))
        return status;
    if (runner->run.recording.is_first)
        return error_set(error, status, "stopped by a person before the first round of %s",
                         runner->path);
    return error_set(error, status, "stopped by a person %s round %jd of %s",
                     runner->was_cut ? "in" : "after",
                     (intmax_t)runner->run.round.recorded.round.number, runner->path);
}

bool run_loop_stopped(const struct runner *runner)
{
    return runner->options->stop &&
           atomic_load_explicit(runner->options->stop, memory_order_relaxed);
}

static int start_devices(struct run *run, struct error *error)
{
    int status = run->recording.dealer->start(run, error);

    if (!status)
        status = run_terminal_start(run, error);
    if (!status)
        status = run_others_start(run, error);
    return status ? status : skip_logs(run, error);
}

int run_loop_start(struct runner *runner, const struct observation *observation,
                   struct error *error)
{
    struct run *run = &runner->run;
    int8_t progressive = (int8_t)game_progressive(runner->header.setup.game);

    runner->book.tally = &run->round.tally;
    if (runner->bench->hal.desk)
        desk_scribe(runner->bench->hal.desk, &(struct desk_scribe){run_enter_question, run});
    run->recording =
        (struct run_recording){.header = &runner->header,
                               .observation = observation,
                               .dealer = run_dealer_for(runner->bench->rig, &runner->header.setup),
                               .is_first = true,
                               .progressive = progressive,
                               .has_terminal = progressive >= 0 && runner->bench->terminal,
                               .meters = runner->header.meters};
    if (!run->recording.dealer)
        return 0;
    if (observation && !device_can(run_dealer_device(run)->device, DEVICE_TELLS_CARDS))
        return run_dealer_unread(run->recording.dealer, error);
    return start_devices(run, error);
}
