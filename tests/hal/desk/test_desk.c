/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/desk/desk.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/scenes/desk_scene.h"
#include "tests/support/suite.h"

TEST(the_first_answer_counts_and_the_second_is_told_who_was_first)
{
    struct desk_scene scene;
    struct answer answer;

    desk_scene_open(&scene, desk_scene_two_answer);
    CU_ASSERT_EQUAL(desk_scene_ask(&scene, &desk_scene_decision, &answer), 0);
    CU_ASSERT_EQUAL(scene.results[0], DESK_TAKEN);
    CU_ASSERT_EQUAL(scene.results[1], DESK_ANSWERED);
    CU_ASSERT_STRING_EQUAL(scene.first.by, "Ann");
    CU_ASSERT_STRING_EQUAL(scene.first.text, "bet");
    CU_ASSERT_EQUAL(scene.first.side, DESK_PAGE);
    CU_ASSERT_STRING_EQUAL(answer.text, "bet");
    CU_ASSERT_STRING_EQUAL(answer.by, "Ann");
    CU_ASSERT_EQUAL(answer.side, DESK_PAGE);
    CU_ASSERT_EQUAL(answer.asked, 7 * NANOS_PER_SECOND);
    CU_ASSERT_EQUAL(scene.times_asked, 1);
    CU_ASSERT_EQUAL(scene.times_ended, 1);
    CU_ASSERT_STRING_EQUAL(scene.ended.text, "bet");
    /* Also after the asker went on. */
    CU_ASSERT_EQUAL(desk_scene_say(&scene, 1, "bet", "Eve", DESK_SCRIPT), DESK_ANSWERED);
    CU_ASSERT_STRING_EQUAL(scene.first.by, "Ann");
    desk_scene_close(&scene);
}

static void answer_badly_then_well(struct desk_scene *scene, const struct desk_open *question)
{
    scene->results[0] = desk_scene_say(scene, question->id, "raise", "Ann", DESK_PAGE);
    scene->results[1] = desk_scene_say(scene, question->id + 1, "bet", "Ann", DESK_PAGE);
    scene->results[2] = desk_scene_say(scene, question->id, "BET", NULL, DESK_PAGE);
}

TEST(what_is_not_allowed_is_refused_with_what_is_and_the_question_stays_open)
{
    struct desk_scene scene;
    struct answer answer;

    desk_scene_open(&scene, answer_badly_then_well);
    CU_ASSERT_EQUAL(desk_scene_ask(&scene, &desk_scene_decision, &answer), 0);
    CU_ASSERT_EQUAL(scene.results[0], DESK_NOT_ALLOWED);
    CU_ASSERT_STRING_EQUAL(scene.error.text,
                           "'raise' is not allowed here; it must be one of bet, fold");
    CU_ASSERT_EQUAL(scene.results[1], DESK_UNKNOWN);
    CU_ASSERT_EQUAL(scene.results[2], DESK_TAKEN);
    CU_ASSERT_STRING_EQUAL(answer.text, "bet");
    CU_ASSERT_STRING_EQUAL(answer.by, "");
    CU_ASSERT_EQUAL(answer.refused, 1);
    CU_ASSERT_STRING_EQUAL(answer.last_refused, "raise");
    /* The next question begins anew. */
    scene.when_asked = desk_scene_two_answer;
    CU_ASSERT_EQUAL(desk_scene_ask(&scene, &desk_scene_decision, &answer), 0);
    CU_ASSERT_EQUAL(answer.refused, 0);
    CU_ASSERT_STRING_EQUAL(answer.last_refused, "");
    desk_scene_close(&scene);
}

static const char *const not_one_line[] = {"be\nt", "\x1b[2J", "\xc2\x9b[2J", "\xff", "\x7f"};

static void answer_with_controls(struct desk_scene *scene, const struct desk_open *question)
{
    for (size_t i = 0; i < sizeof not_one_line / sizeof not_one_line[0]; i++) {
        CU_ASSERT_EQUAL(desk_scene_say(scene, question->id, not_one_line[i], "Ann", DESK_PAGE),
                        DESK_NOT_ALLOWED);
        CU_ASSERT_EQUAL(desk_scene_say(scene, question->id, "10", not_one_line[i], DESK_PAGE),
                        DESK_NOT_ALLOWED);
    }
    scene->results[0] =
        desk_scene_say(scene, question->id, "zehn \xe2\x82\xac", "J\xc3\xbcrgen", DESK_PAGE);
}

