/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Meters that an administrator sets, in a round and after it has ended. */
#include <stdlib.h>
#include <string.h>

#include "tests/support/scenes/terminal_scene.h"
#include "tests/support/suite.h"

enum { ROYAL, MUST_HIT, CORRECTED_METERS };

#define ROYAL_VALUE    900000000
#define ROYAL_ENDED    (ROYAL_VALUE + 2 * 50000) /* with the contributions of two wagers */
#define MUST_HIT_VALUE 40000000
#define MUST_HIT_ENDED (MUST_HIT_VALUE + 2 * 10000)
#define RESET          20000000
#define HIT_BY         50000000
#define OF_METERS      5u /* checks of two meters with their ceiling */

/* Seats 3 and 7 have made the wager of a dollar, seat 4 has not; whoever has the code corrects. */
static struct terminal_scene *open_correction(void)
{
    static struct rig_device device = {.address = "here", .admin = "8888"};
    struct terminal_scene *scene = terminal_scene_open();
    struct run_round *round = &scene->run.round;

    scene->rig.devices.terminal = &device;
    scene->run.recording.progressive = 1;
    round->live = (struct meters){.meter = {{.name = "royal", .value = ROYAL_VALUE, .rate = 500},
                                            {.name = "lucky",
                                             .value = MUST_HIT_VALUE,
                                             .reseed = RESET,
                                             .ceiling = HIT_BY,
                                             .rate = 100}},
                                  .count = CORRECTED_METERS,
                                  .must_hit = MUST_HIT};
    round->at_end = round->live;
    round->paid = (seats_t)(seat_bit(3) | seat_bit(SEATS_MAX));
    round->dealt.bets[3][1] = round->dealt.bets[4][1] = round->dealt.bets[SEATS_MAX][1] = 100;
    round->state = TERMINAL_IDLE;
    scene->writer.meters =
        (struct terminal_meters){.count = CORRECTED_METERS,
                                 .must_hit = MUST_HIT,
                                 .meter = {{.name = "royal", .micros = ROYAL_VALUE},
                                           {.name = "lucky", .micros = MUST_HIT_VALUE}}};
    scene->writer.admin = device.admin;
    scene->writer.tells_correction = true;
    return scene;
}

/* The round has ended, and the terminal has added and told what it must. */
static void end_round(struct terminal_scene *scene)
{
    scene->run.round.was_ended = true;
    scene->writer.meters.meter[ROYAL].micros = ROYAL_ENDED;
    scene->writer.meters.meter[MUST_HIT].micros = MUST_HIT_ENDED;
    terminal_scene_tell(scene, TERMINAL_EVENT_METERS)->meters = scene->writer.meters;
}

static int correct(struct terminal_scene *scene, unsigned meter, uint64_t micros)
{
    struct terminal_press press = {
        .key = TERMINAL_CORRECT_METER, .meter = (uint8_t)meter, .micros = micros};

    return run_correct_meter(&scene->run, &press, &scene->error);
}

static void expect_ended(const struct terminal_scene *scene, bool pays, micros_t royal,
                         micros_t must_hit)
{
    struct meters ended;

    CU_ASSERT_FATAL(run_meters_ended(&scene->run, pays, &ended));
    CU_ASSERT_EQUAL(ended.meter[ROYAL].value, royal);
    CU_ASSERT_EQUAL(ended.meter[MUST_HIT].value, must_hit);
    CU_ASSERT_EQUAL(ended.count, CORRECTED_METERS);
    CU_ASSERT_EQUAL(ended.must_hit, MUST_HIT);
}

TEST(a_round_that_has_ended_has_added_the_wagers_that_were_made)
{
    struct terminal_scene *scene = open_correction();

    expect_ended(scene, false, ROYAL_ENDED, MUST_HIT_ENDED);
    expect_ended(scene, true, ROYAL_ENDED, RESET);
    free(scene);
}

TEST(only_where_must_hit_is_paid_is_it_held_to_its_ceiling)
{
    struct terminal_scene *scene = open_correction();

    scene->run.round.at_end.meter[MUST_HIT].value = HIT_BY - 10000;
    expect_ended(scene, false, ROYAL_ENDED, HIT_BY + 10000);
    expect_ended(scene, true, ROYAL_ENDED, RESET + 10000);
    free(scene);
}

TEST(how_a_round_has_ended_is_not_known_where_a_meter_would_be_too_full)
{
    struct terminal_scene *scene = open_correction();
    struct meters ended;

    scene->run.round.at_end.meter[ROYAL].value = METER_MAX;
    CU_ASSERT_FALSE(run_meters_ended(&scene->run, false, &ended));
    scene->run.round.was_ended = true;
    CU_ASSERT_EQUAL(correct(scene, ROYAL, 700000000), 0);
    terminal_scene_expect_found(scene, 1 + 2 * OF_METERS, 0);
    free(scene);
}

