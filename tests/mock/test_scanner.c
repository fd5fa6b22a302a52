/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scanner on the real libevdev and a mocked kernel, and who stands beside it at the desk. */
#include <errno.h>
#include <string.h>

#include "tests/support/mock/scanner_scene.h"
#include "tests/support/suite.h"

TEST(cards_drawn_past_the_scanner_are_read_in_their_order)
{
    struct scanner_scene scene;

    scanner_scene_set_up(&scene, DEEDS("012\n", "051\t", "000\n", "END\n"));
    CU_ASSERT_EQUAL(scanner_scene_read_cards(&scene, &scanner_scene_three), 0);
    EXPECT_READ(&scene, 12, 51, 0);
    CU_ASSERT_EQUAL(scene.reading.backs[1], 1);
    CU_ASSERT_FALSE(scene.reading.is_nodded);
    scanner_scene_expect_text(&scene, 0, "take packet 2 of 7: scan card 1 of 3");
    scanner_scene_expect_text(&scene, 1, "take packet 2 of 7: scan card 2 of 3, after Ac");
    CU_ASSERT_STRING_EQUAL(scene.heard[1], "051");
    scanner_scene_tear_down(&scene);
}

TEST(codes_that_come_faster_than_questions_wait_for_theirs)
{
    struct scanner_scene scene;

    scanner_scene_set_up(&scene, DEEDS("012\n051\n000\nEND\n"));
    CU_ASSERT_EQUAL(scanner_scene_read_cards(&scene, &scanner_scene_three), 0);
    EXPECT_READ(&scene, 12, 51, 0);
    scanner_scene_tear_down(&scene);
}

TEST(nobody_else_hears_the_scanner_while_it_is_open)
{
    struct scanner_scene scene;

    scanner_scene_set_up(&scene, DEEDS(NULL));
    CU_ASSERT_EQUAL_FATAL(scanner_scene_open_reader(&scene, "scanner:" NODE), 0);
    CU_ASSERT_TRUE(input_mock_is_grabbed(scene.input));
    card_reader_close(scene.reader);
    scene.reader = NULL;
    CU_ASSERT_FALSE(input_mock_is_grabbed(scene.input));
    scanner_scene_tear_down(&scene);
}

TEST(a_scanner_that_another_program_has_is_not_read)
{
    struct scanner_scene scene;

    scanner_scene_set_up(&scene, DEEDS(NULL));
    input_mock_refuse_grab(scene.input, EBUSY);
    CU_ASSERT_EQUAL(scanner_scene_open_reader(&scene, "scanner:" NODE), ERROR_RIG);
    CU_ASSERT_STRING_EQUAL(scene.error.text, NODE ": another program has grabbed it; end that one");
    CU_ASSERT_PTR_NULL(scene.reader);
    scanner_scene_tear_down(&scene);
}

TEST(a_code_that_no_map_has_is_refused_and_the_card_asked_for_again)
{
    struct scanner_scene scene;

    scanner_scene_set_up(&scene, DEEDS("012\n", "999\n", "051\n", "000\n", "END\n"));
    CU_ASSERT_EQUAL(scanner_scene_read_cards(&scene, &scanner_scene_three), 0);
    EXPECT_READ(&scene, 12, 51, 0);
    scanner_scene_expect_text(
        &scene, 2,
        "no line of the map has the code '999': scan that card again. take packet 2 of 7: scan "
        "card 2 of 3, after Ac");
    CU_ASSERT_STRING_EQUAL(scene.heard[1], "999");
    scanner_scene_tear_down(&scene);
}

TEST(a_card_that_is_read_twice_counts_once)
{
    struct scanner_scene scene;

    scanner_scene_set_up(&scene, DEEDS("012\n", "012\n", "012\n", "051\n", "000\n", "END\n"));
    CU_ASSERT_EQUAL(scanner_scene_read_cards(&scene, &scanner_scene_three), 0);
    EXPECT_READ(&scene, 12, 51, 0);
    scanner_scene_expect_text(
        &scene, 2,
        "Ac was read already, as card 1; if there are two of it type it, or else go on. "
        "take packet 2 of 7: scan card 2 of 3, after Ac");
    scanner_scene_tear_down(&scene);
}

TEST(a_card_of_which_there_are_two_is_read_when_somebody_says_so)
{
    struct scanner_scene scene;

    scanner_scene_set_up(&scene, DEEDS("012\n", "012\n", ">ac", ">ac", ">ac", "END\n"));
    CU_ASSERT_EQUAL(scanner_scene_read_cards(&scene, &scanner_scene_three), 0);
    EXPECT_READ(&scene, 12, 12, 12);
    CU_ASSERT_STRING_EQUAL(scene.refused.text,
                           "Ac was read already, as card 2; look again, and if it is there type it "
                           "once more");
    scanner_scene_tear_down(&scene);
}

