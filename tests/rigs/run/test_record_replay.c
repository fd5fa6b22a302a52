/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings of observed rounds replay, whatever ended them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/scenes/scene.h"
#include "tests/support/suite.h"

/* Whether the header of what was recorded holds these words. */
static bool opens_with(const struct scene *scene, const char *words)
{
    size_t length;
    char *text = scratch_read(scene->shoe, &length);
    bool found;

    *strchr(text, '\n') = '\0';
    found = strstr(text, words);
    if (!found)
        printf("'%s' is not in: %s\n", words, text);
    free(text);
    return found;
}

struct sum {
    unsigned recordings, rounds, must_hits, draws, folds;
    uint64_t jackpots;
};

static void record_and_replay(const char *rig, uint64_t seed, struct observation observation,
                              struct sum *sum)
{
    struct scene scene;
    int status;

    scene_open(&scene, rig, seed);
    observation.seed = seed;
    observation.policy = (enum policy)(seed % POLICY_COUNT);
    status = scene_record(&scene, observation);
    if (status || scene.worst > VERDICT_PASS)
        printf("seed %d: %s: %s; %s\n", (int)seed, verdict_name(scene.worst), scene.error.text,
               scene.first);
    CU_ASSERT_EQUAL(status, 0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    CU_ASSERT_EQUAL(scene.rounds, observation.rounds);
    scene_replay(&scene, scene.rounds);
    sum->recordings++;
    sum->rounds += scene.rounds;
    sum->must_hits += scene.must_hits;
    sum->draws += scene.draws;
    sum->folds += scene.folds;
    sum->jackpots += runner_counts(scene.runner)->checks.passed[CHECK_AMOUNT_HIDDEN];
    scene_forget(&scene);
    scene_close(&scene);
}

TEST(what_is_recorded_replays_with_the_same_settlement_to_the_byte)
{
    static const struct {
        const char *rig, *header;
    } cases[] = {
        {NULL, SCENE_CHASE},
        {NULL, SCENE_CATCH},
        {NULL, SCENE_RUSH},
        {SCENE_POOR, SCENE_CHASE},
        {SCENE_HEAD SCENE_TERMINAL, SCENE_CHASE},
        {SCENE_HEAD SCENE_SHOE SCENE_TERMINAL,
         "{\"shoe\":1,\"game\":\"chase-the-flush\",\"deal\":\"cards\",\"burn\":2}"},
        {NULL, "{\"shoe\":1,\"game\":\"three-card-catch\",\"deal\":\"cards\"}"},
        {SCENE_ANGEL, "{\"shoe\":1,\"game\":\"three-card-catch\",\"deal\":\"cards\",\"burn\":1}"},
        {NULL, "{\"shoe\":1,\"game\":\"three-card-catch\",\"tables\":{\"x-tra\":\"2\"},\"rules\":"
               "{\"ace-low\":false,\"progressive-rounding\":\"nearest\"}}"},
        {NULL, SCENE_POKER},
        {SCENE_POOR,
         "{\"shoe\":1,\"game\":\"three-card-poker\",\"burn\":3,\"tables\":{\"pair-plus\":"
         "\"5\"}}"},
    };
    struct sum sum = {0};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (uint64_t seed = 1; seed <= 10; seed++)
            record_and_replay(
                cases[i].rig, seed,
                (struct observation){.header = cases[i].header,
                                     .seats = (seats_t)((seed * 37 + i * 11) % 127 << 1 | 2),
                                     .rounds = 30},
                &sum);
    printf("%u recordings of %u rounds replayed: %u with draws, %u folds, %ju jackpots approved, "
           "%u Must Hit\n",
           sum.recordings, sum.rounds, sum.draws, sum.folds, (uintmax_t)sum.jackpots,
           sum.must_hits);
    CU_ASSERT_TRUE(sum.draws > 100 && sum.folds > 100 && sum.jackpots > 100 && sum.must_hits > 10);
}

TEST(a_terminal_in_use_keeps_its_meters_when_told_to)
{
    struct scene scene;

    scene_open(&scene, SCENE_HEAD SCENE_TERMINAL, 1);
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed",
                                   &(struct observation){.header = SCENE_CHASE, .rounds = 5},
                                   &scene.error),
                    0);
    CU_ASSERT_EQUAL(
        scene_record(
            &scene, (struct observation){.header = SCENE_CHASE, .rounds = 5, .keeps_meters = true}),
        0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    CU_ASSERT_EQUAL(scene.rounds, 10);
    CU_ASSERT_TRUE(opens_with(&scene, "\"star\":\"10003.500000\""));
    scene_replay(&scene, 5);
    scene_forget(&scene);
    /* Otherwise it is set up anew. */
    CU_ASSERT_EQUAL(scene_record(&scene, (struct observation){.header = SCENE_CHASE, .rounds = 1}),
                    0);
    CU_ASSERT_TRUE(opens_with(&scene, "\"star\":\"10000.000000\""));
    scene_forget(&scene);
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed",
                                   &(struct observation){
                                       .header = SCENE_CATCH, .rounds = 1, .keeps_meters = true},
                                   &scene.error),
                    ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(scene.error.text, "not set up for three-card-catch"));
    scene_close(&scene);
}

