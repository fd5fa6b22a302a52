/* SPDX-License-Identifier: GPL-3.0-or-later */
/* People who are asked who plays for what. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/person.h"
#include "tests/support/scenes/scene.h"
#include "tests/support/suite.h"

#define ANSWERS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define LIMITED                                                                                    \
    SCENE_HEAD "limits: [{wager: ante, min: 500, max: 2000}, {wager: total, max: 8000}]\n"

/* Records so many rounds of Chase the Flush; the recording as a text. */
static char *record(struct scene *scene, struct person *person, const char *rig, unsigned rounds)
{
    size_t length;
    char *text;

    scene_open(scene, rig, 1);
    person_sit(person);
    scene->bench.hal.desk = person->desk;
    CU_ASSERT_EQUAL(scene_record(scene, (struct observation){.header = SCENE_CHASE,
                                                             .seats = 0x0a,
                                                             .rounds = rounds,
                                                             .asks_wagers = true}),
                    0);
    CU_ASSERT_EQUAL(scene->worst, VERDICT_PASS);
    text = scratch_read(scene->shoe, &length);
    scene_replay(scene, rounds);
    scene_forget(scene);
    scene_close(scene);
    person_rise(person);
    return text;
}

TEST(who_plays_for_what_is_asked_before_each_round_and_recorded)
{
    struct person person = {.answers = ANSWERS("", "", "", /* */ "1 2", "",
                                               "ante 500 x-tra=500,same-suit 100",
                                               /* */ "", "", "")};
    struct scene scene;
    char *text = record(&scene, &person, SCENE_HEAD, 3);

    CU_ASSERT_PTR_NOT_NULL(strstr(text, "{\"round\":1,\"bets\":{\"1\":{\"ante\":1000,\"x-tra\":"
                                        "1000},\"3\":{\"ante\":1000,\"x-tra\":1000}}"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "{\"round\":2,\"bets\":{\"1\":{\"ante\":1000,\"x-tra\":"
                                        "1000},\"2\":{\"ante\":500,\"x-tra\":500,\"same-suit\":"
                                        "100}}"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "{\"round\":3,\"bets\":{\"1\":{\"ante\":1000,\"x-tra\":"
                                        "1000},\"2\":{\"ante\":500,\"x-tra\":500,\"same-suit\":"
                                        "100}}"));
    CU_ASSERT_STRING_EQUAL(person.texts[0], "round 1: which seats play? (Enter: 1 3)");
    CU_ASSERT_STRING_EQUAL(person.texts[1],
                           "seat 1: its wagers in cents? (Enter: ante 1000 x-tra 1000)");
    CU_ASSERT_STRING_EQUAL(person.texts[6], "round 3: which seats play? (Enter: 1 2)");
    CU_ASSERT_STRING_EQUAL(
        person.texts[8], "seat 2: its wagers in cents? (Enter: ante 500 x-tra 500 same-suit 100)");
    for (unsigned i = 0; i < person.asked; i++)
        CU_ASSERT_EQUAL(person.kinds[i], QUESTION_WAGER);
    free(text);
}

TEST(what_cannot_be_wagered_is_refused_at_once)
{
    struct person person = {.answers = ANSWERS("8", "1 x", "none", "1", /* */ "ante 400 x-tra 400",
                                               "ante 500", "ante 500 x-tra 600", "stakes 500",
                                               "ante five", "ante 1000.00", "ante 2000 x-tra 2000",
                                               "ante 1000 x-tra 1000")};
    static const char *const refusals[] = {"'8' are no seats of this table",
                                           "'1 x' are no seats",
                                           "'none' are no seats",
                                           "400",
                                           "x-tra",
                                           "x-tra",
                                           "chase-the-flush has no wager 'stakes'",
                                           "after ante there are whole cents",
                                           "not '1000.00'",
                                           "the limit of this rig is 8000"};
    struct scene scene;

    free(record(&scene, &person, LIMITED, 1));
    CU_ASSERT_EQUAL_FATAL(person.refused, 10);
    for (unsigned i = 0; i < 10; i++) {
        if (!strstr(person.refusals[i], refusals[i]))
            printf("%s: %s\n", refusals[i], person.refusals[i]);
        CU_ASSERT_PTR_NOT_NULL(strstr(person.refusals[i], refusals[i]));
    }
}

TEST(who_leaves_ends_the_observation_between_two_rounds)
{
    struct person person = {.answers = ANSWERS("1", "", "1")};
    struct scene scene;

    scene_open(&scene, SCENE_HEAD, 1);
    person_sit(&person);
    scene.bench.hal.desk = person.desk;
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed",
                                   &(struct observation){
                                       .header = SCENE_CHASE, .rounds = 3, .asks_wagers = true},
                                   &scene.error),
                    ERROR_ABORTED);
    CU_ASSERT_EQUAL(scene.rounds, 1);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    scene_close(&scene);
    person_rise(&person);
}
