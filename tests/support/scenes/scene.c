/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/scenes/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/suite.h"

static void note_round(void *context, const struct runner_round *round)
{
    struct scene *scene = context;

    scene->worst = verdict_worse(scene->worst, round->verdict);
    if (++scene->rounds == scene->stop_after)
        atomic_store(&scene->stop, true);
}

static void note_failure(void *context, const char *recording, int64_t round,
                         const struct check_result *result)
{
    struct scene *scene = context;

    (void)recording;
    if (!scene->first[0])
        snprintf(scene->first, sizeof scene->first, "%s in round %d: %s, not %s", result->name,
                 (int)round, result->got, result->expected);
}

void scene_open(struct scene *scene, const char *rig, uint64_t seed)
{
    memset(scene, 0, sizeof *scene);
    CU_ASSERT_EQUAL_FATAL(rig ? rig_parse(&scene->rig, "test.yaml", rig, strlen(rig), &scene->error)
                              : rig_default(&scene->rig, &scene->error),
                          0);
    CU_ASSERT_EQUAL_FATAL(bench_open(&scene->bench, scene->rig, seed, &scene->error), 0);
    scene->options = (struct runner_options){.context = scene,
                                             .stop = &scene->stop,
                                             .round_ended = note_round,
                                             .check_failed = note_failure};
    scene->runner = runner_new(&scene->bench, &scene->options, &scene->error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(scene->runner);
}

void scene_close(struct scene *scene)
{
    runner_free(scene->runner);
    bench_close(&scene->bench, NULL);
    rig_free(scene->rig);
}

uint64_t scene_failed(const struct scene *scene, enum check check)
{
    return runner_counts(scene->runner)->checks.failed[check];
}

static int keep_header(void *context, const struct bench_device *dealing,
                       const struct recording_header *header, struct error *error)
{
    struct scene *scene = context;

    (void)dealing;
    return recorder_header(scene->recorder, header, &(struct recording_source){.by = "test"},
                           error);
}

static int keep_round(void *context, const struct round *round, const char *line, size_t length,
                      struct error *error)
{
    struct scene *scene = context;
    const struct recording_round played = {.round = *round};

    scene->must_hits += round->must_hit_seat != 0;
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++) {
        unsigned count = round->decision_count[seat];

        scene->folds += count && round->decisions[seat][count - 1] == DECISION_FOLD;
    }
    scene->draws += round->packet_count && round->packet[round->packet_count - 1] == 1;
    if (scene->rounds + 1 == scene->cancel_after)
        hal_cancel(&scene->bench.hal);
    return recorder_round(scene->recorder, &played, line, length, error);
}

int scene_record(struct scene *scene, struct observation observation)
{
    char base[SCRATCH_PATH_SIZE];
    int status;

    scratch_path(base);
    snprintf(scene->shoe, sizeof scene->shoe, "%s.shoe", base);
    snprintf(scene->expect, sizeof scene->expect, "%s.expect", base);
    CU_ASSERT_EQUAL_FATAL(recorder_open(&scene->recorder, scene->shoe,
                                        &(struct recorder_options){.sync = false}, &scene->error),
                          0);
    observation.context = scene;
    observation.opened = keep_header;
    observation.settled = keep_round;
    status = runner_observe(scene->runner, scene->shoe, &observation, &scene->error);
    CU_ASSERT_EQUAL(recorder_close(scene->recorder, &scene->error), 0);
    return status;
}

void scene_forget(const struct scene *scene)
{
    unlink(scene->shoe);
    unlink(scene->expect);
}

/* The settlements that a run of the recording writes to its journal, as an .expect has them. */
static char *settlements(const char *journal)
{
    static const char before[] = ",\"settlement\":";
    size_t length, used = 0;
    char *text = scratch_read(journal, &length), *all = malloc(length + 1);

    CU_ASSERT_PTR_NOT_NULL_FATAL(all);
    for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
        char *from = memmem(line, (size_t)(end - line), before, sizeof before - 1);

        if (!from)
            continue;
        from += sizeof before - 1;
        memcpy(all + used, from, (size_t)(end - 1 - from));
        used += (size_t)(end - 1 - from);
        all[used++] = '\n';
    }
    all[used] = '\0';
    free(text);
    return all;
}

void scene_replay(const struct scene *recorded, unsigned rounds)
{
    char journal[SCRATCH_PATH_SIZE], *expected, *got;
    struct scene scene;
    size_t length;
    int status;

    scene_open(&scene, NULL, 999);
    scratch_path(journal);
    CU_ASSERT_EQUAL_FATAL(
        journal_open(
            journal, &(struct journal_options){.clock = &scene.bench.clock},
            &(struct journal_start){.version = "test", .command = (const char *const[]){NULL}},
            &scene.options.journal, &scene.error),
        0);
    runner_free(scene.runner);
    scene.runner = runner_new(&scene.bench, &scene.options, &scene.error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(scene.runner);
    status = runner_play(scene.runner, recorded->shoe, &scene.error);
    journal_close(scene.options.journal);
    if (status || scene.worst > VERDICT_PASS)
        printf("replay: %s: %s; %s\n", verdict_name(scene.worst), scene.error.text, scene.first);
    CU_ASSERT_EQUAL(status, 0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    CU_ASSERT_EQUAL(scene.rounds, rounds);
    expected = scratch_read(recorded->expect, &length);
    got = settlements(journal);
    CU_ASSERT_STRING_EQUAL(got, expected);
    free(expected);
    free(got);
    unlink(journal);
    scene_close(&scene);
}