TEST(answers_and_names_are_one_line_of_text)
{
    static const struct question wager = {.kind = QUESTION_WAGER, .text = "what lies there?"};
    struct desk_scene scene;
    struct answer answer;

    desk_scene_open(&scene, answer_with_controls);
    CU_ASSERT_EQUAL(desk_scene_ask(&scene, &wager, &answer), 0);
    CU_ASSERT_EQUAL(scene.results[0], DESK_TAKEN);
    CU_ASSERT_STRING_EQUAL(answer.by, "J\xc3\xbcrgen");
    desk_scene_close(&scene);
}

static void answer_at_length(struct desk_scene *scene, const struct desk_open *question)
{
    char text[DESK_ANSWER_SIZE + 1], by[DESK_NAME_SIZE + 1];

    memset(text, 'a', sizeof text);
    memset(by, 'b', sizeof by);
    text[DESK_ANSWER_SIZE] = by[DESK_NAME_SIZE] = '\0';
    scene->results[0] = desk_scene_say(scene, question->id, text, "Ann", DESK_PAGE);
    text[DESK_ANSWER_SIZE - 1] = '\0';
    scene->results[1] = desk_scene_say(scene, question->id, text, by, DESK_PAGE);
    by[DESK_NAME_SIZE - 1] = '\0';
    scene->results[2] = desk_scene_say(scene, question->id, text, by, DESK_PAGE);
}

TEST(a_name_can_be_seen)
{
    static const char *const bad[] = {" ",        "   ",       "\u200b",   "a\u200eb", "a\u2028b",
                                      "a\u2029b", "\u202eann", "a\u2066b", "\u2060",   "\ufeff"};
    static const char *const good[] = {"",        "Ann",    " Ann",  "\u00c5sa",
                                       "\u200a.", "\u2030", "\u206a"};

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CU_ASSERT_EQUAL(desk_check_name(bad[i], NULL), ERROR_CONFIG);
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        CU_ASSERT_EQUAL(desk_check_name(good[i], NULL), 0);
}

TEST(what_is_longer_than_its_place_is_refused_not_cut)
{
    static const struct question wager = {.kind = QUESTION_WAGER, .text = "what lies there?"};
    struct desk_scene scene;
    struct answer answer;

    desk_scene_open(&scene, answer_at_length);
    CU_ASSERT_EQUAL(desk_scene_ask(&scene, &wager, &answer), 0);
    CU_ASSERT_EQUAL(scene.results[0], DESK_NOT_ALLOWED);
    CU_ASSERT_EQUAL(scene.results[1], DESK_NOT_ALLOWED);
    CU_ASSERT_EQUAL(scene.results[2], DESK_TAKEN);
    CU_ASSERT_EQUAL(strlen(answer.text), DESK_ANSWER_SIZE - 1);
    CU_ASSERT_EQUAL(strlen(answer.by), DESK_NAME_SIZE - 1);
    desk_scene_close(&scene);
}

static int must_be_even(const void *context, const char *answer, struct error *error)
{
    CU_ASSERT_STRING_EQUAL(context, "even");
    return (answer[0] - '0') % 2 ? error_set(error, ERROR_CONFIG, "%s is odd", answer) : 0;
}

static void answer_odd_then_even(struct desk_scene *scene, const struct desk_open *question)
{
    scene->results[0] = desk_scene_say(scene, question->id, "3", "", DESK_SCRIPT);
    scene->results[1] = desk_scene_say(scene, question->id, "4", "", DESK_SCRIPT);
}

