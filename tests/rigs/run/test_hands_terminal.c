/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A terminal that people work: what they read off it is checked, and nothing else passes. */
#include <stdio.h>
#include <string.h>

#include "tests/support/person.h"
#include "tests/support/scenes/scene.h"
#include "tests/support/suite.h"

#define RIG                                                                                        \
    "rig: test\nclock: virtual\ndevices:\n  shuffler: {address: emu:shuffler}\n"                   \
    "  terminal: {driver: hands}\n"

/* Seat 1 wins the meter star, $12345.67, and seat 4 $150.00, which is paid first. */
#define JACKPOTS "fixtures/chase-the-flush/jackpot-without-its-own-contribution.shoe"

#define ANSWERS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* The answers of a terminal without a flaw. */
enum {
    SET_UP,
    LIT,
    AMOUNT_4,
    SIGN_4,
    OK_4,
    AMOUNT_1,
    SIGN_1,
    OK_1,
    DARK,
    METERS,
    ANSWER_COUNT,
};
static const char *const right[ANSWER_COUNT + 1] = {
    [SET_UP] = "done",       [LIT] = "1 4",
    [AMOUNT_4] = "150",      [SIGN_4] = "4 150.00",
    [OK_4] = "done",         [AMOUNT_1] = "$12,345.67",
    [SIGN_1] = "1 12345.67", [OK_1] = "done",
    [DARK] = "none",         [METERS] = "10000.20 3000.50 1000.50 500.50",
};

static int play(struct scene *scene, struct person *person, const char *recording,
                const char *const *answers)
{
    scene_open(scene, RIG, 1);
    memset(person, 0, sizeof *person);
    person->answers = answers;
    person_sit(person);
    scene->bench.hal.desk = person->desk;
    return runner_play(scene->runner, recording, &scene->error);
}

static void leave(struct scene *scene, struct person *person)
{
    scene_close(scene);
    person_rise(person);
}

TEST(what_is_read_off_a_terminal_passes_and_what_is_not_is_skipped)
{
    static const enum check read[] = {CHECK_LIGHTS,       CHECK_SIGN_AMOUNT,  CHECK_JACKPOTS,
                                      CHECK_METER_VALUES, CHECK_KEY_REFUSALS, CHECK_PROCEDURE};
    static const enum check unread[] = {CHECK_AMOUNT_HIDDEN, CHECK_METER_RULES,
                                        CHECK_AUTHORIZATION};
    const struct check_counts *counts;
    struct person person;
    struct scene scene;

    CU_ASSERT_EQUAL(play(&scene, &person, JACKPOTS, right), 0);
    counts = &runner_counts(scene.runner)->checks;
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    CU_ASSERT_STRING_EQUAL(scene.first, "");
    CU_ASSERT_EQUAL(person.asked, ANSWER_COUNT);
    CU_ASSERT_EQUAL(person.refused, 0);
    for (size_t i = 0; i < sizeof read / sizeof read[0]; i++)
        CU_ASSERT_TRUE(counts->passed[read[i]] > 0);
    for (size_t i = 0; i < sizeof unread / sizeof unread[0]; i++) {
        CU_ASSERT_EQUAL(counts->passed[unread[i]], 0);
        CU_ASSERT_EQUAL(counts->skipped[unread[i]], 1);
    }
    CU_ASSERT_STRING_EQUAL(person.texts[LIT],
                           "progressive wagers lie at 1 4; at the terminal: START ROUND; which "
                           "seats are lit then? (1 4, none, or refused)");
    CU_ASSERT_STRING_EQUAL(person.texts[AMOUNT_1],
                           "at the terminal: SEAT 1, '7-card straight flush', PENDING JACKPOT, PAY "
                           "JACKPOT, the authorization code; which amount does it show? (150.00, "
                           "none, or refused)");
    for (unsigned i = 0; i < ANSWER_COUNT; i++)
        CU_ASSERT_PTR_NULL(strstr(person.texts[i], "4711"));
    leave(&scene, &person);
}

TEST(what_is_read_and_is_wrong_fails_by_its_check)
{
    static const struct {
        unsigned at;
        const char *answer;
        enum check check;
    } wrong[] = {
        {LIT, "1", CHECK_LIGHTS},
        {LIT, "1 2 4", CHECK_LIGHTS},
        {DARK, "4", CHECK_LIGHTS},
        {AMOUNT_4, "150.01", CHECK_JACKPOTS},
        {AMOUNT_1, "none", CHECK_JACKPOTS},
        {SIGN_4, "3 150.00", CHECK_SIGN_AMOUNT},
        {SIGN_1, "1 12345.66", CHECK_SIGN_AMOUNT},
        {SIGN_1, "none", CHECK_SIGN_AMOUNT},
        {METERS, "10000.21 3000.50 1000.50 500.50", CHECK_METER_VALUES},
        {METERS, "10000.20 3000.50 1000.50 502", CHECK_METER_VALUES},
    };

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const char *answers[ANSWER_COUNT + 2];
        struct person person;
        struct scene scene;

        memcpy(answers, right, sizeof right);
        answers[wrong[i].at] = wrong[i].answer;
        answers[ANSWER_COUNT] = "done"; /* it is set up anew after a round that failed */
        answers[ANSWER_COUNT + 1] = NULL;
        CU_ASSERT_EQUAL(play(&scene, &person, JACKPOTS, answers), 0);
        CU_ASSERT_EQUAL(scene.worst, VERDICT_FAIL);
        CU_ASSERT_EQUAL(person.refused, 0);
        if (!scene_failed(&scene, wrong[i].check))
            printf("%s: %s\n", wrong[i].answer, scene.first);
        CU_ASSERT_TRUE(scene_failed(&scene, wrong[i].check) > 0);
        leave(&scene, &person);
    }
}

