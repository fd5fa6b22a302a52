/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What happens while a question is open: people leave, it is written down, the asker has work. */
#include <string.h>

#include "tests/support/scenes/desk_scene.h"
#include "tests/support/suite.h"

static void leave(struct desk_scene *scene, const struct desk_open *question)
{
    (void)question;
    desk_leave(scene->desk, DESK_SCRIPT);
}

TEST(a_question_that_nobody_can_answer_any_more_is_over)
{
    struct desk_scene scene;
    struct answer answer;

    desk_scene_open(&scene, leave);
    desk_sides(scene.desk, DESK_SCRIPT);
    CU_ASSERT_EQUAL(desk_scene_ask(&scene, &desk_scene_decision, &answer), ERROR_ABORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(scene.error.text, "nobody can answer any more"));
    CU_ASSERT_EQUAL(scene.times_ended, 1);
    CU_ASSERT_EQUAL(scene.ended.side, 0);
    /* So are those to come. */
    CU_ASSERT_EQUAL(desk_scene_ask(&scene, &desk_scene_decision, &answer), ERROR_ABORTED);
    CU_ASSERT_EQUAL(scene.times_asked, 1);
    desk_scene_close(&scene);
}

TEST(what_was_stated_for_the_end_of_the_time_counts_when_everybody_has_left)
{
    struct question limited = desk_scene_decision;
    struct desk_scene scene;
    struct answer answer;

    desk_scene_open(&scene, leave);
    clock_real(&scene.clock);
    limited.limit_ms = 60000;
    limited.otherwise = "fold";
    desk_sides(scene.desk, DESK_SCRIPT);
    for (unsigned i = 1; i <= 2; i++) {
        CU_ASSERT_EQUAL(desk_scene_ask(&scene, &limited, &answer), 0);
        CU_ASSERT_STRING_EQUAL(answer.text, "fold");
        CU_ASSERT_EQUAL(answer.side, 0);
        CU_ASSERT_EQUAL(scene.times_ended, i);
    }
    desk_scene_close(&scene);
}

static void leave_and_answer(struct desk_scene *scene, const struct desk_open *question)
{
    desk_leave(scene->desk, DESK_SCRIPT);
    scene->results[0] = desk_scene_say(scene, question->id, "bet", "Ann", DESK_PAGE);
}

TEST(who_stays_can_answer_after_somebody_has_left)
{
    struct desk_scene scene;
    struct answer answer;

    desk_scene_open(&scene, leave_and_answer);
    CU_ASSERT_EQUAL(desk_scene_ask(&scene, &desk_scene_decision, &answer), 0);
    CU_ASSERT_EQUAL(scene.results[0], DESK_TAKEN);
    CU_ASSERT_STRING_EQUAL(answer.by, "Ann");
    desk_scene_close(&scene);
}

static int write_order(void *context, const struct desk_open *question, const struct answer *answer,
                       struct error *error)
{
    const struct desk_scene *scene = context;

    (void)question, (void)error;
    CU_ASSERT_EQUAL(scene->times_asked, answer ? 1 : 0);
    CU_ASSERT_EQUAL(scene->times_ended, 0);
    return 0;
}

TEST(the_scribe_is_told_before_the_readers)
{
    struct question question = desk_scene_decision;
    struct desk_scene scene;
    struct answer answer;

    desk_scene_open(&scene, desk_scene_two_answer);
    desk_scribe(scene.desk, &(struct desk_scribe){write_order, &scene});
    CU_ASSERT_EQUAL(desk_scene_ask(&scene, &question, &answer), 0);
    desk_scene_close(&scene);
}

static int write_no_question(void *context, const struct desk_open *question,
                             const struct answer *answer, struct error *error)
{
    (void)context, (void)question, (void)answer;
    return error_set(error, ERROR_RIG, "no room");
}

static int write_no_answer(void *context, const struct desk_open *question,
                           const struct answer *answer, struct error *error)
{
    return answer ? write_no_question(context, question, answer, error) : 0;
}