TEST(a_card_of_an_earlier_packet_is_refused_with_that_packet)
{
    uint8_t seen_in[CARD_VALUES] = {0};
    struct card_request request = scanner_scene_three;
    struct scanner_scene scene;

    seen_in[card_from_index(12)] = 4;
    request.seen_in = seen_in;
    scanner_scene_set_up(&scene, DEEDS("012\n", "051\n", "000\n", ">2d ac", ">2d", ">done"));
    CU_ASSERT_EQUAL(scanner_scene_read_cards(&scene, &request), 0);
    EXPECT_READ(&scene, 51, 0, 13);
    scanner_scene_expect_text(
        &scene, 1,
        "Ac was seen in packet 4 already; if there are two of it type it, or else go on. "
        "take packet 2 of 7: scan card 1 of 3");
    CU_ASSERT_STRING_EQUAL(scene.refused.text,
                           "Ac was seen in packet 4 already; look again, and if it is there type "
                           "it once more");
    scanner_scene_tear_down(&scene);
}

TEST(a_card_that_cannot_be_scanned_may_be_typed)
{
    struct scanner_scene scene;

    scanner_scene_set_up(&scene, DEEDS("012\n", ">xx", ">10h AS", ">Done"));
    CU_ASSERT_EQUAL(scanner_scene_read_cards(&scene, &scanner_scene_three), 0);
    EXPECT_READ(&scene, 12, 34, 51);
    CU_ASSERT_EQUAL(scene.reading.backs[1], 0);
    CU_ASSERT_STRING_EQUAL(scene.refused.text,
                           "'xx' is no card; write rank and suit, as in As or 10h");
    scanner_scene_tear_down(&scene);
}

TEST(the_last_card_can_be_taken_back)
{
    struct scanner_scene scene;

    scanner_scene_set_up(&scene, DEEDS("012\n", "051\n", "BACK\n", ">undo", ">undo", "BACK\n",
                                       "000\n", "001\n", "002\n", "END\n"));
    CU_ASSERT_EQUAL(scanner_scene_read_cards(&scene, &scanner_scene_three), 0);
    EXPECT_READ(&scene, 0, 1, 2);
    CU_ASSERT_STRING_EQUAL(scene.refused.text, "there is nothing to take back any more");
    scanner_scene_expect_text(
        &scene, 5, "there is nothing to take back any more. take packet 2 of 7: scan card 1 of 3");
    scanner_scene_tear_down(&scene);
}

TEST(before_the_first_card_it_is_the_packet_before_that_is_taken_back)
{
    struct card_request request = scanner_scene_three;
    struct scanner_scene scene;

    request.previous = "packet 1";
    scanner_scene_set_up(&scene, DEEDS("012\n", "BACK\n", "BACK\n"));
    CU_ASSERT_EQUAL(scanner_scene_read_cards(&scene, &request), 0);
    CU_ASSERT_TRUE(scene.reading.is_undone);
    CU_ASSERT_EQUAL(scene.reading.count, 0);
    scanner_scene_tear_down(&scene);
}

TEST(a_packet_is_whole_when_somebody_says_so_and_not_before)
{
    struct scanner_scene scene;

    scanner_scene_set_up(
        &scene, DEEDS("END\n", ">done", "012\n", "051\n", "000\n", "001\n", "END\n", "END\n"));
    CU_ASSERT_EQUAL(scanner_scene_read_cards(&scene, &scanner_scene_three), 0);
    EXPECT_READ(&scene, 12, 51, 0, 1);
    scanner_scene_expect_text(&scene, 1,
                              "no card was read yet. take packet 2 of 7: scan card 1 of 3");
    scanner_scene_expect_text(
        &scene, 4,
        "take packet 2 of 7: all 3 cards, after 2c; say done, or scan what more there is");
    CU_ASSERT_PTR_NOT_NULL(strstr(scene.texts[6],
                                  "4 cards where 3 belong; look again, and if it is "
                                  "so say done once more"));
    scanner_scene_tear_down(&scene);
}

TEST(a_packet_with_too_few_cards_is_read_when_somebody_says_so_twice)
{
    struct scanner_scene scene;

    scanner_scene_set_up(&scene, DEEDS("012\n", ">done", "051\n", ">done", ">done"));
    CU_ASSERT_EQUAL(scanner_scene_read_cards(&scene, &scanner_scene_three), 0);
    EXPECT_READ(&scene, 12, 51);
    CU_ASSERT_STRING_EQUAL(scene.refused.text,
                           "2 cards where 3 belong; look again, and if it is so "
                           "say done once more");
    scanner_scene_tear_down(&scene);
}