TEST(without_choices_the_check_of_the_question_decides)
{
    static const struct question number = {
        .kind = QUESTION_WAGER, .text = "a number?", .check = must_be_even, .context = "even"};
    struct desk_scene scene;
    struct answer answer;

    desk_scene_open(&scene, answer_odd_then_even);
    CU_ASSERT_EQUAL(desk_scene_ask(&scene, &number, &answer), 0);
    CU_ASSERT_EQUAL(scene.results[0], DESK_NOT_ALLOWED);
    CU_ASSERT_STRING_EQUAL(scene.error.text, "3 is odd");
    CU_ASSERT_EQUAL(scene.results[1], DESK_TAKEN);
    CU_ASSERT_STRING_EQUAL(answer.text, "4");
    desk_scene_close(&scene);
}

/* Who really asks takes nothing of Eve, and has closed its question when Bob comes. */
static int refer(void *asker, const char *answer, const char *by, struct error *error)
{
    unsigned *times = asker;

    CU_ASSERT_STRING_EQUAL(answer, "bet");
    ++*times;
    if (!strcmp(by, "Eve"))
        return error_set(error, ERROR_CONFIG, "not of you");
    return strcmp(by, "Bob") ? 0 : error_set(error, ERROR_TIMEOUT, "it is over");
}

static void answer_as_three(struct desk_scene *scene, const struct desk_open *question)
{
    scene->results[0] = desk_scene_say(scene, question->id, "raise", "Ann", DESK_PAGE);
    scene->results[1] = desk_scene_say(scene, question->id, "bet", "Eve", DESK_PAGE);
    scene->results[2] = desk_scene_say(scene, question->id, "bet", "Bob", DESK_PAGE);
    scene->results[3] = desk_scene_say(scene, question->id, "bet", "Ann", DESK_PAGE);
}

TEST(an_answer_that_is_referred_counts_when_who_really_asks_takes_it)
{
    struct question question = desk_scene_decision;
    unsigned times = 0;
    struct desk_scene scene;
    struct answer answer;

    desk_scene_open(&scene, answer_as_three);
    question.refer = refer;
    question.asker = &times;
    CU_ASSERT_EQUAL(desk_scene_ask(&scene, &question, &answer), 0);
    CU_ASSERT_EQUAL(scene.results[0], DESK_NOT_ALLOWED);
    CU_ASSERT_EQUAL(scene.results[1], DESK_NOT_ALLOWED);
    CU_ASSERT_EQUAL(scene.results[2], DESK_OVER);
    CU_ASSERT_EQUAL(scene.results[3], DESK_TAKEN);
    CU_ASSERT_EQUAL(times, 3);
    CU_ASSERT_STRING_EQUAL(answer.by, "Ann");
    desk_scene_close(&scene);
}

/* Who really asks has nothing to say of Dan. */
static int refer_late(void *asker, const char *answer, const char *by, struct error *error)
{
    (void)asker, (void)answer;
    return strcmp(by, "Dan") ? 0 : error_set(error, ERROR_RIG, "nothing was said in time");
}

static void answer_late(struct desk_scene *scene, const struct desk_open *question)
{
    scene->results[0] = desk_scene_say(scene, question->id, "bet", "Dan", DESK_PAGE);
    scene->results[1] = desk_scene_say(scene, question->id, "fold", "Ann", DESK_PAGE);
}

TEST(an_answer_of_which_nothing_is_said_leaves_the_question_open)
{
    struct question question = desk_scene_decision;
    struct desk_scene scene;
    struct answer answer;

    desk_scene_open(&scene, answer_late);
    question.refer = refer_late;
    CU_ASSERT_EQUAL(desk_scene_ask(&scene, &question, &answer), 0);
    CU_ASSERT_EQUAL(scene.results[0], DESK_UNTOLD);
    CU_ASSERT_EQUAL(scene.results[1], DESK_TAKEN);
    CU_ASSERT_STRING_EQUAL(answer.by, "Ann");
    desk_scene_close(&scene);
}

static int refer_and_look(void *asker, const char *answer, const char *by, struct error *error)
{
    struct desk_scene *scene = asker;
    struct desk_open open;

    (void)answer, (void)by, (void)error;
    desk_look(scene->desk, &open);
    scene->times_meanwhile += open.id == scene->asked.id;
    return 0;
}