TEST(nobody_is_asked_to_set_up_what_no_terminal_can_be)
{
    struct terminal_config config = *terminal_preset("stax");
    struct person person = {.answers = right};
    struct scene scene;

    scene_open(&scene, RIG, 1);
    person_sit(&person);
    scene.bench.hal.desk = person.desk;
    config.meter_count = UINT8_MAX;
    CU_ASSERT_EQUAL(terminal_configure(scene.bench.terminal, "", &config, &scene.error),
                    ERROR_CONFIG);
    CU_ASSERT_EQUAL(person.asked, 0);
    leave(&scene, &person);
}

TEST(a_meter_is_as_exact_as_it_is_shown)
{
    static const char *const shown[] = {"10000 3000 1000 500", "10000.2 3000.5 1000.5 500.5",
                                        "10000.200000,3000.500001,1000.500000,500.500000"};

    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        const char *answers[ANSWER_COUNT + 1];
        struct person person;
        struct scene scene;

        memcpy(answers, right, sizeof right);
        answers[METERS] = shown[i];
        CU_ASSERT_EQUAL(play(&scene, &person, JACKPOTS, answers), 0);
        CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
        leave(&scene, &person);
    }
}

TEST(what_cannot_be_read_off_is_refused_at_once)
{
    static const struct {
        unsigned at;
        const char *answer, *words;
    } wrong[] = {
        {LIT, "8", "'8' are no seats"},
        {LIT, "", "'' are no seats"},
        {LIT, "all", "'all' are no seats"},
        {AMOUNT_4, "150.001", "is no amount"},
        {AMOUNT_4, "150.00.00", "is no amount"},
        {AMOUNT_4, "-150", "is no amount"},
        {SIGN_4, "150.00", "is no award"},
        {SIGN_4, "8 150.00", "is no award"},
        {METERS, "10000.20 3000.50 1000.50", "are not 4 amounts"},
        {METERS, "10000.20 3000.50 1000.50 500.50 1", "are not 4 amounts"},
        {METERS, "refused", "are not 4 amounts"},
    };

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const char *answers[ANSWER_COUNT + 2];
        struct person person;
        struct scene scene;

        for (unsigned j = 0, at = 0; j <= ANSWER_COUNT; j++) {
            if (j == wrong[i].at)
                answers[at++] = wrong[i].answer;
            answers[at++] = right[j];
        }
        CU_ASSERT_EQUAL(play(&scene, &person, JACKPOTS, answers), 0);
        CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
        CU_ASSERT_EQUAL(person.refused, 1);
        if (!strstr(person.refusals[0], wrong[i].words))
            printf("%s: %s\n", wrong[i].answer, person.refusals[0]);
        CU_ASSERT_PTR_NOT_NULL(strstr(person.refusals[0], wrong[i].words));
        leave(&scene, &person);
    }
}

TEST(a_key_that_is_refused_and_should_not_be_fails)
{
    static const unsigned at[] = {LIT, AMOUNT_4, SIGN_4, OK_4, DARK};

    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        const char *answers[ANSWER_COUNT + 6] = {NULL};
        struct person person;
        struct scene scene;

        memcpy(answers, right, sizeof right);
        answers[at[i]] = "refused";
        /* What is asked after it: lights and meters, and to set it up anew. */
        for (unsigned j = at[i] + 1; j < ANSWER_COUNT + 5; j++)
            answers[j] = "none";
        play(&scene, &person, JACKPOTS, answers);
        CU_ASSERT_TRUE(scene.worst >= VERDICT_FAIL);
        CU_ASSERT_TRUE(scene_failed(&scene, CHECK_KEY_REFUSALS) > 0);
        leave(&scene, &person);
    }
}

TEST(recorded_keys_are_pressed_one_by_one_and_refused_where_they_should_be)
{
    struct person person;
    struct scene scene;

    /* START ROUND twice, the second one refused, then CANCEL ROUND. */
    CU_ASSERT_EQUAL(
        play(&scene, &person, "tests/rigs/run/keys-by-hand.shoe",
             ANSWERS("done", "1", "refused", "1", "none", "10000.00 2500.00 1000.00 500.00")),
        0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    CU_ASSERT_STRING_EQUAL(scene.first, "");
    leave(&scene, &person);
}

TEST(a_table_with_must_hit_is_not_played_by_hand)
{
    struct person person;
    struct scene scene;

    CU_ASSERT_EQUAL(play(&scene, &person,
                         "fixtures/chase-the-flush/must-hit-and-a-jackpot-for-one-seat.shoe",
                         ANSWERS("done")),
                    ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(scene.error.text, "this table has Must Hit"));
    CU_ASSERT_EQUAL(person.asked, 0);
    leave(&scene, &person);
}

TEST(meters_are_taken_over_as_they_are_read)
{
    const struct observation observation = {
        .header = SCENE_CHASE, .seats = 2, .rounds = 1, .keeps_meters = true};
    struct person person = {.answers = ANSWERS("12000.5 2600 1100.25 512", "1", "none",
                                               "12000.63 2600.25 1100.50 512.25")};
    struct scene scene;

    scene_open(&scene, RIG, 1);
    person_sit(&person);
    scene.bench.hal.desk = person.desk;
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed", &observation, &scene.error), 0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    CU_ASSERT_STRING_EQUAL(person.texts[0], "which values do the meters show, in dollars? (star, "
                                            "spade, heart, diamond)");
    leave(&scene, &person);
}