TEST(a_recording_that_is_stopped_holds_the_rounds_that_were_played)
{
    struct scene scene;

    scene_open(&scene, NULL, 1);
    scene.stop_after = 7;
    CU_ASSERT_EQUAL(scene_record(&scene, (struct observation){.header = SCENE_CHASE, .rounds = 30}),
                    ERROR_ABORTED);
    CU_ASSERT_EQUAL(scratch_lines(scene.shoe), 8);
    CU_ASSERT_EQUAL(scratch_lines(scene.expect), 7);
    scene_replay(&scene, 7);
    scene_forget(&scene);
    scene_close(&scene);

    scene_open(&scene, NULL, 1);
    scene.stop_after = 7;
    CU_ASSERT_EQUAL(scene_record(&scene, (struct observation){.header = SCENE_CHASE}), 0);
    CU_ASSERT_EQUAL(scratch_lines(scene.expect), 7);
    scene_forget(&scene);
    scene_close(&scene);
}

TEST(a_round_that_is_cut_short_is_not_recorded)
{
    struct scene scene;

    scene_open(&scene, NULL, 1);
    scene.cancel_after = 4;
    CU_ASSERT_EQUAL(scene_record(&scene, (struct observation){.header = SCENE_CATCH, .rounds = 30}),
                    ERROR_ABORTED);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_ABORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(scene.error.text, "stopped by a person in round 5 of "));
    CU_ASSERT_EQUAL(scratch_lines(scene.expect), 4);
    scene_replay(&scene, 4);
    scene_forget(&scene);
    scene_close(&scene);
}

/* What fails is a finding, and just as much what was dealt. */
TEST(a_round_that_fails_is_recorded_as_it_was_dealt)
{
    struct scene scene;

    scene_open(&scene, NULL, 1);
    CU_ASSERT_EQUAL(bench_fault(&scene.bench, DEVICE_TERMINAL, "wrong-meter@round:2", &scene.error),
                    0);
    CU_ASSERT_EQUAL(scene_record(&scene, (struct observation){.header = SCENE_CHASE, .rounds = 10}),
                    0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_FAIL);
    CU_ASSERT_EQUAL(runner_counts(scene.runner)->verdicts[VERDICT_FAIL], 1);
    scene_replay(&scene, 10);
    scene_forget(&scene);
    scene_close(&scene);
}

/* Whatever ended it: what is in the files is whole and replays, or there is none. */
static void replay_what_there_is(const struct scene *scene)
{
    if (access(scene->shoe, F_OK)) {
        CU_ASSERT_NOT_EQUAL(access(scene->expect, F_OK), 0);
        return;
    }
    CU_ASSERT_EQUAL(scratch_lines(scene->shoe), scratch_lines(scene->expect) + 1);
    scene_replay(scene, (unsigned)scratch_lines(scene->expect));
    scene_forget(scene);
}

TEST(a_recording_survives_a_device_that_dies_anywhere)
{
    for (unsigned frames = 8; frames < 150; frames += 9) {
        struct scene scene;
        char defect[32];

        scene_open(&scene, SCENE_HEAD SCENE_TERMINAL, frames);
        snprintf(defect, sizeof defect, "unplug@frames:%u", frames);
        CU_ASSERT_EQUAL(bench_fault(&scene.bench, frames & 1 ? DEVICE_SHUFFLER : DEVICE_TERMINAL,
                                    defect, &scene.error),
                        0);
        CU_ASSERT_EQUAL(
            scene_record(&scene, (struct observation){.header = SCENE_CHASE, .rounds = 30}),
            ERROR_DEVICE);
        replay_what_there_is(&scene);
        scene_close(&scene);
    }
}

TEST(a_recording_survives_a_terminal_that_loses_its_power_at_any_key)
{
    for (unsigned key = 1; key <= 14; key++) {
        struct scene scene;
        char defect[32];

        scene_open(&scene, SCENE_HEAD SCENE_TERMINAL, 3);
        snprintf(defect, sizeof defect, "power@key:%u", key);
        CU_ASSERT_EQUAL(bench_fault(&scene.bench, DEVICE_TERMINAL, defect, &scene.error), 0);
        CU_ASSERT_EQUAL(
            scene_record(&scene, (struct observation){.header = SCENE_CHASE, .rounds = 8}), 0);
        CU_ASSERT_EQUAL(scene.worst, VERDICT_DEVICE);
        CU_ASSERT_EQUAL(scene_failed(&scene, CHECK_METER_VALUES), 0);
        replay_what_there_is(&scene);
        scene_close(&scene);
    }
}

static void cancel_at_frame(void *context, bool from_device, const struct frame *frame,
                            nanos_t time)
{
    struct scene *scene = context;

    (void)from_device;
    (void)frame;
    (void)time;
    if (scene->frames && !--scene->frames)
        hal_cancel(&scene->bench.hal);
}

TEST(a_recording_survives_being_cut_short_anywhere)
{
    for (unsigned frames = 3; frames < 160; frames += 7) {
        struct scene scene;
        struct host *host;

        scene_open(&scene, SCENE_HEAD SCENE_TERMINAL, frames);
        host = device_host(&scene.bench.terminal->device);
        host->seen = cancel_at_frame;
        host->context = &scene;
        scene.frames = frames;
        CU_ASSERT_EQUAL(
            scene_record(&scene, (struct observation){.header = SCENE_CHASE, .rounds = 30}),
            ERROR_ABORTED);
        CU_ASSERT_EQUAL(strncmp(scene.error.text, "stopped by a person ", 20), 0);
        replay_what_there_is(&scene);
        scene_close(&scene);
    }
}
