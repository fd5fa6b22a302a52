/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole runs of machines that people work, who are asked what they do. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/person.h"
#include "tests/support/scenes/scene.h"
#include "tests/support/suite.h"

#define STACKED "rig: test\nclock: virtual\ndevices:\n  shuffler: {driver: hands}\norder: stack\n"
#define SHUFFLED                                                                                   \
    "rig: test\nclock: virtual\nseats: 3\ndevices:\n  shuffler: {driver: hands}\norder: compare\n"
#define SHOE_STACKED "rig: test\nclock: virtual\ndevices:\n  shoe: {driver: hands}\norder: stack\n"
#define SHOE_COMPARED                                                                              \
    "rig: test\nclock: virtual\nseats: 2\ndevices:\n  shoe: {driver: hands}\norder: compare\n"

/* Three rounds: Ad Kh Qs, As Jd 9h, Kc Qd Jh; Ad Kd Qd, Kc Qc Jc; Ad 4h 2c, Ah Kd Qh, Kc Qd 9h. */
#define ACE     "fixtures/three-card-poker/ace-is-high.shoe"
#define EVENING "fixtures/three-card-catch/evening-of-six-seats.shoe"
#define CARDS   "{\"shoe\":1,\"game\":\"three-card-catch\",\"deal\":\"cards\"}"

static void open_scene(struct scene *scene, const char *rig, struct person *person)
{
    scene_open(scene, rig, 1);
    person_sit(person);
    scene->bench.hal.desk = person->desk;
}

static void close_scene(struct scene *scene, struct person *person)
{
    scene_close(scene);
    person_rise(person);
}

