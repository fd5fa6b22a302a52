/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A device that answers a desk's questions beside people. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hal/desk/desk.h"
#include "tests/support/suite.h"

/* A desk, and a pipe as the device; what happens when a question is asked is given by the test. */
struct scene {
    struct desk *desk;
    struct clock clock;
    struct hal hal;
    int reader, writer;
    struct desk_ear ear;
    pthread_t thread;
    void (*when_asked)(struct scene *scene, const struct desk_open *question);
    struct desk_open asked;
    enum desk_result result;
    struct answer answer;
    struct error error;
};

static void told(void *context, const struct desk_open *question, const struct answer *answer)
{
    struct scene *scene = context;

    if (answer)
        return;
    scene->asked = *question;
    if (scene->when_asked)
        scene->when_asked(scene, question);
}

/* A byte is an answer: "!" for none, "-" for a device that is gone. */
static int hear(void *context, char text[DESK_ANSWER_SIZE], struct error *error)
{
    struct scene *scene = context;
    char byte;

    while (read(scene->reader, &byte, 1) == 1) {
        if (byte == '-')
            return error_set(error, ERROR_DEVICE, "it is gone");
        if (byte == '!')
            continue;
        snprintf(text, DESK_ANSWER_SIZE, "heard %c", byte);
        return 1;
    }
    return 0;
}

static void type(struct scene *scene, const char *text)
{
    CU_ASSERT_EQUAL(write(scene->writer, text, strlen(text)), (ssize_t)strlen(text));
}

static void set_up(struct scene *scene,
                   void (*when_asked)(struct scene *, const struct desk_open *))
{
    int ends[2];

    *scene = (struct scene){.when_asked = when_asked};
    clock_real(&scene->clock);
    CU_ASSERT_EQUAL_FATAL(hal_open(&scene->hal, &scene->clock, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
    scene->reader = ends[0];
    scene->writer = ends[1];
    scene->ear = (struct desk_ear){scene->reader, hear, scene};
    scene->desk = desk_new(NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(scene->desk);
    CU_ASSERT_EQUAL(desk_listen(scene->desk, &(struct desk_reader){told, scene}, NULL), 0);
    desk_sides(scene->desk, DESK_PAGE);
}

static void tear_down(struct scene *scene)
{
    desk_free(scene->desk);
    hal_close(&scene->hal);
    close(scene->reader);
    close(scene->writer);
}

static int ask(struct scene *scene, uint32_t limit_ms)
{
    const struct question question = {.kind = QUESTION_CARDS,
                                      .text = "packet 1: card 1?",
                                      .choices = {"As"},
                                      .ear = &scene->ear,
                                      .limit_ms = limit_ms};

    return desk_ask(scene->desk, &scene->hal, &question, &scene->answer, &scene->error);
}

TEST(what_was_heard_before_the_question_answers_it_at_once)
{
    struct scene scene;

    set_up(&scene, NULL);
    type(&scene, "!a");
    CU_ASSERT_EQUAL(ask(&scene, 0), 0);
    CU_ASSERT_STRING_EQUAL(scene.answer.text, "heard a");
    CU_ASSERT_EQUAL(scene.answer.side, DESK_SCANNER);
    CU_ASSERT_STRING_EQUAL(desk_side_name(scene.answer.side), "scanner");
    tear_down(&scene);
}

static void *type_slowly(void *context)
{
    for (const char *at = "!!!b"; *at; at++) {
        type(context, (const char[]){*at, '\0'});
        usleep(1000);
    }
    return NULL;
}

TEST(a_question_is_open_until_a_whole_answer_was_heard)
{
    struct scene scene;

    set_up(&scene, NULL);
    pthread_create(&scene.thread, NULL, type_slowly, &scene);
    CU_ASSERT_EQUAL(ask(&scene, 0), 0);
    CU_ASSERT_STRING_EQUAL(scene.answer.text, "heard b");
    pthread_join(scene.thread, NULL);
    tear_down(&scene);
}

static void answer_on_the_page(struct scene *scene, const struct desk_open *question)
{
    type(scene, "!");
    scene->result = desk_answer(scene->desk, question->id, "as", "Ann", DESK_PAGE, NULL, NULL);
    type(scene, "c");
}

TEST(who_is_first_counts_and_what_the_device_said_later_is_kept)
{
    struct scene scene;

    set_up(&scene, answer_on_the_page);
    CU_ASSERT_EQUAL(ask(&scene, 0), 0);
    CU_ASSERT_EQUAL(scene.result, DESK_TAKEN);
    CU_ASSERT_STRING_EQUAL(scene.answer.text, "As");
    CU_ASSERT_EQUAL(scene.answer.side, DESK_PAGE);
    scene.when_asked = NULL;
    CU_ASSERT_EQUAL(ask(&scene, 0), 0);
    CU_ASSERT_STRING_EQUAL(scene.answer.text, "heard c");
    tear_down(&scene);
}

TEST(a_device_that_is_gone_ends_the_question_with_its_error)
{
    struct scene scene;

    set_up(&scene, NULL);
    type(&scene, "!-");
    CU_ASSERT_EQUAL(ask(&scene, 0), ERROR_DEVICE);
    CU_ASSERT_STRING_EQUAL(scene.error.text, "it is gone");
    CU_ASSERT_EQUAL(scene.answer.side, 0);
    tear_down(&scene);
}

TEST(with_a_device_to_listen_to_nobody_else_need_be_there)
{
    char wire[512];
    struct json_text text;
    struct scene scene;

    set_up(&scene, NULL);
    desk_leave(scene.desk, DESK_PAGE);
    type(&scene, "d");
    CU_ASSERT_EQUAL(ask(&scene, 0), 0);
    CU_ASSERT_STRING_EQUAL(scene.answer.text, "heard d");
    json_text_begin(&text, wire, sizeof wire);
    desk_write(&scene.asked, &text);
    *text.at = '\0';
    CU_ASSERT_PTR_NOT_NULL(strstr(wire, "\"from\":[\"scanner\"]"));
    tear_down(&scene);
}

static void everybody_leaves(struct scene *scene, const struct desk_open *question)
{
    (void)question;
    desk_leave(scene->desk, DESK_PAGE);
    pthread_create(&scene->thread, NULL, type_slowly, scene);
}

TEST(people_who_leave_do_not_end_a_question_that_a_device_can_answer)
{
    struct scene scene;

    set_up(&scene, everybody_leaves);
    CU_ASSERT_EQUAL(ask(&scene, 0), 0);
    CU_ASSERT_STRING_EQUAL(scene.answer.text, "heard b");
    pthread_join(scene.thread, NULL);
    tear_down(&scene);
}

TEST(a_silent_device_does_not_keep_a_question_open_beyond_its_limit)
{
    struct scene scene;

    set_up(&scene, NULL);
    type(&scene, "!!");
    CU_ASSERT_EQUAL(ask(&scene, 5), ERROR_TIMEOUT);
    tear_down(&scene);
}
