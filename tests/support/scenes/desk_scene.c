/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/scenes/desk_scene.h"

#include "tests/support/suite.h"

static void told(void *context, const struct desk_open *question, const struct answer *answer)
{
    struct desk_scene *scene = context;

    if (answer) {
        scene->times_ended++;
        scene->ended = *answer;
        return;
    }
    scene->times_asked++;
    scene->asked = *question;
    if (scene->when_asked)
        scene->when_asked(scene, question);
}

void desk_scene_open(struct desk_scene *scene,
                     void (*when_asked)(struct desk_scene *, const struct desk_open *))
{
    *scene = (struct desk_scene){.when_asked = when_asked};
    clock_virtual(&scene->clock, 7 * NANOS_PER_SECOND);
    CU_ASSERT_EQUAL_FATAL(hal_open(&scene->hal, &scene->clock, NULL), 0);
    scene->desk = desk_new(NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(scene->desk);
    CU_ASSERT_EQUAL(desk_listen(scene->desk, &(struct desk_reader){told, scene}, NULL), 0);
    desk_sides(scene->desk, DESK_ANYBODY);
}

void desk_scene_close(struct desk_scene *scene)
{
    desk_free(scene->desk);
    hal_close(&scene->hal);
}

const struct question desk_scene_decision = {.kind = QUESTION_DECISION,
                                             .text = "seat 3: bet or fold?",
                                             .seat = 3,
                                             .choices = {"bet", "fold"}};

int desk_scene_ask(struct desk_scene *scene, const struct question *question, struct answer *answer)
{
    scene->error.text[0] = '\0';
    return desk_ask(scene->desk, &scene->hal, question, answer, &scene->error);
}

enum desk_result desk_scene_say(struct desk_scene *scene, uint64_t id, const char *text,
                                const char *by, enum desk_side side)
{
    return desk_answer(scene->desk, id, text, by, side, &scene->first, &scene->error);
}

void desk_scene_two_answer(struct desk_scene *scene, const struct desk_open *question)
{
    scene->results[0] = desk_scene_say(scene, question->id, "bet", "Ann", DESK_PAGE);
    scene->results[1] = desk_scene_say(scene, question->id, "fold", "Bob", DESK_TERMINAL);
}