/* The journal of a recording that is played, to be freed. */
static char *play(struct scene *scene, const char *recording, int status)
{
    const struct journal_start start = {.version = "1", .command = (const char *const[]){NULL}};
    char path[SCRATCH_PATH_SIZE], *text;
    size_t length;
    int played;

    scratch_path(path);
    CU_ASSERT_EQUAL_FATAL(journal_open(path,
                                       &(struct journal_options){.clock = &scene->bench.clock},
                                       &start, &scene->options.journal, &scene->error),
                          0);
    runner_free(scene->runner);
    scene->runner = runner_new(&scene->bench, &scene->options, &scene->error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(scene->runner);
    played = runner_play(scene->runner, recording, &scene->error);
    if (played != status)
        printf("%s\n", scene->error.text);
    CU_ASSERT_EQUAL(played, status);
    journal_close(scene->options.journal);
    text = scratch_read(path, &length);
    unlink(path);
    return text;
}

static unsigned count(const char *text, const char *words)
{
    unsigned found = 0;

    for (; (text = strstr(text, words)); text++)
        found++;
    return found;
}

/* What a list of answers comes to in a recording of three rounds. */
static void play_list(struct scene *scene, struct person *person, const char *rig,
                      const char *const *answers, int status)
{
    person->answers = answers;
    open_scene(scene, rig, person);
    free(play(scene, ACE, status));
}

#define ANSWERS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define ROUND_1      "done", "done", "ad kh qs", "", ""
#define ROUND_2      "done", "done", "", ""
#define ROUND_3      "done", "done", "", "", ""

TEST(a_stacked_deck_that_is_dealt_as_recorded_passes)
{
    struct person person = {.answers = ANSWERS(ROUND_1, ROUND_2, ROUND_3)};
    const struct check_counts *counts;
    struct scene scene;
    char *journal;

    open_scene(&scene, STACKED, &person);
    journal = play(&scene, ACE, 0);
    CU_ASSERT_EQUAL(count(journal, "\"event\":\"shuffled\",\"details\":{\"shuffle\":1,"
                                   "\"loaded\":true}"),
                    1);
    free(journal);
    counts = &runner_counts(scene.runner)->checks;
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    CU_ASSERT_EQUAL(scene.rounds, 3);
    CU_ASSERT_EQUAL(counts->passed[CHECK_DEALT_CARDS], 8);
    CU_ASSERT_EQUAL(counts->passed[CHECK_TIMING], 0);
    CU_ASSERT_EQUAL(counts->skipped[CHECK_TIMING], 3);
    CU_ASSERT_EQUAL(counts->passed[CHECK_STATUS] + counts->passed[CHECK_EVENT_LOG], 0);
    CU_ASSERT_STRING_EQUAL(person.texts[0],
                           "pile 1 of 1, 9 cards, bottom first: Jh Qd Kc 9h Jd As Qs Kh Ad; lay "
                           "all on the other 43, in any order; put the deck into the shuffler, "
                           "which must not shuffle");
    close_scene(&scene, &person);
}

TEST(a_packet_that_must_be_read_is_not_nodded_through)
{
    struct person person = {0};
    struct scene scene;

    play_list(&scene, &person, STACKED,
              ANSWERS("done", "done", "", "", "ad kh qs", "", "", ROUND_2, ROUND_3), 0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    CU_ASSERT_EQUAL(person.refused, 2);
    CU_ASSERT_STRING_EQUAL(person.refusals[0], "read the cards out: type 3 of them");
    close_scene(&scene, &person);
}

TEST(another_card_than_was_recorded_fails_whoever_types_it)
{
    struct person person = {0};
    struct scene scene;

    play_list(&scene, &person, STACKED,
              ANSWERS("done", "done", "ad kh qs", "as jd 8h", "", ROUND_2, ROUND_3), 0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_FAIL);
    CU_ASSERT_EQUAL(scene_failed(&scene, CHECK_DEALT_CARDS), 1);
    CU_ASSERT_STRING_EQUAL(scene.first, "dealt-cards in round 1: \"As Jd 8h\", not \"As Jd 9h\"");
    close_scene(&scene, &person);
}

TEST(a_card_that_is_there_twice_fails_once_somebody_has_looked_again)
{
    struct person person = {0};
    struct scene scene;

    play_list(&scene, &person, STACKED,
              ANSWERS("done", "done", "ad kh qs", "as jd kh", "as jd kh", "", ROUND_2, ROUND_3), 0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_FAIL);
    CU_ASSERT_EQUAL(scene_failed(&scene, CHECK_CARD_CONSERVATION), 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(person.refusals[0], "Kh was seen in packet 1 already"));
    close_scene(&scene, &person);
}

TEST(a_packet_of_another_size_fails_once_somebody_has_looked_again)
{
    struct person person = {0};
    struct scene scene;

    play_list(&scene, &person, STACKED,
              ANSWERS("done", "done", "ad kh qs", "as jd", "as jd", "", ROUND_2, ROUND_3), 0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_FAIL);
    CU_ASSERT_EQUAL(scene_failed(&scene, CHECK_PACKET_SIZE), 1);
    close_scene(&scene, &person);
}

TEST(undo_goes_back_packet_by_packet_also_from_the_last_one)
{
    struct person person = {0};
    struct scene scene;

    play_list(&scene, &person, STACKED,
              ANSWERS("done", "done", "ad kh 2s", "as jd 9d", "undo", "undo", "ad kh qs", "",
                      "kc qd 2h", "undo", "kc qd jh", "done", ROUND_2, ROUND_3),
              0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    CU_ASSERT_EQUAL(person.refused, 0);
    close_scene(&scene, &person);
}

TEST(a_jam_is_a_fault_of_the_device_and_the_deal_goes_on_after_it)
{
    struct person person = {0};
    struct scene scene;
    char *journal;

    person.answers = ANSWERS("done", "done", "ad kh qs", "jam", "done", "as jd 9h", "", ROUND_2,
                             "done", "door", "done", "done", "", "", "");
    open_scene(&scene, STACKED, &person);
    journal = play(&scene, ACE, 0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_DEVICE);
    CU_ASSERT_EQUAL(scene.first[0], '\0');
    CU_ASSERT_EQUAL(runner_counts(scene.runner)->verdicts[VERDICT_DEVICE], 2);
    CU_ASSERT_EQUAL(runner_counts(scene.runner)->verdicts[VERDICT_PASS], 1);
    CU_ASSERT_EQUAL(count(journal, "\"event\":\"fault\",\"details\":\"jam\""), 1);
    CU_ASSERT_EQUAL(count(journal, "\"event\":\"cleared\",\"details\":\"door open\""), 1);
    CU_ASSERT_STRING_EQUAL(person.texts[4], "clear the fault at the shuffler: jam");
    free(journal);
    close_scene(&scene, &person);
}

TEST(who_leaves_in_the_middle_of_a_round_leaves_what_was_typed_in_the_journal)
{
    struct person person = {0};
    struct scene scene;
    char *journal;

    person.answers = ANSWERS(ROUND_1, "done", "done", "ad kd qd");
    open_scene(&scene, STACKED, &person);
    journal = play(&scene, ACE, ERROR_ABORTED);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_ABORTED);
    CU_ASSERT_EQUAL(scene.rounds, 2);
    CU_ASSERT_EQUAL(count(journal, "\"answer\":\"ad kd qd\",\"by\":\"Ann\""), 1);
    CU_ASSERT_EQUAL(count(journal,
                          "\"round\":2,\"device\":\"shuffler\",\"event\":\"packet-present\""
                          ",\"details\":{\"packet\":1,\"cards\":\"Ad Kd Qd\",\"witness\":"
                          "\"operator\"}"),
                    1);
    free(journal);
    close_scene(&scene, &person);
}

TEST(who_does_not_answer_in_time_ends_the_round_and_a_wrong_card_before_it_is_told)
{
    static const char rig[] = "rig: test\nclock: real\ndevices:\n  shuffler: {driver: hands}\n"
                              "order: stack\ntiming: {person: 20, quiet: 0}\n";
    struct person person = {0};
    struct scene scene;

    person.answers = ANSWERS("done", "done", "ad kh 9s");
    open_scene(&scene, rig, &person);
    desk_sides(person.desk, DESK_PAGE | DESK_TERMINAL); /* somebody who never says a word */
    scene.options.fail_fast = true;
    CU_ASSERT_EQUAL(runner_play(scene.runner, ACE, &scene.error), 1);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_TIMEOUT);
    CU_ASSERT_EQUAL(scene_failed(&scene, CHECK_DEALT_CARDS), 1);
    close_scene(&scene, &person);
}

TEST(one_packet_in_ten_must_be_read_and_the_journal_says_how_many_were)
{
    struct person person = {.answer = person_deals, .seed = 3};
    struct scene scene;
    char *journal, words[64];
    unsigned packets;

    open_scene(&scene, STACKED, &person);
    journal = play(&scene, EVENING, 0);
    packets = person.nodded + person.typed;
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    CU_ASSERT_TRUE(packets > 100);
    CU_ASSERT_TRUE(person.typed == packets / 10 || person.typed == packets / 10 + 1);
    CU_ASSERT_EQUAL(person.refused, 0);
    CU_ASSERT_EQUAL(count(journal, "\"nodded\":true"), person.nodded);
    snprintf(words, sizeof words, "\"cards-read\",\"details\":{\"read\":%u,\"nodded\":%u}",
             person.typed, person.nodded);
    CU_ASSERT_EQUAL(count(journal, words), 1);
    free(journal);
    close_scene(&scene, &person);
}

TEST(which_packets_must_be_read_depends_on_the_seed_alone)
{
    char *texts[3];

    for (unsigned i = 0; i < 3; i++) {
        struct person person = {.answer = person_deals, .seed = 9};
        struct scene scene;

        scene_open(&scene, STACKED, i == 2 ? 2 : 1);
        person_sit(&person);
        scene.bench.hal.desk = person.desk;
        texts[i] = play(&scene, EVENING, 0);
        close_scene(&scene, &person);
    }
    CU_ASSERT_STRING_EQUAL(texts[0], texts[1]);
    CU_ASSERT_STRING_NOT_EQUAL(texts[0], texts[2]);
    for (unsigned i = 0; i < 3; i++)
        free(texts[i]);
}

TEST(every_recording_has_a_packet_that_must_be_read)
{
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct person person = {.answer = person_deals, .seed = seed};
        struct scene scene;

        scene_open(&scene, STACKED, seed);
        person_sit(&person);
        scene.bench.hal.desk = person.desk;
        CU_ASSERT_EQUAL(runner_play(scene.runner, ACE, &scene.error), 0);
        CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
        CU_ASSERT_EQUAL(person.typed, 1);
        close_scene(&scene, &person);
    }
}

