#include "tools/run_crew.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "rigs/digest.h"

/* One bench with what it has to say about the recording that it plays. */
struct worker {
    struct crew *crew;
    pthread_t thread;
    struct bench bench;
    struct runner_options options;
    struct runner *runner;
    FILE *out; /* standard output, or what will be copied to it in turn */
    uint64_t failed;
};

struct crew {
    const struct run_orders *orders;
    struct journal *journal;
    struct worker *workers;
    unsigned opened;
    size_t count; /* recordings times repetitions */
    atomic_size_t next;
    atomic_bool stop;     /* a person, or the end of the run */
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t moved;
    size_t heard; /* recordings whose words were printed */
    enum verdict verdict;
    bool is_over; /* something ended the run before its end */
    struct error error;
    int signals, done;
    pthread_t watcher;
};

static bool is_emulated(const struct rig *rig)
{
    const struct rig_devices *devices = &rig->devices;

    return (!devices->shuffler || rig_is_emulated(devices->shuffler->address)) &&
           (!devices->shoe || rig_is_emulated(devices->shoe->address)) &&
           (!devices->terminal || rig_is_emulated(devices->terminal->address)) &&
           (!devices->sensors || rig_is_emulated(devices->sensors->address));
}

static void end_run(struct crew *crew, int status, const struct error *error)
{
    pthread_mutex_lock(&crew->lock);
    if (!crew->is_over) {
        crew->is_over = true;
        crew->error = *error;
        crew->verdict = verdict_worse(crew->verdict, runner_verdict(status));
    }
    pthread_mutex_unlock(&crew->lock);
    atomic_store(&crew->stop, true);
}

/* The first signal ends the run after the round; the second ends every wait. */
static void *watch_signals(void *context)
{
    struct crew *crew = context;
    struct pollfd fds[] = {{.fd = crew->signals, .events = POLLIN},
                           {.fd = crew->done, .events = POLLIN}};
    struct signalfd_siginfo info;

    while (poll(fds, 2, -1) >= 0 || errno == EINTR) {
        if (fds[1].revents)
            return NULL;
        if (!fds[0].revents || read(crew->signals, &info, sizeof info) != sizeof info)
            continue;
        if (atomic_exchange(&crew->stop, true))
            for (unsigned i = 0; i < crew->opened; i++)
                hal_cancel(&crew->workers[i].bench.hal);
    }
    return NULL;
}

static int catch_signals(struct crew *crew, struct error *error)
{
    sigset_t signals;

    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    crew->signals = signalfd(-1, &signals, SFD_CLOEXEC);
    crew->done = eventfd(0, EFD_CLOEXEC);
    if (crew->signals < 0 || crew->done < 0 ||
        pthread_create(&crew->watcher, NULL, watch_signals, crew))
        return error_set(error, ERROR_RIG, "cannot watch signals: %s", strerror(errno));
    return 0;
}

static void release_signals(struct crew *crew)
{
    eventfd_write(crew->done, 1);
    pthread_join(crew->watcher, NULL);
    close(crew->signals);
    close(crew->done);
}

static void on_failure(void *context, const char *recording, int64_t round,
                       const struct check_result *result)
{
    const struct worker *worker = context;

    run_show_failure(worker->crew->orders->show, worker->out, recording, round, result);
}

static void on_round(void *context, const struct runner_round *round)
{
    struct worker *worker = context;
    struct crew *crew = worker->crew;
    bool passed = round->verdict == VERDICT_PASS || round->verdict == VERDICT_SKIPPED;

    worker->failed += !passed;
    run_show_round(crew->orders->show, worker->out, round);
    pthread_mutex_lock(&crew->lock);
    crew->verdict = verdict_worse(crew->verdict, round->verdict);
    run_show_progress(crew->orders->show, 1, !passed);
    pthread_mutex_unlock(&crew->lock);
    if (!passed && crew->orders->fail_fast)
        atomic_store(&crew->stop, true);
}

