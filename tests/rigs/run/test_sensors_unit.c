/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole rounds on a rig whose bet sensors are a unit on a link. */
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "devices/sensors/unit/model.h"
#include "tests/support/lies/campaign.h"
#include "tests/support/scenes/scene.h"
#include "tests/support/suite.h"

#define RIG "tests/rigs/run/unit.yaml"

TEST(every_recording_passes_with_a_unit)
{
    unsigned rounds = 0;
    glob_t found;

    CU_ASSERT_EQUAL_FATAL(glob("fixtures/*/*.shoe", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct campaign_run run = {.path = found.gl_pathv[i], .rig_path = RIG};
        struct campaign_result result;

        campaign_play(&run, &result);
        if (result.status || result.worst != VERDICT_PASS || result.wrong_pass)
            campaign_print(&run, &result);
        CU_ASSERT_EQUAL(result.status, 0);
        CU_ASSERT_EQUAL(result.worst, VERDICT_PASS);
        CU_ASSERT_EQUAL(result.wrong_pass, 0);
        rounds += result.rounds;
    }
    globfree(&found);
    CU_ASSERT(rounds > 300);
}

/* Seats 1, 2 and 3 have a wager there. */
#define RECORDING "tests/failing/wagers-sensed/unit-late.shoe"

TEST(each_defect_of_a_unit_is_found_by_its_check)
{
    static const struct {
        const char *defect;
        enum check check;
    } tried[] = {
        {"stuck-low@seat:1", CHECK_WAGERS_SENSED},
        {"stuck-low@seat:3", CHECK_WAGERS_SENSED},
        {"stuck-high@seat:2", CHECK_WAGERS_SENSED},
        {"stuck-high@seat:7", CHECK_WAGERS_SENSED},
        {"dark@seat:1", CHECK_LIGHTS},
        {"dark@seat:2", CHECK_LIGHTS},
        {"lit@seat:3", CHECK_LIGHTS},
        {"lit@seat:7", CHECK_LIGHTS},
        {"late@seat:4", CHECK_WAGERS_SENSED},
        {"late@seat:7", CHECK_WAGERS_SENSED},
        {"lift@seat:1", CHECK_WAGERS_SENSED},
        {"lift@seat:3", CHECK_WAGERS_SENSED},
    };

    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++) {
        struct campaign_run run = {
            .path = RECORDING, .rig_path = RIG, .slot = DEVICE_SENSORS, .defect = tried[i].defect};
        struct campaign_result result;

        campaign_play(&run, &result);
        if (!result.counts.checks.failed[tried[i].check] || !result.has_shown)
            campaign_print(&run, &result);
        CU_ASSERT_TRUE(result.has_shown);
        CU_ASSERT_EQUAL(result.worst, VERDICT_FAIL);
        CU_ASSERT(result.counts.checks.failed[tried[i].check] > 0);
        CU_ASSERT_EQUAL(result.wrong_pass, 0);
    }
}

TEST(a_defect_where_nobody_looks_makes_no_difference)
{
    struct campaign_run run = {
        .path = RECORDING, .rig_path = RIG, .slot = DEVICE_SENSORS, .defect = "dark@seat:6"};
    struct campaign_result result;

    campaign_play(&run, &result);
    CU_ASSERT_FALSE(result.has_shown);
    CU_ASSERT_EQUAL(result.worst, VERDICT_PASS);
}

TEST(a_unit_that_goes_away_ends_the_run)
{
    for (unsigned frames = 1; frames < 40; frames++) {
        char defect[32];
        struct campaign_run run = {
            .path = RECORDING, .rig_path = RIG, .slot = DEVICE_SENSORS, .defect = defect};
        struct campaign_result result;

        snprintf(defect, sizeof defect, "unplug@frames:%u", frames);
        campaign_play(&run, &result);
        CU_ASSERT_EQUAL(result.wrong_pass, 0);
        CU_ASSERT(!result.has_shown || result.worst == VERDICT_DEVICE);
    }
}

#define UNIT                                                                                       \
    SCENE_HEAD "  terminal: {address: emu:terminal}\n"                                             \
               "  sensors: {driver: unit, address: emu:bet-sensor"