/* What comes after a misdeal was not recorded: it is read, and of no hand. */
TEST(fixtures_are_dealt_by_hand_misdeals_draws_and_burns_too)
{
    static const char *const recordings[] = {
        "fixtures/chase-the-flush/misdeal-gives-every-wager-back.shoe",
        "fixtures/flush-rush/misdeal-gives-every-wager-back.shoe",
        "fixtures/three-card-catch/misdeal-gives-every-wager-back.shoe",
        "fixtures/three-card-poker/misdeal-gives-every-wager-back.shoe",
        "fixtures/chase-the-flush/house-burn.shoe",
        "fixtures/chase-the-flush/card-by-card-after-a-house-burn.shoe"};

    for (size_t i = 0; i < sizeof recordings / sizeof recordings[0]; i++) {
        struct person person = {.answer = person_deals, .seed = i};
        struct scene scene;

        open_scene(&scene, STACKED, &person);
        free(play(&scene, recordings[i], 0));
        if (scene.worst != VERDICT_PASS)
            printf("%s: %s\n", recordings[i], scene.first);
        CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
        close_scene(&scene, &person);
    }
}

TEST(what_people_deal_by_hand_is_recorded_and_replays_to_the_byte)
{
    static const char *const headers[] = {SCENE_CHASE, SCENE_CATCH, SCENE_POKER, SCENE_RUSH};

    for (size_t i = 0; i < 4; i++) {
        struct person person = {.answer = person_deals, .seed = i};
        struct scene scene;

        open_scene(&scene, SHUFFLED, &person);
        CU_ASSERT_EQUAL(
            scene_record(&scene, (struct observation){.header = headers[i], .rounds = 12}), 0);
        CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
        CU_ASSERT_EQUAL(person.nodded, 0);
        CU_ASSERT_TRUE(person.typed >= 12 * 4);
        scene_replay(&scene, 12);
        scene_forget(&scene);
        close_scene(&scene, &person);
    }
}

