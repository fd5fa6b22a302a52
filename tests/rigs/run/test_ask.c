/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Players who are asked what they decide, and what is waited for meanwhile. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/scenes/scene.h"
#include "tests/support/suite.h"

#define REAL                                                                                       \
    "rig: test\nclock: real\nseats: 2\ndevices:\n"                                                 \
    "  shuffler: {address: \"emu:shuffler?shuffle=20,deal=2,take=2\"}\n"

/* Somebody at the desk, who decides as the test says, and what was asked. */
struct person {
    struct scene *scene;
    struct desk *desk;
    const char *(*decide)(const struct desk_open *question);
    unsigned cancel_at; /* question; 0: none */
    unsigned asked, answered, unanswered, folds;
    unsigned seats[64];
    char texts[64][DESK_TEXT_SIZE];
    struct answer last;
    char waits[1024];
};

static void told(void *context, const struct desk_open *question, const struct answer *answer)
{
    struct person *person = context;
    const char *decision = answer ? NULL : person->decide(question);

    if (answer) {
        person->answered += answer->side != 0;
        person->unanswered += !answer->side;
        person->last = *answer;
        person->folds += !strcmp(answer->text, "fold");
        return;
    }
    if (person->asked < 64) {
        person->seats[person->asked] = question->seat;
        strcpy(person->texts[person->asked], question->text);
    }
    if (++person->asked == person->cancel_at)
        hal_cancel(&person->scene->bench.hal);
    else if (decision)
        CU_ASSERT_EQUAL(
            desk_answer(person->desk, question->id, decision, "Ann", DESK_PAGE, NULL, NULL),
            DESK_TAKEN);
}

static void sit_down(struct person *person, struct scene *scene, const char *rig)
{
    scene_open(scene, rig, 7);
    person->scene = scene;
    person->desk = desk_new(NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(person->desk);
    scene->bench.hal.desk = person->desk;
    desk_sides(person->desk, DESK_PAGE);
    CU_ASSERT_EQUAL(desk_listen(person->desk, &(struct desk_reader){told, person}, NULL), 0);
}

static void stand_up(struct person *person)
{
    scene_close(person->scene);
    desk_free(person->desk);
}

/* The first choice at seats with an odd number, the second at the others. */
static const char *by_seat(const struct desk_open *question)
{
    return question->choices[question->seat % 2 == 0];
}

static const char *not_at_all(const struct desk_open *question)
{
    (void)question;
    return NULL;
}

TEST(a_recording_holds_what_players_answered_and_replays_to_the_byte)
{
    static const char *const headers[] = {SCENE_CHASE, SCENE_CATCH, SCENE_POKER, SCENE_RUSH};

    for (size_t i = 0; i < 4; i++) {
        struct person person = {.decide = by_seat};
        struct scene scene;

        sit_down(&person, &scene, NULL);
        CU_ASSERT_EQUAL(
            scene_record(&scene,
                         (struct observation){.header = headers[i], .rounds = 12, .asks = true}),
            0);
        CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
        CU_ASSERT(person.asked >= 12 && person.answered == person.asked);
        CU_ASSERT_EQUAL(scene.folds, person.folds);
        scene_replay(&scene, 12);
        scene_forget(&scene);
        stand_up(&person);
    }
}

static const char *check_or_bet_late(const struct desk_open *question)
{
    return strcmp(question->choices[0], "check") && strcmp(question->choices[1], "check") ? "bet"
                                                                                          : "check";
}

TEST(questions_go_round_the_table_stage_by_stage_and_show_the_cards_that_lie_open)
{
    struct person person = {.decide = check_or_bet_late};
    struct scene scene;

    sit_down(&person, &scene, NULL);
    CU_ASSERT_EQUAL(
        runner_observe(
            scene.runner, "observed",
            &(struct observation){.header = SCENE_CHASE, .seats = 0x14, .rounds = 1, .asks = true},
            &scene.error),
        0);
    CU_ASSERT_EQUAL_FATAL(person.asked, 6);
    for (unsigned i = 0; i < 6; i++)
        CU_ASSERT_EQUAL(person.seats[i], i % 2 ? 4 : 2);
    CU_ASSERT_PTR_NULL(strstr(person.texts[0], "board"));
    CU_ASSERT_EQUAL(strncmp(person.texts[0], "seat 2 holds ", 13), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(person.texts[0], ": check or bet?"));
    CU_ASSERT_EQUAL(strcspn(strstr(person.texts[2], "board "), ":"), strlen("board As Ks"));
    CU_ASSERT_EQUAL(strcspn(strstr(person.texts[4], "board "), ":"), strlen("board As Ks 2d 3d"));
    stand_up(&person);
}

TEST(a_question_that_is_cut_short_ends_the_run_and_earlier_rounds_are_kept)
{
    struct person person = {.decide = by_seat, .cancel_at = 20};
    struct scene scene;

    sit_down(&person, &scene, NULL);
    CU_ASSERT_EQUAL(
        scene_record(&scene,
                     (struct observation){.header = SCENE_POKER, .rounds = 30, .asks = true}),
        ERROR_ABORTED);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_ABORTED);
    CU_ASSERT_EQUAL(person.unanswered, 1);
    scene_replay(&scene, 2);
    scene_forget(&scene);
    stand_up(&person);
}