TEST(a_question_can_be_looked_at_while_an_answer_is_referred)
{
    struct question question = desk_scene_decision;
    struct desk_scene scene;
    struct answer answer;

    desk_scene_open(&scene, desk_scene_two_answer);
    question.refer = refer_and_look;
    question.asker = &scene;
    CU_ASSERT_EQUAL(desk_scene_ask(&scene, &question, &answer), 0);
    CU_ASSERT_EQUAL(scene.times_meanwhile, 1);
    CU_ASSERT_EQUAL(scene.results[0], DESK_TAKEN);
    CU_ASSERT_EQUAL(scene.results[1], DESK_ANSWERED);
    desk_scene_close(&scene);
}

static void answer_from_all_sides(struct desk_scene *scene, const struct desk_open *question)
{
    scene->results[0] = desk_scene_say(scene, question->id, "bet", "", DESK_PAGE);
    scene->results[1] = desk_scene_say(scene, question->id, "bet", "", DESK_SCRIPT);
    scene->results[2] = desk_scene_say(scene, question->id, "fold", "", DESK_TERMINAL);
}

TEST(only_the_sides_that_are_asked_may_answer)
{
    struct question question = desk_scene_decision;
    struct desk_scene scene;
    struct answer answer;

    desk_scene_open(&scene, answer_from_all_sides);
    desk_sides(scene.desk, DESK_TERMINAL | DESK_SCRIPT);
    question.sides = DESK_TERMINAL | DESK_PAGE;
    CU_ASSERT_EQUAL(desk_scene_ask(&scene, &question, &answer), 0);
    CU_ASSERT_EQUAL(scene.asked.sides, DESK_TERMINAL);
    CU_ASSERT_EQUAL(scene.results[0], DESK_NOT_YOURS);
    CU_ASSERT_EQUAL(scene.results[1], DESK_NOT_YOURS);
    CU_ASSERT_EQUAL(scene.results[2], DESK_TAKEN);
    desk_scene_close(&scene);
}

TEST(asking_when_nobody_is_there_fails_at_once)
{
    struct question question = desk_scene_decision;
    struct desk_scene scene;
    struct answer answer;

    desk_scene_open(&scene, NULL);
    desk_sides(scene.desk, 0);
    CU_ASSERT_EQUAL(desk_scene_ask(&scene, &desk_scene_decision, &answer), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(scene.error.text, "seat 3: bet or fold?"));
    desk_sides(scene.desk, DESK_PAGE);
    question.sides = DESK_SCRIPT;
    CU_ASSERT_EQUAL(desk_scene_ask(&scene, &question, &answer), ERROR_CONFIG);
    CU_ASSERT_EQUAL(scene.times_asked, 0);
    CU_ASSERT_EQUAL(desk_scene_say(&scene, 1, "bet", "", DESK_PAGE), DESK_UNKNOWN);
    desk_scene_close(&scene);
}

TEST(after_its_limit_a_question_is_a_timeout_and_over)
{
    struct question question = desk_scene_decision;
    struct desk_scene scene;
    struct answer answer;

    desk_scene_open(&scene, NULL);
    clock_real(&scene.clock);
    question.limit_ms = 1;
    CU_ASSERT_EQUAL(desk_scene_ask(&scene, &question, &answer), ERROR_TIMEOUT);
    CU_ASSERT_STRING_EQUAL(scene.error.text, "nobody has answered 'seat 3: bet or fold?' for 1 ms");
    CU_ASSERT_EQUAL(scene.times_ended, 1);
    CU_ASSERT_EQUAL(scene.ended.side, 0);
    CU_ASSERT_STRING_EQUAL(scene.ended.text, "");
    CU_ASSERT_EQUAL(desk_scene_say(&scene, 1, "bet", "", DESK_PAGE), DESK_OVER);
    desk_scene_close(&scene);
}