/* Deals ten rounds, and leaves in the middle of the next. */
static const char *deal_for_a_while(struct person *person, const struct desk_open *question)
{
    return person->asked > 10 * 6 + 3 ? NULL : person_deals(person, question);
}

TEST(a_recording_that_somebody_has_left_keeps_whole_rounds)
{
    struct person person = {.answer = deal_for_a_while, .seed = 5};
    struct scene scene;

    open_scene(&scene, SHUFFLED, &person);
    CU_ASSERT_EQUAL(scene_record(&scene, (struct observation){.header = SCENE_POKER, .rounds = 30}),
                    ERROR_ABORTED);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_ABORTED);
    CU_ASSERT_EQUAL(scene.rounds, 11);
    scene_replay(&scene, 10);
    scene_forget(&scene);
    close_scene(&scene, &person);
}

TEST(a_shoe_is_dealt_by_hand_from_a_stacked_deck_and_from_any_other)
{
    static const char *const recordings[] = {
        "fixtures/chase-the-flush/card-by-card-after-a-house-burn.shoe",
        "fixtures/chase-the-flush/card-by-card-from-a-shoe.shoe",
        "fixtures/chase-the-flush/misdeal-card-by-card.shoe",
        "fixtures/three-card-catch/card-by-card-from-the-hand.shoe"};

    for (size_t i = 0; i < 4; i++) {
        struct person person = {.answer = person_deals, .seed = i};
        const struct check_counts *counts;
        struct scene scene;

        open_scene(&scene, SHOE_STACKED, &person);
        free(play(&scene, recordings[i], 0));
        counts = &runner_counts(scene.runner)->checks;
        CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
        CU_ASSERT_TRUE(person.typed && person.nodded);
        CU_ASSERT_EQUAL(counts->passed[CHECK_TIMING], 0);
        CU_ASSERT_EQUAL(counts->skipped[CHECK_TIMING], 1);
        close_scene(&scene, &person);
    }
}

TEST(cards_that_are_drawn_by_hand_are_recorded_and_replay_to_the_byte)
{
    struct person person = {.answer = person_deals, .seed = 11};
    struct scene scene;

    open_scene(&scene, SHOE_COMPARED, &person);
    person_deals(&person, &(struct desk_open){.kind = QUESTION_STEP, .text = "52 cards"});
    CU_ASSERT_EQUAL(scene_record(&scene, (struct observation){.header = CARDS, .rounds = 12}), 0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    scene_replay(&scene, 12);
    scene_forget(&scene);
    close_scene(&scene, &person);
}

TEST(lines_of_a_shoe_are_taken_back_and_cards_too_many_belong_to_no_round)
{
    struct person person = {0};
    struct scene scene;

    open_scene(&scene, SHOE_COMPARED, &person);
    person.answers = ANSWERS("2c 3c", "4c 5c", "undo", "5c 6c 7c 8c 9c 10c js", "undo",
                             "5c 6c 7c 8c 9c 10c jc", "done");
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed",
                                   &(struct observation){.header = CARDS, .rounds = 1},
                                   &scene.error),
                    0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    CU_ASSERT_STRING_EQUAL(person.texts[0],
                           "draw 9 cards from the shoe, line 1: its cards, up to 9?");
    CU_ASSERT_STRING_EQUAL(person.texts[1],
                           "draw 7 cards from the shoe, line 2: its cards, up to 7?");
    CU_ASSERT_STRING_EQUAL(person.texts[3],
                           "draw 7 cards from the shoe, line 2: its cards, up to 7?");
    CU_ASSERT_STRING_EQUAL(person.texts[4], "the last were 5c 6c 7c 8c 9c Tc Js; is it right?");
    CU_ASSERT_EQUAL(person.refused, 0);
    CU_ASSERT_PTR_NULL(*person.answers);
    close_scene(&scene, &person);
    memset(&person, 0, sizeof person);
    open_scene(&scene, SHOE_COMPARED, &person);
    person.answers =
        ANSWERS("2c 3c 4c 5c 6c 7c 8c 9c 10c jc", "2c 3c 4c 5c 6c 7c 8c 9c 10c jc", "done");
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed",
                                   &(struct observation){.header = CARDS, .rounds = 1},
                                   &scene.error),
                    0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_FAIL);
    CU_ASSERT_STRING_EQUAL(scene.first, "card-conservation in round 1: \"Jc\", not null");
    close_scene(&scene, &person);
}