/* In the order of the recordings, whoever has played them. */
static void be_heard(struct crew *crew, size_t index, char *words, size_t length)
{
    pthread_mutex_lock(&crew->lock);
    while (crew->heard != index)
        pthread_cond_wait(&crew->moved, &crew->lock);
    if (words)
        fwrite(words, 1, length, stdout);
    crew->heard++;
    pthread_cond_broadcast(&crew->moved);
    pthread_mutex_unlock(&crew->lock);
}

static void play_one(struct worker *worker, size_t index)
{
    struct crew *crew = worker->crew;
    const struct recordings *recordings = crew->orders->recordings;
    const char *path = recordings->paths[index % recordings->count];
    uint64_t before = runner_counts(worker->runner)->rounds;
    char *words = NULL;
    size_t length = 0;
    struct error error;
    int status;

    worker->failed = 0;
    worker->out = crew->orders->jobs > 1 ? open_memstream(&words, &length) : stdout;
    if (!worker->out)
        worker->out = stdout;
    status = crew->orders->play
                 ? crew->orders->play(worker->runner, path, crew->orders->context, &error)
                 : runner_play(worker->runner, path, &error);
    if (status >= 0 && crew->journal)
        status = journal_release(crew->journal, &error);
    if (status >= 0 && crew->journal && is_emulated(crew->orders->rig))
        journal_hold(crew->journal);
    run_show_recording(crew->orders->show, worker->out, path,
                       runner_counts(worker->runner)->rounds - before, worker->failed);
    if (status < 0)
        end_run(crew, status, &error);
    if (worker->out != stdout)
        fclose(worker->out);
    be_heard(crew, index, words, length);
    free(words);
}

static void *work(void *context)
{
    struct worker *worker = context;
    struct crew *crew = worker->crew;

    while (!atomic_load(&crew->stop)) {
        size_t index = atomic_fetch_add(&crew->next, 1);

        if (index >= crew->count)
            break;
        play_one(worker, index);
    }
    return NULL;
}

static int write_device(struct crew *crew, const struct bench_device *device, struct error *error)
{
    char digest[2 * WIRE_DIGEST_SIZE + 1] = "";
    const struct wire_identity *identity = &device->identity;
    struct journal_device line = {
        .name = device->name, .driver = device->driver, .address = device->address};

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
    struct journal_options options = {.clock = &bench->clock};
    char digest[DIGEST_SIZE];
    struct journal_start start = {.version = DEALPROOF_VERSION,
                                  .rig_path = orders->rig_path,
                                  .rig_digest = orders->rig_path ? digest : NULL,
                                  .seed = orders->seed,
                                  .command = orders->command};
    int status;

    if (!orders->journal_path)
        return 0;
    digest_bytes(orders->rig->text, orders->rig->text_size, digest);
    status = journal_open(orders->journal_path, &options, &start, &crew->journal, error);
    for (unsigned i = 0; !status && (device = bench_device(bench, i)); i++)
        status = write_device(crew, device, error);
    if (!status && is_emulated(orders->rig))
        journal_hold(crew->journal);
    return status;
}

static int open_worker(struct crew *crew, struct worker *worker, struct error *error)
{
    const struct run_orders *orders = crew->orders;
    int status = bench_open(&worker->bench, orders->rig, orders->seed, error);

    if (status)
        return status;
    crew->opened++;
    worker->crew = crew;
    if (worker == crew->workers)
        status = open_journal(crew, error);
    worker->options = (struct runner_options){.journal = crew->journal,
                                              .fail_fast = orders->fail_fast,
                                              .stop = &crew->stop,
                                              .context = worker,
                                              .round_ended = on_round,
                                              .check_failed = on_failure};
    if (!status) {
        worker->runner = runner_new(&worker->bench, &worker->options, error);
        status = worker->runner ? 0 : (int)error->code;
    }
    return status;
}

static int open_all(struct crew *crew, struct error *error)
{
    int status = 0;

    for (unsigned i = 0; i < crew->orders->jobs && !status; i++)
        status = open_worker(crew, &crew->workers[i], error);
    return status;
}

