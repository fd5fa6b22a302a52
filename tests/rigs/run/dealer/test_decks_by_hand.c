/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two decks that take turns at machines that people work, who see the backs of the cards. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/person.h"
#include "tests/support/scenes/scene.h"
#include "tests/support/suite.h"

#define BENCH        "rig: test\nclock: virtual\ndecks: 2\ndevices:\n"
#define STACKED      BENCH "  shuffler: {driver: hands}\norder: stack\n"
#define COMPARED     BENCH "  shuffler: {driver: hands}\norder: compare\n"
#define SHOE         BENCH "  shoe: {driver: hands}\norder: compare\n"
#define SHOE_STACKED BENCH "  shoe: {driver: hands}\norder: stack\n"
#define UNREAD       BENCH "  shuffler: {driver: hands, cards: none}\norder: compare\n"

/* Four rounds of decks 2, 1, 2 and 1. */
#define RUSH    "fixtures/flush-rush/two-decks-in-turn.shoe"
#define ROUND_1 "2c 3c 9d kh deck 2", "4c 7s jd qh deck 2", "done"
#define ROUND_2 "2c 3c 9c kh deck 1", "ad jd 4s 6h deck 1", "4c 7d 8d qh deck 1", "done"
#define ROUND_3 "ad jd 4d 6d deck 2", "kd 7d 8s qh deck 2", "done"
#define ROUND_4 "as 2s 3s 5s deck 1", "4s td jh qc deck 1", "done"

#define ANSWERS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void open_scene(struct scene *scene, const char *rig, struct person *person,
                       const char *const *answers)
{
    *person = (struct person){.answers = answers};
    scene_open(scene, rig, 1);
    person_sit(person);
    scene->bench.hal.desk = person->desk;
}

static void close_scene(struct scene *scene, struct person *person)
{
    scene_close(scene);
    person_rise(person);
}

static void play(struct scene *scene, struct person *person, const char *rig, const char *recording,
                 const char *const *answers)
{
    open_scene(scene, rig, person, answers);
    CU_ASSERT_EQUAL(runner_play(scene->runner, recording, &scene->error), 0);
    CU_ASSERT_PTR_NULL(*person->answers);
}

static const struct check_counts *counts(const struct scene *scene)
{
    return &runner_counts(scene->runner)->checks;
}

TEST(people_are_told_which_deck_to_stack_and_say_which_one_came)
{
    struct person person;
    struct scene scene;

    play(&scene, &person, STACKED, RUSH,
         ANSWERS("done", "done", ROUND_1, "done", "done", ROUND_2, "done", "done", ROUND_3, "done",
                 "done", ROUND_4));
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    CU_ASSERT_STRING_EQUAL(scene.first, "");
    CU_ASSERT_EQUAL(counts(&scene)->passed[CHECK_DECK_TURNS], 4);
    CU_ASSERT_STRING_EQUAL(person.texts[0],
                           "pile 1 of 1, 8 cards of deck 2, bottom first: Qh Jd 7s 4c Kh 9d 3c 2c; "
                           "lay all on the other 44, in any order; put the deck into the shuffler, "
                           "which must not shuffle");
    CU_ASSERT_PTR_NOT_NULL(strstr(person.texts[5], "12 cards of deck 1, bottom first"));
    CU_ASSERT_STRING_EQUAL(person.texts[4], "the last were 4c/2 7s/2 Jd/2 Qh/2; is it right?");
    close_scene(&scene, &person);
}

TEST(people_are_asked_to_shuffle_the_deck_whose_turn_it_is)
{
    struct person person;
    struct scene scene;

    play(&scene, &person, COMPARED, RUSH,
         ANSWERS("done", ROUND_1, "done", ROUND_2, "done", ROUND_3, "done", ROUND_4));
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    CU_ASSERT_EQUAL(counts(&scene)->passed[CHECK_DECK_TURNS], 4);
    CU_ASSERT_STRING_EQUAL(person.texts[0],
                           "gather all 52 cards of deck 2, put them into the shuffler, start it, "
                           "and press the green button once it has shuffled");
    CU_ASSERT_PTR_NOT_NULL(strstr(person.texts[4], "all 52 cards of deck 1, put them"));
    close_scene(&scene, &person);
}

TEST(a_card_of_the_other_deck_that_a_person_sees_fails)
{
    struct person person;
    struct scene scene;

    play(&scene, &person, STACKED, RUSH,
         ANSWERS("done", "done", "2c 3c 9d/1 kh deck 2", "4c 7s jd qh deck 2", "done", "done",
                 "done", ROUND_2, "done", "done", ROUND_3, "done", "done", ROUND_4));
    CU_ASSERT_EQUAL(scene.worst, VERDICT_FAIL);
    CU_ASSERT_EQUAL(scene_failed(&scene, CHECK_CARD_CONSERVATION), 1);
    CU_ASSERT_STRING_EQUAL(scene.first, "card-conservation in round 1: \"9d\", not null");
    CU_ASSERT_EQUAL(counts(&scene)->passed[CHECK_DECK_TURNS], 4);
    close_scene(&scene, &person);
}

TEST(another_deck_than_people_were_asked_for_is_out_of_its_turn_even_at_first)
{
    struct person person;
    struct scene scene;

    play(&scene, &person, COMPARED, RUSH,
         ANSWERS("done", "2c 3c 9d kh deck 1", "4c 7s jd qh deck 1", "done", "done", ROUND_2,
                 "done", ROUND_3, "done", ROUND_4));
    CU_ASSERT_EQUAL(scene.worst, VERDICT_FAIL);
    CU_ASSERT_STRING_EQUAL(scene.first, "deck-turns in round 1: 1, not 2");
    CU_ASSERT_EQUAL(scene_failed(&scene, CHECK_DECK_TURNS), 1);
    close_scene(&scene, &person);
}

