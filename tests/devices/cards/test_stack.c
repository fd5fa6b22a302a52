/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/cards/stack.h"

#include <string.h>

#include "tests/support/person.h"
#include "tests/support/suite.h"

/* The clubs from the deuce on, then the diamonds …, of which so many matter. */
static int ask_of(uint8_t deck, struct person *person, unsigned known, const char *const *answers)
{
    struct card_stack stack = {.deck = deck, .known = known};
    struct clock clock;
    struct hal hal;
    int status;

    for (unsigned i = 0; i < DECK_SIZE; i++)
        stack.order[i] = card_from_index(i);
    clock_virtual(&clock, 0);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &clock, NULL), 0);
    memset(person, 0, sizeof *person);
    person->answers = answers;
    person_sit(person);
    hal.desk = person->desk;
    status = card_stack_ask(&stack, &hal, "the shoe", 0, NULL);
    person_rise(person);
    hal_close(&hal);
    return status;
}

static int ask(struct person *person, unsigned known, const char *const *answers)
{
    return ask_of(0, person, known, answers);
}

#define DONE ((const char *const[]){"done", "done", "done", "done", NULL})

TEST(a_whole_deck_is_laid_in_four_piles_of_a_suits_size_bottom_first)
{
    struct person person;

    CU_ASSERT_EQUAL(ask(&person, DECK_SIZE, DONE), 0);
    CU_ASSERT_EQUAL_FATAL(person.asked, 4);
    CU_ASSERT_STRING_EQUAL(person.texts[0], "pile 1 of 4, 13 cards, bottom first: As Ks Qs Js Ts "
                                            "9s 8s 7s 6s 5s 4s 3s 2s");
    CU_ASSERT_STRING_EQUAL(person.texts[3],
                           "pile 4 of 4, 13 cards, bottom first: Ac Kc Qc Jc Tc 9c 8c 7c 6c 5c 4c "
                           "3c 2c; lay it on pile 3; put the deck into the shoe");
    for (unsigned i = 0; i < 4; i++)
        CU_ASSERT_EQUAL(person.kinds[i], QUESTION_STEP);
}

TEST(what_does_not_matter_of_it_may_be_in_any_order)
{
    struct person person;

    CU_ASSERT_EQUAL(ask(&person, 15, DONE), 0);
    CU_ASSERT_EQUAL_FATAL(person.asked, 2);
    CU_ASSERT_STRING_EQUAL(person.texts[0], "pile 1 of 2, 13 cards, bottom first: 3d 2d Ac Kc Qc "
                                            "Jc Tc 9c 8c 7c 6c 5c 4c");
    CU_ASSERT_STRING_EQUAL(person.texts[1],
                           "pile 2 of 2, 2 cards, bottom first: 3c 2c; lay it on pile 1; lay all "
                           "on the other 37, in any order; put the deck into the shoe");
    CU_ASSERT_EQUAL(ask(&person, 1, DONE), 0);
    CU_ASSERT_EQUAL_FATAL(person.asked, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(person.texts[0], "pile 1 of 1, 1 card, bottom first: 2c; lay"));
}

TEST(who_leaves_leaves_the_deck_as_it_is)
{
    struct person person;

    CU_ASSERT_EQUAL(ask(&person, DECK_SIZE, ((const char *const[]){"done", NULL})), ERROR_ABORTED);
    CU_ASSERT_EQUAL(person.asked, 2);
}

TEST(a_nod_is_enough_for_what_need_not_be_read)
{
    const struct card_stack stack = {.read = 1 << 2 | UINT64_C(1) << 63};

    CU_ASSERT_TRUE(card_stack_nods(&stack, 0) && card_stack_nods(&stack, 3));
    CU_ASSERT_FALSE(card_stack_nods(&stack, 2) || card_stack_nods(&stack, 63));
    CU_ASSERT_FALSE(card_stack_nods(&stack, 64));
}

TEST(of_two_decks_it_is_said_which_one_is_stacked)
{
    struct person person;

    CU_ASSERT_EQUAL(ask_of(2, &person, 2, DONE), 0);
    CU_ASSERT_STRING_EQUAL(person.texts[0],
                           "pile 1 of 1, 2 cards of deck 2, bottom first: 3c 2c; lay all on the "
                           "other 50, in any order; put the deck into the shoe");
}