TEST(a_correction_is_done_told_and_to_be_booked)
{
    struct terminal_scene *scene = open_correction();
    const struct run_round *round = &scene->run.round;

    CU_ASSERT_EQUAL(correct(scene, MUST_HIT, 30000000), 0);
    terminal_scene_expect_found(scene, 1 + 2 * OF_METERS, 0);
    CU_ASSERT_FALSE(scene->writer.was_awaited);
    CU_ASSERT_EQUAL(scene->writer.corrected, 1);
    CU_ASSERT_EQUAL(scene->writer.corrects, MUST_HIT);
    CU_ASSERT_STRING_EQUAL(scene->writer.correction, RUN_CORRECTION);
    CU_ASSERT_EQUAL(round->live.meter[MUST_HIT].value, 30000000);
    CU_ASSERT_EQUAL(round->live.meter[ROYAL].value, ROYAL_VALUE);
    CU_ASSERT_EQUAL_FATAL(round->correction_count, 1);
    CU_ASSERT_EQUAL(round->corrections[0].meter, MUST_HIT);
    CU_ASSERT_EQUAL(round->corrections[0].before, MUST_HIT_VALUE);
    CU_ASSERT_EQUAL(round->corrections[0].after, 30000000);
    CU_ASSERT_EQUAL_FATAL(round->log.count, 1);
    CU_ASSERT_EQUAL(round->log.entries[0].code, TERMINAL_LOG_CORRECTED);
    CU_ASSERT_EQUAL(round->log.entries[0].detail, MUST_HIT);
    CU_ASSERT_EQUAL(round->log.entries[0].value, RUN_LOG_ANY);
    free(scene);
}

TEST(a_correction_that_changes_a_meter_must_be_told)
{
    static const uint64_t values[] = {ROYAL_VALUE, ROYAL_VALUE + 1};

    for (unsigned changes = 0; changes < 2; changes++) {
        struct terminal_scene *scene = open_correction();

        scene->writer.tells_correction = false;
        CU_ASSERT_EQUAL(correct(scene, ROYAL, values[changes]), 0);
        CU_ASSERT_EQUAL(scene->writer.was_awaited, changes);
        terminal_scene_expect_found(scene, 1 + OF_METERS, changes);
        if (changes)
            terminal_scene_expect_first(scene, "meter-values", 0, "1", "0",
                                        "METERS CHANGED was told");
        CU_ASSERT_EQUAL(scene->run.round.correction_count, 1);
        free(scene);
    }
}

TEST(a_meter_that_was_not_put_where_it_was_to_be_is_told)
{
    struct terminal_scene *scene = open_correction();

    scene->run.round.live.meter[ROYAL].value = 1;
    CU_ASSERT_EQUAL(correct(scene, MUST_HIT, 30000000), 0);
    terminal_scene_expect_first(scene, "meter-values", 0, "\"0.000001\"", "\"900.000000\"",
                                "after CORRECT METER");
    CU_ASSERT_STRING_EQUAL(scene->wager, "royal");
    free(scene);
}

TEST(what_a_round_has_added_at_its_end_is_checked_once_before_a_correction)
{
    struct terminal_scene *scene = open_correction();
    const struct run_round *round = &scene->run.round;

    end_round(scene);
    CU_ASSERT_EQUAL(correct(scene, MUST_HIT, 30000000), 0);
    terminal_scene_expect_found(scene, 1 + 4 * OF_METERS, 0);
    CU_ASSERT_EQUAL(round->corrections[0].before, MUST_HIT_ENDED);
    CU_ASSERT_FALSE(round->was_ended);
    CU_ASSERT_EQUAL(correct(scene, MUST_HIT, 30000001), 0);
    terminal_scene_expect_found(scene, 2 + 6 * OF_METERS, 0);
    CU_ASSERT_EQUAL(round->corrections[1].before, 30000000);
    CU_ASSERT_EQUAL(round->live.meter[ROYAL].value, ROYAL_ENDED);
    free(scene);
}

TEST(what_must_hit_has_paid_at_the_end_of_a_round_is_gone_before_a_correction)
{
    struct terminal_scene *scene = open_correction();

    scene->run.round.dealt.must_hit_seat = 3;
    end_round(scene);
    scene->writer.meters.meter[MUST_HIT].micros = RESET;
    scene->writer.events[0].meters.meter[MUST_HIT].micros = RESET;
    CU_ASSERT_EQUAL(correct(scene, MUST_HIT, 30000000), 0);
    terminal_scene_expect_found(scene, 1 + 4 * OF_METERS, 0);
    CU_ASSERT_EQUAL(scene->run.round.corrections[0].before, RESET);
    free(scene);
}

