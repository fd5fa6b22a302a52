/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/cards/typed.h"

#include <string.h>

#include "tests/support/suite.h"

/* What was typed, as files have it. */
static const char *read(const char *text)
{
    static char written[sizeof(struct error)];
    card_t cards[DECK_SIZE];
    struct error error;
    int count = cards_typed(text, cards, NULL, &error);

    memset(written, 0, sizeof written);
    if (count < 0)
        return strcpy(written, error.text);
    for (int i = 0; i < count; i++)
        card_format(cards[i], written + (size_t)2 * (unsigned)i);
    return written;
}

/* The same at a table with two decks: "As1Kd2". */
static const char *read_of_two(const char *text)
{
    static char written[sizeof(struct error)];
    card_t cards[DECK_SIZE];
    uint8_t backs[DECK_SIZE];
    struct error error;
    int count = cards_typed(text, cards, backs, &error);

    memset(written, 0, sizeof written);
    if (count < 0)
        return strcpy(written, error.text);
    for (int i = 0; i < count; i++) {
        card_format(cards[i], written + (size_t)3 * (unsigned)i);
        written[3 * i + 2] = (char)('0' + backs[i]);
    }
    return written;
}

TEST(cards_are_read_in_any_case_with_or_without_blanks)
{
    static const char *const same[] = {"as kd 10h 2c", "As,KD,10H,2C",   "askd10h2c",
                                       "AS kd th 2c",  " asKD 10h, 2c ", "asKDTh2c;"};

    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        CU_ASSERT_STRING_EQUAL(read(same[i]), "AsKdTh2c");
    CU_ASSERT_STRING_EQUAL(read(""), "");
    CU_ASSERT_STRING_EQUAL(read(" , "), "");
}

TEST(what_is_no_card_is_named)
{
    static const char *const wrong[][2] = {
        {"as kx 2c", "'kx' is no card"}, {"1s", "'1s' is no card"},    {"10", "'10' is no card"},
        {"as k", "'k' is no card"},      {"asd", "'d' is no card"},    {"11h", "'11h' is no card"},
        {"0h", "'0h' is no card"},       {"jam", "'jam' is no card"},  {"as\x01", "is no card"},
        {"s", "'s' is no card"},         {"as-kd", "'-kd' is no card"}};

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        CU_ASSERT_PTR_NOT_NULL(strstr(read(wrong[i][0]), wrong[i][1]));
}

TEST(more_cards_than_a_deck_has_are_refused)
{
    char text[2 * (DECK_SIZE + 1) + 1] = "";

    for (unsigned i = 0; i <= DECK_SIZE; i++)
        strcat(text, "2c");
    CU_ASSERT_PTR_NOT_NULL(strstr(read(text), "no more than 52 cards"));
    text[strlen(text) - 2] = '\0';
    CU_ASSERT_EQUAL(strlen(read(text)), 2 * DECK_SIZE);
}

TEST(of_two_decks_each_card_may_have_its_own_and_all_others_one)
{
    static const char *const same[][2] = {
        {"as kd 10h", "As0Kd0Th0"},          {"as/1 kd/2 10h/1", "As1Kd2Th1"},
        {"as/1kd/2,10H/ 1", "As1Kd2Th1"},    {"as kd 10h deck 2", "As2Kd2Th2"},
        {"askd10h, Deck2", "As2Kd2Th2"},     {"deck 1 as kd 10h", "As1Kd1Th1"},
        {"as kd/1 10h deck 2", "As2Kd1Th2"}, {"", ""}};

    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        CU_ASSERT_STRING_EQUAL(read_of_two(same[i][0]), same[i][1]);
}

TEST(a_deck_that_is_not_there_or_not_said_of_every_card_is_refused)
{
    static const char *const wrong[][2] = {
        {"as/3", "'/3' names no deck"},
        {"as/", "'/' names no deck"},
        {"as deck", "'deck' names no deck"},
        {"as deck 3", "'deck 3' names no deck"},
        {"as deck 12", "'deck 12' names no deck"},
        {"as deck 1 deck 2", "'deck 2' names no deck, or a second one"},
        {"/1 as", "'/1 as' names no deck"},
        {"as/1 kd", "Kd has no deck, and others have"},
        {"as kd/2", "As has no deck, and others have"}};

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        CU_ASSERT_PTR_NOT_NULL(strstr(read_of_two(wrong[i][0]), wrong[i][1]));
}

TEST(where_there_is_one_deck_none_is_named)
{
    CU_ASSERT_STRING_EQUAL(read("as/1"),
                           "'/1' names a deck, and the rig has but one; write the cards alone");
    CU_ASSERT_STRING_EQUAL(read("as deck 1"),
                           "'deck 1' names a deck, and the rig has but one; write the cards alone");
}