/* What nobody says is not proven, whoever could have said it. */
TEST(where_people_say_no_deck_or_nobody_reads_cards_turns_are_skipped)
{
    struct person person;
    struct scene scene;

    play(&scene, &person, STACKED, RUSH,
         ANSWERS("done", "done", "2c 3c 9d kh", "4c 7s jd qh", "done", "done", "done",
                 "2c 3c 9c kh", "ad jd 4s 6h", "4c 7d 8d qh", "done", "done", "done", "ad jd 4d 6d",
                 "kd 7d 8s qh", "done", "done", "done", "as 2s 3s 5s", "4s td jh qc", "done"));
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    CU_ASSERT_EQUAL(counts(&scene)->passed[CHECK_DECK_TURNS], 0);
    CU_ASSERT_EQUAL(counts(&scene)->skipped[CHECK_DECK_TURNS], 4);
    close_scene(&scene, &person);
    play(&scene, &person, UNREAD, RUSH,
         ANSWERS("done", "done", "done", "done", "done", "done", "done", "done", "done", "done",
                 "done", "done", "done"));
    CU_ASSERT_EQUAL(counts(&scene)->passed[CHECK_DECK_TURNS], 0);
    CU_ASSERT_EQUAL(counts(&scene)->skipped[CHECK_DECK_TURNS], 1);
    close_scene(&scene, &person);
}

/* The other packet of its round may be of either deck; of round 2 nothing is known. */
TEST(a_packet_and_a_round_of_which_no_deck_is_said_are_skipped_by_name)
{
    struct person person;
    struct scene scene;

    play(&scene, &person, STACKED, RUSH,
         ANSWERS("done", "done", "2c 3c 9d kh deck 2", "4c 7s jd qh", "done", "done", "done",
                 "2c 3c 9c kh", "ad jd 4s 6h", "4c 7d 8d qh", "done", "done", "done", ROUND_3,
                 "done", "done", ROUND_4));
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    CU_ASSERT_EQUAL(counts(&scene)->skipped[CHECK_CARD_CONSERVATION], 1);
    CU_ASSERT_EQUAL(counts(&scene)->skipped[CHECK_DECK_TURNS], 1);
    CU_ASSERT_EQUAL(counts(&scene)->passed[CHECK_DECK_TURNS], 3);
    close_scene(&scene, &person);
}

#define CARDS "fixtures/chase-the-flush/two-decks-card-by-card.shoe"
#define DRAWN "ad 2c ks qd 3c 9s 5d kc 8s 7d jd 10h 4h"

TEST(of_two_decks_people_are_told_which_one_goes_into_a_shoe)
{
    struct person person;
    struct scene scene;

    play(&scene, &person, SHOE, CARDS,
         ANSWERS(DRAWN " deck 1", "done", "done", DRAWN " deck 2", "done", "done", DRAWN " deck 1",
                 "done"));
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    CU_ASSERT_STRING_EQUAL(scene.first, "");
    CU_ASSERT_EQUAL(counts(&scene)->passed[CHECK_DECK_TURNS], 3);
    CU_ASSERT_STRING_EQUAL(person.texts[2], "put all 52 cards of deck 2 into the shoe");
    close_scene(&scene, &person);
    play(&scene, &person, SHOE, CARDS,
         ANSWERS(DRAWN " deck 1", "done", "done", DRAWN " deck 1", "done", "done",
                 "ad/2 2c ks qd 3c 9s 5d kc 8s 7d jd 10h 4h deck 1", "done"));
    CU_ASSERT_EQUAL(scene.worst, VERDICT_FAIL);
    CU_ASSERT_STRING_EQUAL(scene.first, "deck-turns in round 2: 1, not 2");
    CU_ASSERT_EQUAL(scene_failed(&scene, CHECK_CARD_CONSERVATION), 1);
    close_scene(&scene, &person);
}

/* A recording of one deck, dealt from both as they come; who nods says nothing of backs. */
TEST(a_nod_proves_no_turn_and_the_packets_that_are_read_do)
{
    struct person person;
    struct scene scene;

    play(&scene, &person, STACKED, "fixtures/three-card-poker/ace-is-high.shoe",
         ANSWERS("done", "done", "ad kh qs deck 1", "", "", "done", "done", "ad kd qd deck 2", "",
                 "done", "done", "", "", ""));
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    CU_ASSERT_STRING_EQUAL(scene.first, "");
    CU_ASSERT_EQUAL(counts(&scene)->passed[CHECK_DECK_TURNS], 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(person.texts[5], "cards of deck 2, bottom first"));
    close_scene(&scene, &person);
}

TEST(a_deck_that_is_stacked_for_a_shoe_is_named)
{
    struct person person = {.answer = person_deals};
    struct scene scene;

    scene_open(&scene, SHOE_STACKED, 1);
    person_sit(&person);
    scene.bench.hal.desk = person.desk;
    CU_ASSERT_EQUAL(runner_play(scene.runner, CARDS, &scene.error), 0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    CU_ASSERT_PTR_NOT_NULL(strstr(person.texts[0], "13 cards of deck 1, bottom first"));
    close_scene(&scene, &person);
}