TEST(what_a_round_has_not_added_at_its_end_is_told)
{
    struct terminal_scene *scene = open_correction();

    end_round(scene);
    scene->writer.event_count = 0;
    scene->writer.meters.meter[ROYAL].micros = ROYAL_VALUE;
    CU_ASSERT_EQUAL(correct(scene, ROYAL, 700000000), 0);
    CU_ASSERT(scene->writer.was_awaited);
    terminal_scene_expect_first(scene, "meter-values", 0, "\"900.100000\"", "\"900.000000\"",
                                "after END ROUND");
    terminal_scene_expect_found(scene, 1 + 3 * OF_METERS - 1, 2); /* and METERS CHANGED */
    free(scene);
}

TEST(a_correction_is_refused_in_an_approval_and_only_there)
{
    static const struct {
        enum terminal_state state;
        unsigned refusal;
        const char *expected, *got, *why; /* NULL: it is right */
    } cases[] = {
        {TERMINAL_IDLE, 0, NULL, NULL, NULL},
        {TERMINAL_OPEN, 0, NULL, NULL, NULL},
        {TERMINAL_CHOOSE, REFUSED_STATE, NULL, NULL, NULL},
        {TERMINAL_SIGNED, REFUSED_STATE, NULL, NULL, NULL},
        {TERMINAL_CHOOSE, 0, "4", "0", "the terminal corrected the meter"},
        {TERMINAL_OPEN, REFUSED_STATE, "0", "4", ""},
        {TERMINAL_CHOOSE, REFUSED_VALUE, "4", "3", ""},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct terminal_scene *scene = open_correction();
        bool is_done = !cases[i].refusal, is_right = !cases[i].got;

        scene->run.round.state = cases[i].state;
        scene->writer.correct_refusal = cases[i].refusal;
        CU_ASSERT_EQUAL(correct(scene, ROYAL, 700000000), 0);
        terminal_scene_expect_found(scene, is_right + is_done * 2 * OF_METERS, !is_right);
        CU_ASSERT_EQUAL(scene->run.round.correction_count, is_done);
        CU_ASSERT_EQUAL(scene->run.round.log.count, is_done);
        CU_ASSERT_EQUAL(scene->run.round.live.meter[ROYAL].value,
                        is_done ? 700000000 : ROYAL_VALUE);
        if (!is_right) {
            terminal_scene_expect_first(scene, "key-refusals", 0, cases[i].expected, cases[i].got,
                                        is_done ? cases[i].why : scene->why);
            CU_ASSERT_STRING_EQUAL(scene->wager, "correct-meter");
            CU_ASSERT(is_done || strstr(scene->why, "CORRECT METER"));
        }
        free(scene);
    }
}

TEST(corrections_that_no_recording_has_are_not_booked)
{
    struct terminal_scene *scene = open_correction();
    const struct run_round *round = &scene->run.round;

    scene->writer.tells_correction = false;
    for (unsigned i = 0; i <= CORRECTIONS_MAX; i++)
        CU_ASSERT_EQUAL(correct(scene, ROYAL, ROYAL_VALUE), 0);
    CU_ASSERT_EQUAL(round->correction_count, CORRECTIONS_MAX);
    CU_ASSERT_EQUAL(round->corrections[CORRECTIONS_MAX - 1].after, ROYAL_VALUE);
    CU_ASSERT_EQUAL(scene->failed, 0);
    free(scene);
}

TEST(a_terminal_that_does_not_answer_ends_a_correction)
{
    struct terminal_press press = {.key = TERMINAL_CORRECT_METER, .micros = 700000000};

    for (unsigned silent = 0; silent < 2; silent++) { /* nobody wants to know why */
        struct terminal_scene *scene = open_correction();

        scene->writer.correct_status = silent ? ERROR_DEVICE : ERROR_TIMEOUT;
        CU_ASSERT_EQUAL(run_correct_meter(&scene->run, &press, silent ? NULL : &scene->error),
                        scene->writer.correct_status);
        CU_ASSERT_EQUAL(scene->error.code, silent ? 0 : ERROR_TIMEOUT);
        terminal_scene_expect_found(scene, 0, 0);
        CU_ASSERT_EQUAL(scene->run.round.correction_count, 0);
        free(scene);
    }
    for (unsigned ended = 0; ended < 2; ended++) {
        struct terminal_scene *scene = open_correction();

        if (ended)
            end_round(scene);
        scene->writer.meters_status = ERROR_TIMEOUT;
        CU_ASSERT_EQUAL(correct(scene, ROYAL, 700000000), ERROR_TIMEOUT);
        CU_ASSERT_EQUAL(scene->error.code, ERROR_TIMEOUT);
        CU_ASSERT_EQUAL(scene->writer.corrected, !ended);
        free(scene);
    }
}