TEST(when_time_is_over_the_plain_policy_decides)
{
    struct person asked = {.decide = not_at_all}, plain = {.decide = not_at_all};
    struct observation observation = {.header = SCENE_POKER, .seats = 2, .rounds = 4};
    struct scene scene, other;
    uint64_t folds;

    sit_down(&asked, &scene, REAL);
    observation.asks = true;
    observation.answer_limit = 20;
    CU_ASSERT_EQUAL(scene_record(&scene, observation), 0);
    CU_ASSERT_EQUAL(asked.asked, 4);
    CU_ASSERT_EQUAL(asked.unanswered, 4);
    CU_ASSERT_STRING_NOT_EQUAL(asked.last.text, "");
    folds = scene.folds;
    scene_forget(&scene);
    stand_up(&asked);
    sit_down(&plain, &other, REAL);
    observation.asks = false;
    CU_ASSERT_EQUAL(scene_record(&other, observation), 0);
    CU_ASSERT_EQUAL(plain.asked, 0);
    CU_ASSERT_EQUAL(other.folds, folds);
    scene_forget(&other);
    stand_up(&plain);
}

static void note_wait(void *context, const struct run_wait *wait)
{
    struct person *person = context;
    size_t used = strlen(person->waits);

    snprintf(person->waits + used, sizeof person->waits - used, "%s ", wait ? wait->what : ".");
}

/* One round on that rig, and its journal. */
static char *journal_of(struct person *person, const char *rig)
{
    const struct observation observation = {.header = SCENE_POKER, .seats = 2, .rounds = 1};
    const struct journal_start start = {.version = "1"};
    char path[SCRATCH_PATH_SIZE], *text;
    struct journal *journal;
    struct runner *runner;
    struct scene scene;
    size_t length;

    sit_down(person, &scene, rig);
    scratch_path(path);
    CU_ASSERT_EQUAL_FATAL(journal_open(path, &(struct journal_options){.clock = &scene.bench.clock},
                                       &start, &journal, NULL),
                          0);
    runner = runner_new(
        &scene.bench,
        &(struct runner_options){.journal = journal, .context = person, .awaited = note_wait},
        &scene.error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(runner);
    CU_ASSERT_EQUAL(runner_observe(runner, "observed", &observation, &scene.error), 0);
    runner_free(runner);
    journal_close(journal);
    text = scratch_read(path, &length);
    unlink(path);
    stand_up(person);
    return text;
}

TEST(what_is_waited_for_is_told_and_journalled_on_a_real_clock_only)
{
    struct person real = {.decide = not_at_all}, emulated = {.decide = not_at_all};
    char *text = journal_of(&real, REAL);

    CU_ASSERT_EQUAL(strncmp(real.waits, "shuffled . packet . taken . packet . taken . ", 45), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"kind\":\"wait\",\"recording\":1,\"round\":1,\"for\":"
                                        "\"shuffled\",\"device\":\"shuffler\",\"limit-ms\":"));
    free(text);
    text = journal_of(&emulated, SCENE_HEAD);
    CU_ASSERT_STRING_EQUAL(emulated.waits, "");
    CU_ASSERT_PTR_NULL(strstr(text, "\"wait\""));
    free(text);
}