static void add_counts(struct runner_counts *sum, const struct runner_counts *counts)
{
    sum->rounds += counts->rounds;
    for (unsigned i = 0; i < VERDICT_COUNT; i++)
        sum->verdicts[i] += counts->verdicts[i];
    for (unsigned i = 0; i < CHECK_COUNT; i++) {
        sum->checks.passed[i] += counts->checks.passed[i];
        sum->checks.failed[i] += counts->checks.failed[i];
        sum->checks.skipped[i] += counts->checks.skipped[i];
    }
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

static void play_all(struct crew *crew)
{
    unsigned started = 1;

    for (; started < crew->orders->jobs; started++)
        if (pthread_create(&crew->workers[started].thread, NULL, work, &crew->workers[started]))
            break;
    work(&crew->workers[0]);
    for (unsigned i = 1; i < started; i++)
        pthread_join(crew->workers[i].thread, NULL);
    if (atomic_load(&crew->stop) && !crew->is_over && !crew->orders->fail_fast &&
        !crew->orders->until_stopped)
        end_run(crew, ERROR_ABORTED, &(struct error){.code = ERROR_ABORTED, .text = "interrupted"});
}

static int status_of(enum verdict verdict, const struct crew *crew)
{
    static const int statuses[VERDICT_COUNT] = {
        [VERDICT_SKIPPED] = EXIT_PASS,   [VERDICT_PASS] = EXIT_PASS,
        [VERDICT_FAIL] = EXIT_FAIL,      [VERDICT_TIMEOUT] = EXIT_TIMEOUT,
        [VERDICT_DEVICE] = EXIT_DEVICE,  [VERDICT_RIG] = EXIT_RIG,
        [VERDICT_ABORTED] = EXIT_ABORTED};

    return crew->is_over && crew->error.code == ERROR_CONFIG ? EXIT_USAGE : statuses[verdict];
}

static int finish(const struct command *command, struct crew *crew)
{
    const struct run_orders *orders = crew->orders;
    struct runner_counts counts = {0};
    struct error error;

    for (unsigned i = 0; i < crew->opened; i++)
        if (crew->workers[i].runner)
            add_counts(&counts, runner_counts(crew->workers[i].runner));
    if (crew->journal &&
        journal_end(crew->journal, crew->verdict, crew->is_over ? crew->error.text : NULL, &error))
        end_run(crew, error.code, &error);
    run_show_summary(orders->show, &counts, orders->recordings->count, crew->verdict,
                     orders->journal_path);
    if (crew->is_over)
        command_error(command, &crew->error);
    return command_finish(command, status_of(crew->verdict, crew));
}

static int run_opened(const struct command *command, struct crew *crew)
{
    struct error error;
    int status = open_all(crew, &error);

    if (!status)
        status = catch_signals(crew, &error);
    if (status)
        return command_error(command, &error);
    run_show_start(crew->orders->show);
    play_all(crew);
    release_signals(crew);
    return finish(command, crew);
}

int run_crew(const struct command *command, const struct run_orders *orders)
{
    struct crew crew = {.orders = orders,
                        .verdict = VERDICT_SKIPPED,
                        .count = orders->recordings->count * orders->repeat};
    int status;

    if (orders->jobs > 1 && (orders->journal_path || !is_emulated(orders->rig)))
        return command_usage_error(command,
                                   "--jobs %u: several benches side by side are for "
                                   "emulated rigs without a journal",
                                   orders->jobs);
    crew.workers = calloc(orders->jobs, sizeof *crew.workers);
    if (!crew.workers)
        return command_error(command, &(struct error){.code = ERROR_RIG, .text = "out of memory"});
    pthread_mutex_init(&crew.lock, NULL);
    pthread_cond_init(&crew.moved, NULL);
    status = run_opened(command, &crew);
    close_all(&crew);
    journal_close(crew.journal);
    pthread_cond_destroy(&crew.moved);
    pthread_mutex_destroy(&crew.lock);
    free(crew.workers);
    return status;
}
