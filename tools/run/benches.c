/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The benches of a crew from their opening to how they are left, and the journal's first lines. */
#include "hal/base/digest.h"
#include "hal/base/realtime.h"
#include "rigs/bench/rest.h"
#include "rigs/journal/libraries.h"
#include "rigs/rig/named.h"
#include "tools/build.h"
#include "tools/run/inside.h"

/* What a device says of itself, and the room for its digest. */
struct introduced {
    struct journal_device line;
    char digest[RIG_IDENTITY_TEXT];
};

static void introduce(struct bench *bench, const struct bench_device *device,
                      struct introduced *introduced)
{
    const struct wire_identity *identity = &device->identity;

    introduced->line =
        (struct journal_device){.name = device->name,
                                .driver = device->driver,
                                .address = device->address,
                                .test_mode = bench_in_test_mode(bench, device->class)};
    if (!device->has_identity)
        return;
    rig_identity_text(identity, RIG_IDENTITY_FIELDS - 1, introduced->digest);
    introduced->line.model = identity->model;
    introduced->line.firmware = identity->firmware;
    introduced->line.serial = identity->serial;
    introduced->line.digest = *introduced->digest ? introduced->digest : NULL;
}

static int new_journal(struct crew *crew, const struct journal_options *options,
                       const struct introduced *devices, unsigned count, struct error *error)
{
    const struct run_orders *orders = crew->orders;
    char digest[DIGEST_SIZE], build[LIBRARIES_BUILD_SIZE];
    struct libraries libraries = {.count = 0};
    struct rig_named named[RIG_NAMED_MAX];
    struct journal_named files[RIG_NAMED_MAX];
    struct journal_start start = {.version = DEALPROOF_VERSION,
                                  .build = libraries_build(build),
                                  .commit = build_commit,
                                  .rig_path = orders->rig_path,
                                  .rig_digest = orders->rig_path ? digest : NULL,
                                  .files = files,
                                  .file_count = rig_named(orders->rig, named),
                                  .libraries = libraries.list,
                                  .seed = orders->seed,
                                  .command = orders->command,
                                  .rounds = orders->show->total,
                                  .shard = orders->shard,
                                  .recordings = orders->played,
                                  .job = orders->job,
                                  .attempt = orders->attempt > 1 ? orders->attempt : 0,
                                  .realtime = orders->realtime ? REALTIME_PRIORITY : 0};
    int status;

    for (size_t i = 0; i < start.file_count; i++)
        files[i] = (struct journal_named){named[i].path, named[i].digest};
    libraries_find(&libraries);
    start.library_count = libraries.count;
    digest_bytes(orders->rig->text, orders->rig->text_size, digest);
    status = journal_open(orders->journal_path, options, &start, &crew->journal, error);
    for (unsigned i = 0; !status && i < count; i++)
        status = journal_device(crew->journal, &devices[i].line, error);
    return status;
}

/* Of the run that goes on what came of its rounds counts on. */
static int old_journal(struct crew *crew, const struct journal_options *options,
                       const struct introduced *devices, unsigned count, struct error *error)
{
    const struct run_resume *resume = crew->orders->resume;
    struct journal_device lines[DEVICE_CLASSES];
    char name[RUN_RESUME_NAME_SIZE];
    const struct journal_resume line = {.version = DEALPROOF_VERSION,
                                        .by = run_resume_name(name),
                                        .devices = lines,
                                        .device_count = count,
                                        .command = crew->orders->command};
    int status;

    for (unsigned i = 0; i < count; i++)
        lines[i] = devices[i].line;
    status = run_resume_compare(resume, lines, count, error);
    if (!status)
        status = journal_resume(&resume->cut, options, &line, &crew->journal, error);
    if (!status)
        status = run_resume_count(resume, &crew->counts, error);
    if (status)
        return status;
    crew->verdict = resume->cut.totals.worst;
    if (!crew->orders->show->quiet)
        run_resume_tell(resume, crew->orders->recordings);
    return run_resume_skip(resume, crew->orders->rig, crew->journal, &crew->counts,
                           crew->orders->show->quiet, error);
}

int benches_begin(struct crew *crew, struct error *error)
{
    struct bench *bench = &crew->workers[0].bench;
    struct journal_options options = {.clock = crew->jobs > 1 ? &crew->clock : &bench->clock,
                                      .sync = !bench->clock.is_virtual};
    struct introduced devices[DEVICE_CLASSES];
    const struct bench_device *device;
    unsigned count = 0;
    int status;

    if (!crew->orders->journal_path)
        return 0;
    crew->clock = bench->clock;
    for (; count < DEVICE_CLASSES && (device = bench_device(bench, count)); count++)
        introduce(bench, device, &devices[count]);
    status = crew->orders->resume ? old_journal(crew, &options, devices, count, error)
                                  : new_journal(crew, &options, devices, count, error);
    if (!status && crew->orders->by && *crew->orders->by)
        status = journal_operator(crew->journal, crew->orders->by, "command", error);
    /* Asking its devices who they are has used up traffic that injected faults are counted by. */
    crew->workers[0].is_used = true;
    if (!status && crew_holds_lines(crew))
        journal_hold(crew->journal);
    return status;
}

int benches_journal(struct crew *crew, struct error *error)
{
    bool is_virtual = crew->orders->rig->clock == RIG_CLOCK_VIRTUAL;

    if (is_virtual)
        clock_virtual(&crew->clock, 0);
    else
        clock_real(&crew->clock);
    return new_journal(crew, &(struct journal_options){.clock = &crew->clock, .sync = !is_virtual},
                       NULL, 0, error);
}

int benches_open(struct crew *crew, struct error *error)
{
    int status = 0;

    for (unsigned i = 0; i < crew->jobs && !status; i++) {
        crew->workers[i].crew = crew;
        status = bench_open(&crew->workers[i].bench, crew->orders->rig, crew->orders->seed, error);
        if (status)
            break;
        crew->opened++;
        crew->workers[i].bench.away = worker_away;
        crew->workers[i].bench.reopened = worker_back;
        crew->workers[i].bench.context = &crew->workers[i];
        crew->workers[i].bench.hal.desk = crew->orders->desk;
    }
    return status;
}

void benches_close(struct crew *crew)
{
    for (unsigned i = 0; i < crew->opened; i++) {
        struct error error;

        runner_free(crew->workers[i].runner);
        if (bench_close(&crew->workers[i].bench, &error))
            crew_end(crew, error.code, &error);
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
    worker_judge(worker, &outcome);
    crew_add_counts(&crew->counts, runner_counts(worker->runner), &before);
    crew->verdict = verdict_worse(crew->verdict, outcome.verdict);
    if (outcome.status)
        crew_end(crew, outcome.status, &outcome.error);
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

    if (crew->is_emulated && hal_cancelled(&worker->bench.hal))
        return 0;
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
void benches_leave(struct crew *crew)
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
            crew_end(crew, error.code, &error);
    }
}