/* Who cuts the power of the shuffler when something is asked, and answers when the journal has it.
 */
struct watcher {
    struct person person;
    char path[SCRATCH_PATH_SIZE];
    uint64_t id; /* of the question */
    pthread_t thread;
    bool has_come;
};

static void *answer_later(void *context)
{
    struct watcher *watcher = context;

    for (unsigned i = 0; i < 2000 && !watcher->has_come; i++) {
        size_t length;
        char *text = scratch_read(watcher->path, &length);

        watcher->has_come = strstr(text, "\"event\":\"power-up\"");
        free(text);
        usleep(10000);
    }
    desk_answer(watcher->person.desk, watcher->id, "bet", "Ann", DESK_PAGE, NULL, NULL);
    return NULL;
}

static void cut_power(void *context, const struct desk_open *question, const struct answer *answer)
{
    struct watcher *watcher = context;
    const struct bench_device *device = bench_find(&watcher->person.scene->bench, DEVICE_SHUFFLER);

    if (answer)
        return;
    device->kind->power_cycle(device->model, clock_now(&watcher->person.scene->bench.clock));
    watcher->id = question->id;
    CU_ASSERT_EQUAL_FATAL(pthread_create(&watcher->thread, NULL, answer_later, watcher), 0);
}

static bool in_order(const char *text, const char *first, const char *second, const char *third)
{
    const char *a = strstr(text, first), *b = strstr(text, second), *c = strstr(text, third);

    return a && b && c && a < b && b < c;
}

TEST(devices_are_heard_while_people_think)
{
    const struct observation observation = {
        .header = SCENE_POKER, .seats = 2, .rounds = 1, .asks = true};
    struct watcher watcher = {.person = {.decide = not_at_all}};
    struct runner_options options = {.context = &watcher.person};
    struct runner *runner;
    struct scene scene;
    size_t length;
    char *text;

    sit_down(&watcher.person, &scene, REAL);
    desk_listen(watcher.person.desk, &(struct desk_reader){cut_power, &watcher}, NULL);
    scratch_path(watcher.path);
    CU_ASSERT_EQUAL_FATAL(
        journal_open(watcher.path, &(struct journal_options){.clock = &scene.bench.clock},
                     &(struct journal_start){.version = "1"}, &options.journal, NULL),
        0);
    runner = runner_new(&scene.bench, &options, &scene.error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(runner);
    runner_observe(runner, "observed", &observation, &scene.error);
    pthread_join(watcher.thread, NULL);
    CU_ASSERT(watcher.has_come);
    runner_free(runner);
    journal_close(options.journal);
    text = scratch_read(watcher.path, &length);
    CU_ASSERT(
        in_order(text, "\"kind\":\"question\"", "\"event\":\"power-up\"", "\"kind\":\"answer\""));
    free(text);
    unlink(watcher.path);
    stand_up(&watcher.person);
}

static void pull_out(void *context, const struct desk_open *question, const struct answer *answer)
{
    struct person *person = context;

    (void)question;
    if (!answer)
        bench_find(&person->scene->bench, DEVICE_SHUFFLER)->model->gone = true;
}

TEST(a_device_that_goes_away_while_people_think_ends_the_question)
{
    struct person person = {.decide = not_at_all};
    struct scene scene;

    sit_down(&person, &scene, REAL);
    desk_listen(person.desk, &(struct desk_reader){pull_out, &person}, NULL);
    /* What would count after its time would be a round that goes on. */
    CU_ASSERT_EQUAL(scene_record(&scene, (struct observation){.header = SCENE_POKER,
                                                              .seats = 2,
                                                              .rounds = 1,
                                                              .asks = true,
                                                              .answer_limit = 20000}),
                    ERROR_DEVICE);
    CU_ASSERT_EQUAL(person.asked, 1);
    CU_ASSERT_EQUAL(person.unanswered, 1);
    CU_ASSERT_STRING_EQUAL(person.last.text, "");
    scene_forget(&scene);
    stand_up(&person);
}