TEST(after_its_limit_the_stated_answer_counts_as_nobodys)
{
    struct question question = desk_scene_decision;
    struct desk_scene scene;
    struct answer answer;

    desk_scene_open(&scene, NULL);
    clock_real(&scene.clock);
    question.limit_ms = 1;
    question.otherwise = "fold";
    CU_ASSERT_EQUAL(desk_scene_ask(&scene, &question, &answer), 0);
    CU_ASSERT_STRING_EQUAL(answer.text, "fold");
    CU_ASSERT_EQUAL(answer.side, 0);
    CU_ASSERT(answer.answered - answer.asked >= NANOS_PER_MILLI);
    CU_ASSERT_EQUAL(scene.asked.limit_ms, 1);
    CU_ASSERT_STRING_EQUAL(scene.asked.otherwise, "fold");
    CU_ASSERT_STRING_EQUAL(scene.ended.text, "fold");
    CU_ASSERT_EQUAL(desk_scene_say(&scene, 1, "bet", "", DESK_PAGE), DESK_OVER);
    desk_scene_close(&scene);
}

/* Answers a question on a virtual clock a while later, from another thread. */
static void *answer_later(void *context)
{
    struct desk_scene *scene = context;
    struct desk_open open;

    desk_look(scene->desk, &open);
    while (!open.id) {
        sched_yield();
        desk_look(scene->desk, &open);
    }
    scene->results[0] = desk_scene_say(scene, open.id, "bet", "later", DESK_SCRIPT);
    return NULL;
}

TEST(on_a_virtual_clock_a_limit_neither_ends_a_question_nor_is_shown)
{
    struct question question = desk_scene_decision;
    struct desk_scene scene;
    struct answer answer;
    pthread_t thread;

    desk_scene_open(&scene, NULL);
    question.limit_ms = 1;
    question.otherwise = "fold";
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, answer_later, &scene), 0);
    CU_ASSERT_EQUAL(desk_scene_ask(&scene, &question, &answer), 0);
    pthread_join(thread, NULL);
    CU_ASSERT_STRING_EQUAL(answer.text, "bet");
    CU_ASSERT_EQUAL(answer.answered, 7 * NANOS_PER_SECOND);
    CU_ASSERT_EQUAL(clock_now(&scene.clock), 7 * NANOS_PER_SECOND);
    CU_ASSERT_EQUAL(scene.asked.limit_ms, 0);
    CU_ASSERT_STRING_EQUAL(scene.asked.otherwise, "");
    desk_scene_close(&scene);
}

static void cancel(struct desk_scene *scene, const struct desk_open *question)
{
    (void)question;
    hal_cancel(&scene->hal);
}

TEST(a_cancelled_bench_withdraws_its_question)
{
    struct desk_scene scene;
    struct answer answer;

    desk_scene_open(&scene, cancel);
    CU_ASSERT_EQUAL(desk_scene_ask(&scene, &desk_scene_decision, &answer), ERROR_ABORTED);
    CU_ASSERT_EQUAL(scene.times_ended, 1);
    CU_ASSERT_EQUAL(scene.ended.side, 0);
    CU_ASSERT_EQUAL(desk_scene_say(&scene, 1, "bet", "", DESK_PAGE), DESK_OVER);
    desk_scene_close(&scene);
}

static void answer_once(struct desk_scene *scene, const struct desk_open *question)
{
    struct desk_open open;

    desk_look(scene->desk, &open);
    CU_ASSERT_EQUAL(open.id, question->id);
    CU_ASSERT_EQUAL(open.choice_count, 2);
    CU_ASSERT_STRING_EQUAL(open.text, "seat 3: bet or fold?");
    scene->results[0] = desk_scene_say(scene, question->id, "fold", "", DESK_TERMINAL);
    desk_look(scene->desk, &open);
    CU_ASSERT_EQUAL(open.id, 0);
}

TEST(questions_are_numbered_and_shown_while_they_are_open)
{
    struct desk_scene scene;
    struct answer answer;
    struct desk_open open;

    desk_scene_open(&scene, answer_once);
    for (uint64_t id = 1; id <= 3; id++) {
        CU_ASSERT_EQUAL(desk_scene_ask(&scene, &desk_scene_decision, &answer), 0);
        CU_ASSERT_EQUAL(scene.asked.id, id);
        desk_look(scene.desk, &open);
        CU_ASSERT_EQUAL(open.id, 0);
    }
    CU_ASSERT_EQUAL(desk_scene_say(&scene, 2, "bet", "", DESK_PAGE), DESK_ANSWERED);
    CU_ASSERT_EQUAL(desk_scene_say(&scene, 4, "bet", "", DESK_PAGE), DESK_UNKNOWN);
    CU_ASSERT_EQUAL(desk_scene_say(&scene, 0, "bet", "", DESK_PAGE), DESK_UNKNOWN);
    desk_scene_close(&scene);
}