TEST(what_cannot_be_written_down_is_not_asked_and_no_answer_to_it_counts)
{
    struct desk_scene scene;
    struct answer answer;

    desk_scene_open(&scene, desk_scene_two_answer);
    desk_scribe(scene.desk, &(struct desk_scribe){write_no_question, NULL});
    CU_ASSERT_EQUAL(desk_scene_ask(&scene, &desk_scene_decision, &answer), ERROR_RIG);
    CU_ASSERT_STRING_EQUAL(scene.error.text, "no room");
    CU_ASSERT_EQUAL(scene.times_asked, 0);
    CU_ASSERT_EQUAL(desk_scene_say(&scene, 1, "bet", "Ann", DESK_PAGE), DESK_OVER);
    desk_scribe(scene.desk, &(struct desk_scribe){write_no_answer, NULL});
    CU_ASSERT_EQUAL(desk_scene_ask(&scene, &desk_scene_decision, &answer), ERROR_RIG);
    CU_ASSERT_STRING_EQUAL(scene.error.text, "no room");
    CU_ASSERT_EQUAL(scene.times_ended, 1);
    /* Readers are told that it was withdrawn. */
    CU_ASSERT_STRING_EQUAL(scene.ended.text, "");
    CU_ASSERT_EQUAL(scene.ended.side, 0);
    desk_scene_close(&scene);
}

/* The asker's own business: it answers itself the third time, or fails. */
static int answer_the_third_time(void *asker, struct error *error)
{
    struct desk_scene *scene = asker;

    (void)error;
    if (++scene->times_meanwhile == 3)
        scene->results[0] = desk_scene_say(scene, scene->asked.id, "bet", "Ann", DESK_PAGE);
    return 0;
}

static int lose_a_device(void *asker, struct error *error)
{
    struct desk_scene *scene = asker;

    return ++scene->times_meanwhile < 3 ? 0 : error_set(error, ERROR_DEVICE, "it is gone");
}

TEST(the_asker_has_something_else_to_do_while_it_waits)
{
    struct question question = desk_scene_decision;
    struct desk_scene scene;
    struct answer answer;

    desk_scene_open(&scene, NULL);
    clock_real(&scene.clock);
    question.meanwhile = answer_the_third_time;
    question.asker = &scene;
    CU_ASSERT_EQUAL(desk_scene_ask(&scene, &question, &answer), 0);
    CU_ASSERT_EQUAL(scene.results[0], DESK_TAKEN);
    CU_ASSERT_EQUAL(scene.times_meanwhile, 3);
    CU_ASSERT_STRING_EQUAL(answer.by, "Ann");
    /* Its time is over all the same. */
    question.limit_ms = 50;
    question.otherwise = "fold";
    CU_ASSERT_EQUAL(desk_scene_ask(&scene, &question, &answer), 0);
    CU_ASSERT_STRING_EQUAL(answer.text, "fold");
    CU_ASSERT_EQUAL(answer.side, 0);
    desk_scene_close(&scene);
}

TEST(what_happens_meanwhile_can_end_a_question)
{
    struct question question = desk_scene_decision;
    struct desk_scene scene;
    struct answer answer;

    desk_scene_open(&scene, NULL);
    clock_real(&scene.clock);
    question.meanwhile = lose_a_device;
    question.asker = &scene;
    question.limit_ms = 3600000;
    question.otherwise = "fold";
    CU_ASSERT_EQUAL(desk_scene_ask(&scene, &question, &answer), ERROR_DEVICE);
    CU_ASSERT_STRING_EQUAL(scene.error.text, "it is gone");
    CU_ASSERT_STRING_EQUAL(scene.ended.text, "");
    CU_ASSERT_EQUAL(desk_scene_say(&scene, 1, "bet", "Ann", DESK_PAGE), DESK_OVER);
    desk_scene_close(&scene);
}

TEST(in_virtual_time_nothing_happens_meanwhile)
{
    struct question question = desk_scene_decision;
    struct desk_scene scene;
    struct answer answer;

    desk_scene_open(&scene, desk_scene_two_answer);
    question.meanwhile = lose_a_device;
    question.asker = &scene;
    CU_ASSERT_EQUAL(desk_scene_ask(&scene, &question, &answer), 0);
    CU_ASSERT_EQUAL(scene.times_meanwhile, 0);
    desk_scene_close(&scene);
}