TEST(cards_that_are_drawn_one_by_one_end_with_the_last_that_is_due)
{
    const struct card_request line = {.what = "draw 2 cards", .least = 1, .most = 2};
    struct scanner_scene scene;

    scanner_scene_set_up(&scene, DEEDS("012\n", "051\n"));
    CU_ASSERT_EQUAL(scanner_scene_read_cards(&scene, &line), 0);
    EXPECT_READ(&scene, 12, 51);
    scanner_scene_expect_text(&scene, 0, "draw 2 cards: scan card 1 of 2");
    scanner_scene_expect_text(&scene, 1, "draw 2 cards: scan card 2 of 2, after Ac, or say done");
    scanner_scene_tear_down(&scene);
}

TEST(a_packet_of_a_stacked_deck_may_be_confirmed_by_a_nod)
{
    card_t recorded[3] = {card_from_index(7), card_from_index(8), card_from_index(9)};
    struct card_request request = scanner_scene_three;
    struct scanner_scene scene;

    request.recorded = recorded;
    scanner_scene_set_up(&scene, DEEDS("012\n", ">", ">undo", ">"));
    CU_ASSERT_EQUAL(scanner_scene_read_cards(&scene, &request), 0);
    EXPECT_READ(&scene, 7, 8, 9);
    CU_ASSERT_TRUE(scene.reading.is_nodded);
    scanner_scene_expect_text(&scene, 0,
                              "take packet 2 of 7: scan card 1 of 3 (Enter: as recorded)");
    scanner_scene_tear_down(&scene);
}

TEST(a_fault_is_named_by_a_word_or_by_its_code)
{
    static const char *const faults[] = {"door", "jam", NULL};
    struct card_request request = scanner_scene_three;

    request.faults = faults;
    for (unsigned i = 0; i < 2; i++) {
        struct scanner_scene scene;

        scanner_scene_set_up(&scene, i ? DEEDS("012\n", ">Jam") : DEEDS("012\n", "JAM\n"));
        CU_ASSERT_EQUAL(scanner_scene_read_cards(&scene, &request), 0);
        CU_ASSERT_EQUAL(scene.reading.fault, 2);
        EXPECT_READ(&scene, 12);
        scanner_scene_tear_down(&scene);
    }
}

TEST(a_card_is_of_the_deck_that_the_map_says_or_who_types_it)
{
    struct scanner_scene scene;

    scanner_scene_set_up(&scene, DEEDS("012\n", "151\n", ">2c", ">done"));
    CU_ASSERT_EQUAL(scanner_scene_read_cards(&scene, &scanner_scene_three), 0);
    EXPECT_READ(&scene, 12, 51, 0);
    CU_ASSERT_EQUAL(memcmp(scene.reading.backs, ((uint8_t[]){1, 2, 0, 0}), 4), 0);
    CU_ASSERT_TRUE(scene.reader->tells_backs);
    scanner_scene_tear_down(&scene);
    scanner_scene_set_up(&scene, DEEDS("012\n", ">as/2 2c/1", ">done"));
    scene.decks = 2;
    CU_ASSERT_EQUAL(scanner_scene_read_cards(&scene, &scanner_scene_three), 0);
    EXPECT_READ(&scene, 12, 51, 0);
    CU_ASSERT_EQUAL(memcmp(scene.reading.backs, ((uint8_t[]){1, 2, 1, 0}), 4), 0);
    scanner_scene_tear_down(&scene);
}

TEST(the_same_card_of_the_other_deck_is_no_card_that_was_read_twice)
{
    struct scanner_scene scene;

    scanner_scene_set_up(&scene, DEEDS("012\n", "112\n", "112\n", "000\n", "END\n"));
    CU_ASSERT_EQUAL(scanner_scene_read_cards(&scene, &scanner_scene_three), 0);
    EXPECT_READ(&scene, 12, 12, 0);
    CU_ASSERT_EQUAL(memcmp(scene.reading.backs, ((uint8_t[]){1, 2, 1, 0}), 4), 0);
    scanner_scene_expect_text(&scene, 2, "take packet 2 of 7: scan card 3 of 3, after Ac");
    scanner_scene_expect_text(
        &scene, 3,
        "Ac was read already, as card 2; if there are two of it type it, or else go on. "
        "take packet 2 of 7: scan card 3 of 3, after Ac");
    scanner_scene_tear_down(&scene);
}