TEST(a_question_of_another_program_keeps_its_number)
{
    struct desk_scene scene;
    struct answer answer;

    desk_scene_open(&scene, answer_once);
    CU_ASSERT_EQUAL(desk_scene_ask(&scene, &desk_scene_decision, &answer), 0);
    desk_count_from(scene.desk, 2, 7);
    CU_ASSERT_EQUAL(desk_scene_ask(&scene, &desk_scene_decision, &answer), 0);
    CU_ASSERT_EQUAL(scene.asked.id, 7);
    CU_ASSERT_EQUAL(scene.asked.run, 2);
    desk_count_from(scene.desk, 3, 1);
    CU_ASSERT_EQUAL(desk_scene_ask(&scene, &desk_scene_decision, &answer), 0);
    CU_ASSERT_EQUAL(scene.asked.id, 1);
    CU_ASSERT_EQUAL(desk_scene_say(&scene, 7, "bet", "", DESK_PAGE), DESK_UNKNOWN);
    desk_scene_close(&scene);
}

static void answer_for_the_run_before(struct desk_scene *scene, const struct desk_open *question)
{
    scene->results[0] = desk_answer_run(scene->desk, question->run - 1, question->id, "fold", "Ann",
                                        DESK_PAGE, &scene->first, &scene->error);
    scene->results[1] = desk_answer_run(scene->desk, question->run + 1, question->id, "fold", "Ann",
                                        DESK_PAGE, NULL, &scene->error);
    scene->results[2] = desk_answer_run(scene->desk, question->run, question->id, "bet", "Bob",
                                        DESK_PAGE, NULL, &scene->error);
}

TEST(an_answer_for_the_run_before_decides_nothing)
{
    struct desk_scene scene;
    struct answer answer;

    desk_scene_open(&scene, answer_for_the_run_before);
    desk_count_from(scene.desk, 2, 1);
    CU_ASSERT_EQUAL(desk_scene_ask(&scene, &desk_scene_decision, &answer), 0);
    CU_ASSERT_EQUAL(scene.results[0], DESK_OVER);
    CU_ASSERT_EQUAL(scene.results[1], DESK_UNKNOWN);
    CU_ASSERT_EQUAL(scene.results[2], DESK_TAKEN);
    CU_ASSERT_STRING_EQUAL(answer.text, "bet");
    /* Somebody had answered that one. */
    desk_count_from(scene.desk, 3, 1);
    CU_ASSERT_EQUAL(desk_scene_ask(&scene, &desk_scene_decision, &answer), 0);
    CU_ASSERT_EQUAL(scene.results[0], DESK_ANSWERED);
    CU_ASSERT_STRING_EQUAL(scene.first.by, "Bob");
    desk_scene_close(&scene);
}

TEST(who_was_first_is_known_of_the_last_64_questions)
{
    struct desk_scene scene;
    struct answer answer;

    desk_scene_open(&scene, answer_once);
    for (unsigned i = 0; i <= DESK_KEPT; i++)
        CU_ASSERT_EQUAL(desk_scene_ask(&scene, &desk_scene_decision, &answer), 0);
    CU_ASSERT_EQUAL(desk_scene_say(&scene, 1, "bet", "Eve", DESK_PAGE), DESK_OVER);
    CU_ASSERT_EQUAL(desk_scene_say(&scene, 2, "bet", "Eve", DESK_PAGE), DESK_ANSWERED);
    CU_ASSERT_EQUAL(desk_scene_say(&scene, DESK_KEPT + 1, "bet", "Eve", DESK_PAGE), DESK_ANSWERED);
    CU_ASSERT_STRING_EQUAL(scene.first.text, answer.text);
    desk_scene_close(&scene);
}

static void hear_nothing(void *context, const struct desk_open *question,
                         const struct answer *answer)
{
    (void)context, (void)question, (void)answer;
}