TEST(a_fault_of_a_shoe_is_cleared_by_hand)
{
    struct person person = {0};
    struct scene scene;

    person.answers = ANSWERS("2c 3c", "jam", "done", "4c 5c 6c 7c 8c 9c 10c", "done");
    open_scene(&scene, SHOE_COMPARED, &person);
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed",
                                   &(struct observation){.header = CARDS, .rounds = 1},
                                   &scene.error),
                    0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_DEVICE);
    CU_ASSERT_EQUAL(scene.first[0], '\0');
    close_scene(&scene, &person);
}

/* Answers three questions, then cancels; whatever is asked after that is too much. */
static const char *cancel_later(struct person *person, const struct desk_open *question)
{
    struct bench *bench = person->context;

    (void)question;
    if (person->asked == 3)
        return "ad kh qs";
    if (person->asked < 4)
        return "done";
    CU_ASSERT_EQUAL(person->asked, 4);
    hal_cancel(&bench->hal);
    return NULL;
}

TEST(a_bench_that_is_brought_to_rest_after_all_asks_nobody)
{
    struct person person = {.answer = cancel_later};
    struct scene scene;

    open_scene(&scene, STACKED, &person);
    person.context = &scene.bench;
    desk_sides(person.desk, DESK_PAGE | DESK_TERMINAL); /* who leaves is not the last */
    CU_ASSERT_EQUAL(runner_play(scene.runner, ACE, &scene.error), ERROR_ABORTED);
    hal_resume(&scene.bench.hal);
    CU_ASSERT_EQUAL(runner_rest(scene.runner, 1000, &scene.error), 0);
    CU_ASSERT_EQUAL(person.asked, 4);
    close_scene(&scene, &person);
}

TEST(rounds_whose_cards_nobody_reads_are_refused_before_a_device_is_opened)
{
    static const char text[] = "rig: test\nclock: virtual\ndevices:\n"
                               "  shuffler: {driver: hands, cards: none}\norder: compare\n";
    const struct observation observation = {.header = SCENE_POKER, .rounds = 1};
    struct error error;
    struct rig *rig;

    CU_ASSERT_EQUAL_FATAL(rig_parse(&rig, "test.yaml", text, sizeof text - 1, &error), 0);
    CU_ASSERT_EQUAL(observe_check(rig, NULL, &observation, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "write 'cards: hands' or 'cards: scanner:PATH'"));
    rig_free(rig);
}

TEST(where_nobody_reads_packets_that_came_are_counted)
{
    static const char rig[] = "rig: test\nclock: virtual\ndevices:\n"
                              "  shuffler: {driver: hands, cards: none}\norder: compare\n";
    struct person person = {0};
    const struct check_counts *counts;
    struct scene scene;

    person.answers = ANSWERS("done", "done", "done", "done", /* */ "done", "done", "done",
                             /* */ "done", "done", "done", "done");
    open_scene(&scene, rig, &person);
    free(play(&scene, ACE, 0));
    counts = &runner_counts(scene.runner)->checks;
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    CU_ASSERT_EQUAL(person.asked, 11);
    CU_ASSERT_EQUAL(counts->passed[CHECK_DEALT_CARDS], 0);
    CU_ASSERT_EQUAL(counts->skipped[CHECK_DEALT_CARDS], 1);
    CU_ASSERT_TRUE(counts->passed[CHECK_PACKET_ORDER] > 0);
    /* What is won hangs on cards that nobody has seen. */
    CU_ASSERT_EQUAL(counts->passed[CHECK_WAGER_OUTCOME] + counts->passed[CHECK_HAND_NAME], 0);
    CU_ASSERT_EQUAL(counts->skipped[CHECK_WAGER_OUTCOME], 1);
    CU_ASSERT_EQUAL(counts->skipped[CHECK_HAND_NAME], 1);
    close_scene(&scene, &person);
}
