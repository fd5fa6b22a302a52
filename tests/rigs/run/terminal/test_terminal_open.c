/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the protocol leaves open to a terminal is no failure. */
#include <glob.h>
#include <stdio.h>

#include "tests/support/lies/campaign.h"
#include "tests/support/scenes/scene.h"
#include "tests/support/suite.h"

#define TERMINAL(options) SCENE_HEAD "  terminal: {address: 'emu:terminal" options "'"

/* Plays one recording on a rig: how often the check has failed; `worst` is the worst verdict. */
static uint64_t play(const char *rig, const char *path, enum check check, enum verdict *worst)
{
    struct scene scene;
    uint64_t failed;

    scene_open(&scene, rig, 1);
    CU_ASSERT_EQUAL(runner_play(scene.runner, path, &scene.error), 0);
    failed = scene_failed(&scene, check);
    *worst = scene.worst;
    scene_close(&scene);
    return failed;
}

TEST(a_terminal_may_tell_what_has_not_changed)
{
    enum verdict worst;
    glob_t found;

    CU_ASSERT_EQUAL_FATAL(glob("fixtures/chase-the-flush/*.shoe", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        play(TERMINAL("?chatty=1") "}\n", found.gl_pathv[i], CHECK_LIGHTS, &worst);
        CU_ASSERT_TRUE(worst == VERDICT_PASS || worst == VERDICT_SKIPPED);
    }
    globfree(&found);
}

/* "hand" alone is the hand of the seat whose turn it is, whatever seat was refused meanwhile. */
TEST(a_seat_that_is_refused_has_no_say_in_the_hand)
{
    static const char path[] = "tests/rigs/run/terminal/another-seat-is-refused.shoe";
    enum verdict worst;

    CU_ASSERT_EQUAL(play(TERMINAL("") "}\n", path, CHECK_PROCEDURE, &worst), 0);
    CU_ASSERT_EQUAL(worst, VERDICT_PASS);
}

/* Keys that are refused between two rounds take nothing off the sign. */
TEST(must_hit_stays_on_the_sign_until_a_round_is_started)
{
    static const char path[] = "tests/rigs/run/terminal/must-hit-stays.shoe";
    enum verdict worst;

    CU_ASSERT_EQUAL(play(TERMINAL("") "}\n", path, CHECK_SIGN_AMOUNT, &worst), 0);
    CU_ASSERT_EQUAL(worst, VERDICT_PASS);
}

/* The second round is configured anew and told of with the first one's lights, sign and meters. */
TEST(what_it_tells_after_a_round_that_failed_is_of_no_round)
{
    static const char path[] = "fixtures/chase-the-flush/must-hit-award.shoe";
    enum verdict worst;

    CU_ASSERT_EQUAL(play(TERMINAL("?chatty=1,fault=power@key:2") "}\n", path, CHECK_LIGHTS, &worst),
                    0);
    CU_ASSERT_EQUAL(worst, VERDICT_DEVICE);
    CU_ASSERT_EQUAL(
        play(TERMINAL("?chatty=1,fault=power@key:2") "}\n", path, CHECK_SIGN_AMOUNT, &worst), 0);
}

/* The time is that of one key, though the line takes it eight times in an approval. */
TEST(the_time_of_a_jackpot_is_that_of_a_key)
{
    static const char path[] = "fixtures/chase-the-flush/two-winners-of-one-meter.shoe";
    enum verdict worst;

    CU_ASSERT_EQUAL(play(TERMINAL("") ", link-fault: {delay: 1000000, delay-ms: 1}}\n"
                                      "timing: {jackpot: 200}\n",
                         path, CHECK_TIMING, &worst),
                    0);
    CU_ASSERT_EQUAL(worst, VERDICT_PASS);
    CU_ASSERT_TRUE(play(TERMINAL("") ", link-fault: {delay: 1000000, delay-ms: 1}}\n"
                                     "timing: {jackpot: 20}\n",
                        path, CHECK_TIMING, &worst) > 0);
}

/* A key that was done before the power went is refused when it is repeated. */
TEST(no_key_fails_a_check_because_the_power_was_lost_with_it)
{
    static const char *const paths[] = {"fixtures/chase-the-flush/every-wrong-code.shoe",
                                        "fixtures/chase-the-flush/jackpots-key-by-key.shoe",
                                        "fixtures/chase-the-flush/started-too-soon.shoe",
                                        "fixtures/chase-the-flush/meter-put-back.shoe"};

    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        for (unsigned key = 1; key <= 45; key++) {
            char defect[32];
            struct campaign_run run = {.path = paths[i], .slot = DEVICE_TERMINAL, .defect = defect};
            struct campaign_result result;

            snprintf(defect, sizeof defect, "power@key:%u", key);
            campaign_play(&run, &result);
            if (result.first)
                campaign_print(&run, &result);
            CU_ASSERT_PTR_NULL(result.first);
            CU_ASSERT_EQUAL(result.worst, result.has_shown ? VERDICT_DEVICE : VERDICT_PASS);
        }
}