TEST(there_is_room_for_four_readers)
{
    struct desk_scene scene;

    desk_scene_open(&scene, NULL);
    for (unsigned i = 1; i < DESK_READERS_MAX; i++)
        CU_ASSERT_EQUAL(desk_listen(scene.desk, &(struct desk_reader){hear_nothing, &scene}, NULL),
                        0);
    CU_ASSERT_EQUAL(desk_listen(scene.desk, &(struct desk_reader){hear_nothing, &scene}, NULL),
                    ERROR_RIG);
    desk_scene_close(&scene);
}

TEST(a_question_on_the_wire_has_the_fields_of_its_page)
{
    struct desk_open open = {.id = 4,
                             .kind = QUESTION_DECISION,
                             .seat = 3,
                             .sides = DESK_SCRIPT | DESK_PAGE,
                             .text = "seat 3: \"bet\" or fold?",
                             .choices = {"bet", "fold"},
                             .choice_count = 2,
                             .otherwise = "fold",
                             .limit_ms = 5000};
    struct desk_open step = {
        .id = 5, .kind = QUESTION_STEP, .sides = DESK_TERMINAL, .text = "lift the lid"};
    char buffer[512] = "";
    struct json_text text;

    json_text_begin(&text, buffer, sizeof buffer - 1);
    desk_write(&open, &text);
    CU_ASSERT_STRING_EQUAL(buffer,
                           "\"id\":4,\"ask\":\"decision\",\"text\":\"seat 3: \\\"bet\\\" or "
                           "fold?\",\"seat\":3,\"answers\":[\"bet\",\"fold\"],\"from\":[\"script\","
                           "\"page\"],\"limit-ms\":5000,\"otherwise\":\"fold\"");
    memset(buffer, 0, sizeof buffer);
    json_text_begin(&text, buffer, sizeof buffer - 1);
    desk_write(&step, &text);
    CU_ASSERT_STRING_EQUAL(
        buffer, "\"id\":5,\"ask\":\"step\",\"text\":\"lift the lid\",\"from\":[\"terminal\"]");
}

#define ANSWERERS 4
#define QUESTIONS 200

/* Somebody who answers whatever is open until the bench has gone home. */
struct answerer {
    struct desk_scene *scene;
    enum desk_side side;
    atomic_bool *is_done;
    unsigned taken;
};

static void *answer_all(void *context)
{
    struct answerer *answerer = context;
    struct desk *desk = answerer->scene->desk;

    while (!atomic_load(answerer->is_done)) {
        struct desk_open open;
        struct answer first;
        enum desk_result result;

        desk_look(desk, &open);
        if (!open.id) {
            sched_yield();
            continue;
        }
        result = desk_answer(desk, open.id, "bet", "somebody", answerer->side, &first, NULL);
        answerer->taken += result == DESK_TAKEN;
        CU_ASSERT(result == DESK_TAKEN || result == DESK_ANSWERED || result == DESK_OVER);
    }
    return NULL;
}

TEST(of_many_who_answer_at_once_exactly_one_is_taken_for_each_question)
{
    static const enum desk_side sides[ANSWERERS] = {DESK_PAGE, DESK_SCRIPT, DESK_TERMINAL,
                                                    DESK_PAGE};
    struct answerer answerers[ANSWERERS];
    pthread_t threads[ANSWERERS];
    atomic_bool is_done = false;
    unsigned taken = 0;
    struct desk_scene scene;
    struct answer answer;

    desk_scene_open(&scene, NULL);
    for (unsigned i = 0; i < ANSWERERS; i++) {
        answerers[i] = (struct answerer){&scene, sides[i], &is_done, 0};
        CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, answer_all, &answerers[i]), 0);
    }
    for (unsigned i = 0; i < QUESTIONS; i++)
        CU_ASSERT_EQUAL(desk_ask(scene.desk, &scene.hal, &desk_scene_decision, &answer, NULL), 0);
    atomic_store(&is_done, true);
    for (unsigned i = 0; i < ANSWERERS; i++) {
        pthread_join(threads[i], NULL);
        taken += answerers[i].taken;
    }
    CU_ASSERT_EQUAL(taken, QUESTIONS);
    desk_scene_close(&scene);
}