static struct model *unit_of(const struct scene *scene)
{
    return bench_find(&scene->bench, DEVICE_SENSORS)->model;
}

TEST(wagers_that_people_place_on_a_unit_are_played)
{
    struct observation observation = {.header = SCENE_CHASE, .rounds = 1, .pause = 500};
    struct scene scene;

    scene_open(&scene, UNIT ", options: wagers=people}\n", 1);
    bet_unit_model_hand(unit_of(&scene), 2, true, 0);
    bet_unit_model_hand(unit_of(&scene), 5, true, 0);
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed", &observation, &scene.error), 0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    CU_ASSERT_EQUAL(sensors_placed(scene.bench.sensors), 1u << 2 | 1u << 5);
    CU_ASSERT_FALSE(bench_in_test_mode(&scene.bench, DEVICE_SENSORS));
    scene_close(&scene);
}

/* Observes a round with people at seats 2 and 5; returns how often wagers-sensed has failed. */
static uint64_t observe_collecting(const char *rest)
{
    struct observation observation = {.header = SCENE_CHASE, .rounds = 1, .pause = 500};
    struct scene scene;
    uint64_t failed;

    scene_open(&scene, rest, 1);
    bet_unit_model_hand(unit_of(&scene), 2, true, 0);
    bet_unit_model_hand(unit_of(&scene), 5, true, 0);
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed", &observation, &scene.error), 0);
    failed = scene_failed(&scene, CHECK_WAGERS_SENSED);
    CU_ASSERT_EQUAL(scene.worst, failed ? VERDICT_FAIL : VERDICT_PASS);
    scene_close(&scene);
    return failed;
}

TEST(wagers_are_collected_by_a_hand_where_the_rig_says_so)
{
    CU_ASSERT_EQUAL(
        observe_collecting(UNIT ", options: wagers=people, fault: 'lift@seat:2,lift@seat:5'}\n"
                                "wagers: collected\n"),
        0);
    CU_ASSERT_EQUAL(
        observe_collecting(UNIT ", options: wagers=people, fault: 'lift@seat:2,lift@seat:5'}\n"
                                "wagers: left\n"),
        2);
    CU_ASSERT_EQUAL(observe_collecting(UNIT ", options: wagers=people, fault: 'lift@seat:2'}\n"
                                            "wagers: collected\n"
                                            "timing: {take: 2000}\n"),
                    1);
}

TEST(nobody_at_a_unit_is_waited_for_in_vain)
{
    struct observation observation = {.header = SCENE_CHASE, .rounds = 1, .pause = 500};
    struct scene scene;

    scene_open(&scene, UNIT ", options: wagers=people}\n", 1);
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed", &observation, &scene.error),
                    ERROR_TIMEOUT);
    scene_close(&scene);
}

TEST(a_run_leaves_the_unit_out_of_test_mode_and_empty)
{
    struct observation observation = {.header = SCENE_CHASE, .rounds = 2};
    struct bet_event event;
    struct scene scene;

    scene_open(&scene, UNIT "}\n", 1);
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed", &observation, &scene.error), 0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    CU_ASSERT_TRUE(bench_in_test_mode(&scene.bench, DEVICE_SENSORS));
    CU_ASSERT_EQUAL(runner_finish(scene.runner, &scene.error), 0);
    CU_ASSERT_FALSE(bench_in_test_mode(&scene.bench, DEVICE_SENSORS));
    while (sensors_next(scene.bench.sensors, &event, clock_deadline(&scene.bench.clock, 1000),
                        &scene.error) > 0)
        continue;
    CU_ASSERT_EQUAL(sensors_placed(scene.bench.sensors), 0);
    scene_close(&scene);
}

TEST(a_poor_line_to_a_unit_is_mended)
{
    struct observation observation = {.header = SCENE_CHASE, .rounds = 40};
    struct scene scene;

    scene_open(&scene, UNIT ", link-fault: {flip: 200, drop: 100, duplicate: 100}}\n", 3);
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed", &observation, &scene.error), 0);
    if (scene.worst != VERDICT_PASS)
        printf("%s\n", scene.first);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    CU_ASSERT(device_host(&scene.bench.sensors->device)->counts.retries > 0);
    scene_close(&scene);
}
